"""Polling for changes that other programs make in the database, usually an operator's commands.

A changed table is read again. A deleted person is signed out.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

from acesaround.server.accounts.cookie import CookieSigner
from acesaround.server.background.periodic import PeriodicTasks
from acesaround.server.live.game_record_cache import RecordCache
from acesaround.server.live.table_registry import TableRegistry
from acesaround.store import DatabaseUnavailable, Store, admin_notices
from acesaround.store.admin_notices import Notice

DELETED_SENTENCE: Final = "Your data on this server was deleted: load the page again to start over."


class AdminNoticePoller:
    """The notices that one process has handled so far."""

    def __init__(
        self,
        store: Store,
        registry: TableRegistry,
        records: RecordCache,
        cookie_signer: CookieSigner,
    ) -> None:
        self._store = store
        self._registry = registry
        self._records = records
        self._cookie_signer = cookie_signer
        self._last_id = 0
        self._handled_ids: set[int] = set()

    async def begin(self) -> None:
        """Load the deleted persons and start with notices after now. Raises DatabaseUnavailable."""
        self._last_id = await admin_notices.newest_id(self._store)
        self._handled_ids = {
            notice.id for notice in await admin_notices.notices_since(self._store, self._last_id)
        }
        deletions = await admin_notices.notices_of_kind(self._store, "person")
        self._cookie_signer.deleted_hashes |= {notice.subject for notice in deletions}

    async def poll(self) -> None:
        """Handle new notices. Raises DatabaseUnavailable."""
        notices = await admin_notices.notices_since(self._store, self._last_id)
        for notice in notices:
            if notice.id not in self._handled_ids:
                self._handle(notice)
        self._handled_ids = {notice.id for notice in notices}
        self._last_id = max(self._handled_ids, default=self._last_id)

    def _handle(self, notice: Notice) -> None:
        if notice.kind == "person":
            self._cookie_signer.deleted_hashes.add(notice.subject)
            self._registry.disconnect_people(
                lambda person: admin_notices.person_hash(person) == notice.subject, DELETED_SENTENCE
            )
        else:
            self._records.forget(notice.subject)
            self._registry.note_log_advance(notice.subject, None)


@contextlib.asynccontextmanager
async def poll_admin_notices(
    store: Store, registry: TableRegistry, records: RecordCache, cookie_signer: CookieSigner
) -> AsyncIterator[None]:
    """Poll for notices inside the `with` block. Raises DatabaseUnavailable."""
    poller = AdminNoticePoller(store, registry, records, cookie_signer)
    await poller.begin()
    periodic = PeriodicTasks()

    async def poll() -> None:
        with contextlib.suppress(DatabaseUnavailable):  # players get an error of their own
            await poller.poll()

    async with periodic.run(periodic.run_every("noticing", poll, admin_notices.POLL_SECONDS)):
        yield
