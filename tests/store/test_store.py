"""The store, on each database: what it was given is there afterwards, and a seq is taken once."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import sqlite3
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from acesaround.store import (
    Link,
    SequenceConflict,
    Store,
    StoreError,
    Timeouts,
    admin_notices,
    reviews,
    table_lists,
)
from acesaround.store.migrate import _LOCK_ID
from acesaround.store.people import has_played
from acesaround.store.schema import METADATA
from acesaround.table.list_columns import GameSummary, ListColumns
from tests.loop_clock import LoopClock
from tests.postgres import Postgres
from tests.retention.store_fixtures import count_rows
from tests.store.opening import PATIENT, found, opened, watching


async def create(store: Store, name: str = "t", *, public: bool = True, people: str = "") -> None:
    await store.create(
        name, [b'{"n":0}'], config=b"{}", public=public, summary=b'{"s":1}', people=list(people)
    )


async def test_log_is_read_back_from_any_seq(store: Store) -> None:
    await create(store)
    await store.append("t", 1, ['{"n":"é"}'.encode(), b'{"n":2}'])
    assert await store.entries("t") == [b'{"n":0}', '{"n":"é"}'.encode(), b'{"n":2}']
    assert await store.entries("t", 2) == [b'{"n":2}']
    assert await store.entries("nowhere") == []


async def test_conflicting_append_stores_nothing(store: Store) -> None:
    await create(store)
    await store.append("t", 1, [b"[1]"])
    with pytest.raises(SequenceConflict):
        await store.append("t", 0, [b"[9]", b"[9]"], people=["late"], summary=b"[9]")
    with pytest.raises(SequenceConflict):
        await create(store)
    assert await store.entries("t") == [b'{"n":0}', b"[1]"]
    assert await table_lists.tables_of_person(store, "late") == []
    assert [bytes(line.summary) for line in await table_lists.listings(store, ["t"])] == [
        b'{"s":1}'
    ]


async def test_one_of_many_writers_of_a_seq_wins(store: Store, url: str) -> None:
    await create(store)
    async with opened(url) as other:  # as another process would
        writers = [(store if n % 2 else other).append("t", 1, [b"[%d]" % n]) for n in range(20)]
        results = await asyncio.gather(*writers, return_exceptions=True)
    assert results.count(None) == 1
    assert sum(isinstance(result, SequenceConflict) for result in results) == 19
    assert await store.entries("t", 1) == [b"[%d]" % results.index(None)]


async def test_conflicting_append_does_not_harm_concurrent_ones(store: Store) -> None:
    names = [f"t{number}" for number in range(20)]
    for name in names:
        await create(store, name)
    asked = [store.append(name, 1, [b"[1]"], people=[name]) for name in names]
    asked.insert(7, store.append("t3", 0, [b"[9]"], people=["late"]))
    asked.insert(9, store.append("t5", 1, [b"[9]", b"[9]"]))
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(one) for one in found if one is not None] == [SequenceConflict, SequenceConflict]
    for name in names:
        if name != "t5":  # one of its two appends won
            assert await store.entries(name) == [b'{"n":0}', b"[1]"]
            assert [line.id for line in await table_lists.tables_of_person(store, name)] == [name]
    assert await table_lists.tables_of_person(store, "late") == []
    assert len(await store.entries("t5")) in (2, 3)


async def test_cancelled_append_does_not_harm_concurrent_ones(store: Store) -> None:
    for name in "abc":
        await create(store, name)
    asked = [asyncio.create_task(store.append(name, 1, [b"[1]"])) for name in "abc"]
    await asyncio.sleep(0)
    asked[1].cancel()
    await asyncio.wait(asked)
    for name in "ac":
        assert await store.entries(name) == [b'{"n":0}', b"[1]"]


async def test_a_person_has_played_who_sat_there_when_a_deal_ended(store: Store) -> None:
    games = {
        1: msgspec.json.encode(GameSummary(2, True, (0,), ("a", None, "b"))),
        2: msgspec.json.encode(GameSummary(0, False, None, ("c", None, "a"))),
        3: b"[]",  # damaged
    }
    await create(store, people="abc")
    await store.append(
        "t",
        1,
        [b"[1]"],
        people=["d"],
        list_columns=ListColumns(has_finished_deal=True),
        games=games,
    )
    assert [await has_played(store, person) for person in "abcde"] == [True] * 2 + [False] * 3
    await store.append("t", 2, [b"[2]"], removed=["b"])
    assert not await has_played(store, "b")


async def test_everything_is_there_after_reopening(url: str) -> None:
    async with opened(url) as store:
        await create(store, people="ab")
        await store.append("t", 1, [b"[1]"], people=["c"])
        await store.save_name("a", "Ann")
        await store.save_name("a", "Anna")
    async with opened(url) as again:
        assert await again.entries("t") == [b'{"n":0}', b"[1]"]
        assert [line.id for line in await table_lists.tables_of_person(again, "c")] == ["t"]
        assert await count_rows(again, "people") == 1


async def test_reviews_are_stored_by_seat_and_version(store: Store) -> None:
    await create(store)
    await reviews.save_review(store, "t", 1, 0, 1, '{"é":1}')
    await reviews.save_review(store, "t", 1, 0, 1, '{"é":2}')
    await reviews.save_review(store, "t", 1, 2, 1, "{}")
    await reviews.save_review(store, "removed", 1, 0, 1, "{}")
    assert await reviews.load_review(store, "t", 1, 0, 1) == '{"é":2}'
    for other in (("t", 1, 1, 1), ("t", 2, 0, 1), ("t", 1, 0, 2), ("removed", 1, 0, 1)):
        assert await reviews.load_review(store, *other) is None
    assert await count_rows(store, "reviews") == 2


async def test_lobby_lists_public_tables(store: Store) -> None:
    await create(store, "open", people="a")
    await create(store, "hidden", public=False, people="ab")
    assert [line.id for line in await table_lists.lobby_tables(store)] == ["open"]
    assert {line.id for line in await table_lists.tables_of_person(store, "a")} == {
        "open",
        "hidden",
    }
    assert [line.id for line in await table_lists.tables_of_person(store, "b")] == ["hidden"]
    assert await store.resolve_token("hidden") == Link("hidden", "play", is_current=True)
    assert await store.resolve_token("nowhere") is None


async def test_only_the_last_link_of_a_kind_is_valid(
    store: Store,
) -> None:
    await create(store)
    await store.append("t", 1, [b"[1]"], links={"p1": "play", "w1": "watch"})
    assert (await table_lists.listings(store, ["t"]))[0].link == "p1"
    assert await store.link_token("t", "play") == "p1"
    assert await store.resolve_token("t") == Link("t", "play", is_current=False)
    await store.append("t", 2, [b"[2]"], links={"p2": "play"})
    assert await store.resolve_token("p1") == Link("t", "play", is_current=False)
    assert await store.resolve_token("p2") == Link("t", "play", is_current=True)
    assert await store.resolve_token("w1") == Link("t", "watch", is_current=True)
    assert (await table_lists.listings(store, ["t"]))[0].link == "p2"
    assert await store.link_token("t", "replay") is None


async def test_removed_person_does_not_list_the_table(store: Store) -> None:
    await create(store, people="ab")
    await store.append("t", 1, [b"[1]"], removed=["b"])
    assert [line.id for line in await table_lists.tables_of_person(store, "a")] == ["t"]
    assert await table_lists.tables_of_person(store, "b") == []
    assert await store.has_sat("t", "a")
    assert not await store.has_sat("t", "b")


async def test_changed_table_comes_first(url: str) -> None:
    async with opened(url, clock=itertools.count().__next__) as store:
        await create(store, "one")
        await create(store, "two")
        assert [line.id for line in await table_lists.lobby_tables(store)] == ["two", "one"]
        await store.append("one", 1, [b"[1]"], summary=b'{"s":2}')
        assert [line.id for line in await table_lists.lobby_tables(store)] == ["one", "two"]
        assert bytes((await table_lists.listings(store, ["one"]))[0].summary) == b'{"s":2}'


def _differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), METADATA))


async def test_migrations_make_the_schema_of_the_code(store: Store) -> None:
    async with store.begin_read() as connection:
        assert await connection.run_sync(_differences) == []


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("has_reviews", [True, False])
async def test_a_database_of_the_first_schema_is_upgraded(url: str, has_reviews: bool) -> None:
    """At first a column had another name, and before that two tables were missing."""
    async with opened(url) as store:
        await create(store, people="a")
        async with store.begin_write() as connection:
            await connection.execute(text("ALTER TABLE seats RENAME COLUMN list_section TO shelf"))
            if not has_reviews:
                await connection.execute(text("DROP TABLE reviews"))
                await connection.execute(text("DROP TABLE practice"))
            await connection.execute(text("UPDATE seats SET shelf = 'archived'"))
            await connection.execute(text("UPDATE alembic_version SET version_num = 'first'"))
    async with opened(url) as store:
        [listing] = await table_lists.tables_of_person(store, "a")
        assert (listing.id, listing.list_section) == ("t", "archived")
        await reviews.save_review(store, "t", 1, 0, version=1, body="{}")
        async with store.begin_read() as connection:
            assert await connection.run_sync(_differences) == []


async def test_processes_that_start_together_migrate_once(postgres: Postgres) -> None:
    url = postgres.url()
    stores = await asyncio.gather(*(Store.open(url, PATIENT) for _ in range(5)))
    try:
        await create(stores[0])
        for store in stores:
            assert await store.resolve_token("t")
    finally:
        for store in stores:
            await store.close()


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_database_of_a_newer_version_is_refused_with_a_sentence(url: str) -> None:
    async with opened(url) as store, store.begin_write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer version"):
        await Store.open(url)


@pytest.mark.parametrize("revision", ["0001", "0011", "initial"])
@pytest.mark.parametrize("make", [True, False])
async def test_older_database_is_left_untouched(tmp_path: Path, revision: str, make: bool) -> None:
    file = tmp_path / "tables.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as old:
        old.execute("PRAGMA journal_mode=WAL")
        old.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        old.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
        old.execute("CREATE TABLE homes (table_id VARCHAR(32))")
        old.commit()
    file.chmod(0o644)
    before = file.read_bytes(), file.stat().st_mode
    with pytest.raises(StoreError, match=r"before the first release .* left untouched"):
        await Store.open(f"sqlite:///{file}", create=make)
    assert (file.read_bytes(), file.stat().st_mode) == before


async def test_waiting_for_a_migration_has_no_statement_timeout(
    postgres: Postgres,
) -> None:
    """The migration of a large database takes longer than a statement may."""
    url, clock = postgres.url(), LoopClock()
    hasty = msgspec.structs.replace(PATIENT, lock=0.05)
    async with watching(url) as watch:
        await watch.execute("SELECT pg_advisory_lock($1)", _LOCK_ID)
        opening = asyncio.create_task(Store.open(url, hasty))
        await found(
            watch,
            "SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
            " AND waitstart < clock_timestamp() - interval '0.2 seconds'",
        )
        clock.put_on(10 * PATIENT.statement)
        await watch.execute("SELECT pg_advisory_unlock($1)", _LOCK_ID)
        await (await opening).close()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "is not a database"),
        ("mysql://localhost/x", "is not a database"),
        ("sqlite:////proc/nowhere/tables.sqlite", "cannot be opened"),
    ],
)
async def test_unusable_database_is_refused(url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says):
        await Store.open(url)


async def test_silent_database_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and sends nothing
        port = silent.getsockname()[1]
        with pytest.raises(StoreError, match=r"cannot be opened: it does not answer\.$"):
            await Store.open(
                f"postgresql://ann:x@127.0.0.1:{port}/tables", Timeouts(connection=0.2)
            )


async def test_file_that_is_no_database_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 500)
    with pytest.raises(StoreError, match="cannot be opened"):
        await Store.open(f"sqlite:///{path}")
    assert path.read_text() == "Dear Ann, " * 500


async def test_a_notice_has_the_time_of_the_store(url: str) -> None:
    async with opened(url, clock=lambda: 5) as store:
        await admin_notices.publish_notice(store, "changed", "t")
        assert [notice.at for notice in await admin_notices.notices_since(store, 0)] == [5]
