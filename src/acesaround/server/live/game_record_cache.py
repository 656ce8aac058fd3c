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
from acesaround.server.bots.fair_executor import FairExecutor
from acesaround.server.live.log_reader import LogReader
from acesaround.store import Store
from acesaround.table import fold_games, public_record

T = TypeVar("T")
_MAX_BYTES: Final = 16 * 2**20  # size limit of the cache

RecordKey = tuple[str, int, int, bool]
"""A table's id, the number of a game, the number of its finished deals, whether it has ended."""


class RecordCache:
    """An LRU cache of game records, made from the logs of a store.

    `log_reader`: the reader of the logs; `max_bytes`: the size limit in bytes.
    """

    def __init__(self, store: Store, log_reader: LogReader, max_bytes: int = _MAX_BYTES) -> None:
        self.byte_count = 0
        self._store = store
        self._log_reader = log_reader
        self._max_bytes = max_bytes
        self._records: OrderedDict[RecordKey, bytes] = OrderedDict()
        self.executor = FairExecutor(1)
        self._thread = ThreadPoolExecutor(1, "reading")
        self._locks: dict[str, asyncio.Lock] = {}

    async def get(self, account: str, key: RecordKey) -> bytes | None:
        """Return a record as JSON, or None if the log holds no such game.

        `account`: the account that the work is queued for. An unfinished deal is left out. Raises
        RateLimited, CorruptData and DatabaseUnavailable.
        """
        lock = self._locks.setdefault(key[0], asyncio.Lock())
        try:
            async with lock:  # of several requests at once, only the first reads the log
                record = self._records.get(key)
                if record is None:
                    bodies = await self._store.entries(key[0])
                    built = await self.run(account, lambda: self._build_records(key[0], bodies))
                    record = built.get(key)
                    for built_key, built_record in built.items():
                        self._add(built_key, built_record)
                    if record is not None:
                        self._add(key, record)  # most recently used, so dropped last
                else:
                    self._records.move_to_end(key)
        finally:
            if not lock.locked():
                self._locks.pop(key[0], None)
        return record

    def _build_records(self, table_id: str, bodies: list[bytes]) -> dict[RecordKey, bytes]:
        """Return the records of all games of a log."""
        if not bodies:
            return {}
        histories = self._log_reader.read(table_id, bodies, fold_games)[1]
        return {
            (table_id, number, history.deal_count, history.is_over): encode(public_record(history))
            for number, history in enumerate(histories, 1)
        }

    async def run(self, account: str, work: Callable[[], T]) -> T:
        """Return the result of `work`, run in the cache's thread in turn. Raises RateLimited."""
        loop = asyncio.get_running_loop()
        return await self.executor.submit(account, lambda: loop.run_in_executor(self._thread, work))

    def _add(self, key: RecordKey, record: bytes) -> None:
        self.byte_count += len(record) - len(self._records.pop(key, b""))
        self._records[key] = record
        while self.byte_count > self._max_bytes:
            self.byte_count -= len(self._records.popitem(last=False)[1])

    def forget(self, table_id: str) -> None:
        """Drop the records of a table whose log was rewritten or deleted."""
        for key in [key for key in self._records if key[0] == table_id]:
            self.byte_count -= len(self._records.pop(key))

    async def close(self) -> None:
        """Drop queued work, wait for running work, then stop the thread."""
        await self.executor.close()
        await asyncio.to_thread(self._thread.shutdown)
