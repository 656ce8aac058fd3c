"""Queries for retention: expired rows are found by index and deleted in small pieces.

On SQLite no other writer can proceed during a transaction, so a piece is some hundred rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, func, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store.schema import ENTRIES, GAMES, LINKS, PEOPLE, SEATS, TABLES, TALK
from acesaround.store.store import Store, milliseconds

PIECE: Final = 200
"""Rows in one transaction."""
_LOCK: Final = 0x4B454550  # any number, the same in every process


class StaleTable(msgspec.Struct, frozen=True):
    """A table that may have expired, with the time of its last change in ms."""

    id: str
    changed: int


class Last(msgspec.Struct, frozen=True):
    """The last entry of a log: its sequence number, and its time in ms."""

    seq: int
    at: int


class ChatEntry(msgspec.Struct, frozen=True):
    """A chat entry of a log, with its time in ms."""

    table_id: str
    seq: int
    at: int


async def stale_tables(
    store: Store, *, finished: bool, played: bool, before: int, after: StaleTable | None = None
) -> list[StaleTable]:
    """Return tables in the given state, in the order of their last change, one piece at a time.

    Only tables that changed before a time in ms and come after another one. Raises
    DatabaseUnavailable.
    """
    key = tuple_(TABLES.c.changed, TABLES.c.id)
    asked = (
        select(TABLES.c.id, TABLES.c.changed)
        .where(TABLES.c.finished == finished, TABLES.c.played == played)
        .where(TABLES.c.changed < before)
        .order_by(TABLES.c.changed, TABLES.c.id)
        .limit(PIECE)
    )
    if after is not None:
        asked = asked.where(key > (after.changed, after.id))
    async with store.reading() as connection:
        return [StaleTable(row.id, row.changed) for row in await connection.execute(asked)]


async def last(store: Store, table_id: str) -> Last | None:
    """Return the last entry of a log, or None. Raises DatabaseUnavailable."""
    asked = (
        select(ENTRIES.c.seq, ENTRIES.c.at)
        .where(ENTRIES.c.table_id == table_id)
        .order_by(ENTRIES.c.seq.desc())
        .limit(1)
    )
    async with store.reading() as connection:
        row = (await connection.execute(asked)).first()
        return None if row is None else Last(row.seq, row.at)


async def unlist(store: Store, table_id: str) -> None:
    """Delete a table from all lists and links, but not its log. Raises DatabaseUnavailable."""
    async with store.writing() as connection:
        for column in (TABLES.c.id, LINKS.c.table_id, SEATS.c.table_id, GAMES.c.table_id):
            await connection.execute(delete(column.table).where(column == table_id))


ALL: Final = 1 << 30
"""A number above the length of any log."""


async def delete_entries(store: Store, table_id: str, end: int) -> int:
    """Delete a piece of the entries before number `end`; return how many.

    Raises DatabaseUnavailable.
    """
    its = (ENTRIES.c.table_id == table_id) & (ENTRIES.c.seq < end)
    async with store.writing() as connection:
        first = (await connection.execute(select(func.min(ENTRIES.c.seq)).where(its))).scalar()
        if first is None:
            return 0
        piece = its & (ENTRIES.c.seq < first + PIECE)
        gone = await connection.execute(delete(ENTRIES).where(piece))
        return gone.rowcount


async def talk(store: Store, before: int, after: ChatEntry | None = None) -> list[ChatEntry]:
    """Return a piece of the chat older than a time in ms, the oldest first.

    `after`: the last entry of the previous piece. Raises DatabaseUnavailable.
    """
    key = ENTRIES.c.at, ENTRIES.c.table_id, ENTRIES.c.seq
    asked = (
        select(ENTRIES.c.table_id, ENTRIES.c.seq, ENTRIES.c.at)
        .where(TALK[_dialect(store)], ENTRIES.c.at < before)
        .order_by(*key)
        .limit(PIECE)
    )
    if after is not None:
        asked = asked.where(tuple_(*key) > (after.at, after.table_id, after.seq))
    async with store.reading() as connection:
        return [ChatEntry(row.table_id, row.seq, row.at) for row in await connection.execute(asked)]


async def replace(store: Store, pieces: Sequence[ChatEntry], body: bytes) -> None:
    """Replace the bodies of some entries. Raises DatabaseUnavailable."""
    if pieces:
        async with store.writing() as connection:
            anew = [{"table": one.table_id, "number": one.seq, "anew": body} for one in pieces]
            await connection.execute(ANEW, anew)


ANEW: Final = (
    update(ENTRIES)
    .where(ENTRIES.c.table_id == bindparam("table"), ENTRIES.c.seq == bindparam("number"))
    .values(body=bindparam("anew"))
)
"""The statement that replaces the body of entry `number` of `table`."""


async def touch_person(store: Store, person: str) -> None:
    """Update the last-seen time of a person to now. Raises DatabaseUnavailable."""
    async with store.writing() as connection:
        await connection.execute(
            update(PEOPLE).where(PEOPLE.c.id == person).values(seen=store.now())
        )


def now() -> int:
    """Return the milliseconds since 1970."""
    return milliseconds()


class Sizes(msgspec.Struct):
    """The size of the database. `bytes`: the size of its files."""

    tables: int = 0
    games: int = 0
    entries: int = 0
    people: int = 0
    bytes: int = 0


async def some_tables(store: Store, after: str) -> tuple[str | None, Sizes]:
    """Count a piece of the tables in the order of their ids, with their games and entries.

    Returns the last id for the next piece, or None at the end. The length of a log is its highest
    number plus one, so no log is read. Raises DatabaseUnavailable.
    """
    theirs = select(func.max(ENTRIES.c.seq) + 1).where(ENTRIES.c.table_id == TABLES.c.id)
    games = select(func.max(GAMES.c.number)).where(GAMES.c.table_id == TABLES.c.id)
    asked = (
        select(TABLES.c.id, theirs.scalar_subquery(), games.scalar_subquery())
        .where(TABLES.c.id > after)
        .order_by(TABLES.c.id)
        .limit(PIECE)
    )
    async with store.reading() as connection:
        rows = (await connection.execute(asked)).all()
    found = Sizes(len(rows), sum(row[2] or 0 for row in rows), sum(row[1] or 0 for row in rows))
    return (rows[-1].id if len(rows) == PIECE else None), found


_MANY: Final = 5000  # ids are short and have an index of their own


async def some_people(store: Store, after: str) -> tuple[str | None, int]:
    """Count a piece of the people in the order of their ids; return the last id and the count.

    The id is None at the end. Raises DatabaseUnavailable.
    """
    asked = select(PEOPLE.c.id).where(PEOPLE.c.id > after).order_by(PEOPLE.c.id).limit(_MANY)
    async with store.reading() as connection:
        ids = list((await connection.execute(asked)).scalars())
    return (ids[-1] if len(ids) == _MANY else None), len(ids)


async def database_bytes(store: Store) -> int:
    """Return the size of the database in bytes; for SQLite with the write-ahead log.

    Raises DatabaseUnavailable.
    """
    if store.path is not None:
        files = [store.path, store.path.with_name(f"{store.path.name}-wal")]
        return sum(file.stat().st_size for file in files if file.exists())
    async with store.reading() as connection:
        found: int = (
            await connection.execute(text("SELECT pg_database_size(current_database())"))
        ).scalar_one()
        return found


class CleanupLock:
    """A lock that lets one process at a time clean up a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: AsyncConnection | None = None

    async def __aenter__(self) -> bool:
        if _dialect(self._store) == "sqlite":  # which only one process serves
            return True
        connection = await self._store.engine.connect()
        try:
            asked = text("SELECT pg_try_advisory_lock(:lock)")
            got: bool = (await connection.execute(asked, {"lock": _LOCK})).scalar_one()
            await connection.commit()  # the lock belongs to the connection, not the transaction
        except BaseException:
            await connection.invalidate()
            await connection.close()
            raise
        if not got:
            await connection.close()
            return False
        self._connection = connection
        return True

    async def __aexit__(self, *_: object) -> None:
        if self._connection is not None:
            await self._connection.invalidate()  # this releases the lock
            await self._connection.close()
            self._connection = None


def _dialect(store: Store) -> str:
    return store.engine.dialect.name


async def removed(store: Store, table_id: str) -> bool:
    """Return whether a table is in no list. Raises DatabaseUnavailable."""
    asked = select(TABLES.c.id).where(TABLES.c.id == table_id)
    async with store.reading() as connection:
        return (await connection.execute(asked)).first() is None
