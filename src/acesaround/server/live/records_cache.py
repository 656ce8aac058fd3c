"""A cache of game records, each made once from a table's log.

A record changes only when a deal ends, so the cache key is table, game and number of deals. The
least recently used records are dropped first. Replays and reasons are made from records, not from
logs.
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
_BYTES: Final = 16 * 2**20  # size limit of the cache

Key = tuple[str, int, int, bool]
"""A table's id, the number of a game, the number of its finished deals, whether it has ended."""


class RecordCache:
    """An LRU cache of game records, made from the logs of a store.

    `logs`: the reader of the logs; `most`: the size limit in bytes.
    """

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
        """Return a record as JSON, or None if the log holds no such game.

        `who`: the account that the work is queued for. An unfinished deal is left out. Raises
        RateLimited, CorruptData and DatabaseUnavailable.
        """
        lock = self._reading.setdefault(key[0], asyncio.Lock())
        try:
            async with lock:  # of several requests at once, only the first reads the log
                found = self._kept.get(key)
                if found is None:
                    bodies = await self._store.entries(key[0])
                    made = await self.run(who, lambda: self._made(key[0], bodies))
                    found = made.get(key)
                    for other, written in made.items():
                        self._keep(other, written)
                    if found is not None:
                        self._keep(key, found)  # most recently used, so dropped last
                else:
                    self._kept.move_to_end(key)
        finally:
            if not lock.locked():
                self._reading.pop(key[0], None)
        return found

    def _made(self, table_id: str, bodies: list[bytes]) -> dict[Key, bytes]:
        """Return the records of all games of a log."""
        if not bodies:
            return {}
        lines = self._logs.read(table_id, bodies, games)[1]
        return {
            (table_id, number, line.deals, line.over): encode(public_record(line))
            for number, line in enumerate(lines, 1)
        }

    async def run(self, who: str, work: Callable[[], T]) -> T:
        """Return the result of `work`, run in the cache's thread in turn. Raises RateLimited."""
        loop = asyncio.get_running_loop()
        return await self._turns.submit(who, lambda: loop.run_in_executor(self._thread, work))

    def _keep(self, key: Key, record: bytes) -> None:
        self.bytes += len(record) - len(self._kept.pop(key, b""))
        self._kept[key] = record
        while self.bytes > self._most:
            self.bytes -= len(self._kept.popitem(last=False)[1])

    def forget(self, table_id: str) -> None:
        """Drop the records of a table whose log was rewritten or deleted."""
        for key in [key for key in self._kept if key[0] == table_id]:
            self.bytes -= len(self._kept.pop(key))

    async def close(self) -> None:
        """Drop queued work, wait for running work, then stop the thread."""
        await self._turns.close()
        await asyncio.to_thread(self._thread.shutdown)
