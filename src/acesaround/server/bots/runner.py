"""The bots that play at tables, and the programs among them: one a seat, so many at once.

A bot of ours is made for each decision. A program runs on from one to the next; it is ended when
nobody is at its table any more, or when another program needs its place, and then started again
when it is to play.
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
"""A table's id and a seat."""


class _Decided:
    """A bot that has decided already, or failed."""

    def __init__(self, name: str, found: Advice | BotError) -> None:
        self.name = name
        self._found = found

    def choose(self, view: View, decision: Decision) -> Action:
        """What was decided. Raises the bot's error."""
        if isinstance(self._found, BotError):
            raise self._found
        return self._found.action


class BotRunner:
    """`programs`: the bots that are programs, by name; `most`: how many of them run at once.

    `thinkers`: who thinks for the bots that search.
    """

    def __init__(
        self, programs: Mapping[str, str], most: int, thinkers: BotScheduler | None = None
    ) -> None:
        self.thinkers = thinkers or BotScheduler()
        self._programs = programs
        self._most = most
        self._room = asyncio.Semaphore(most)
        # Threads of their own: who waits for a program holds nobody else up.
        self._threads = ThreadPoolExecutor(most, "program")
        self._running: OrderedDict[Place, tuple[str, Player]] = OrderedDict()
        self._thinking: set[Place] = set()

    async def next_entry(self, table_id: str, table: Table) -> Entry:
        """What chance or the bot on turn does. For one that fails it is the safest, and logged.

        Raises TooMany where too much waits to be thought about for the persons of that table.
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
        """Whether a bot thinks elsewhere: it searches, or has to measure hands by house rules."""
        return bots.needs_warmup(name) or self.thinkers.measures(name, table.rules)

    async def _search(self, table: Table, seat: int, name: str, told: Told) -> Entry:
        """What a bot that searches does, or `thumb` for it where nobody thinks."""
        asked = question(table, seat, name, chance.SOURCE.getrandbits(62))
        assert asked is not None
        found: Advice | BotError
        try:
            found = await self.thinkers.think(person_charged(table), asked)
        except BotError as error:
            found = error
        return automatic_entry(table, chance.SOURCE, player=_Decided(name, found), told=told)

    def _taken(self, place: Place, name: str) -> tuple[Player, list[Player]]:
        """The program of a seat, and those that have to end for it."""
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
        """End the programs of a table at which nobody is any more."""
        for place in [place for place in self._running if place[0] == table_id]:
            self._threads.submit(close, self._running.pop(place)[1])

    async def close(self) -> None:
        """End all programs."""
        for table_id, _ in list(self._running):
            self.stop_table(table_id)
        await asyncio.to_thread(self._threads.shutdown)
