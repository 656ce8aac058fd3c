"""A database that is full, gone or silent: `Unsaved`, nothing half-kept, and on it goes after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from acesaround.store import Store, Unsaved
from tests.postgres import Postgres

FIRST = b'{"n":0}'


async def opened(url: str, patience: float = 5.0) -> Store:
    store = await Store.open(url, patience)
    await store.create("t", [FIRST], config=b"{}", public=True, summary=b"{}")
    return store


class TestSQLite:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "tables.sqlite"

    @pytest.fixture
    async def store(self, path: Path) -> AsyncIterator[Store]:
        store = await opened(f"sqlite:///{path}")
        yield store
        await store.close()

    async def test_a_commit_is_on_the_disk_when_it_returns(self, store: Store) -> None:
        assert await pragma(store, "journal_mode") == "wal"
        assert await pragma(store, "synchronous") == 2  # FULL

    async def test_a_full_disk(self, store: Store) -> None:
        await pragma(store, "max_page_count = 1")
        with pytest.raises(Unsaved, match="full"):
            await store.append("t", 1, [b'"' + b"x" * 100_000 + b'"'], summary=b"[9]")
        await pragma(store, "max_page_count = 1000000")
        assert await store.entries("t") == [FIRST]
        assert [bytes(line.summary) for line in await store.lines(["t"])] == [b"{}"]
        await store.append("t", 1, [b"[1]"])
        assert await store.entries("t", 1) == [b"[1]"]

    async def test_a_file_that_can_only_be_read(self, store: Store) -> None:
        await pragma(store, "query_only = 1")
        with pytest.raises(Unsaved, match="readonly"):
            await store.append("t", 1, [b"[1]"])
        assert await store.entries("t") == [FIRST]
        await pragma(store, "query_only = 0")
        await store.append("t", 1, [b"[1]"])

    async def test_a_file_that_is_gone_takes_nothing_until_it_is_back(
        self, store: Store, path: Path
    ) -> None:
        away = path.with_name("away")
        path.rename(away)
        for _ in range(2):
            with pytest.raises(Unsaved, match="No such file"):
                await store.append("t", 1, [b"[1]"])
            with pytest.raises(Unsaved):
                await store.entries("t")
            with pytest.raises(Unsaved):
                await store.check()
        assert not path.exists()  # no empty database stands in the way
        away.rename(path)
        assert await store.entries("t") == [FIRST]
        await store.append("t", 1, [b"[1]"])

    async def test_a_file_in_its_place_is_not_taken_for_it(self, store: Store, path: Path) -> None:
        kept = path.with_name("kept")
        path.rename(kept)
        path.write_bytes(kept.read_bytes())
        with pytest.raises(Unsaved, match="start the server again"):
            await store.append("t", 1, [b"[1]"])

    async def test_what_another_holds_locked_is_unsaved_in_time(
        self, store: Store, path: Path
    ) -> None:
        other = await Store.open(f"sqlite:///{path}")
        await pragma(store, "busy_timeout = 100")  # the five seconds of real ones are long here
        try:
            async with other._engine.begin() as connection:
                await connection.execute(text("DELETE FROM people"))  # it is writing now
                with pytest.raises(Unsaved, match="locked"):
                    await store.append("t", 1, [b"[1]"])
            await store.append("t", 1, [b"[1]"])
        finally:
            await other.close()


async def pragma(store: Store, said: str) -> object:
    """A PRAGMA; the one connection by which the store appends keeps it."""
    assert store._hand is not None
    with store._hand._engine.connect() as connection:
        answer = connection.execute(text(f"PRAGMA {said}"))
        return answer.scalar_one() if answer.returns_rows and "=" not in said else None


class TestPostgreSQL:
    @pytest.fixture
    def url(self, postgres: Postgres) -> str:
        return postgres.url()

    @pytest.fixture
    async def store(self, url: str) -> AsyncIterator[Store]:
        store = await opened(url)
        yield store
        await store.close()

    async def test_connections_that_were_closed_are_not_noticed_by_anybody(
        self, store: Store, url: str, postgres: Postgres
    ) -> None:
        await asyncio.gather(*(store.check() for _ in range(5)))
        closed = postgres.sql(url, TERMINATE)
        assert closed.count("t") >= 2
        await asyncio.sleep(0.1)  # until their ends have arrived
        for seq in range(1, 4):
            await store.append("t", seq, [b"[1]"])

    async def test_a_connection_lost_in_mid_write(
        self, store: Store, url: str, postgres: Postgres
    ) -> None:
        async with store._writing() as blocking:
            await blocking.execute(text("LOCK TABLE entries"))
            append = asyncio.create_task(store.append("t", 1, [b"[1]"]))
            await waiting(postgres, url, 1)
            only = TERMINATE + " AND wait_event_type = 'Lock'"
            assert postgres.sql(url, only) == "t"
            with pytest.raises(Unsaved):
                await append
        assert await store.entries("t") == [FIRST]
        await store.append("t", 1, [b"[1]"])

    async def test_a_server_that_stops_and_starts(self, store: Store, postgres: Postgres) -> None:
        postgres.stop()
        try:
            for _ in range(3):
                with pytest.raises(Unsaved):
                    await store.append("t", 1, [b"[1]"])
                with pytest.raises(Unsaved):
                    await store.check()
        finally:
            postgres.start()
        assert await store.entries("t") == [FIRST]
        await store.append("t", 1, [b"[1]"])

    async def test_a_server_that_says_nothing_is_given_up_in_time(
        self, url: str, postgres: Postgres
    ) -> None:
        store = await opened(url, patience=0.3)
        other = await Store.open(url)
        try:
            async with other._writing() as blocking:
                await blocking.execute(text("LOCK TABLE entries"))
                with pytest.raises(Unsaved):
                    await store.append("t", 1, [b"[1]"])
            await store.append("t", 1, [b"[1]"])
            assert await store.entries("t") == [FIRST, b"[1]"]
        finally:
            await store.close()
            await other.close()

    async def test_more_at_once_than_there_are_connections(self, store: Store) -> None:
        await asyncio.gather(*(store.create(f"t{n}", [FIRST], **NEW) for n in range(100)))
        assert len(await store.lobby(limit=200)) == 101


NEW: dict[str, Any] = {"config": b"{}", "public": True, "summary": b"{}"}
TERMINATE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


async def waiting(postgres: Postgres, url: str, number: int) -> None:
    """Until that many connections wait for a lock."""
    asked = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(20):
        while postgres.sql(url, asked) != str(number):
            await asyncio.sleep(0.02)
