"""All stored data about one person, and its deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Text, cast, delete, exists, func, insert, or_, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store import admin_notices, retention_queries
from acesaround.store.schema import (
    CODES,
    DEVICES,
    ENTRIES,
    GAMES,
    METADATA,
    PEOPLE,
    SEATS,
    SHEETS,
    TABLES,
)
from acesaround.store.store import Store
from acesaround.table.index_fields import IndexFields

PERSON_IDS: Final = (
    TABLES.c.host,
    PEOPLE.c.id,
    *(one.c.person_id for one in METADATA.sorted_tables if "person_id" in one.c),
)
"""Every column that holds a person's id. The id of a deleted person must occur in none of them.

Bodies of log entries and lines of games also contain ids and are searched separately.
"""
SECRETS: Final = frozenset({"code", "token", "secret"})
"""Names of columns with secret values, which are never shown."""
_SOME: Final = 100  # tables whose logs are searched in one query


class Person(msgspec.Struct, frozen=True):
    """A person as the server knows them.

    `name`: None if never given. `created`, `seen`: times in ms, 0 if unknown. `avatar`: "" if none
    was chosen, and in lists.
    """

    id: str
    name: str | None
    created: int
    seen: int
    avatar: str = ""


async def person(store: Store, person_id: str) -> Person | None:
    """Return a person by id, or None if the id occurs nowhere. Raises DatabaseUnavailable."""
    named = select(PEOPLE).where(PEOPLE.c.id == person_id)
    others = [column for column in PERSON_IDS if column.table is not PEOPLE]
    known = [select(column).where(column == person_id) for column in others]
    async with store.reading() as connection:
        row = (await connection.execute(named)).first()
        if row is not None:
            return Person(row.id, row.name, row.created, row.seen, row.avatar)
        for asked in known:
            if (await connection.execute(asked.limit(1))).first() is not None:
                return Person(person_id, None, 0, 0)
        return None


async def mentions(store: Store, person_id: str) -> list[str]:
    """Return the ids of all tables that mention a person anywhere. Searches every log.

    Raises DatabaseUnavailable.
    """
    found: list[str] = []
    last = ""
    written = f'%"{_plainly(person_id)}"%'
    while True:
        slice_ = select(TABLES.c.id).where(TABLES.c.id > last).order_by(TABLES.c.id).limit(_SOME)
        async with store.reading() as connection:
            ids = list((await connection.execute(slice_)).scalars())
            if not ids:
                return found
            within = [ENTRIES.c.table_id >= ids[0], ENTRIES.c.table_id <= ids[-1]]
            logs = select(ENTRIES.c.table_id).where(
                *within, cast(ENTRIES.c.body, Text).like(written, escape="\\")
            )
            lines = select(GAMES.c.table_id).where(
                GAMES.c.table_id.in_(ids), cast(GAMES.c.line, Text).like(written, escape="\\")
            )
            seats = select(SEATS.c.table_id).where(
                SEATS.c.table_id.in_(ids), SEATS.c.person_id == person_id
            )
            hosts = select(TABLES.c.id).where(TABLES.c.id.in_(ids), TABLES.c.host == person_id)
            told = set((await connection.execute(logs.union(lines, seats, hosts))).scalars())
        found += sorted(told & set(ids))
        last = ids[-1]


async def log_mentions(store: Store, person_id: str) -> bool:
    """Return whether a log contains a person with that id, not just that name.

    Raises DatabaseUnavailable.
    """
    for table_id in await mentions(store, person_id):
        known = f'"id":"{person_id}"'.encode()
        if any(known in body for body in await store.entries(table_id)):
            return True
    return False


def _plainly(written: str) -> str:
    """Escape the wildcards of a LIKE pattern."""
    return written.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


async def rewrite(
    store: Store,
    table_id: str,
    changed: Mapping[int, bytes],
    seq: int,
    added: Sequence[bytes],
    *,
    summary: bytes,
    keys: IndexFields,
    person_id: str,
    stands_for: str,
) -> None:
    """Rewrite entries of a log and append some, the first as number `seq`, all or nothing.

    Also replaces the id in lines of games, and removes the table from the person's list. Raises
    SequenceConflict and DatabaseUnavailable.
    """
    now = store.now()
    rows: list[dict[str, Any]] = [
        {"table_id": table_id, "seq": number, "at": now, "body": body}
        for number, body in enumerate(added, seq)
    ]
    lines = select(GAMES.c.number, GAMES.c.line).where(GAMES.c.table_id == table_id)
    was, is_now = f'"{person_id}"'.encode(), f'"{stands_for}"'.encode()
    async with store.writing() as connection:
        await connection.execute(insert(ENTRIES), rows)  # first: other writers conflict
        if changed:
            anew = [{"table": table_id, "number": n, "anew": body} for n, body in changed.items()]
            await connection.execute(retention_queries.ANEW, anew)
        found = {"summary": summary, **msgspec.structs.asdict(keys)}
        await connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(found))
        for number, line in (await connection.execute(lines)).all():
            if was in line:
                its = (GAMES.c.table_id == table_id) & (GAMES.c.number == number)
                anew = line.replace(was, is_now)
                await connection.execute(update(GAMES).where(its).values(line=anew))
        theirs = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
        await connection.execute(delete(SEATS).where(theirs))
        await admin_notices.add(connection, "changed", table_id)


async def entries_with_times(store: Store, table_id: str) -> tuple[list[bytes], list[int]]:
    """Return the entries of a log, and the time of each in ms.

    Raises CorruptData and DatabaseUnavailable.
    """
    its = ENTRIES.c.table_id == table_id
    asked = select(ENTRIES.c.body, ENTRIES.c.at).where(its).order_by(ENTRIES.c.seq)
    async with store.reading() as connection:
        found = (await connection.execute(asked)).all()
    return [row.body for row in found], [row.at for row in found]


async def rows(store: Store, person_id: str) -> dict[str, list[dict[str, Any]]]:
    """Return the person's rows in the remaining database tables, without secret columns.

    Raises DatabaseUnavailable.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    async with store.reading() as connection:
        for column in PERSON_IDS:
            if column.table in (TABLES, PEOPLE, SEATS):  # which the export describes separately
                continue
            asked = select(column.table).where(column == person_id)
            shown = [dict(row._mapping) for row in await connection.execute(asked)]
            found[str(column.table.name)] = [
                {name: value for name, value in row.items() if name not in SECRETS} for row in shown
            ]
    return found


