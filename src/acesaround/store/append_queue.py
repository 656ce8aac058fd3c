"""Group commit: appends share transactions.

Appends that arrive during a commit are committed together by the next one. The disk, or a database
on another machine, takes no longer for fifty of them than for one.

A failing append harms no other. If a sequence number is taken or a lock times out, the batch is
split in halves until the failing append is alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TypeAlias

import msgspec

from acesaround.store.errors import LockTimeout, SequenceConflict
from acesaround.table.list_columns import ListColumns


class Append(msgspec.Struct, frozen=True):
    """Entries to append to a log from number `seq` on, and the index data that they change."""

    table_id: str
    seq: int
    bodies: Sequence[bytes]
    seated_people: Collection[str] = ()
    summary: bytes | None = None
    list_columns: ListColumns | None = None
    games: Mapping[int, bytes] = {}
    removed_people: Collection[str] = ()
    links: Mapping[str, str] = {}

    @property
    def end_seq(self) -> int:
        """The number of entries in the log after this append."""
        return self.seq + len(self.bodies)


_QueuedAppend: TypeAlias = tuple[Append, asyncio.Future[None]]


class AppendQueue:
    """A queue of appends that are saved in batches.

    `save`: writes a batch in one transaction; raises SequenceConflict and DatabaseUnavailable.
    `max_tasks`: the maximum number of tasks, each of which saves one batch after another.
    """

    def __init__(self, save: Callable[[Sequence[Append]], Awaitable[None]], max_tasks: int) -> None:
        self._save = save
        self._max_tasks = max_tasks
        self._queue: list[_QueuedAppend] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def append(self, append: Append) -> None:
        """Append durably. Raises SequenceConflict and DatabaseUnavailable."""
        future = asyncio.get_running_loop().create_future()
        self._queue.append((append, future))
        if len(self._tasks) < self._max_tasks:
            self._tasks.add(asyncio.create_task(self._save_batches(), name="appends"))
        await future

    async def finish(self) -> None:
        """Wait until every append has succeeded or failed."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _save_batches(self) -> None:
        """Save batches until no append waits."""
        try:
            while self._queue:
                batch, self._queue = self._queue, []
                await self._save_batch(batch)
        finally:  # no await between the last check and this, so that a new append can start a task
            task = asyncio.current_task()
            assert task is not None
            self._tasks.discard(task)

    async def _save_batch(self, batch: Sequence[_QueuedAppend]) -> None:
        """Save a batch in one transaction, or in two halves if one of its appends fails."""
        failure: Exception | None = None
        try:
            await self._save([append for append, _ in batch])
        except (SequenceConflict, LockTimeout) as error:
            if half := len(batch) // 2:
                await self._save_batch(batch[:half])
                await self._save_batch(batch[half:])
                return
            failure = error
        except Exception as error:
            failure = error
        for _, future in batch:
            if future.done():  # its caller was cancelled
                continue
            if failure is None:
                future.set_result(None)
            else:
                future.set_exception(failure)
