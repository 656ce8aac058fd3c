"""Progress of solving on standard error: kernels compiled, bounds that get narrower."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final

from acesaround.cards import Card
from acesaround.fast import ValueInterval, warmup
from acesaround.reporting import console as report
from acesaround.solve.solution import ProgressCallback, SolveBudget

_DELAY_SECONDS: Final = 1.0  # seconds before anything is shown


def compile_kernels() -> None:
    """Load the solver. Compile it before its first use, and report that on a terminal."""
    report.compile_kernels(warmup.SOLVER)
    warmup.compile_solver()  # load it now, so that loading does not count as solving time


@contextlib.contextmanager
def stop_on_interrupt(budget: SolveBudget) -> Iterator[None]:
    """Let Ctrl-C stop the search and keep its result so far; a second one ends the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous_handler = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: Any) -> None:
        budget.stop()
        signal.signal(signal.SIGINT, previous_handler)

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)


@contextlib.contextmanager
def show_bounds(budget: SolveBudget) -> Iterator[ProgressCallback | None]:
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

        def show_bounds_so_far(answers: Mapping[Card, ValueInterval], nodes: int) -> None:
            nonlocal live
            if budget.elapsed_seconds < _DELAY_SECONDS:
                return
            if live is None:
                live = stack.enter_context(
                    Live(console=console, transient=True, auto_refresh=False)
                )
            live.update(Text(_progress_text(answers, nodes, budget.elapsed_seconds)), refresh=True)

        yield show_bounds_so_far


def _progress_text(answers: Mapping[Card, ValueInterval], nodes: int, seconds: float) -> str:
    solved_count = sum(answer.is_exact for answer in answers.values())
    cards = "   ".join(
        f"{card} {answer.lower_bound}"
        if answer.is_exact
        else f"{card} {answer.lower_bound}-{answer.upper_bound}"
        for card, answer in answers.items()
    )
    return (
        f"{solved_count} of {len(answers)} cards solved, {nodes / 1e6:.1f} million nodes, "
        f"{seconds:.0f} s; "
        f"Ctrl-C shows what is known\n{cards}"
    )
