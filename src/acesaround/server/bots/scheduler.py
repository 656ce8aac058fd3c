"""Bots that search, at all tables together: persons take turns at those who think for them.

Everything that is thought about is on somebody's account: a question on that of who asks, a bot's
step on that of a person at its table (`account`). Persons get equal parts of what there is,
whatever waits for each (`fair`). Where a person has much to be thought about, each piece is thought
about for less. Nothing is thought about here: a `Mind` does that elsewhere. Where it does not
answer, `thumb` does.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec.structs import replace

from acesaround import bots
from acesaround.bots.advice import Advice
from acesaround.bots.pool.local import LocalPool, default_pool_size
from acesaround.bots.pool.request import LIMIT, BotPool, BotRequest, NoAnswer, decide
from acesaround.errors import BotError
from acesaround.rules import Rules
from acesaround.server.bots.fair_queue import FairExecutor
from acesaround.server.limits.rates import RateLimited
from acesaround.server.observability.metrics import Figures
from acesaround.table import Table

_LOG: Final = logging.getLogger(__name__)
_HINT: Final = 1.0  # seconds that are thought about a hint, if nobody else thinks


class BotScheduler:
    """Those who think. `mind`: where they are."""

    def __init__(self, mind: BotPool | None = None) -> None:
        self._mind = mind or LocalPool(default_pool_size(), LIMIT)
        self._turns = FairExecutor(self._mind.number)
        self._mind.changed = lambda: self._turns.resize(self._mind.number)
        self._asking: set[str] = set()

    @property
    def pending_count(self) -> int:
        """How many decisions are thought about or wait for it."""
        return len(self._turns.queue)

    @property
    def ready(self) -> bool:
        """Whether bots that search answer."""
        return self._mind.ready

    @property
    def figures(self) -> Figures:
        """The queue as it is now, and how long pieces have waited and taken."""
        queue = self._turns.queue
        return {
            "thinking waiting": [len(queue) - queue.working],
            "thinking working": [queue.working],
            "thinking_persons": [queue.persons],
            "thinking_wait_seconds": self._turns.waited.figures,
            "thinking_work_seconds": self._turns.worked.figures,
        }

    def measures(self, bot: str, rules: Rules) -> bool:
        """Whether a bot that does not search is asked there, for it has hands to measure first."""
        return self._mind.ready and not bots.judged(bot, rules)

    def prepare(self) -> bool:
        """The same; sees to it that they will."""
        self._mind.start()
        return self._mind.ready

    async def think(self, who: str, question: BotRequest) -> Advice:
        """A bot's answer on a person's account. Raises TooMany, and BotError where the bot failed.

        The answer is `thumb`'s where nobody thinks, or not in time; of a bot that does not search
        its own.
        """
        searches = bots.needs_warmup(question.bot)
        if self.prepare() if searches else self.measures(question.bot, question.view.rules):
            with suppress(NoAnswer):
                return await self._turns.submit(who, partial(self._asked, who, question))
        here = replace(question, bot="thumb") if searches else question
        return await asyncio.to_thread(decide, here)

    async def _asked(self, who: str, question: BotRequest) -> Advice:
        return await self._mind.ask(replace(question, share=self._turns.queue.time_share(who)))

    async def answer(self, who: str, question: BotRequest) -> Advice:
        """The same for somebody's question, one at a time of each. Raises TooMany."""
        if who in self._asking:
            raise RateLimited("Your last question is still thought about: ask when it is answered.")
        self._asking.add(who)
        try:
            return await self.think(who, question)
        except BotError as error:
            _LOG.error("a question: %s", error, exc_info=error.__cause__)
            return await asyncio.to_thread(decide, replace(question, bot="thumb"))
        finally:
            self._asking.discard(who)

    async def close(self) -> None:
        """End those who think. Whoever waits for them waits no longer."""
        self._turns.clear()
        await self._mind.close()
        await self._turns.close()


def hint_bot_name(rules: Rules) -> str:
    """The name of who gives hints by those rules: the best there is."""
    name = bots.hint_bot_name(rules)
    return f"{name}:time={_HINT:g}" if bots.needs_warmup(name) else name


def person_charged(table: Table) -> str:
    """The id of the person for whom a table's bots think.

    That is the first of those who sit there and play themselves, then of all who sit there, and
    the host where nobody does: whoever opens tables for others does not pay for their games.
    """
    seated = [table.seats[seat] for seat in table.occupied_seats]
    seated.sort(key=lambda seat: seat.covered)
    person = seated[0].person if seated else None
    return table.host.id if person is None else person.id