async def forget(store: Store, person_id: str) -> None:
    """Delete a person's rows, except in the list of tables. Raises DatabaseUnavailable."""
    async with store.writing() as connection:
        await _sign_out_devices(connection, [person_id], store.now())
        for column in PERSON_IDS:
            if column.table is not TABLES:
                await connection.execute(delete(column.table).where(column == person_id))


async def _sign_out_devices(connection: AsyncConnection, ids: Sequence[str], now: int) -> None:
    """Prepare the deletion of persons: keep the rows of devices that would be others without them.

    The rows of devices that are named after these persons may go.
    """
    others = DEVICES.c.person_id.in_(ids) & (DEVICES.c.device_id != DEVICES.c.person_id)
    out = update(DEVICES).where(others).values(person_id=None, changed=now)
    await connection.execute(out)
    own = DEVICES.c.device_id.in_(ids) & DEVICES.c.person_id.is_(None)
    await connection.execute(delete(DEVICES).where(own))


class InactiveGuest(msgspec.Struct, frozen=True):
    """A person who was last seen at a time in ms. `held`: has a seat or hosts a table."""

    id: str
    seen: int
    held: bool


_HELD: Final = or_(
    *(exists().where(column == PEOPLE.c.id) for column in (SEATS.c.person_id, TABLES.c.host))
)


async def inactive_guests(
    store: Store, before: int, after: InactiveGuest | None = None
) -> list[InactiveGuest]:
    """Return a piece of the people not seen since a time in ms, in order, after one of them.

    Raises DatabaseUnavailable.
    """
    asked = (
        select(PEOPLE.c.id, PEOPLE.c.seen, _HELD.label("held"))
        .where(PEOPLE.c.seen < before, PEOPLE.c.created < before)
        .order_by(PEOPLE.c.seen, PEOPLE.c.id)
        .limit(retention_queries.PIECE)
    )
    if after is not None:
        asked = asked.where(tuple_(PEOPLE.c.seen, PEOPLE.c.id) > (after.seen, after.id))
    async with store.reading() as connection:
        rows = await connection.execute(asked)
        return [InactiveGuest(row.id, row.seen, bool(row.held)) for row in rows]


