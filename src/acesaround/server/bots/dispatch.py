"""Decides where a bot at a table runs: in the worker pool, a thread, or a program of its own.

Each seat has its own program, and a limited number of programs run at once. A built-in bot is made
for each decision. A program keeps running from one decision to the next. It is stopped when the
last person leaves its table, or when another program needs its slot. It starts again for its next
decision.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from acesaround import bots
from acesaround.actions import Action
from acesaround.bots.advice import Advice
from acesaround.bots.player import Player, close
from acesaround.errors import BotError
from acesaround.game.state import Decision
from acesaround.game.view import View, turn_of
from acesaround.server import random_source
from acesaround.server.bots.fair_executor import FairExecutor
from acesaround.server.bots.scheduler import BotScheduler, person_charged
from acesaround.table import Entry, Table, automatic_entry, bot_request, watched_entry
from acesaround.table.bot_turns import OnBotFailure

_LOG: Final = logging.getLogger(__name__)

_QUICK_WORKERS: Final = 2
"""How many threads make deals and run bots that do not search."""

TableSeat = tuple[str, int]
"""A table id and a seat."""


class _DecidedPlayer:
    """A player that returns a finished decision or raises its error."""

    def __init__(self, name: str, result: Advice | BotError) -> None:
        self.name = name
        self._result = result

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the decided action. Raises the bot's error."""
        if isinstance(self._result, BotError):
            raise self._result
        return self._result.action


class BotDispatcher:
    """Runs the bots of all tables, each where its kind runs.

    `programs`: the bots that are external programs, by name. `max_programs`: how many programs run
    at once. `scheduler`: the scheduler of search bots. `quick_executor`: runs deals and bots that
    do not search; addresses and persons take turns there too.
    """

    def __init__(
        self, programs: Mapping[str, str], max_programs: int, scheduler: BotScheduler | None = None
    ) -> None:
        self.scheduler = scheduler or BotScheduler()
        self.quick_executor = FairExecutor(_QUICK_WORKERS)
        self._programs = programs
        self._max_programs = max_programs
        self._program_slots = asyncio.Semaphore(max_programs)
        # Programs have threads of their own, so that waiting for a program does not block other
        # work.
        self._threads = ThreadPoolExecutor(max_programs, "program")
        self._players: OrderedDict[TableSeat, tuple[str, Player]] = OrderedDict()
        self._busy_seats: set[TableSeat] = set()

    async def next_entry(self, table_id: str, table: Table) -> Entry:
        """Return the next automatic entry: a deal, or the action of the bot on turn.

        For a bot that fails, a safe action is taken and the error is logged. Raises RateLimited if
        too much work waits for the persons of that table.
        """

        def on_failure(failed_bot: str, error: BotError) -> None:
            _LOG.error("table %s: a bot failed: %s", table_id, error, exc_info=error.__cause__)

        if table.lesson is not None:
            return watched_entry(table)
        seat = None if table.game is None else turn_of(table.game)
        bot_name = "" if seat is None else table.seats[seat].bot
        if (
            seat is not None
            and bot_name in bots.selectable_bots(table.rules)
            and self._runs_in_pool(bot_name, table)
        ):
            return await self._pool_entry(table, seat, bot_name, on_failure)
        if seat is None or bot_name not in self._programs:
            work = partial(
                asyncio.to_thread,
                automatic_entry,
                table,
                random_source.RNG,
                on_failure=on_failure,
            )
            return await self.quick_executor.submit(person_charged(table), work)
        table_seat = table_id, seat
        async with self._program_slots:
            player, to_stop = self._claim_program(table_seat, bot_name)
            self._busy_seats.add(table_seat)

            def decide() -> Entry:
                for other in to_stop:
                    close(other)
                return automatic_entry(
                    table, random_source.RNG, player=player, on_failure=on_failure
                )

            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, decide)
            finally:
                self._busy_seats.discard(table_seat)

    def _runs_in_pool(self, name: str, table: Table) -> bool:
        """Return whether a bot runs in the pool: it searches, or has to evaluate hands first."""
        return bots.needs_warmup(name) or self.scheduler.must_evaluate_hands(name, table.rules)

    async def _pool_entry(
        self, table: Table, seat: int, name: str, on_failure: OnBotFailure
    ) -> Entry:
        """Return the entry of a search bot, or of the heuristic bot if no worker answers."""
        request = bot_request(table, seat, name, random_source.RNG.getrandbits(62))
        assert request is not None
        result: Advice | BotError
        try:
            result = await self.scheduler.decide_fairly(person_charged(table), request)
        except BotError as error:
            result = error
        return automatic_entry(
            table, random_source.RNG, player=_DecidedPlayer(name, result), on_failure=on_failure
        )

    def _claim_program(self, table_seat: TableSeat, name: str) -> tuple[Player, list[Player]]:
        """Return the program of a seat, and the programs that have to stop for it."""
        running = self._players.pop(table_seat, None)
        to_stop: list[Player] = []
        if running is not None and running[0] != name:
            to_stop.append(running[1])
            running = None
        while running is None and len(self._players) >= self._max_programs:
            idle_seat = next(other for other in self._players if other not in self._busy_seats)
            to_stop.append(self._players.pop(idle_seat)[1])
        player = bots.make(name, random_source.RNG) if running is None else running[1]
        self._players[table_seat] = name, player
        return player, to_stop

    def stop_programs_of_table(self, table_id: str) -> None:
        """Stop the programs of a table that the last person has left."""
        for table_seat in [table_seat for table_seat in self._players if table_seat[0] == table_id]:
            self._threads.submit(close, self._players.pop(table_seat)[1])

    async def close(self) -> None:
        """Stop all programs, and cancel what waits."""
        await self.quick_executor.close()
        for table_id, _ in list(self._players):
            self.stop_programs_of_table(table_id)
        await asyncio.to_thread(self._threads.shutdown)
