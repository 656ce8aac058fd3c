"""The scheduler of search bots at all tables: addresses and persons take turns at the worker pool.

Each request is charged to a person. A hint is charged to the requester, a bot's step to a person at
its table (`person_charged`). Addresses get equal shares of the pool, and so do the persons of one
address, however much waits for each (`fair_executor`). A person with many requests gets less
thinking time for each. The bots run in a `BotPool`. If the pool does not answer, `thumb` decides.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from msgspec.structs import replace

from acesaround import bots
from acesaround.bots.advice import Advice
from acesaround.bots.pool.local import LocalPool, default_pool_size
from acesaround.bots.pool.request import (
    BOT_ANSWER_SECONDS,
    BotPool,
    BotRequest,
    NoAnswer,
    WorkerTask,
    decide,
)
from acesaround.errors import BotError
from acesaround.rules import Rules
from acesaround.server.bots.fair_executor import FairExecutor
from acesaround.server.limits.rate_limiters import RateLimited
from acesaround.server.observability.metrics import Metrics
from acesaround.table import Table

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_HINT_SECONDS: Final = 0.9  # seconds of thinking for a hint, if nothing else is in the queue
HINT_NOT_READY: Final = "Your last hint is not ready yet: wait until it is."


class BotScheduler:
    """Runs requests on a worker pool, fairly by address and person. `pool`: the pool."""

    def __init__(self, pool: BotPool | None = None, metrics: Metrics | None = None) -> None:
        self._pool = pool or LocalPool(default_pool_size(), BOT_ANSWER_SECONDS)
        metrics = metrics or Metrics()
        self.executor = FairExecutor(
            self._pool.max_running,
            metrics.bot_wait_seconds.observe,
            metrics.bot_work_seconds.observe,
        )
        self._pool.on_resize = lambda: self.executor.resize(self._pool.max_running)
        self._people_waiting: set[str] = set()

    @property
    def pending_count(self) -> int:
        """How many decisions wait or are in progress."""
        return self.executor.waiting_count + self.executor.working_count

    @property
    def is_ready(self) -> bool:
        """Whether the pool answers requests."""
        return self._pool.ready

    def must_evaluate_hands(self, bot: str, rules: Rules) -> bool:
        """Return whether a bot that does not search needs the pool, to evaluate hands first."""
        return self._pool.ready and not bots.has_hand_weights(bot, rules)

    def prepare(self) -> bool:
        """Start the pool if needed; return whether it is ready."""
        self._pool.start()
        return self._pool.ready

    async def decide_fairly(self, person: str, request: BotRequest) -> Advice:
        """Return a bot's answer, charged to a person.

        Raises RateLimited, and BotError if the bot fails.

        If the pool gives no answer in time, `thumb` answers for a search bot. Other bots then
        answer in this process.
        """
        is_search_bot = bots.needs_warmup(request.bot)
        if (
            self.prepare()
            if is_search_bot
            else self.must_evaluate_hands(request.bot, request.view.rules)
        ):
            with suppress(NoAnswer):
                return await self.executor.submit(person, partial(self._ask_pool, person, request))
        if is_search_bot:
            return await _advise_quickly(request)
        return await asyncio.to_thread(decide, request)

    async def _ask_pool(self, person: str, request: BotRequest) -> Advice:
        return await self._pool.ask(replace(request, time_share=self.executor.time_share(person)))

    async def run_in_background(self, task: WorkerTask[T]) -> T:
        """Return the result of a task that waits for all bots and hints.

        Raises NoAnswer, ServerStopping, and BotError if the task fails.
        """
        return await self.executor.run_in_background(lambda: self._pool.run(task))

    async def answer_one_at_a_time(self, person: str, request: BotRequest) -> Advice:
        """Answer a person's question, one at a time for each person. Raises RateLimited.

        If the bot fails, `thumb` answers.
        """
        if person in self._people_waiting:
            raise RateLimited(HINT_NOT_READY)
        self._people_waiting.add(person)
        try:
            return await self.decide_fairly(person, request)
        except BotError as error:
            _LOG.error("a bot failed to answer a hint: %s", error, exc_info=error.__cause__)
            return await _advise_quickly(request)
        finally:
            self._people_waiting.discard(person)

    async def close(self) -> None:
        """Close the pool and cancel all waiting requests."""
        # Both at once, or the pool would replace workers whose requests are cancelled.
        await asyncio.gather(self.executor.close(), self._pool.close())


async def _advise_quickly(request: BotRequest) -> Advice:
    advice = await asyncio.to_thread(decide, replace(request, bot="thumb"))
    return replace(advice, is_quick=True)


def hint_bot_name(rules: Rules) -> str:
    """Return the name of the bot that gives hints by these rules: the best available."""
    name = bots.hint_bot_name(rules)
    return f"{name}:time={_HINT_SECONDS:g}" if bots.needs_warmup(name) else name


def person_charged(table: Table) -> str:
    """Return the id of the person who is charged for a table's bots.

    The order is: the first seated person who plays without a substitute, then any seated person,
    then the host. So a person who opens tables for others does not pay for their games.
    """
    seats = [table.seats[seat] for seat in table.occupied_seats]
    seats.sort(key=lambda seat: seat.has_substitute)
    person = seats[0].person if seats else None
    return table.host.id if person is None else person.id
