"""The removal of a table with all its data.

First an entry in the log ends the table. Any process that appends later gets a sequence conflict,
reads on and finds that entry. Then the rows for lists and links are deleted, and the log in small
pieces. The last log entry stays for a day. So a process that was suspended cannot append to a
deleted log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from acesaround.store import SequenceConflict, Store, admin_notices, retention_queries
from acesaround.store.admin_notices import POLL_GRACE_SECONDS
from acesaround.store.retention_queries import LastEntry
from acesaround.table import entries
from acesaround.table.entries import EndKind

Wait = Callable[[float], Awaitable[object]]
_ENDED_BODIES: Final[dict[EndKind, bytes]] = {
    why: entries.encode(entries.Ended(why)) for why in ("closed", "removed", "cleared")
}
_LAST_BODIES: Final = (
    _ENDED_BODIES["removed"],
    _ENDED_BODIES["cleared"],
    entries.encode(entries.LogRewritten()),  # a person of the table was deleted meanwhile
)
_FIRST_BODY_START: Final = b'{"type":"opened"'


def is_partly_deleted(bodies: Sequence[bytes]) -> bool:
    """Return whether a log lacks its first entries, because its table was removed."""
    return bodies[-1] in _LAST_BODIES and not bodies[0].startswith(_FIRST_BODY_START)


async def remove_table(
    store: Store,
    table_id: str,
    reason: EndKind,
    *,
    expected_last: LastEntry | None = None,
    poll_grace_seconds: float | None = None,
    pause: Wait = asyncio.sleep,
) -> bool:
    """Remove a table with all its data; return False if its log has changed since `expected_last`.

    `expected_last`: the expected last entry of the log, or None for any. `poll_grace_seconds`:
    seconds to wait until every server process has told the seated people. `pause`: called between
    two pieces with the seconds that the previous piece took. Raises DatabaseUnavailable.
    """
    while True:
        last_entry = expected_last or await retention_queries.last_entry(store, table_id)
        if last_entry is None:
            break
        try:
            await store.append(table_id, last_entry.seq + 1, [_ENDED_BODIES[reason]])
            break
        except SequenceConflict:
            if expected_last is not None:
                return False
    await admin_notices.publish_notice(store, "removed", table_id)
    await admin_notices.wait_until_noticed(
        POLL_GRACE_SECONDS if poll_grace_seconds is None else poll_grace_seconds
    )
    await delete_log(store, table_id, pause)
    return True


async def delete_log(store: Store, table_id: str, pause: Wait = asyncio.sleep) -> None:
    """Delete all data of a removed table but its last log entry. Raises DatabaseUnavailable."""
    loop = asyncio.get_running_loop()
    started_at = loop.time()
    await retention_queries.remove_from_lists(store, table_id)
    last_entry = await retention_queries.last_entry(store, table_id)
    while last_entry is not None:
        await pause(loop.time() - started_at)
        started_at = loop.time()
        if not await retention_queries.delete_entries(store, table_id, last_entry.seq):
            break
    await admin_notices.mark_data_deleted(store, table_id)
