"""A database that is full, missing or silent: writes fail as a whole, and work again later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from sqlalchemy import event, text

from acesaround.store import DatabaseUnavailable, Store, Timeouts, table_lists
from tests.loop_clock import LoopClock
from tests.postgres import Postgres
from tests.store.opening import LOCKED, PATIENT, found, opened, watching
from tests.waiting import wait_until_async

FIRST = b'{"n":0}'


NEW: Final[dict[str, Any]] = {"config": b"{}", "public": True, "summary": b"{}"}


@asynccontextmanager
async def store_with_table(url: str, patience: Timeouts = PATIENT) -> AsyncIterator[Store]:
    async with opened(url, patience) as store:
        await store.create("t", [FIRST], **NEW)
        yield store


class TestSQLite:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "tables.sqlite"

    @pytest.fixture
    async def store(self, path: Path) -> AsyncIterator[Store]:
        async with store_with_table(f"sqlite:///{path}") as store:
            yield store

    async def test_commits_are_durable(self, store: Store) -> None:
        assert await pragma(store, "journal_mode") == "wal"
        assert await pragma(store, "synchronous") == 2  # FULL

    async def test_full_disk(self, store: Store) -> None:
        await pragma(store, "max_page_count = 1")
        with pytest.raises(DatabaseUnavailable, match="full"):
            await store.append("t", 1, [b'"' + b"x" * 100_000 + b'"'], summary=b"[9]")
        await pragma(store, "max_page_count = 1000000")
        assert await store.entries("t") == [FIRST]
        assert [bytes(line.summary) for line in await table_lists.listings(store, ["t"])] == [b"{}"]
        await store.append("t", 1, [b"[1]"])
        assert await store.entries("t", 1) == [b"[1]"]

    async def test_read_only_file(self, store: Store) -> None:
        await pragma(store, "query_only = 1")
        with pytest.raises(DatabaseUnavailable, match="readonly"):
            await store.append("t", 1, [b"[1]"])
        assert await store.entries("t") == [FIRST]
        await pragma(store, "query_only = 0")
        await store.append("t", 1, [b"[1]"])

    async def test_missing_file_fails_until_it_is_back(self, store: Store, path: Path) -> None:
        away = path.with_name("away")
        path.rename(away)
        for _ in range(2):
            with pytest.raises(DatabaseUnavailable, match="No such file"):
                await store.append("t", 1, [b"[1]"])
            with pytest.raises(DatabaseUnavailable):
                await store.entries("t")
            with pytest.raises(DatabaseUnavailable):
                await store.ping()
        assert not path.exists()  # no empty database was created
        away.rename(path)
        assert await store.entries("t") == [FIRST]
        await store.append("t", 1, [b"[1]"])

    async def test_replaced_file_is_not_used(self, store: Store, path: Path) -> None:
        kept = path.with_name("kept")
        path.rename(kept)
        path.write_bytes(kept.read_bytes())
        with pytest.raises(DatabaseUnavailable, match="restart the server"):
            await store.append("t", 1, [b"[1]"])

    async def test_locked_database_times_out(self, path: Path) -> None:
        url = f"sqlite:///{path}"
        hasty = msgspec.structs.replace(PATIENT, busy=0.1)
        async with store_with_table(url, hasty) as store, opened(url) as other:
            async with other._engine.begin() as connection:
                await connection.execute(text("DELETE FROM people"))  # starts writing
                with pytest.raises(DatabaseUnavailable, match="locked"):
                    await store.append("t", 1, [b"[1]"])
            await store.append("t", 1, [b"[1]"])


async def pragma(store: Store, said: str) -> object:
    """Return a PRAGMA; the one connection by which the store appends keeps it."""
    assert store._sqlite_writer is not None
    with store._sqlite_writer._engine.connect() as connection:
        answer = connection.execute(text(f"PRAGMA {said}"))
        return answer.scalar_one() if answer.returns_rows and "=" not in said else None


class TestPostgreSQL:
    @pytest.fixture
    def url(self, postgres: Postgres) -> str:
        return postgres.url()

    @pytest.fixture
    async def store(self, url: str) -> AsyncIterator[Store]:
        async with store_with_table(url) as store:
            yield store

    async def test_closed_connections_are_replaced_unnoticed(self, url: str) -> None:
        async with opened(url) as store, watching(url) as watch:
            mine: list[Any] = []

            @event.listens_for(store.engine.sync_engine, "connect")
            def note(connection: Any, _record: object) -> None:
                mine.append(connection.driver_connection)

            await store.create("t", [FIRST], **NEW)
            await asyncio.gather(*(store.ping() for _ in range(5)))
            assert len(mine) >= 2
            for one in mine:
                await watch.execute("SELECT pg_terminate_backend($1)", one.get_server_pid())
            await wait_until_async(lambda: all(one.is_closed() for one in mine))
            for seq in range(1, 4):
                await store.append("t", seq, [b"[1]"])

    async def test_a_connection_lost_in_mid_write(self, store: Store, url: str) -> None:
        async with watching(url) as watch, store.begin_write() as blocking:
            await blocking.execute(text("LOCK TABLE entries"))
            append = asyncio.create_task(store.append("t", 1, [b"[1]"]))
            writer = await found(watch, LOCKED)
            assert await watch.fetchval("SELECT pg_terminate_backend($1)", writer)
            with pytest.raises(DatabaseUnavailable):
                await append
        assert await store.entries("t") == [FIRST]
        await store.append("t", 1, [b"[1]"])

    async def test_restarted_postgresql(self, store: Store, postgres: Postgres) -> None:
        postgres.stop()
        try:
            for _ in range(3):
                with pytest.raises(DatabaseUnavailable):
                    await store.append("t", 1, [b"[1]"])
                with pytest.raises(DatabaseUnavailable):
                    await store.ping()
        finally:
            postgres.start()
        assert await store.entries("t") == [FIRST]
        await store.append("t", 1, [b"[1]"])

    async def test_silent_postgresql_times_out(self, store: Store, url: str) -> None:
        clock = LoopClock()
        async with watching(url) as watch:
            async with watch.transaction():
                await watch.execute("LOCK TABLE entries")
                append = asyncio.create_task(store.append("t", 1, [b"[1]"]))
                await found(watch, LOCKED)
                clock.put_on(PATIENT.statement)
                with pytest.raises(DatabaseUnavailable, match="does not answer"):
                    await append
            await store.append("t", 1, [b"[1]"])
            assert await store.entries("t") == [FIRST, b"[1]"]

    async def test_locked_database_times_out(self, url: str) -> None:
        async with (
            store_with_table(url, msgspec.structs.replace(PATIENT, lock=0.1)) as store,
            watching(url) as watch,
        ):
            async with watch.transaction():
                await watch.execute("LOCK TABLE entries")
                with pytest.raises(DatabaseUnavailable, match="lock timeout"):
                    await store.append("t", 1, [b"[1]"])
            await store.append("t", 1, [b"[1]"])
            assert await store.entries("t") == [FIRST, b"[1]"]

    async def test_more_writes_than_connections(self, store: Store) -> None:
        await asyncio.gather(*(store.create(f"t{n}", [FIRST], **NEW) for n in range(100)))
        assert len(await table_lists.lobby_tables(store, limit=200)) == 101
