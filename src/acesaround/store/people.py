"""All stored data about one person, and its deletion."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Text, cast, delete, exists, func, insert, or_, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store import admin_notices, retention_queries
from acesaround.store.schema import (
    DEVICES,
    ENTRIES,
    GAMES,
    METADATA,
    PAIRING_CODES,
    PEOPLE,
    PRACTICE,
    SEATS,
    SHEETS,
    TABLES,
)
from acesaround.store.store import Store
from acesaround.table.list_columns import GameSummary, ListColumns

PERSON_IDS: Final = (
    TABLES.c.host_id,
    PEOPLE.c.id,
    *(one.c.person_id for one in METADATA.sorted_tables if "person_id" in one.c),
)
"""Every column that holds a person's id. The id of a deleted person must occur in none of them.

Bodies of log entries and summaries of games also contain ids and are searched separately.
"""
SECRET_COLUMNS: Final = frozenset({"code_hash", "token", "secret"})
"""Names of columns with secret values, which are never shown."""
_MAX_GAMES_SEARCHED: Final = 100  # games searched for a deal that a person has played
_TABLES_PER_QUERY: Final = 100  # tables whose logs are searched in one query


class StoredPerson(msgspec.Struct, frozen=True):
    """A person as the server knows them.

    `name`: None if never given. `created`, `seen`: times in ms, 0 if unknown. `avatar`: "" if
    none was chosen, and in lists.
    """

    id: str
    name: str | None
    created: int
    seen: int
    avatar: str = ""


async def find_person(store: Store, person_id: str) -> StoredPerson | None:
    """Return a person by id, or None if the id occurs nowhere. Raises DatabaseUnavailable."""
    person_query = select(PEOPLE).where(PEOPLE.c.id == person_id)
    others = [column for column in PERSON_IDS if column.table is not PEOPLE]
    other_queries = [select(column).where(column == person_id) for column in others]
    async with store.begin_read() as connection:
        row = (await connection.execute(person_query)).first()
        if row is not None:
            return StoredPerson(row.id, row.name, row.created_ms, row.last_seen_ms, row.avatar)
        for query in other_queries:
            if (await connection.execute(query.limit(1))).first() is not None:
                return StoredPerson(person_id, None, 0, 0)
        return None


async def has_played(store: Store, person_id: str) -> bool:
    """Return whether a person sat at a table when a deal there ended, in one of the last games.

    Raises DatabaseUnavailable.
    """
    query = (
        select(GAMES.c.summary)
        .join(SEATS, SEATS.c.table_id == GAMES.c.table_id)
        .join(TABLES, TABLES.c.id == GAMES.c.table_id)
        .where(SEATS.c.person_id == person_id, TABLES.c.has_finished_deal)
        .order_by(TABLES.c.changed_ms.desc(), GAMES.c.number.desc())
        .limit(_MAX_GAMES_SEARCHED)
    )
    async with store.begin_read() as connection:
        summaries = list((await connection.execute(query)).scalars())
    for summary_json in summaries:
        with contextlib.suppress(msgspec.DecodeError, UnicodeError):  # damaged in the database
            summary = msgspec.json.decode(summary_json, type=GameSummary)
            if summary.deals and person_id in summary.people:
                return True
    return False


async def tables_mentioning(store: Store, person_id: str) -> list[str]:
    """Return the ids of all tables that mention a person anywhere. Searches every log.

    Raises DatabaseUnavailable.
    """
    mentioning: list[str] = []
    last_id = ""
    pattern = f'%"{_escape_like(person_id)}"%'
    while True:
        id_query = (
            select(TABLES.c.id)
            .where(TABLES.c.id > last_id)
            .order_by(TABLES.c.id)
            .limit(_TABLES_PER_QUERY)
        )
        async with store.begin_read() as connection:
            ids = list((await connection.execute(id_query)).scalars())
            if not ids:
                return mentioning
            id_range = [ENTRIES.c.table_id >= ids[0], ENTRIES.c.table_id <= ids[-1]]
            logs = select(ENTRIES.c.table_id).where(
                *id_range, cast(ENTRIES.c.body, Text).like(pattern, escape="\\")
            )
            games = select(GAMES.c.table_id).where(
                GAMES.c.table_id.in_(ids), cast(GAMES.c.summary, Text).like(pattern, escape="\\")
            )
            seats = select(SEATS.c.table_id).where(
                SEATS.c.table_id.in_(ids), SEATS.c.person_id == person_id
            )
            hosts = select(TABLES.c.id).where(TABLES.c.id.in_(ids), TABLES.c.host_id == person_id)
            matches = set((await connection.execute(logs.union(games, seats, hosts))).scalars())
        mentioning += sorted(matches & set(ids))
        last_id = ids[-1]


async def is_in_logs(store: Store, person_id: str) -> bool:
    """Return whether a log contains a person with that id, not just that name.

    Raises DatabaseUnavailable.
    """
    for table_id in await tables_mentioning(store, person_id):
        needle = f'"id":"{person_id}"'.encode()
        if any(needle in body for body in await store.entries(table_id)):
            return True
    return False


def _escape_like(pattern: str) -> str:
    """Escape the wildcards of a LIKE pattern."""
    return pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


async def rewrite_log(
    store: Store,
    table_id: str,
    changed_bodies: Mapping[int, bytes],
    seq: int,
    added_bodies: Sequence[bytes],
    *,
    summary: bytes,
    list_columns: ListColumns,
    person_id: str,
    replacement_id: str,
) -> None:
    """Rewrite entries of a log and append some, the first as number `seq`, all or nothing.

    Also replaces the id in summaries of games, and removes the table from the person's list. Raises
    SequenceConflict and DatabaseUnavailable.
    """
    now = store.now()
    rows: list[dict[str, Any]] = [
        {"table_id": table_id, "seq": number, "appended_ms": now, "body": body}
        for number, body in enumerate(added_bodies, seq)
    ]
    summaries = select(GAMES.c.number, GAMES.c.summary).where(GAMES.c.table_id == table_id)
    old_id, new_id = f'"{person_id}"'.encode(), f'"{replacement_id}"'.encode()
    async with store.begin_write() as connection:
        await connection.execute(insert(ENTRIES), rows)  # first: other writers conflict
        if changed_bodies:
            anew = [
                {"table": table_id, "number": n, "anew": body} for n, body in changed_bodies.items()
            ]
            await connection.execute(retention_queries.REPLACE_BODY, anew)
        table_values = {"summary": summary, **msgspec.structs.asdict(list_columns)}
        await connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(table_values))
        for number, summary_json in (await connection.execute(summaries)).all():
            if old_id in summary_json:
                condition = (GAMES.c.table_id == table_id) & (GAMES.c.number == number)
                new_summary = summary_json.replace(old_id, new_id)
                await connection.execute(update(GAMES).where(condition).values(summary=new_summary))
        seat_condition = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
        await connection.execute(delete(SEATS).where(seat_condition))
        await admin_notices.add_notice(connection, now, "changed", table_id)


async def entries_with_times(store: Store, table_id: str) -> tuple[list[bytes], list[int]]:
    """Return the entries of a log, and the time of each in ms.

    Raises CorruptData and DatabaseUnavailable.
    """
    condition = ENTRIES.c.table_id == table_id
    query = select(ENTRIES.c.body, ENTRIES.c.appended_ms).where(condition).order_by(ENTRIES.c.seq)
    async with store.begin_read() as connection:
        result = (await connection.execute(query)).all()
    return [row.body for row in result], [row.appended_ms for row in result]


async def other_rows(store: Store, person_id: str) -> dict[str, list[dict[str, Any]]]:
    """Return the person's rows in the remaining database tables, without secret columns.

    Raises DatabaseUnavailable.
    """
    rows_by_table: dict[str, list[dict[str, Any]]] = {}
    async with store.begin_read() as connection:
        for column in PERSON_IDS:
            if column.table in (TABLES, PEOPLE, SEATS):  # which the export describes separately
                continue
            query = select(column.table).where(column == person_id)
            raw_rows = [dict(row._mapping) for row in await connection.execute(query)]
            rows_by_table[str(column.table.name)] = [
                {name: value for name, value in row.items() if name not in SECRET_COLUMNS}
                for row in raw_rows
            ]
    return rows_by_table


async def delete_rows(store: Store, person_id: str) -> None:
    """Delete a person's rows, except in the list of tables. Raises DatabaseUnavailable."""
    async with store.begin_write() as connection:
        await _sign_out_devices(connection, [person_id], store.now())
        for column in PERSON_IDS:
            if column.table is not TABLES:
                await connection.execute(delete(column.table).where(column == person_id))


