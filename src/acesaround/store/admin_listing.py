"""Queries for operators: all tables, public or not."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Text, cast, func, select

from acesaround.store.schema import ENTRIES, LINKS, TABLES
from acesaround.store.store import Store


class Listed(msgspec.Struct, frozen=True):
    """A table in a list. Times are milliseconds since 1970.

    `entries`: the length of its log. `summary`: the JSON that was stored with the last change.
    """

    id: str
    created: int
    changed: int
    over: bool
    entries: int
    summary: bytes


async def listed(
    store: Store,
    *,
    over: bool | None = None,
    before: int | None = None,
    search: str = "",
    first: int = 0,
    most: int = 20,
) -> list[Listed]:
    """Return tables, the last changed first.

    `over`: only tables where no game goes on (True), or one does (False). `before`: only tables
    unchanged since this time. `search`: only tables with this text in a name or in the variant's
    name. Raises DatabaseUnavailable.
    """
    theirs = select(func.max(ENTRIES.c.seq) + 1).where(ENTRIES.c.table_id == TABLES.c.id)
    asked = (
        select(
            TABLES.c.id,
            TABLES.c.created,
            TABLES.c.changed,
            TABLES.c.over,
            theirs.scalar_subquery().label("entries"),
            TABLES.c.summary,
        )
        .where(*_which(over, before, search))
        .order_by(TABLES.c.changed.desc(), TABLES.c.id)
        .limit(most)
        .offset(first)
    )
    async with store.reading() as connection:
        return [
            Listed(row.id, row.created, row.changed, row.over, row.entries or 0, row.summary)
            for row in await connection.execute(asked)
        ]


async def count_tables(
    store: Store, *, over: bool | None = None, before: int | None = None, search: str = ""
) -> int:
    """Count the tables of such a list. Raises DatabaseUnavailable."""
    asked = select(func.count()).select_from(TABLES).where(*_which(over, before, search))
    async with store.reading() as connection:
        return (await connection.execute(asked)).scalar_one()


def _which(over: bool | None, before: int | None, search: str) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if over is not None:
        found.append(TABLES.c.over == over)
    if before is not None:
        found.append(TABLES.c.changed < before)
    if search:
        found.append(cast(TABLES.c.summary, Text).icontains(search, autoescape=True))
    return found


async def get_table(store: Store, table_id: str) -> Listed | None:
    """Return a table by id, or None. Raises DatabaseUnavailable."""
    asked: Any = select(TABLES).where(TABLES.c.id == table_id)
    longest = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.table_id == table_id)
    async with store.reading() as connection:
        row = (await connection.execute(asked)).first()
        if row is None:
            return None
        entries = (await connection.execute(longest)).scalar()
    held = 0 if entries is None else entries + 1
    return Listed(row.id, row.created, row.changed, row.over, held, row.summary)


async def links(store: Store, table_id: str) -> dict[str, str]:
    """Return the tokens of a table's good links by kind. Raises DatabaseUnavailable."""
    asked = select(LINKS.c.kind, LINKS.c.token).where(LINKS.c.table_id == table_id, LINKS.c.good)
    async with store.reading() as connection:
        found = {row.kind: row.token for row in await connection.execute(asked)}
    return {"play": table_id, **found}
