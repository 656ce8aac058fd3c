"""Appends that share commits.

Those that come while one is under way are committed together by the next: the disk, and the way to
a database on another machine, take no longer for fifty of them than for one.

One that cannot be saved harms no other. Where a seq is taken, or another transaction holds what is
to be written, the appends are saved in two halves, and so on, until that one stands alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TypeAlias

import msgspec

from acesaround.store.errors import LockTimeout, SequenceConflict
from acesaround.table.index_fields import IndexFields


class Append(msgspec.Struct, frozen=True):
    """Entries to be appended to a log, the first as number `seq`, and what goes with them."""

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
        """How many entries the log has with these."""
        return self.seq + len(self.bodies)


_Waiting: TypeAlias = tuple[Append, asyncio.Future[None]]


class GroupCommit:
    """What is to be appended. `save` does it in one transaction; raises Taken and Unsaved.

    `lanes`: how many transactions may be under way at once.
    """

    def __init__(self, save: Callable[[Sequence[Append]], Awaitable[None]], lanes: int) -> None:
        self._save = save
        self._most = lanes
        self._waiting: list[_Waiting] = []
        self._lanes: set[asyncio.Task[None]] = set()

    async def append(self, wanted: Append) -> None:
        """Append, durably. Raises Taken and Unsaved."""
        saved = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, saved))
        if len(self._lanes) < self._most:
            self._lanes.add(asyncio.create_task(self._run(), name="appends"))
        await saved

    async def finish(self) -> None:
        """Wait until everything is appended or refused."""
        while self._lanes:
            await asyncio.wait(self._lanes)

    async def _run(self) -> None:
        """Save what waits, then what has come meanwhile, until nothing does."""
        try:
            while self._waiting:
                together, self._waiting = self._waiting, []
                await self._save_together(together)
        finally:  # at once: what comes after the last look finds that there is room for a lane
            lane = asyncio.current_task()
            assert lane is not None
            self._lanes.discard(lane)

    async def _save_together(self, together: Sequence[_Waiting]) -> None:
        """Save appends in one transaction or, where one of them cannot be, in two."""
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
            if saved.done():  # whoever waited for it was cancelled
                continue
            if failed is None:
                saved.set_result(None)
            else:
                saved.set_exception(failed)
