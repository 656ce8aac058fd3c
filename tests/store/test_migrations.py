"""Databases of earlier releases: brought to the present schema with the games in them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from acesaround.store import Store
from acesaround.store.migrate import _LOCK
from acesaround.store.store import _engine, async_url
from acesaround.table import entries as log
from acesaround.table import fold, games
from acesaround.table.entries import Opened
from acesaround.table.index_fields import GameSummary, keys
from tests.loop_clock import LoopClock
from tests.postgres import Postgres
from tests.store.opening import PATIENT, found, opened, watching
from tests.table.format_1 import TABLES, Stored


async def first_schema(url: str, tables: dict[str, list[bytes]]) -> None:
    """A database as the first release left it, with those logs in it."""
    engine = _engine(async_url(url), PATIENT)

    def make(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", "acesaround.store:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for name, bodies in tables.items():
            connection.execute(
                text("INSERT INTO tables VALUES (:id, 1, 2, :public, '{}', '{}')"),
                {"id": name, "public": True},
            )
            for seq, body in enumerate(bodies):
                row = {"id": name, "seq": seq, "body": body.decode()}
                connection.execute(text("INSERT INTO entries VALUES (:id, :seq, 3, :body)"), row)

    try:
        async with engine.begin() as connection:
            await connection.run_sync(make)
    finally:
        await engine.dispose()


def bodies_of(stored: Stored) -> list[bytes]:
    return [json.dumps(entry).encode() for entry in stored.entries]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database of the first release that was opened by this one; `x` is no log."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('old') / 'tables.sqlite'}"
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        url = postgres.url()
    tables = {f"t{number}": bodies_of(stored) for number, stored in enumerate(TABLES)}

    async def carry_over() -> None:
        await first_schema(url, {**tables, "x": [b"[]"]})
        async with opened(url):
            pass

    asyncio.run(carry_over())
    return url


async def test_an_old_database_is_carried_over_with_the_games_in_it(url: str) -> None:
    """Each log then holds its rules whole, the rest of it is untouched, and it ends as it did."""
    async with opened(url) as store:
        for at, stored in enumerate(TABLES):
            bodies = await store.entries(f"t{at}")
            entries = [log.decode(body) for body in bodies]
            assert isinstance(entries[0], Opened)
            assert entries[0].rules is not None
            assert bodies[1:] == bodies_of(stored)[1:]
            stored.check(fold(entries))


async def test_what_lists_go_by_is_filled_in_from_the_logs(url: str) -> None:
    async with opened(url) as store:
        spots = {spot.id: spot for spot in await store.lobby()}
        begun = 0
        for at in range(len(TABLES)):
            entries = [log.decode(body) for body in await store.entries(f"t{at}")]
            table, lines = games(entries)
            over = table.game is not None and not table.playing
            assert (f"t{at}" in spots) != over
            if not over:
                spot = spots[f"t{at}"]
                assert (spot.host, spot.free) == (
                    table.host.id,
                    len(table.seats) - len(table.occupied_seats),
                )
            kept = [
                msgspec.json.decode(line, type=GameSummary) for line in await store.games(f"t{at}")
            ]
            assert [one.progress for one in kept] == [(line.deals, line.over) for line in lines]
            begun += len(kept)
        assert begun > 0


@pytest.mark.parametrize(
    "first",
    [
        b"[]",
        b'{"type":"opened"}',
        b'{"type":"opened","config":{"variant":"whist","players":4},"host":{"id":"a","name":"A"}}',
        b'{"type":"opened","config":{"variant":"partnership","players":"four"}}',
    ],
)
async def test_a_log_that_could_never_be_read_does_not_stop_the_others(
    tmp_path: Path, first: bytes
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    await first_schema(url, {"damaged": [first], "sound": bodies_of(TABLES[0])})
    async with opened(url) as store:
        assert await store.entries("damaged") == [first]
        TABLES[0].check(fold([log.decode(body) for body in await store.entries("sound")]))


async def test_how_far_each_table_came_is_read_from_its_games(url: str) -> None:
    """By that it is cleared some day: one of which nothing is known is kept."""
    async with opened(url) as store:
        found = {}
        for name in [*(f"t{n}" for n in range(len(TABLES))), "x"]:
            async with store.reading() as connection:
                asked = text("SELECT played, finished FROM tables WHERE id = :id")
                row = (await connection.execute(asked, {"id": name})).one()
                found[name] = (bool(row.played), bool(row.finished))
        assert found.pop("x") == (True, True)
        for name, far in found.items():
            known = keys(fold([log.decode(body) for body in await store.entries(name)]))
            assert far == (known.played, known.finished), name
        assert len(set(found.values())) > 1


async def test_whoever_waits_for_another_process_to_bring_it_up_to_date_is_patient(
    postgres: Postgres,
) -> None:
    """That takes longer than a server waits for a statement where the database is large."""
    url, clock = postgres.url(), LoopClock()
    hasty = msgspec.structs.replace(PATIENT, lock=0.05)
    async with watching(url) as watch:
        await watch.execute("SELECT pg_advisory_lock($1)", _LOCK)
        opening = asyncio.create_task(Store.open(url, hasty))
        await found(
            watch,
            "SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
            " AND waitstart < clock_timestamp() - interval '0.2 seconds'",
        )
        clock.put_on(10 * PATIENT.statement)
        await watch.execute("SELECT pg_advisory_unlock($1)", _LOCK)
        await (await opening).close()
