"""What is shown on standard error while people wait: kernels compiled, bounds narrowing."""

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
    """Load the solver; compile it at its first use, and say so on a screen."""
    report.compile_kernels(warmup.SOLVER)
    warmup.solver()  # loads it, so that this is not counted as solving


@contextlib.contextmanager
def stopped_by_interrupt(effort: SolveBudget) -> Iterator[None]:
    """Ctrl-C ends the effort, so that what is known is shown; a second one ends the program."""
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
    """Shows the bounds of the cards once it takes over a second, if standard error is a screen."""
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
