"""Queries for retention: expired rows are found by index and deleted in small pieces.

On SQLite no other writer can proceed during a transaction, so a piece is some hundred rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, func, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store.schema import (
    CHAT_CONDITIONS,
    ENTRIES,
    GAMES,
    LINKS,
    PEOPLE,
    REVIEWS,
    SEATS,
    TABLES,
)
from acesaround.store.store import Store

ROWS_PER_PIECE: Final = 200
"""Rows in one transaction."""
_LOCK_ID: Final = 0x4B454550  # any number, the same in every process


class StaleTable(msgspec.Struct, frozen=True):
    """A table that may have expired, with the time of its last change in ms."""

    id: str
    changed: int


class LastEntry(msgspec.Struct, frozen=True):
    """The last entry of a log: its sequence number, and its time in ms."""

    seq: int
    at: int


class ChatEntry(msgspec.Struct, frozen=True):
    """A chat entry of a log, with its time in ms."""

    table_id: str
    seq: int
    at: int


async def stale_tables(
    store: Store,
    *,
    finished: bool,
    played: bool,
    changed_before: int,
    after: StaleTable | None = None,
) -> list[StaleTable]:
    """Return a piece of the tables in the given state, in the order of their last change.

    `changed_before`: only tables that changed before this time in ms. `after`: the last table of
    the previous piece. Raises DatabaseUnavailable.
    """
    key = tuple_(TABLES.c.changed_ms, TABLES.c.id)
    query = (
        select(TABLES.c.id, TABLES.c.changed_ms)
        .where(TABLES.c.has_finished_game == finished, TABLES.c.has_finished_deal == played)
        .where(TABLES.c.changed_ms < changed_before)
        .order_by(TABLES.c.changed_ms, TABLES.c.id)
        .limit(ROWS_PER_PIECE)
    )
    if after is not None:
        query = query.where(key > (after.changed, after.id))
    async with store.begin_read() as connection:
        return [StaleTable(row.id, row.changed_ms) for row in await connection.execute(query)]


async def last_entry(store: Store, table_id: str) -> LastEntry | None:
    """Return the last entry of a log, or None. Raises DatabaseUnavailable."""
    query = (
        select(ENTRIES.c.seq, ENTRIES.c.appended_ms)
        .where(ENTRIES.c.table_id == table_id)
        .order_by(ENTRIES.c.seq.desc())
        .limit(1)
    )
    async with store.begin_read() as connection:
        row = (await connection.execute(query)).first()
        return None if row is None else LastEntry(row.seq, row.appended_ms)


async def remove_from_lists(store: Store, table_id: str) -> None:
    """Delete a table from all lists and links, but not its log. Raises DatabaseUnavailable."""
    async with store.begin_write() as connection:
        for column in (
            TABLES.c.id,
            LINKS.c.table_id,
            SEATS.c.table_id,
            GAMES.c.table_id,
            REVIEWS.c.table_id,
        ):
            await connection.execute(delete(column.table).where(column == table_id))


MAX_SEQ: Final = 1 << 30
"""A number above the length of any log."""


async def delete_entries(store: Store, table_id: str, end: int) -> int:
    """Delete a piece of the entries before number `end`; return how many.

    Raises DatabaseUnavailable.
    """
    condition = (ENTRIES.c.table_id == table_id) & (ENTRIES.c.seq < end)
    async with store.begin_write() as connection:
        first = (
            await connection.execute(select(func.min(ENTRIES.c.seq)).where(condition))
        ).scalar()
        if first is None:
            return 0
        piece = condition & (ENTRIES.c.seq < first + ROWS_PER_PIECE)
        deleted = await connection.execute(delete(ENTRIES).where(piece))
        return deleted.rowcount


async def old_chat(
    store: Store, older_than: int, after: ChatEntry | None = None
) -> list[ChatEntry]:
    """Return a piece of the chat older than a time in ms, the oldest first.

    `after`: the last entry of the previous piece. Raises DatabaseUnavailable.
    """
    key = ENTRIES.c.appended_ms, ENTRIES.c.table_id, ENTRIES.c.seq
    query = (
        select(ENTRIES.c.table_id, ENTRIES.c.seq, ENTRIES.c.appended_ms)
        .where(CHAT_CONDITIONS[_dialect(store)], ENTRIES.c.appended_ms < older_than)
        .order_by(*key)
        .limit(ROWS_PER_PIECE)
    )
    if after is not None:
        query = query.where(tuple_(*key) > (after.at, after.table_id, after.seq))
    async with store.begin_read() as connection:
        return [
            ChatEntry(row.table_id, row.seq, row.appended_ms)
            for row in await connection.execute(query)
        ]


async def replace_bodies(store: Store, chat_entries: Sequence[ChatEntry], body: bytes) -> None:
    """Replace the bodies of some entries. Raises DatabaseUnavailable."""
    if chat_entries:
        async with store.begin_write() as connection:
            parameters = [
                {"table": chat_entry.table_id, "number": chat_entry.seq, "anew": body}
                for chat_entry in chat_entries
            ]
            await connection.execute(REPLACE_BODY, parameters)


REPLACE_BODY: Final = (
    update(ENTRIES)
    .where(ENTRIES.c.table_id == bindparam("table"), ENTRIES.c.seq == bindparam("number"))
    .values(body=bindparam("anew"))
)
"""The statement that replaces the body of entry `number` of `table`."""


async def touch_person(store: Store, person: str) -> None:
    """Update the last-seen time of a person to now. Raises DatabaseUnavailable."""
    async with store.begin_write() as connection:
        await connection.execute(
            update(PEOPLE).where(PEOPLE.c.id == person).values(last_seen_ms=store.now())
        )


class DatabaseSizes(msgspec.Struct):
    """The size of the database. `bytes`: the size of its files."""

    tables: int = 0
    games: int = 0
    entries: int = 0
    people: int = 0
    bytes: int = 0


async def count_some_tables(store: Store, after: str) -> tuple[str | None, DatabaseSizes]:
    """Count a piece of the tables in the order of their ids, with their games and entries.

    Returns the last id for the next piece, or None at the end. The length of a log is its highest
    number plus one, so no log is read. Raises DatabaseUnavailable.
    """
    log_length = select(func.max(ENTRIES.c.seq) + 1).where(ENTRIES.c.table_id == TABLES.c.id)
    games = select(func.max(GAMES.c.number)).where(GAMES.c.table_id == TABLES.c.id)
    query = (
        select(TABLES.c.id, log_length.scalar_subquery(), games.scalar_subquery())
        .where(TABLES.c.id > after)
        .order_by(TABLES.c.id)
        .limit(ROWS_PER_PIECE)
    )
    async with store.begin_read() as connection:
        rows = (await connection.execute(query)).all()
    sizes = DatabaseSizes(
        len(rows), sum(row[2] or 0 for row in rows), sum(row[1] or 0 for row in rows)
    )
    return (rows[-1].id if len(rows) == ROWS_PER_PIECE else None), sizes


_PEOPLE_PER_PIECE: Final = 5000  # ids are short and have an index of their own


async def count_some_people(store: Store, after: str) -> tuple[str | None, int]:
    """Count a piece of the people in the order of their ids; return the last id and the count.

    The id is None at the end. Raises DatabaseUnavailable.
    """
    query = (
        select(PEOPLE.c.id)
        .where(PEOPLE.c.id > after)
        .order_by(PEOPLE.c.id)
        .limit(_PEOPLE_PER_PIECE)
    )
    async with store.begin_read() as connection:
        ids = list((await connection.execute(query)).scalars())
    return (ids[-1] if len(ids) == _PEOPLE_PER_PIECE else None), len(ids)


async def database_bytes(store: Store) -> int:
    """Return the size of the database in bytes; for SQLite with the write-ahead log.

    Raises DatabaseUnavailable.
    """
    if store.path is not None:
        files = [store.path, store.path.with_name(f"{store.path.name}-wal")]
        return sum(file.stat().st_size for file in files if file.exists())
    async with store.begin_read() as connection:
        size: int = (
            await connection.execute(text("SELECT pg_database_size(current_database())"))
        ).scalar_one()
        return size


class CleanupLock:
    """A lock that lets one process at a time clean up a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: AsyncConnection | None = None

    async def __aenter__(self) -> bool:
        if not self._store.is_shared:
            return True
        connection = await self._store.engine.connect()
        try:
            query = text("SELECT pg_try_advisory_lock(:lock)")
            is_acquired: bool = (await connection.execute(query, {"lock": _LOCK_ID})).scalar_one()
            await connection.commit()  # the lock belongs to the connection, not the transaction
        except BaseException:
            await connection.invalidate()
            await connection.close()
            raise
        if not is_acquired:
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
