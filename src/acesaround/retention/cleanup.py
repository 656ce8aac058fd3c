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

from acesaround.retention.policy import DAY_MS, RetentionPolicy, format_age
from acesaround.retention.remove_table import delete_log, remove_table
from acesaround.store import Store, admin_notices, people, practice, retention_queries, sheets
from acesaround.store.retention_queries import StaleTable
from acesaround.table import entries

_LOG: Final = logging.getLogger(__name__)
_REMOVAL_GRACE_MS: Final = 60_000  # ms after which the remover of a table has finished or died
_DELETION_MARK_MS: Final = 400 * DAY_MS  # the lifetime of the cookie of a deleted person
_REDACTED_BODY: Final = entries.encode(entries.ChatRedacted())
InUse = Callable[[str], bool]
Pause = Callable[[float], Awaitable[object]]


class CleanupCounts(msgspec.Struct):
    """The numbers of removed tables, chat lines and guests."""

    tables: int = 0
    chat_lines: int = 0
    guests: int = 0


class Cleanup:
    """Removes data of a store by a retention policy.

    `in_use`: returns whether somebody is at a table, given by id. `pause`: waits after a piece of
    work that took the given seconds.
    """

    def __init__(
        self,
        store: Store,
        policy: RetentionPolicy,
        in_use: InUse = lambda _: False,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._store = store
        self._policy = policy
        self._in_use = in_use
        self._pause = pause

    async def run_once(self, now: int | None = None) -> CleanupCounts | None:
        """Remove all expired data; return None if another process is doing so.

        `now`: the time in ms. Raises DatabaseUnavailable.
        """
        now = self._store.now() if now is None else now
        lock = retention_queries.CleanupLock(self._store)
        async with lock as is_acquired:
            if not is_acquired:
                return None
            await self._finish_interrupted(now)
            counts = CleanupCounts(
                await self._remove_tables(now),
                await self._redact_chat(now),
                await self._delete_guests(now),
            )
        if counts != CleanupCounts():
            _LOG.info(
                "removed by --retention %s: %d tables, %d chat messages, %d guests",
                format_age(self._policy.default_age),
                counts.tables,
                counts.chat_lines,
                counts.guests,
            )
        return counts

    async def _finish_interrupted(self, now: int) -> None:
        """Finish interrupted removals, and drop notices that all processes have seen."""
        expired_ids: list[int] = []
        for notice in await admin_notices.notices_of_kind(self._store, "removed"):
            if now - notice.at > _REMOVAL_GRACE_MS:
                await delete_log(self._store, notice.subject, self._pause)
        for notice in await admin_notices.notices_of_kind(self._store, "gone"):
            if now - notice.at > DAY_MS:
                while await retention_queries.delete_entries(
                    self._store, notice.subject, retention_queries.MAX_SEQ
                ):
                    await self._pause(0)
                expired_ids.append(notice.id)
        expired_ids += [
            changed_notice.id
            for changed_notice in await admin_notices.notices_of_kind(self._store, "changed")
            if now - changed_notice.at > DAY_MS
        ]
        deletion_notices = await admin_notices.notices_of_kind(self._store, "person")
        expired_ids += [
            notice.id for notice in deletion_notices if now - notice.at > _DELETION_MARK_MS
        ]
        for start in range(0, len(expired_ids), retention_queries.ROWS_PER_PIECE):
            await admin_notices.delete_notices(
                self._store, expired_ids[start : start + retention_queries.ROWS_PER_PIECE]
            )

    async def _remove_tables(self, now: int) -> int:
        policy = self._policy
        kinds = (
            (False, False, policy.unused_table_age),
            (False, True, policy.default_age),
            (True, True, policy.finished_game_age),
        )
        removed_count = 0
        for finished, played, max_age in kinds:
            if max_age is not None:
                removed_count += await self._remove_stale(finished, played, now - max_age)
        return removed_count

    async def _remove_stale(self, finished: bool, played: bool, before: int) -> int:
        removed_count, after = 0, None
        while True:
            stale = await retention_queries.stale_tables(
                self._store, finished=finished, played=played, changed_before=before, after=after
            )
            for stale_table in stale:
                removed_count += await self._remove_if_unchanged(stale_table, before)
            if len(stale) < retention_queries.ROWS_PER_PIECE:
                return removed_count
            after = stale[-1]

    async def _remove_if_unchanged(self, stale_table: StaleTable, before: int) -> bool:
        """Remove a table unless it has changed since; return whether it was removed."""
        last_entry = await retention_queries.last_entry(self._store, stale_table.id)
        if self._in_use(stale_table.id) or (last_entry is not None and last_entry.at >= before):
            return False
        return await remove_table(
            self._store,
            stale_table.id,
            "cleared",
            expected_last=last_entry,
            poll_grace_seconds=0,
            pause=self._pause,
        )

    async def _redact_chat(self, now: int) -> int:
        """Remove old chat from tables that are not in use."""
        if self._policy.default_age is None:
            return 0
        redacted_count, loop, after = 0, asyncio.get_running_loop(), None
        while old_chat := await retention_queries.old_chat(
            self._store, now - self._policy.default_age, after
        ):
            started_at = loop.time()
            unused = [piece for piece in old_chat if not self._in_use(piece.table_id)]
            await retention_queries.replace_bodies(self._store, unused, _REDACTED_BODY)
            redacted_count, after = redacted_count + len(unused), old_chat[-1]
            await self._pause(loop.time() - started_at)
        return redacted_count

    async def _delete_guests(self, now: int) -> int:
        max_age = self._policy.unused_table_age
        if max_age is None:
            return 0
        deleted_count, loop, after = 0, asyncio.get_running_loop(), None
        while inactive := await people.inactive_guests(self._store, now - max_age, after):
            started_at = loop.time()
            if without_table := [guest.id for guest in inactive if not guest.has_table]:
                deleted_count += await people.delete_inactive(
                    self._store, without_table, now - max_age
                )
            after = inactive[-1]
            await self._pause(loop.time() - started_at)
        while nameless_count := await people.delete_nameless(self._store, now - max_age):
            deleted_count += nameless_count
            await self._pause(0)
        while await sheets.delete_ownerless(self._store, now - max_age):
            await self._pause(0)
        while await practice.delete_ownerless(self._store, now - max_age):
            await self._pause(0)
        return deleted_count
