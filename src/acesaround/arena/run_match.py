"""Running a match until it has enough deals, with an executor and optionally a match file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from acesaround.arena.executors import LegExecutor, local_executor
from acesaround.arena.match import Match
from acesaround.arena.match_file import MatchFile
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.result import MatchResult, make_result


def compare(match: Match, deals: int, processes: int = 1) -> MatchResult:
    """Play at least `deals` deals in every seating and return the result. Raise AcesAroundError."""
    progress = MatchProgress(match, deals)
    with contextlib.closing(local_executor(match, processes)) as executor:
        play_match(executor, progress)
    final_result = make_result(match, progress)
    assert final_result is not None
    return final_result


def play_match(
    executor: LegExecutor,
    progress: MatchProgress,
    match_file: MatchFile | None = None,
    on_leg_done: Callable[[], None] = lambda: None,
) -> None:
    """Play legs until the match has enough deals. `on_leg_done` is called after each leg.

    Legs that are already in `match_file` are not played again. Raises AcesAroundError and OSError.
    """
    for leg in match_file.read_legs() if match_file is not None else ():
        progress.add(leg)
    on_leg_done()
    while not progress.has_enough_deals:
        while executor.has_capacity() and (job := progress.next_leg()) is not None:
            executor.submit(job)
        leg = executor.next_result()
        if match_file is not None:
            match_file.add(leg)
        progress.add(leg)
        on_leg_done()