async def _sign_out_devices(connection: AsyncConnection, ids: Sequence[str], now: int) -> None:
    """Sign out the devices of persons who are being deleted.

    A device that joined a person keeps a row without a person, because without a row it would be
    its earlier person again. The row of a person's first device is deleted.
    """
    others = DEVICES.c.person_id.in_(ids) & (DEVICES.c.device_id != DEVICES.c.person_id)
    out = update(DEVICES).where(others).values(person_id=None, changed_ms=now)
    await connection.execute(out)
    own = DEVICES.c.device_id.in_(ids) & DEVICES.c.person_id.is_(None)
    await connection.execute(delete(DEVICES).where(own))


class InactiveGuest(msgspec.Struct, frozen=True):
    """A person who was last seen at a time in ms. `has_table`: has a seat or hosts a table."""

    id: str
    last_seen: int
    has_table: bool


_HAS_TABLE: Final = or_(
    *(exists().where(column == PEOPLE.c.id) for column in (SEATS.c.person_id, TABLES.c.host_id))
)


async def inactive_guests(
    store: Store, before: int, after: InactiveGuest | None = None
) -> list[InactiveGuest]:
    """Return a piece of the people not seen since a time in ms, the longest absent first.

    `after`: the last person of the previous piece.

    Raises DatabaseUnavailable.
    """
    query = (
        select(PEOPLE.c.id, PEOPLE.c.last_seen_ms, _HAS_TABLE.label("held"))
        .where(PEOPLE.c.last_seen_ms < before, PEOPLE.c.created_ms < before)
        .order_by(PEOPLE.c.last_seen_ms, PEOPLE.c.id)
        .limit(retention_queries.ROWS_PER_PIECE)
    )
    if after is not None:
        query = query.where(
            tuple_(PEOPLE.c.last_seen_ms, PEOPLE.c.id) > (after.last_seen, after.id)
        )
    async with store.begin_read() as connection:
        rows = await connection.execute(query)
        return [InactiveGuest(row.id, row.last_seen_ms, bool(row.held)) for row in rows]


