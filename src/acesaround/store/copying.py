"""A whole database into another that is empty: as a club grows from SQLite to PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Table, func, select

from acesaround.store.errors import DatabaseUnavailable
from acesaround.store.schema import METADATA, NOTICES, PEOPLE, TABLES
from acesaround.store.store import Store, StoreError

_AT_ONCE: Final = 500  # rows of a statement, so that none takes longer than it may


async def copy(source: Store, target: Store) -> Mapping[str, int]:
    """Copy all that is kept, or nothing; how many rows of each of the database's tables.

    Nobody may write to the source meanwhile. Raises StoreError where the target holds something
    already, Damaged, Unsaved and Taken.
    """
    copied: dict[str, int] = {}
    async with target.writing() as into:
        for table in (TABLES, PEOPLE):
            if (await into.execute(select(func.count()).select_from(table))).scalar_one():
                raise StoreError("The database to copy into is not empty: make a new one.")
        for table in METADATA.sorted_tables:
            copied[table.name] = 0
            async for rows in _rows(source, table):
                try:
                    await into.execute(table.insert(), rows)
                except UnicodeDecodeError as error:
                    raise DatabaseUnavailable(f"{table.name}: {error}") from None
                copied[table.name] += len(rows)
    return copied


async def _rows(source: Store, table: Table) -> Any:
    """The rows of a table in the order of its key, some at a time."""
    # The target counts its notices by itself, in the same order.
    columns = [one for one in table.columns if one is not NOTICES.c.id]
    async with source.reading() as out:
        found = await out.stream(select(*columns).order_by(*table.primary_key.columns))
        async for rows in found.mappings().partitions(_AT_ONCE):
            yield [dict(row) for row in rows]


__all__ = ["copy"]
