"""Progress of a match on standard error, if that is a terminal: deals, score, remaining time."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final

from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.statistics import mean_ratio
from acesaround.arena.text_report import format_difference

_MIN_UPDATE_SECONDS: Final = 0.5
"""The least number of seconds between two updates of the score."""
_MAX_UPDATE_SHARE: Final = 0.02
"""The largest share of the running time that may be spent on updates."""


@contextlib.contextmanager
def progress_bar(progress: MatchProgress, deals: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar. The yielded function must be called after each leg."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("deals"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    next_update = 0.0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=deals)

        def show_progress() -> None:
            nonlocal next_update
            if (now := monotonic()) > next_update:
                bar.update(
                    task,
                    completed=int(progress.deals_per_seating),
                    description=_score_text(progress),
                )
                next_update = now + max(
                    _MIN_UPDATE_SECONDS, (monotonic() - now) / _MAX_UPDATE_SHARE
                )

        yield show_progress


def _score_text(progress: MatchProgress) -> str:
    if not progress.boards:
        return ""
    return (
        f"A less B {format_difference(mean_ratio([board.difference for board in progress.boards]))}"
    )
