"""Queries for operators: all tables, public or not."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Text, cast, func, select

from acesaround.store.schema import ENTRIES, LINKS, TABLES
from acesaround.store.store import Store


class ListedTable(msgspec.Struct, frozen=True):
    """A table in a list. Times are milliseconds since 1970.

    `entries`: the length of its log. `summary`: the JSON that was stored with the last change.
    """

    id: str
    created: int
    changed: int
    over: bool
    entries: int
    summary: bytes


async def list_tables(
    store: Store,
    *,
    is_over: bool | None = None,
    changed_before: int | None = None,
    search: str = "",
    offset: int = 0,
    limit: int = 20,
) -> list[ListedTable]:
    """Return tables, the last changed first.

    `is_over`: only tables where no game goes on (True), or one does (False). `changed_before`: only
    tables unchanged since this time. `search`: only tables with this text in a name or in the
    variant's name. Raises DatabaseUnavailable.
    """
    log_length = select(func.max(ENTRIES.c.seq) + 1).where(ENTRIES.c.table_id == TABLES.c.id)
    query = (
        select(
            TABLES.c.id,
            TABLES.c.created_ms,
            TABLES.c.changed_ms,
            TABLES.c.is_over,
            log_length.scalar_subquery().label("entries"),
            TABLES.c.summary,
        )
        .where(*_conditions(is_over, changed_before, search))
        .order_by(TABLES.c.changed_ms.desc(), TABLES.c.id)
        .limit(limit)
        .offset(offset)
    )
    async with store.begin_read() as connection:
        return [
            ListedTable(
                row.id, row.created_ms, row.changed_ms, row.is_over, row.entries or 0, row.summary
            )
            for row in await connection.execute(query)
        ]


async def count_tables(
    store: Store,
    *,
    is_over: bool | None = None,
    changed_before: int | None = None,
    search: str = "",
) -> int:
    """Count the tables of such a list. Raises DatabaseUnavailable."""
    query = (
        select(func.count())
        .select_from(TABLES)
        .where(*_conditions(is_over, changed_before, search))
    )
    async with store.begin_read() as connection:
        return (await connection.execute(query)).scalar_one()


def _conditions(
    is_over: bool | None, changed_before: int | None, search: str
) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if is_over is not None:
        conditions.append(TABLES.c.is_over == is_over)
    if changed_before is not None:
        conditions.append(TABLES.c.changed_ms < changed_before)
    if search:
        conditions.append(cast(TABLES.c.summary, Text).icontains(search, autoescape=True))
    return conditions


async def get_table(store: Store, table_id: str) -> ListedTable | None:
    """Return a table by id, or None. Raises DatabaseUnavailable."""
    query: Any = select(TABLES).where(TABLES.c.id == table_id)
    last_seq = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.table_id == table_id)
    async with store.begin_read() as connection:
        row = (await connection.execute(query)).first()
        if row is None:
            return None
        entries = (await connection.execute(last_seq)).scalar()
    log_length = 0 if entries is None else entries + 1
    return ListedTable(row.id, row.created_ms, row.changed_ms, row.is_over, log_length, row.summary)


async def current_links(store: Store, table_id: str) -> dict[str, str]:
    """Return the tokens of a table's current links by kind. Raises DatabaseUnavailable."""
    query = select(LINKS.c.kind, LINKS.c.token).where(
        LINKS.c.table_id == table_id, LINKS.c.is_current
    )
    async with store.begin_read() as connection:
        tokens = {row.kind: row.token for row in await connection.execute(query)}
    return {"play": table_id, **tokens}
