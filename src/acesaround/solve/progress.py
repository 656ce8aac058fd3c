"""Progress of solving on standard error: kernels compiled, bounds that get narrower."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final

from acesaround.cards import Card
from acesaround.fast import Answer, warmup
from acesaround.reporting import console as report
from acesaround.solve.solution import SolveBudget, Told

_PATIENCE: Final = 1.0  # seconds before anything is shown


def compile_kernels() -> None:
    """Load the solver. Compile it before its first use, and report that on a terminal."""
    report.compile_kernels(warmup.SOLVER)
    warmup.solver()  # load it now, so that loading does not count as solving time


@contextlib.contextmanager
def stopped_by_interrupt(effort: SolveBudget) -> Iterator[None]:
    """Let Ctrl-C stop the search and keep its result so far; a second one ends the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: Any) -> None:
        effort.stop()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def bounds(effort: SolveBudget) -> Iterator[Told | None]:
    """Yield a callback that shows the bounds of the cards, or None if stderr is no terminal.

    The bounds appear after one second.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    with contextlib.ExitStack() as stack:
        live: Live | None = None

        def told(answers: Mapping[Card, Answer], nodes: int) -> None:
            nonlocal live
            if effort.seconds < _PATIENCE:
                return
            if live is None:
                live = stack.enter_context(
                    Live(console=console, transient=True, auto_refresh=False)
                )
            live.update(Text(_words(answers, nodes, effort.seconds)), refresh=True)

        yield told


def _words(answers: Mapping[Card, Answer], nodes: int, seconds: float) -> str:
    done = sum(one.exact for one in answers.values())
    cards = "   ".join(
        f"{card} {one.low}" if one.exact else f"{card} {one.low}-{one.high}"
        for card, one in answers.items()
    )
    return (
        f"{done} of {len(answers)} cards solved, {nodes / 1e6:.1f} million nodes, {seconds:.0f} s; "
        f"Ctrl-C shows what is known\n{cards}"
    )
