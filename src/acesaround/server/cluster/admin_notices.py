"""Polling for changes that other programs make in the database, usually an operator's commands.

A changed table is read again. A deleted person is signed out.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

from acesaround.server.accounts.cookie import CookieSigner
from acesaround.server.background.periodic import PeriodicTasks
from acesaround.server.live.live_table import TableRegistry
from acesaround.server.live.records_cache import RecordCache
from acesaround.store import DatabaseUnavailable, Store, admin_notices
from acesaround.store.admin_notices import Notice

DELETED: Final = "You are known here no more: load the page again to begin anew."


class AdminNoticePoller:
    """The notices that one process has handled so far."""

    def __init__(
        self, store: Store, hub: TableRegistry, records: RecordCache, identity: CookieSigner
    ) -> None:
        self._store = store
        self._hub = hub
        self._records = records
        self._identity = identity
        self._last = 0
        self._known: set[int] = set()

    async def begin(self) -> None:
        """Load the deleted persons and start with notices after now. Raises DatabaseUnavailable."""
        self._last = await admin_notices.newest(self._store)
        self._known = {one.id for one in await admin_notices.since(self._store, self._last)}
        people = await admin_notices.of_kind(self._store, "person")
        self._identity.gone |= {one.what for one in people}

    async def look(self) -> None:
        """Handle new notices. Raises DatabaseUnavailable."""
        found = await admin_notices.since(self._store, self._last)
        for one in found:
            if one.id not in self._known:
                self._take(one)
        self._known = {one.id for one in found}
        self._last = max(self._known, default=self._last)

    def _take(self, notice: Notice) -> None:
        if notice.kind == "person":
            self._identity.gone.add(notice.what)
            self._hub.dismiss(
                lambda person: admin_notices.person_hash(person) == notice.what, DELETED
            )
        else:
            self._records.forget(notice.what)
            self._hub.hear(notice.what, None)


@contextlib.asynccontextmanager
async def poll_admin_notices(
    store: Store, hub: TableRegistry, records: RecordCache, identity: CookieSigner
) -> AsyncIterator[None]:
    """Poll for notices inside the `with` block. Raises DatabaseUnavailable."""
    looking = AdminNoticePoller(store, hub, records, identity)
    await looking.begin()
    beside = PeriodicTasks()

    async def look() -> None:
        with contextlib.suppress(DatabaseUnavailable):  # players get an error of their own
            await looking.look()

    async with beside.running(beside.run_every("noticing", look, admin_notices.EVERY)):
        yield
