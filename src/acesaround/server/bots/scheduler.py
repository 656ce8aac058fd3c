"""The scheduler of search bots at all tables: persons take turns at the worker pool.

Each request is charged to a person. A hint is charged to the requester, a bot's step to a person at
its table (`person_charged`). Persons get equal shares of the pool, however much waits for each
(`fair_queue`). A person with many requests gets less thinking time for each. The bots run in a
`BotPool`. If the pool does not answer, `thumb` decides.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from acesaround import bots
from acesaround.bots.advice import Advice
from acesaround.bots.pool.local import LocalPool, default_pool_size
from acesaround.bots.pool.request import LIMIT, BotPool, BotRequest, NoAnswer, decide
from acesaround.errors import BotError
from acesaround.rules import Rules
from acesaround.server.bots.fair_executor import FairQueue
from acesaround.server.bots.fair_queue import FairExecutor
from acesaround.server.limits.rates import RateLimited
from acesaround.server.observability.metrics import Metrics
from acesaround.table import Table

_LOG: Final = logging.getLogger(__name__)
_HINT: Final = 1.0  # seconds of thinking for a hint, if nothing else is in the queue


class BotScheduler:
    """Runs requests on a worker pool, fairly by person. `mind`: the pool."""

    def __init__(self, mind: BotPool | None = None, metrics: Metrics | None = None) -> None:
        self._mind = mind or LocalPool(default_pool_size(), LIMIT)
        metrics = metrics or Metrics()
        self._turns = FairExecutor(
            self._mind.number, metrics.bot_wait_seconds.observe, metrics.bot_work_seconds.observe
        )
        self._mind.changed = lambda: self._turns.resize(self._mind.number)
        self._asking: set[str] = set()

    @property
    def queue(self) -> FairQueue[Any]:
        """The requests that wait or are in progress."""
        return self._turns.queue

    @property
    def ready(self) -> bool:
        """Whether the pool answers requests."""
        return self._mind.ready

    def measures(self, bot: str, rules: Rules) -> bool:
        """Return whether a bot that does not search needs the pool, to evaluate hands first."""
        return self._mind.ready and not bots.judged(bot, rules)

    def prepare(self) -> bool:
        """Start the pool if needed; return whether it is ready."""
        self._mind.start()
        return self._mind.ready

    async def think(self, who: str, question: BotRequest) -> Advice:
        """Return a bot's answer, charged to a person.

        Raises RateLimited, and BotError if the bot fails.

        If the pool gives no answer in time, `thumb` answers for a search bot. Other bots then
        answer in this process.
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
        """Answer a person's question, one at a time for each person. Raises RateLimited.

        If the bot fails, `thumb` answers.
        """
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
        """Close the pool and cancel all waiting requests."""
        self._turns.clear()
        await self._mind.close()
        await self._turns.close()


def hint_bot_name(rules: Rules) -> str:
    """Return the name of the bot that gives hints by these rules: the best available."""
    name = bots.hint_bot_name(rules)
    return f"{name}:time={_HINT:g}" if bots.needs_warmup(name) else name


def person_charged(table: Table) -> str:
    """Return the id of the person who is charged for a table's bots.

    The order is: the first seated person who plays without a substitute, then any seated person,
    then the host. So a person who opens tables for others does not pay for their games.
    """
    seated = [table.seats[seat] for seat in table.occupied_seats]
    seated.sort(key=lambda seat: seat.covered)
    person = seated[0].person if seated else None
    return table.host.id if person is None else person.id
