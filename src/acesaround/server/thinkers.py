"""Bots that search, at all tables together: a thread a core, and persons take turns.

Everything that is thought about is on somebody's account: a question on that of who asks, a bot's
step on that of a person at its table (`account`). Persons get equal parts of the cores, whatever
waits for each (`fair`). Where a person has much to be thought about, each piece is thought about
for less. Until the kernels are compiled, `thumb` plays for the bots.
"""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Callable
from typing import Final, TypeVar

from acesaround import bots
from acesaround.bots.player import Player
from acesaround.bots.preparing import preparation
from acesaround.rules import Rules
from acesaround.server.crew import Crew
from acesaround.server.limits import TooMany
from acesaround.server.metrics import Figures
from acesaround.table import Table

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_HINT: Final = 1.0  # seconds that are thought about a hint, if nobody else thinks


class Thinkers:
    """Threads that think. `cores`: how many; usually one for each core of this machine."""

    def __init__(self, cores: int | None = None) -> None:
        here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        self._cores = cores or here
        self._crew = Crew(self._cores, "thinking")
        self._asking: set[str] = set()

    @property
    def busy(self) -> int:
        """How many decisions are thought about or wait for it."""
        return len(self._crew.queue)

    @property
    def figures(self) -> Figures:
        """The queue as it is now, and how long pieces have waited and taken."""
        queue = self._crew.queue
        return {
            "thinking waiting": [len(queue) - queue.working],
            "thinking working": [queue.working],
            "thinking_persons": [queue.persons],
            "thinking_wait_seconds": self._crew.waited.figures,
            "thinking_work_seconds": self._crew.worked.figures,
        }

    def prepare(self) -> bool:
        """Whether bots that search answer at once; sees to it that they will."""
        its = preparation()
        its.begin(announce)
        return its.ready.is_set() and its.failed is None

    def player(self, who: str, name: str, rng: random.Random) -> Player:
        """A bot that takes its part of the time there is for a person."""
        return bots.sharing(name, rng, self._crew.queue.share(who))

    def adviser(self, who: str, rules: Rules, rng: random.Random) -> Player:
        """Who gives hints by those rules: the best there is and that answers at once."""
        if not (bots.searches(bots.adviser_name(rules)) and self.prepare()):
            return bots.make("thumb", rng)
        return bots.adviser(rng, _HINT * self._crew.queue.share(who), rules)

    async def think(self, who: str, work: Callable[[], T]) -> T:
        """What comes of some thinking on a person's account, off the loop. Raises TooMany."""
        return await self._crew.do(who, work)

    async def answer(self, who: str, work: Callable[[], T]) -> T:
        """The same for somebody's question, one at a time of each. Raises TooMany."""
        if who in self._asking:
            raise TooMany("Your last question is still thought about: ask when it is answered.")
        self._asking.add(who)
        try:
            return await self.think(who, work)
        finally:
            self._asking.discard(who)

    async def close(self) -> None:
        """Let those who think come to an end."""
        await self._crew.close()


def account(table: Table) -> str:
    """The id of the person for whom a table's bots think.

    That is the first of those who sit there and play themselves, then of all who sit there, and
    the host where nobody does: whoever opens tables for others does not pay for their games.
    """
    seated = [table.seats[seat] for seat in table.people]
    seated.sort(key=lambda seat: seat.covered)
    person = seated[0].person if seated else None
    return table.host.id if person is None else person.id


def announce() -> None:
    """Say in the log that something is being compiled."""
    _LOG.warning("compiling what bots think with, this once: until then thumb plays for them")
