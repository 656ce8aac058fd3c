"""Copying a database into another: every row, or none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import select

from acesaround.store import DatabaseUnavailable, Store, StoreError
from acesaround.store.copying import copy_database
from acesaround.store.schema import ENTRIES, METADATA, NOTICES
from tests.postgres import Postgres
from tests.store.conftest import Played
from tests.store.opening import opened


async def all_rows(store: Store) -> Mapping[str, list[Any]]:
    """Return all rows, without the ids of notices, which each database numbers itself."""
    found: dict[str, list[Any]] = {}
    async with store.begin_read() as connection:
        for one in METADATA.sorted_tables:
            columns = [each for each in one.columns if each is not NOTICES.c.id]
            asked = select(*columns).order_by(*one.primary_key.columns)
            found[one.name] = [tuple(row) for row in await connection.execute(asked)]
    # The collations of databases differ.
    return {name: rows if name == "notices" else sorted(rows) for name, rows in found.items()}


async def test_every_row_is_copied(played: Played, postgres: Postgres) -> None:
    async with opened(played.url) as source, opened(postgres.url()) as target:
        async with source.begin_write() as connection:
            for subject in ("b", "a"):
                row = {"created_ms": 1, "kind": "changed", "subject": subject}
                await connection.execute(NOTICES.insert(), row)
        copied = await copy_database(source, target)
        rows = await all_rows(source)
        assert await all_rows(target) == rows
        assert copied == {name: len(rows[name]) for name in copied}
        assert set(rows) == set(copied)
        assert all(
            copied[name] for name in ("tables", "entries", "games", "people", "pairing_codes")
        )
        async with target.begin_write() as connection:  # the next id is not taken
            await connection.execute(
                NOTICES.insert(), {"created_ms": 2, "kind": "changed", "subject": "c"}
            )
        with pytest.raises(StoreError, match="not empty"):
            await copy_database(source, target)


async def test_failed_copy_leaves_no_rows(played: Played, postgres: Postgres) -> None:
    async with opened(played.url) as source, opened(postgres.url()) as target:
        async with source.begin_write() as connection:
            row = {"table_id": "zzz", "seq": 0, "appended_ms": 0, "body": b'{"type":'}
            await connection.execute(ENTRIES.insert(), row)
        with pytest.raises(DatabaseUnavailable):
            await copy_database(source, target)
        assert not any((await all_rows(target)).values())
