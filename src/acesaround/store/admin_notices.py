"""Notices: what processes that serve are told by whoever writes to the database beside them.

They look for new ones every second. A notice makes them quick, not right: what was written is in
the log, and a number of the log that is taken is noticed by who appends next.
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
"""Seconds from one look to the next."""
HEARD: Final = 2.5 * EVERY
"""Seconds after which every process that serves has seen a notice, unless it stands still."""
_LATE: Final = 100
"""So many notices before the newest are looked at again: PostgreSQL may show a later one first."""

NoticeKind: TypeAlias = Literal["changed", "removed", "gone", "person"]


class Notice(msgspec.Struct, frozen=True):
    """A table, by id, was written to or removed, or a person, by mark, is known no more.

    `gone`: nothing of a removed table is left but its last entry.
    """

    id: int
    at: int
    kind: NoticeKind
    what: str


def person_hash(person: str) -> str:
    """What stands for the id of a person who must not be found by it."""
    return sha256(person.encode()).hexdigest()


async def add(connection: AsyncConnection, kind: NoticeKind, what: str) -> None:
    """Give notice, as part of a transaction."""
    row = {"at": time.time_ns() // 1_000_000, "kind": kind, "what": what}
    await connection.execute(insert(NOTICES), row)


async def publish(store: Store, kind: NoticeKind, what: str) -> None:
    """Give notice, in a transaction of its own. Raises Unsaved."""
    async with store.writing() as connection:
        await add(connection, kind, what)


async def settle(store: Store, table_id: str) -> None:
    """Note that of a removed table nothing more is to be taken away. Raises Unsaved."""
    its = (NOTICES.c.kind == "removed") & (NOTICES.c.what == table_id)
    async with store.writing() as connection:
        await connection.execute(update(NOTICES).where(its).values(kind="gone"))


async def since(store: Store, last: int) -> list[Notice]:
    """Notices by number, from a little before number `last` on. Raises Unsaved."""
    return await _found(store, select(NOTICES).where(NOTICES.c.id > last - _LATE))


async def of_kind(store: Store, kind: NoticeKind) -> list[Notice]:
    """All notices of a kind, by number. Raises Unsaved."""
    return await _found(store, select(NOTICES).where(NOTICES.c.kind == kind))


async def _found(store: Store, asked: Select[Any]) -> list[Notice]:
    async with store.reading() as connection:
        rows = await connection.execute(asked.order_by(NOTICES.c.id))
        return [Notice(row.id, row.at, row.kind, row.what) for row in rows]


async def newest(store: Store) -> int:
    """The number of the newest notice, 0 for none. Raises Unsaved."""
    async with store.reading() as connection:
        return (await connection.execute(select(func.max(NOTICES.c.id)))).scalar() or 0


async def drop(store: Store, ids: list[int]) -> None:
    """Forget notices that everybody has seen. Raises Unsaved."""
    async with store.writing() as connection:
        await connection.execute(delete(NOTICES).where(NOTICES.c.id.in_(ids)))
