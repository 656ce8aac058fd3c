"""The records of games: made of a table's log once, then kept for whoever asks again.

A record changes only when a deal is over, so it is kept by table, game and deals. What is asked for
least is forgotten first. Replays and reasons are made of records and not of logs.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from acesaround.record.model import encode
from acesaround.server.bots.fair_queue import FairExecutor
from acesaround.server.live.log_reader import LogReader
from acesaround.store import Store
from acesaround.table import games, public_record

T = TypeVar("T")
_BYTES: Final = 16 * 2**20  # of records that are kept

Key = tuple[str, int, int, bool]
"""A table's id, the number of a game, how many of its deals are over, and whether it is."""


class RecordCache:
    """The records of a store's games. `logs` reads them; `most`: bytes that are kept."""

    def __init__(self, store: Store, logs: LogReader, most: int = _BYTES) -> None:
        self.bytes = 0
        self._store = store
        self._logs = logs
        self._most = most
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._turns = FairExecutor(1)
        self._thread = ThreadPoolExecutor(1, "reading")
        self._reading: dict[str, asyncio.Lock] = {}

    async def get(self, who: str, key: Key) -> bytes | None:
        """A record as JSON, made on a person's account; None where the log holds no such game.

        A deal that is still played is left out. Raises TooMany, Damaged and Unsaved.
        """
        lock = self._reading.setdefault(key[0], asyncio.Lock())
        try:
            async with lock:  # of several who want the same only the first reads the log
                found = self._kept.get(key)
                if found is None:
                    bodies = await self._store.entries(key[0])
                    made = await self.run(who, lambda: self._made(key[0], bodies))
                    found = made.get(key)
                    for other, written in made.items():
                        self._keep(other, written)
                    if found is not None:
                        self._keep(key, found)  # the last to go
                else:
                    self._kept.move_to_end(key)
        finally:
            if not lock.locked():
                self._reading.pop(key[0], None)
        return found

    def _made(self, table_id: str, bodies: list[bytes]) -> dict[Key, bytes]:
        """The records of all games of a log."""
        if not bodies:
            return {}
        lines = self._logs.read(table_id, bodies, games)[1]
        return {
            (table_id, number, line.deals, line.over): encode(public_record(line))
            for number, line in enumerate(lines, 1)
        }

    async def run(self, who: str, work: Callable[[], T]) -> T:
        """What comes of something else that is made of a record. Raises TooMany."""
        loop = asyncio.get_running_loop()
        return await self._turns.submit(who, lambda: loop.run_in_executor(self._thread, work))

    def _keep(self, key: Key, record: bytes) -> None:
        self.bytes += len(record) - len(self._kept.pop(key, b""))
        self._kept[key] = record
        while self.bytes > self._most:
            self.bytes -= len(self._kept.popitem(last=False)[1])

    def forget(self, table_id: str) -> None:
        """The log of a table has been rewritten or is gone: what was made of it is no longer so."""
        for key in [key for key in self._kept if key[0] == table_id]:
            self.bytes -= len(self._kept.pop(key))

    async def close(self) -> None:
        """Let who reads come to an end."""
        await self._turns.close()
        await asyncio.to_thread(self._thread.shutdown)
