"""One process is the home of a table: who comes to another is handed on, and a home that dies or
cannot be reached stops nobody."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from acesaround.record.model import decode
from acesaround.record.replay import faults
from acesaround.store import Store
from tests.postgres import Postgres
from tests.processes.player import Message, Player
from tests.processes.server import Server
from tests.processes.witness import Log
from wire import ask, open_socket


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.url()


@pytest.fixture
def two(url: str, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers on one database, reached by TCP as on two machines."""
    servers = [Server(url, tmp_path / f"log{place}", node="127.0.0.1") for place in range(2)]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.kill()


class Looker:
    """Somebody with an open socket, who keeps every state."""

    def __init__(self) -> None:
        self.states: list[Message] = []
        self.refused: list[Message] = []

    def hear(self, text: bytes) -> None:
        message: Message = json.loads(text)
        (self.states if message["type"] == "state" else self.refused).append(message)


@asynccontextmanager
async def looking(player: Player, port: int, table: str) -> AsyncIterator[Looker]:
    """A socket at a table meanwhile, its first state read."""
    looker = Looker()
    socket = await open_socket(port, f"/ws/{table}", looker.hear, player.cookie)
    try:
        await until(lambda: looker.states)
        yield looker
    finally:
        socket.close()
        await asyncio.wait([socket.closed], timeout=10)
        socket.transport.abort()


async def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


async def told(port: int, line: str, number: int) -> None:
    """Until the figures say so."""
    found = ""
    async with asyncio.timeout(30):
        while f"acesaround_{line} {number}\n" not in found:
            found = (await ask(port, "/metrics")).body.decode()
            await asyncio.sleep(0.1)


def home(postgres: Postgres, url: str, table: str) -> str:
    """The process that is the home of a table, as the database says."""
    asked = (
        f"SELECT process FROM homes JOIN processes ON id = process WHERE table_id = '{table}'"
        " AND until > extract(epoch FROM clock_timestamp()) * 1000"
    )
    return postgres.sql(url, asked)


def ids(postgres: Postgres, url: str) -> list[str]:
    """The processes in the order in which they were started."""
    return postgres.sql(url, "SELECT id FROM processes ORDER BY since").split()


async def guests(*servers: Server) -> list[Player]:
    found = [Player(f"Guest {n}", [server.port]) for n, server in enumerate(servers)]
    for player in found:
        await player.enter()
    return found


async def played(people: Sequence[Player], table: str, apart: int = 1) -> None:
    """Let two people play a game to its end, so many seats from each other."""
    async with asyncio.timeout(150), asyncio.TaskGroup() as together:
        together.create_task(people[0].play(table, 0, waits=apart))
        together.create_task(people[1].play(table, apart))


async def kept(url: str, table: str, people: Iterable[Player]) -> None:
    """Fail unless the log of a table holds all that these people were ever shown."""
    store = await Store.open(url)
    try:
        log = Log(await store.entries(table))
    finally:
        await store.close()
    for player in people:
        assert log.holds(player) > 5
    assert faults(decode(await next(iter(people)).get(f"/api/tables/{table}/record.json"))) == []


async def test_who_comes_to_another_process_is_handed_on_to_the_home(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guests(*two)
    table = await ann.open_table(variant="partnership", options={"hands": 1})
    async with looking(ann, two[0].port, table) as hers:
        first = home(postgres, url, table)
        assert first
        async with looking(bob, two[1].port, table) as his:
            assert his.states[-1]["seq"] == hers.states[-1]["seq"]
            await told(two[0].port, "handed", 1)
            await told(two[1].port, "tables", 1)  # in memory at its home and nowhere else
            assert home(postgres, url, table) == first
    await told(two[0].port, "handed", 0)
    await played([ann, bob], table, apart=2)
    assert ann.connections == bob.connections == 1
    await kept(url, table, [ann, bob])


async def test_a_home_where_nobody_is_any_more_is_given_back(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guests(*two)
    table = await ann.open_table(variant="partnership")
    async with looking(ann, two[0].port, table):
        before = home(postgres, url, table)
    await until(lambda: not home(postgres, url, table))
    async with looking(bob, two[1].port, table):
        assert home(postgres, url, table) not in ("", before)


async def test_a_home_that_is_killed_is_followed_by_another(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guests(*two)
    for player, ports in ((ann, [0, 1]), (bob, [1, 0])):
        player.servers([two[place].port for place in ports])
    table = await ann.open_table(variant="two-handed", options={"hands": 9})

    async def kill() -> None:
        async with asyncio.timeout(60):
            while len(ann.seen) < 30 or not bob.seen:
                await asyncio.sleep(0.01)
        before, seen = home(postgres, url, table), len(bob.seen)
        assert before
        # Whoever was handed on lost the way to the home with it, and comes again.
        await asyncio.to_thread(two[ids(postgres, url).index(before)].kill)
        await until(lambda: home(postgres, url, table) not in ("", before))
        await until(lambda: len(bob.seen) > seen)

    async with asyncio.TaskGroup() as together:
        together.create_task(kill())
        together.create_task(played([ann, bob], table))
    await kept(url, table, [ann, bob])


async def test_a_home_that_ends_is_given_back_at_once(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guests(*two)
    bob.servers([server.port for server in reversed(two)])
    ann.servers([server.port for server in two])
    table = await ann.open_table(variant="two-handed", options={"hands": 9})

    async def end() -> None:
        async with asyncio.timeout(60):
            while len(ann.seen) < 30 or not bob.seen:
                await asyncio.sleep(0.01)
        before = home(postgres, url, table)
        assert await asyncio.to_thread(two[0].stop) in (0, -signal.SIGTERM)
        await until(lambda: home(postgres, url, table) not in ("", before))

    async with asyncio.TaskGroup() as together:
        together.create_task(end())
        together.create_task(played([ann, bob], table))
    assert ann.connections == 2  # it was sent away once
    assert bob.connections <= 2
    await kept(url, table, [ann, bob])
