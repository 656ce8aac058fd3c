"""Notices: messages in the database to server processes from other writers.

Server processes poll every second. Notices only reduce delay. Correctness comes from the log: a
writer that missed a change gets a sequence conflict.
"""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store.schema import NOTICES
from acesaround.store.store import Store

EVERY: Final = 1.0
"""Seconds between two polls."""
HEARD: Final = 2.5 * EVERY
"""Seconds after which every server process has seen a notice, unless it is suspended."""
_LATE: Final = 100
"""How many notices are read again, because PostgreSQL may show a later one first."""

NoticeKind: TypeAlias = Literal["changed", "removed", "gone", "person"]


class Notice(msgspec.Struct, frozen=True):
    """A notice that a table (by id) was changed or removed, or a person (by hash) deleted.

    `gone`: all data of a removed table is deleted but its last entry.
    """

    id: int
    at: int
    kind: NoticeKind
    what: str


def person_hash(person: str) -> str:
    """Return a hash that identifies a deleted person without revealing the id."""
    return sha256(person.encode()).hexdigest()


async def add(connection: AsyncConnection, kind: NoticeKind, what: str) -> None:
    """Add a notice in an open transaction."""
    row = {"at": time.time_ns() // 1_000_000, "kind": kind, "what": what}
    await connection.execute(insert(NOTICES), row)


async def publish(store: Store, kind: NoticeKind, what: str) -> None:
    """Add a notice in a transaction of its own. Raises DatabaseUnavailable."""
    async with store.writing() as connection:
        await add(connection, kind, what)


async def settle(store: Store, table_id: str) -> None:
    """Mark the data of a removed table as completely deleted. Raises DatabaseUnavailable."""
    its = (NOTICES.c.kind == "removed") & (NOTICES.c.what == table_id)
    async with store.writing() as connection:
        await connection.execute(update(NOTICES).where(its).values(kind="gone"))


async def since(store: Store, last: int) -> list[Notice]:
    """Return notices in order, from a little before number `last` on.

    Raises DatabaseUnavailable.
    """
    return await _found(store, select(NOTICES).where(NOTICES.c.id > last - _LATE))


async def of_kind(store: Store, kind: NoticeKind) -> list[Notice]:
    """Return all notices of a kind, by number. Raises DatabaseUnavailable."""
    return await _found(store, select(NOTICES).where(NOTICES.c.kind == kind))


async def _found(store: Store, asked: Select[Any]) -> list[Notice]:
    async with store.reading() as connection:
        rows = await connection.execute(asked.order_by(NOTICES.c.id))
        return [Notice(row.id, row.at, row.kind, row.what) for row in rows]


async def newest(store: Store) -> int:
    """Return the number of the newest notice, or 0. Raises DatabaseUnavailable."""
    async with store.reading() as connection:
        return (await connection.execute(select(func.max(NOTICES.c.id)))).scalar() or 0


async def drop(store: Store, ids: list[int]) -> None:
    """Delete notices that every process has seen. Raises DatabaseUnavailable."""
    async with store.writing() as connection:
        await connection.execute(delete(NOTICES).where(NOTICES.c.id.in_(ids)))