async def delete_inactive(store: Store, ids: Sequence[str], before: int) -> int:
    """Delete people who are still inactive and have no table; return how many.

    Raises DatabaseUnavailable.
    """
    asked = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(ids), PEOPLE.c.seen < before, ~_HELD)
    async with store.writing() as connection:
        gone = list((await connection.execute(asked)).scalars())
        await _sign_out_devices(connection, gone, store.now())
        for column in PERSON_IDS if gone else ():
            if column.table is not TABLES:
                await connection.execute(delete(column.table).where(column.in_(gone)))
        return len(gone)


async def dismiss_nameless(store: Store, before: int) -> int:
    """Delete a piece of the inactive persons without name and table; return how many.

    A person without a name has rows only after using devices of their own. `before`: inactive means
    that all their devices were last seen before this time in ms. Raises DatabaseUnavailable.
    """
    theirs = DEVICES.c.person_id
    known = (PEOPLE.c.id, SEATS.c.person_id, TABLES.c.host)
    asked = (
        select(theirs)
        .where(theirs.is_not(None), ~or_(*(exists().where(column == theirs) for column in known)))
        .group_by(theirs)
        .having(func.max(DEVICES.c.seen) < before)
        .limit(retention_queries.PIECE)
    )
    async with store.reading() as connection:  # so that players do not wait for a check
        if (await connection.execute(asked.limit(1))).first() is None:
            return 0
    async with store.writing() as connection:
        gone = list((await connection.execute(asked)).scalars())
        await _sign_out_devices(connection, gone, store.now())
        for column in (theirs, CODES.c.person_id, SHEETS.c.person_id):
            await connection.execute(delete(column.table).where(column.in_(gone)))
        return len(gone)


async def vacuum(store: Store) -> None:
    """Rebuild an SQLite database, so that its files contain no deleted data.

    No other writer can proceed during this. PostgreSQL does it automatically, later. Raises
    DatabaseUnavailable.
    """
    if store.path is None:
        return
    async with store.reading() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(text("VACUUM"))
        await alone.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))


async def count(store: Store, name: str = "") -> int:
    """Return how many persons have a name or a seat, or have `name` in their name.

    Raises DatabaseUnavailable.
    """
    everybody = select(PEOPLE.c.id).union(select(SEATS.c.person_id)).subquery()
    asked = select(func.count()).select_from(everybody)
    if name:
        asked = select(func.count()).where(PEOPLE.c.name.icontains(name, autoescape=True))
    async with store.reading() as connection:
        return (await connection.execute(asked)).scalar_one()


async def listed(store: Store, name: str, first: int, most: int) -> list[tuple[Person, int]]:
    """List persons with `name` in their name, the last seen first, and how many tables they sat at.

    Raises DatabaseUnavailable.
    """
    everybody = select(PEOPLE.c.id.label("id")).union(select(SEATS.c.person_id)).subquery()
    tables = (
        select(func.count())
        .where(SEATS.c.person_id == everybody.c.id)
        .correlate(everybody)
        .scalar_subquery()
    )
    asked = (
        select(everybody.c.id, PEOPLE.c.name, PEOPLE.c.created, PEOPLE.c.seen, tables.label("at"))
        .select_from(everybody.outerjoin(PEOPLE, PEOPLE.c.id == everybody.c.id))
        .order_by(func.coalesce(PEOPLE.c.seen, 0).desc(), everybody.c.id)
        .limit(most)
        .offset(first)
    )
    if name:
        asked = asked.where(PEOPLE.c.name.icontains(name, autoescape=True))
    async with store.reading() as connection:
        return [
            (Person(row.id, row.name, row.created or 0, row.seen or 0), row.at)
            for row in await connection.execute(asked)
        ]