async def delete_inactive(store: Store, ids: Sequence[str], before: int) -> int:
    """Delete people who are still inactive and have no table; return how many.

    Raises DatabaseUnavailable.
    """
    query = select(PEOPLE.c.id).where(
        PEOPLE.c.id.in_(ids), PEOPLE.c.last_seen_ms < before, ~_HAS_TABLE
    )
    async with store.begin_write() as connection:
        deleted = list((await connection.execute(query)).scalars())
        await _sign_out_devices(connection, deleted, store.now())
        for column in PERSON_IDS if deleted else ():
            if column.table is not TABLES:
                await connection.execute(delete(column.table).where(column.in_(deleted)))
        return len(deleted)


async def delete_nameless(store: Store, before: int) -> int:
    """Delete a piece of the inactive persons without name and table; return how many.

    A person without a name has rows only after using devices of their own. `before`: inactive means
    that all their devices were last seen before this time in ms. Raises DatabaseUnavailable.
    """
    person_id = DEVICES.c.person_id
    known_columns = (PEOPLE.c.id, SEATS.c.person_id, TABLES.c.host_id)
    query = (
        select(person_id)
        .where(
            person_id.is_not(None),
            ~or_(*(exists().where(column == person_id) for column in known_columns)),
        )
        .group_by(person_id)
        .having(func.max(DEVICES.c.last_seen_ms) < before)
        .limit(retention_queries.ROWS_PER_PIECE)
    )
    async with store.begin_read() as connection:  # so that players do not wait for a check
        if (await connection.execute(query.limit(1))).first() is None:
            return 0
    async with store.begin_write() as connection:
        deleted = list((await connection.execute(query)).scalars())
        await _sign_out_devices(connection, deleted, store.now())
        for column in (
            person_id,
            PAIRING_CODES.c.person_id,
            PRACTICE.c.person_id,
            SHEETS.c.person_id,
        ):
            await connection.execute(delete(column.table).where(column.in_(deleted)))
        return len(deleted)


async def vacuum(store: Store) -> None:
    """Rebuild an SQLite database, so that its files contain no deleted data.

    No other writer can proceed during this. PostgreSQL does it automatically, later. Raises
    DatabaseUnavailable.
    """
    if store.path is None:
        return
    async with store.begin_read() as connection:
        autocommit = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await autocommit.execute(text("VACUUM"))
        await autocommit.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))


async def count_people(store: Store, name: str = "") -> int:
    """Return how many persons have a name or a seat, or have `name` in their name.

    Raises DatabaseUnavailable.
    """
    all_ids = select(PEOPLE.c.id).union(select(SEATS.c.person_id)).subquery()
    query = select(func.count()).select_from(all_ids)
    if name:
        query = select(func.count()).where(PEOPLE.c.name.icontains(name, autoescape=True))
    async with store.begin_read() as connection:
        return (await connection.execute(query)).scalar_one()


async def list_people(
    store: Store, name: str, offset: int, limit: int
) -> list[tuple[StoredPerson, int]]:
    """List persons with `name` in their name, the last seen first, and how many tables they sat at.

    Raises DatabaseUnavailable.
    """
    all_ids = select(PEOPLE.c.id.label("id")).union(select(SEATS.c.person_id)).subquery()
    table_count = (
        select(func.count())
        .where(SEATS.c.person_id == all_ids.c.id)
        .correlate(all_ids)
        .scalar_subquery()
    )
    query = (
        select(
            all_ids.c.id,
            PEOPLE.c.name,
            PEOPLE.c.created_ms,
            PEOPLE.c.last_seen_ms,
            table_count.label("at"),
        )
        .select_from(all_ids.outerjoin(PEOPLE, PEOPLE.c.id == all_ids.c.id))
        .order_by(func.coalesce(PEOPLE.c.last_seen_ms, 0).desc(), all_ids.c.id)
        .limit(limit)
        .offset(offset)
    )
    if name:
        query = query.where(PEOPLE.c.name.icontains(name, autoescape=True))
    async with store.begin_read() as connection:
        return [
            (StoredPerson(row.id, row.name, row.created_ms or 0, row.last_seen_ms or 0), row.at)
            for row in await connection.execute(query)
        ]
