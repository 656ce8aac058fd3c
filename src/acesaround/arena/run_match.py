"""Running a match until it has enough deals, with an executor and optionally a match file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from acesaround.arena.executors import LegExecutor, local_executor
from acesaround.arena.match import Match
from acesaround.arena.match_file import MatchFile
from acesaround.arena.result import Result, result
from acesaround.arena.results_ledger import Ledger


def compare(match: Match, deals: int, processes: int = 1) -> Result:
    """Play at least `deals` deals in every seating and return the result. Raise AcesAroundError."""
    ledger = Ledger(match, deals)
    with contextlib.closing(local_executor(match, processes)) as crew:
        play(crew, ledger)
    found = result(match, ledger)
    assert found is not None
    return found


def play(
    crew: LegExecutor,
    ledger: Ledger,
    log: MatchFile | None = None,
    told: Callable[[], None] = lambda: None,
) -> None:
    """Play legs until the ledger has enough. `told` is called after each leg.

    Legs that are already in `log` are not played again. Raises AcesAroundError and OSError.
    """
    for leg in log.read() if log is not None else ():
        ledger.add(leg)
    told()
    while not ledger.enough:
        while crew.has_capacity() and (job := ledger.next()) is not None:
            crew.submit(job)
        leg = crew.next_result()
        if log is not None:
            log.add(leg)
        ledger.add(leg)
        told()
