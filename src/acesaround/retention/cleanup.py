"""Cleanup: removes data by the retention policy, in small pieces.

Tables that are in use or have changed since they were listed are skipped. If the process ends
half-way, a later cleanup goes on, because notices list the removed tables.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec

from acesaround.retention.close_table import delete_log, remove
from acesaround.retention.policy import DAY, RetentionPolicy, format_age
from acesaround.store import Store, admin_notices, people, retention_queries, sheets
from acesaround.store.retention_queries import StaleTable
from acesaround.table import entries as log

_LOG: Final = logging.getLogger(__name__)
_SOON: Final = 60_000  # ms after which the remover of a table has finished or died
_MARKED: Final = 400 * DAY  # the lifetime of the cookie of a deleted person
_CLEARED: Final = log.encode(log.ChatRedacted())
InUse = Callable[[str], bool]
Pause = Callable[[float], Awaitable[object]]


class Cleared(msgspec.Struct):
    """The numbers of removed tables, chat lines and guests."""

    tables: int = 0
    talk: int = 0
    guests: int = 0


class Clearing:
    """Removes data of a store by a retention policy.

    `in_use`: returns whether somebody is at a table, given by id. `pause`: waits after a piece of
    work that took the given seconds.
    """

    def __init__(
        self,
        store: Store,
        rule: RetentionPolicy,
        in_use: InUse = lambda _: False,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._store = store
        self._rule = rule
        self._in_use = in_use
        self._pause = pause

    async def run_once(self, now: int | None = None) -> Cleared | None:
        """Remove all expired data; return None if another process is doing so.

        `now`: the time in ms. Raises DatabaseUnavailable.
        """
        now = retention_queries.now() if now is None else now
        turn = retention_queries.CleanupLock(self._store)
        async with turn as mine:
            if not mine:
                return None
            await self._go_on(now)
            done = Cleared(await self._tables(now), await self._talk(now), await self._guests(now))
        if done != Cleared():
            _LOG.info(
                "cleared by --retention %s: %d tables, %d phrases of talk, %d guests",
                format_age(self._rule.rest),
                done.tables,
                done.talk,
                done.guests,
            )
        return done

    async def _go_on(self, now: int) -> None:
        """Finish interrupted removals, and drop notices that all processes have seen."""
        old: list[int] = []
        for one in await admin_notices.of_kind(self._store, "removed"):
            if now - one.at > _SOON:
                await delete_log(self._store, one.what, self._pause)
        for one in await admin_notices.of_kind(self._store, "gone"):
            if now - one.at > DAY:
                while await retention_queries.delete_entries(
                    self._store, one.what, retention_queries.ALL
                ):
                    await self._pause(0)
                old.append(one.id)
        old += [
            n.id for n in await admin_notices.of_kind(self._store, "changed") if now - n.at > DAY
        ]
        marks = await admin_notices.of_kind(self._store, "person")
        old += [one.id for one in marks if now - one.at > _MARKED]
        for at in range(0, len(old), retention_queries.PIECE):
            await admin_notices.drop(self._store, old[at : at + retention_queries.PIECE])

    async def _tables(self, now: int) -> int:
        rule = self._rule
        kinds = (
            (False, False, rule.unused_table_age),
            (False, True, rule.rest),
            (True, True, rule.games),
        )
        number = 0
        for finished, played, span in kinds:
            if span is not None:
                number += await self._spent(finished, played, now - span)
        return number

    async def _spent(self, finished: bool, played: bool, before: int) -> int:
        number, after = 0, None
        while True:
            found = await retention_queries.stale_tables(
                self._store, finished=finished, played=played, before=before, after=after
            )
            for one in found:
                number += await self._table(one, before)
            if len(found) < retention_queries.PIECE:
                return number
            after = found[-1]

    async def _table(self, spent: StaleTable, before: int) -> bool:
        """Remove a table unless it has changed since; return whether it was removed."""
        end = await retention_queries.last(self._store, spent.id)
        if self._in_use(spent.id) or (end is not None and end.at >= before):
            return False
        return await remove(self._store, spent.id, "cleared", last=end, heard=0, wait=self._pause)

    async def _talk(self, now: int) -> int:
        """Remove old chat from tables that are not in use."""
        if self._rule.rest is None:
            return 0
        number, loop, after = 0, asyncio.get_running_loop(), None
        while found := await retention_queries.talk(self._store, now - self._rule.rest, after):
            began = loop.time()
            quiet = [piece for piece in found if not self._in_use(piece.table_id)]
            await retention_queries.replace(self._store, quiet, _CLEARED)
            number, after = number + len(quiet), found[-1]
            await self._pause(loop.time() - began)
        return number

    async def _guests(self, now: int) -> int:
        span = self._rule.unused_table_age
        if span is None:
            return 0
        number, loop, after = 0, asyncio.get_running_loop(), None
        while found := await people.inactive_guests(self._store, now - span, after):
            began = loop.time()
            if free := [one.id for one in found if not one.held]:
                number += await people.delete_inactive(self._store, free, now - span)
            after = found[-1]
            await self._pause(loop.time() - began)
        while gone := await people.dismiss_nameless(self._store, now - span):
            number += gone
            await self._pause(0)
        while await sheets.drop_ownerless(self._store, now - span):
            await self._pause(0)
        return number
