"""Notices: messages in the database to server processes from other writers.

Server processes poll every second. Notices only reduce delay. Correctness comes from the log: a
writer that missed a change gets a sequence conflict.
"""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Select, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store.schema import NOTICES
from acesaround.store.store import Store

POLL_SECONDS: Final = 1.0
"""Seconds between two polls."""
POLL_GRACE_SECONDS: Final = 2.5 * POLL_SECONDS
"""Seconds after which every server process has seen a notice, unless it is suspended."""
_OVERLAP_COUNT: Final = 100
"""How many notices are read again, because PostgreSQL may show a later one first."""
_IN_ORDER: Final = select(NOTICES).order_by(NOTICES.c.id)
_NOTICES_AFTER: Final = _IN_ORDER.where(NOTICES.c.id > bindparam("value"))
_NOTICES_OF_KIND: Final = _IN_ORDER.where(NOTICES.c.kind == bindparam("value"))

NoticeKind: TypeAlias = Literal["changed", "removed", "gone", "person"]


class Notice(msgspec.Struct, frozen=True):
    """A notice that a table (by id) was changed or removed, or a person (by hash) deleted.

    `subject`: that id or hash. The kind `gone` means that only the last entry of a table is left.
    """

    id: int
    at: int
    kind: NoticeKind
    subject: str


def person_hash(person_id: str) -> str:
    """Return a hash that identifies a deleted person without revealing the id."""
    return sha256(person_id.encode()).hexdigest()


async def add_notice(connection: AsyncConnection, now: int, kind: NoticeKind, subject: str) -> None:
    """Add a notice in an open transaction. `now`: milliseconds since 1970."""
    row = {"created_ms": now, "kind": kind, "subject": subject}
    await connection.execute(insert(NOTICES), row)


async def publish_notice(store: Store, kind: NoticeKind, subject: str) -> None:
    """Add a notice in a transaction of its own. Raises DatabaseUnavailable."""
    async with store.begin_write() as connection:
        await add_notice(connection, store.now(), kind, subject)


async def wait_until_noticed(seconds: float) -> None:
    """Wait for some seconds. A test that controls a server's clock replaces this."""
    await asyncio.sleep(seconds)


async def mark_data_deleted(store: Store, table_id: str) -> None:
    """Mark the data of a removed table as completely deleted. Raises DatabaseUnavailable."""
    condition = (NOTICES.c.kind == "removed") & (NOTICES.c.subject == table_id)
    async with store.begin_write() as connection:
        await connection.execute(update(NOTICES).where(condition).values(kind="gone"))


async def notices_since(store: Store, last_id: int) -> list[Notice]:
    """Return notices in order, from a little before number `last_id` on.

    Raises DatabaseUnavailable.
    """
    return await _fetch(store, _NOTICES_AFTER, last_id - _OVERLAP_COUNT)


async def notices_of_kind(store: Store, kind: NoticeKind) -> list[Notice]:
    """Return all notices of a kind, by number. Raises DatabaseUnavailable."""
    return await _fetch(store, _NOTICES_OF_KIND, kind)


async def _fetch(store: Store, query: Select[Any], value: int | str) -> list[Notice]:
    async with store.begin_read() as connection:
        rows = await connection.execute(query, {"value": value})
        return [Notice(row.id, row.created_ms, row.kind, row.subject) for row in rows]


async def newest_id(store: Store) -> int:
    """Return the number of the newest notice, or 0. Raises DatabaseUnavailable."""
    async with store.begin_read() as connection:
        return (await connection.execute(select(func.max(NOTICES.c.id)))).scalar() or 0


async def delete_notices(store: Store, ids: list[int]) -> None:
    """Delete notices that every process has seen. Raises DatabaseUnavailable."""
    async with store.begin_write() as connection:
        await connection.execute(delete(NOTICES).where(NOTICES.c.id.in_(ids)))
