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
from acesaround.table.index_fields import IndexFields


class Append(msgspec.Struct, frozen=True):
    """Entries to append to a log from number `seq` on, and the index data that they change."""

    table_id: str
    seq: int
    bodies: Sequence[bytes]
    people: Collection[str] = ()
    summary: bytes | None = None
    keys: IndexFields | None = None
    games: Mapping[int, bytes] = {}
    removed: Collection[str] = ()
    links: Mapping[str, str] = {}

    @property
    def end(self) -> int:
        """The number of entries in the log after this append."""
        return self.seq + len(self.bodies)


_Waiting: TypeAlias = tuple[Append, asyncio.Future[None]]


class GroupCommit:
    """A queue of appends that are saved in batches.

    `save`: writes a batch in one transaction; raises SequenceConflict and DatabaseUnavailable.
    `lanes`: the maximum number of concurrent transactions.
    """

    def __init__(self, save: Callable[[Sequence[Append]], Awaitable[None]], lanes: int) -> None:
        self._save = save
        self._most = lanes
        self._waiting: list[_Waiting] = []
        self._lanes: set[asyncio.Task[None]] = set()

    async def append(self, wanted: Append) -> None:
        """Append durably. Raises SequenceConflict and DatabaseUnavailable."""
        saved = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, saved))
        if len(self._lanes) < self._most:
            self._lanes.add(asyncio.create_task(self._run(), name="appends"))
        await saved

    async def finish(self) -> None:
        """Wait until every append has succeeded or failed."""
        while self._lanes:
            await asyncio.wait(self._lanes)

    async def _run(self) -> None:
        """Save batches until no append waits."""
        try:
            while self._waiting:
                together, self._waiting = self._waiting, []
                await self._save_together(together)
        finally:  # no await between the last check and this, so that a new append can start a lane
            lane = asyncio.current_task()
            assert lane is not None
            self._lanes.discard(lane)

    async def _save_together(self, together: Sequence[_Waiting]) -> None:
        """Save a batch in one transaction, or in two halves if one of its appends fails."""
        failed: Exception | None = None
        try:
            await self._save([wanted for wanted, _ in together])
        except (SequenceConflict, LockTimeout) as error:
            if half := len(together) // 2:
                await self._save_together(together[:half])
                await self._save_together(together[half:])
                return
            failed = error
        except Exception as error:
            failed = error
        for _, saved in together:
            if saved.done():  # its caller was cancelled
                continue
            if failed is None:
                saved.set_result(None)
            else:
                saved.set_exception(failed)
