"""Playing a match until there are deals enough: here, with a crew of one's own, with a file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from acesaround.arena.executors import LegExecutor, local_executor
from acesaround.arena.match import Match
from acesaround.arena.match_file import MatchFile
from acesaround.arena.result import Result, result
from acesaround.arena.results_ledger import Ledger


def compare(match: Match, deals: int, processes: int = 1) -> Result:
    """The result of a match of at least so many deals in every seating. Raises AcesAroundError."""
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
    """Fill the ledger; `told` is called after each leg. Raises AcesAroundError and OSError.

    What is in the log already is not played again.
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
