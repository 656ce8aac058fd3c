"""Running a match until it has enough deals, with an executor and optionally a match file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from acesaround.arena.executors import LegExecutor, local_executor
from acesaround.arena.match import Match
from acesaround.arena.match_file import MatchFile
from acesaround.arena.result import Result, make_result
from acesaround.arena.results_ledger import Ledger


def compare(match: Match, deals: int, processes: int = 1) -> Result:
    """Play at least `deals` deals in every seating and return the result. Raise AcesAroundError."""
    ledger = Ledger(match, deals)
    with contextlib.closing(local_executor(match, processes)) as executor:
        play_match(executor, ledger)
    final_result = make_result(match, ledger)
    assert final_result is not None
    return final_result


def play_match(
    executor: LegExecutor,
    ledger: Ledger,
    match_file: MatchFile | None = None,
    on_leg_done: Callable[[], None] = lambda: None,
) -> None:
    """Play legs until the ledger has enough. `on_leg_done` is called after each leg.

    Legs that are already in `match_file` are not played again. Raises AcesAroundError and OSError.
    """
    for leg in match_file.read_legs() if match_file is not None else ():
        ledger.add(leg)
    on_leg_done()
    while not ledger.has_enough_deals:
        while executor.has_capacity() and (job := ledger.next_leg()) is not None:
            executor.submit(job)
        leg = executor.next_result()
        if match_file is not None:
            match_file.add(leg)
        ledger.add(leg)
        on_leg_done()
