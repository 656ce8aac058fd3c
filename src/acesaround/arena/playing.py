"""Playing a match with a crew until there are deals enough."""

from __future__ import annotations

from collections.abc import Callable

from acesaround.arena.crew import Crew
from acesaround.arena.ledger import Ledger
from acesaround.arena.log import Log


def play(
    crew: Crew,
    ledger: Ledger,
    log: Log | None = None,
    told: Callable[[], None] = lambda: None,
) -> None:
    """Fill the ledger; `told` is called after each leg. Raises AcesAroundError and OSError.

    What is in the log already is not played again.
    """
    for leg in log.read() if log is not None else ():
        ledger.add(leg)
    told()
    while not ledger.enough:
        while crew.room() and (job := ledger.next()) is not None:
            crew.give(job)
        leg = crew.take()
        if log is not None:
            log.add(leg)
        ledger.add(leg)
        told()
