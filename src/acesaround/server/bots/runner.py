"""The bots at tables, and external bot programs: one for each seat, a limited number at once.

A built-in bot is made for each decision. A program keeps running from one decision to the next. It
is stopped when the last person leaves its table, or when another program needs its slot. It starts
again for its next decision.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from acesaround import bots
from acesaround.actions import Action
from acesaround.bots.advice import Advice
from acesaround.bots.player import Player, close
from acesaround.errors import BotError
from acesaround.game.state import Decision
from acesaround.game.view import View, turn_of
from acesaround.server import chance
from acesaround.server.bots.scheduler import BotScheduler, person_charged
from acesaround.table import Entry, Table, automatic_entry, question
from acesaround.table.automatic_turns import Told

_LOG: Final = logging.getLogger(__name__)

Place = tuple[str, int]
"""A table id and a seat."""


class _Decided:
    """A player that returns a finished decision or raises its error."""

    def __init__(self, name: str, found: Advice | BotError) -> None:
        self.name = name
        self._found = found

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the decided action. Raises the bot's error."""
        if isinstance(self._found, BotError):
            raise self._found
        return self._found.action


class BotRunner:
    """Runs the bots of all tables.

    `programs`: the bots that are external programs, by name. `most`: how many programs run at once.
    `thinkers`: the scheduler of search bots.
    """

    def __init__(
        self, programs: Mapping[str, str], most: int, thinkers: BotScheduler | None = None
    ) -> None:
        self.thinkers = thinkers or BotScheduler()
        self._programs = programs
        self._most = most
        self._room = asyncio.Semaphore(most)
        # Programs have threads of their own, so that waiting for a program does not block other
        # work.
        self._threads = ThreadPoolExecutor(most, "program")
        self._running: OrderedDict[Place, tuple[str, Player]] = OrderedDict()
        self._thinking: set[Place] = set()

    async def next_entry(self, table_id: str, table: Table) -> Entry:
        """Return the next automatic entry: a deal, or the action of the bot on turn.

        For a bot that fails, a safe action is taken and the error is logged. Raises RateLimited if
        too much work waits for the persons of that table.
        """

        def told(name: str, error: BotError) -> None:
            _LOG.error("table %s: its bot failed: %s", table_id, error, exc_info=error.__cause__)

        seat = None if table.game is None else turn_of(table.game)
        name = "" if seat is None else table.seats[seat].bot
        if (
            seat is not None
            and name in bots.selectable_bots(table.rules)
            and self._apart(name, table)
        ):
            return await self._search(table, seat, name, told)
        if seat is None or name not in self._programs:
            return await asyncio.to_thread(automatic_entry, table, chance.SOURCE, told=told)
        place = table_id, seat
        async with self._room:
            player, out = self._taken(place, name)
            self._thinking.add(place)

            def thought() -> Entry:
                for other in out:
                    close(other)
                return automatic_entry(table, chance.SOURCE, player=player, told=told)

            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, thought)
            finally:
                self._thinking.discard(place)

    def _apart(self, name: str, table: Table) -> bool:
        """Return whether a bot runs in the pool: it searches, or has to evaluate hands first."""
        return bots.needs_warmup(name) or self.thinkers.measures(name, table.rules)

    async def _search(self, table: Table, seat: int, name: str, told: Told) -> Entry:
        """Return the entry of a search bot, or of `thumb` if no worker answers."""
        asked = question(table, seat, name, chance.SOURCE.getrandbits(62))
        assert asked is not None
        found: Advice | BotError
        try:
            found = await self.thinkers.think(person_charged(table), asked)
        except BotError as error:
            found = error
        return automatic_entry(table, chance.SOURCE, player=_Decided(name, found), told=told)

    def _taken(self, place: Place, name: str) -> tuple[Player, list[Player]]:
        """Return the program of a seat, and the programs that have to stop for it."""
        held = self._running.pop(place, None)
        out: list[Player] = []
        if held is not None and held[0] != name:
            out.append(held[1])
            held = None
        while held is None and len(self._running) >= self._most:
            idle = next(other for other in self._running if other not in self._thinking)
            out.append(self._running.pop(idle)[1])
        player = bots.make(name, chance.SOURCE) if held is None else held[1]
        self._running[place] = name, player
        return player, out

    def stop_table(self, table_id: str) -> None:
        """Stop the programs of a table that the last person has left."""
        for place in [place for place in self._running if place[0] == table_id]:
            self._threads.submit(close, self._running.pop(place)[1])

    async def close(self) -> None:
        """Stop all programs."""
        for table_id, _ in list(self._running):
            self.stop_table(table_id)
        await asyncio.to_thread(self._threads.shutdown)
