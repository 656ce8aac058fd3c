"""Copying a whole database into an empty one, for example from SQLite to PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Table, func, select

from acesaround.store.errors import DatabaseUnavailable, StoreError
from acesaround.store.schema import METADATA, NOTICES, PEOPLE, TABLES
from acesaround.store.store import Store

_ROWS_PER_STATEMENT: Final = 500  # rows in a statement, so that none exceeds its timeout


async def copy_database(source: Store, target: Store) -> Mapping[str, int]:
    """Copy all rows in one transaction; return the row count of each table.

    Nothing may write to the source during the copy. Raises StoreError if the target is not empty.
    Also raises CorruptData, DatabaseUnavailable and SequenceConflict.
    """
    row_counts: dict[str, int] = {}
    async with target.begin_write() as connection:
        for table in (TABLES, PEOPLE):
            if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
                raise StoreError("The target database is not empty: make a new one.")
        for table in METADATA.sorted_tables:
            row_counts[table.name] = 0
            async for rows in _rows(source, table):
                try:
                    await connection.execute(table.insert(), rows)
                except UnicodeDecodeError as error:
                    raise DatabaseUnavailable(f"{table.name}: {error}") from None
                row_counts[table.name] += len(rows)
    return row_counts


async def _rows(source: Store, table: Table) -> Any:
    """Yield the rows of a table in the order of its key, in batches."""
    # The target numbers its notices itself, in the same order.
    columns = [column for column in table.columns if column is not NOTICES.c.id]
    async with source.begin_read() as connection:
        result = await connection.stream(select(*columns).order_by(*table.primary_key.columns))
        async for rows in result.mappings().partitions(_ROWS_PER_STATEMENT):
            yield [dict(row) for row in rows]


__all__ = ["copy_database"]
