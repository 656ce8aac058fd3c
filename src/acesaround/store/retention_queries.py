"""What is kept no longer: found by index, and taken away in small pieces.

On SQLite nobody else can write while a piece goes, so that a piece is some hundred rows.
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
"""Rows that go in one transaction."""
_LOCK: Final = 0x4B454550  # any number that every process asks for


class StaleTable(msgspec.Struct, frozen=True):
    """A table of which nothing seems to be wanted: when lists of it changed last."""

    id: str
    changed: int


class Last(msgspec.Struct, frozen=True):
    """The last entry of a log: its number, and when it was appended, in ms."""

    seq: int
    at: int


class ChatEntry(msgspec.Struct, frozen=True):
    """An entry of a log, appended at a time in ms."""

    table_id: str
    seq: int
    at: int


async def stale_tables(
    store: Store, *, finished: bool, played: bool, before: int, after: StaleTable | None = None
) -> list[StaleTable]:
    """Tables that came so far and no farther, in the order in which they changed last.

    Only those that changed before a time, in ms, and come after another one. Raises Unsaved.
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
    """The last entry of a log; None where it has none. Raises Unsaved."""
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
    """Take a table from all lists and links. Its log stays. Raises Unsaved."""
    async with store.writing() as connection:
        for column in (TABLES.c.id, LINKS.c.table_id, SEATS.c.table_id, GAMES.c.table_id):
            await connection.execute(delete(column.table).where(column == table_id))


ALL: Final = 1 << 30
"""More entries than a log can have."""


async def delete_entries(store: Store, table_id: str, end: int) -> int:
    """Take away some of the entries before number `end`; how many. Raises Unsaved."""
    its = (ENTRIES.c.table_id == table_id) & (ENTRIES.c.seq < end)
    async with store.writing() as connection:
        first = (await connection.execute(select(func.min(ENTRIES.c.seq)).where(its))).scalar()
        if first is None:
            return 0
        piece = its & (ENTRIES.c.seq < first + PIECE)
        gone = await connection.execute(delete(ENTRIES).where(piece))
        return gone.rowcount


async def talk(store: Store, before: int, after: ChatEntry | None = None) -> list[ChatEntry]:
    """Some talk older than a time in ms, the oldest first, after a phrase. Raises Unsaved."""
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
    """Put something else in the place of some entries. Raises Unsaved."""
    if pieces:
        async with store.writing() as connection:
            anew = [{"table": one.table_id, "number": one.seq, "anew": body} for one in pieces]
            await connection.execute(ANEW, anew)


ANEW: Final = (
    update(ENTRIES)
    .where(ENTRIES.c.table_id == bindparam("table"), ENTRIES.c.seq == bindparam("number"))
    .values(body=bindparam("anew"))
)
"""Writes entries of logs anew: `number` of `table`."""


async def touch_person(store: Store, person: str) -> None:
    """Somebody is here now. Raises Unsaved."""
    async with store.writing() as connection:
        await connection.execute(
            update(PEOPLE).where(PEOPLE.c.id == person).values(seen=store.now())
        )


def now() -> int:
    """Milliseconds since 1970."""
    return milliseconds()


class Sizes(msgspec.Struct):
    """How much the database holds. `bytes`: of its files."""

    tables: int = 0
    games: int = 0
    entries: int = 0
    people: int = 0
    bytes: int = 0


async def some_tables(store: Store, after: str) -> tuple[str | None, Sizes]:
    """Count some tables, in the order of their ids, and what they hold; the last of them.

    The length of a log is its highest number: no log is read. Raises Unsaved.
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


_MANY: Final = 5000  # ids are short, and lie in an index of their own


async def some_people(store: Store, after: str) -> tuple[str | None, int]:
    """Count some people in the order of their ids; the last of them. Raises Unsaved."""
    asked = select(PEOPLE.c.id).where(PEOPLE.c.id > after).order_by(PEOPLE.c.id).limit(_MANY)
    async with store.reading() as connection:
        ids = list((await connection.execute(asked)).scalars())
    return (ids[-1] if len(ids) == _MANY else None), len(ids)


async def database_bytes(store: Store) -> int:
    """Bytes of the database: of SQLite, with what is not yet in its main file. Raises Unsaved."""
    if store.path is not None:
        files = [store.path, store.path.with_name(f"{store.path.name}-wal")]
        return sum(file.stat().st_size for file in files if file.exists())
    async with store.reading() as connection:
        found: int = (
            await connection.execute(text("SELECT pg_database_size(current_database())"))
        ).scalar_one()
        return found


class CleanupLock:
    """The right to clear: of several processes on a database one has it at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: AsyncConnection | None = None

    async def __aenter__(self) -> bool:
        if _dialect(self._store) == "sqlite":  # which one process serves
            return True
        connection = await self._store.engine.connect()
        try:
            asked = text("SELECT pg_try_advisory_lock(:lock)")
            got: bool = (await connection.execute(asked, {"lock": _LOCK})).scalar_one()
            await connection.commit()  # the lock is the connection's, not the transaction's
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
            await self._connection.invalidate()  # and its lock goes with it
            await self._connection.close()
            self._connection = None


def _dialect(store: Store) -> str:
    return store.engine.dialect.name


async def removed(store: Store, table_id: str) -> bool:
    """Whether a table is in no list any more. Raises Unsaved."""
    asked = select(TABLES.c.id).where(TABLES.c.id == table_id)
    async with store.reading() as connection:
        return (await connection.execute(asked)).first() is None
