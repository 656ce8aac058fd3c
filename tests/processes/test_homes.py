"""One process is the home of a table: who comes to another is handed on, and a home that dies or
cannot be reached stops nobody."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from acesaround.record.model import decode
from acesaround.record.replay import faults
from acesaround.server.inner import listening
from acesaround.server.notes import HEADER, Notes
from acesaround.server.settings import ServeError, Settings
from acesaround.store import Store
from tests.postgres import Postgres
from tests.processes.between import Between
from tests.processes.player import Message, Player
from tests.processes.server import Server
from tests.processes.witness import Log
from wire import Closed, Socket, ask, exchange, open_socket

SECRET = "a secret only for tests"

LOBBY = 'tables{state="lobby"}'
"""Tables in memory at which nothing is dealt yet."""


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
        self.socket: Socket | None = None

    def hear(self, text: bytes) -> None:
        message: Message = json.loads(text)
        (self.states if message["type"] == "state" else self.refused).append(message)


@asynccontextmanager
async def looking(player: Player, port: int, table: str) -> AsyncIterator[Looker]:
    """A socket at a table meanwhile, its first state read."""
    looker = Looker()
    looker.socket = socket = await open_socket(port, f"/ws/{table}", looker.hear, player.cookie)
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
            await told(two[1].port, LOBBY, 1)  # in memory at its home and nowhere else
            assert home(postgres, url, table) == first
    await told(two[0].port, "handed", 0)
    await played([ann, bob], table, apart=2)
    assert ann.connections == bob.connections == 1
    await kept(url, table, [ann, bob])


async def test_what_somebody_sends_does_not_make_a_home_seem_lost(
    two: list[Server], url: str, postgres: Postgres, tmp_path: Path
) -> None:
    ann, bob = await guests(*two)
    table = await ann.open_table(variant="partnership")
    async with looking(ann, two[0].port, table):
        first = home(postgres, url, table)
        for number in range(118, 130):  # the more are handed on, with two of the server's own
            more = "".join(f"X-{place}: x\r\n" for place in range(number))
            with contextlib.suppress(Closed, TimeoutError):
                async with asyncio.timeout(5):
                    opened = await open_socket(
                        two[1].port, f"/ws/{table}", lambda _: None, bob.cookie, more
                    )
                opened.transport.abort()
        async with looking(bob, two[1].port, table):
            await told(two[1].port, "handed", 1)
            assert home(postgres, url, table) == first
    assert "cannot be reached" not in (tmp_path / "log1").read_text()


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
    table = await ann.open_table(variant="partnership", options={"hands": 9})

    async def kill() -> None:
        async with asyncio.timeout(60):
            while len(ann.seen) < 30 or not bob.seen:
                await asyncio.sleep(0.01)
        before, seen = home(postgres, url, table), bob.seen[-1]["seq"]
        assert before
        # Whoever was handed on lost the way to the home with it, and comes again.
        await asyncio.to_thread(two[ids(postgres, url).index(before)].kill)
        began = time.monotonic()
        await until(lambda: min(p.seen[-1]["seq"] for p in (ann, bob)) > seen + 8)  # bots too
        acted = time.monotonic() - began
        await until(lambda: home(postgres, url, table) not in ("", before))
        moved = time.monotonic() - began
        sys.stdout.write(f"\nplay went on after {acted:.1f} s, its home was {moved:.1f} s gone\n")

    async with asyncio.TaskGroup() as together:
        together.create_task(kill())
        together.create_task(played([ann, bob], table, apart=2))
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


@asynccontextmanager
async def network(two: list[Server], url: str, postgres: Postgres) -> AsyncIterator[list[Between]]:
    """Meanwhile what the processes say to each other goes by networks of the test's own."""
    between = []
    for process in ids(postgres, url):
        where = f"FROM processes WHERE id = '{process}'"
        host, _, port = postgres.sql(url, f"SELECT address {where}").partition(":")
        between.append(await Between.tcp(host, int(port)))
        moved = f"UPDATE processes SET address = '127.0.0.1:{between[-1].port}'"
        postgres.sql(url, f"{moved} WHERE id = '{process}'")
    try:
        yield between
    finally:
        for one in between:
            await one.close()


async def trouble(between: list[Between], people: Sequence[Player], rng: random.Random) -> None:
    """Make networks slow, silent, cut and closed in turn, until people have seen enough of it."""
    for round in range(3):
        for one in between:
            seen = max(len(player.seen) for player in people)
            one.delay = rng.uniform(0.0, 0.05)
            await asyncio.sleep(rng.uniform(0.1, 0.4))
            one.silent = True
            await asyncio.sleep(rng.uniform(0.1, 1.0) if round else 5.0)
            one.cut()
            one.shut, one.silent = bool(round % 2), False
            await asyncio.sleep(rng.uniform(0.1, 0.5))
            one.shut = False
            async with asyncio.timeout(60):
                while len(people[0].seen) + len(people[1].seen) < seen + 10:
                    if people[0].seen and people[0].seen[-1]["table"]["over"]:
                        return
                    await asyncio.sleep(0.02)


async def test_a_network_between_processes_that_drops_what_they_say(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guests(*two)
    async with network(two, url, postgres) as between:
        table = await ann.open_table(variant="two-handed", options={"hands": 9})
        async with asyncio.TaskGroup() as together:
            together.create_task(trouble(between, [ann, bob], random.Random(1)))
            together.create_task(played([ann, bob], table))
        assert sum(one.passed for one in between) > 0
        await kept(url, table, [ann, bob])


async def test_who_was_served_elsewhere_goes_home_when_that_can_be_reached_again(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guests(*two)
    table = await ann.open_table(variant="partnership")
    async with network(two, url, postgres) as between:
        for one in between:
            one.shut = True
        async with looking(ann, two[0].port, table) as hers:
            async with looking(bob, two[1].port, table) as his:
                await told(two[0].port, LOBBY, 2)  # both serve it
                assert his.socket is not None
                his.socket.send(type="sit", seat=2)
                await until(lambda: hers.states[-1]["table"]["seats"][2]["present"])
                for one in between:
                    one.shut = False
                await asyncio.wait_for(his.socket.closed, 30)
            async with looking(bob, two[1].port, table):
                await told(two[0].port, "handed", 1)
                await told(two[0].port, LOBBY, 1)


@asynccontextmanager
async def apart(
    postgres: Postgres, url: str, folder: Path, number: int
) -> AsyncIterator[tuple[list[Server], list[Between]]]:
    """Servers that each reach PostgreSQL by a network of the test's own."""
    name = url.partition("@/")[2].partition("?")[0]
    servers, between = [], []
    for place in range(number):
        way = await Between.unix(str(postgres.folder / ".s.PGSQL.5432"))
        between.append(way)
        mine = f"postgresql://tester@127.0.0.1:{way.port}/{name}"
        servers.append(Server(mine, folder / f"log{place}", node="127.0.0.1"))
    try:
        for server in servers:
            await asyncio.to_thread(server.start)
        yield servers, between
    finally:
        for server in servers:
            server.kill()
        for way in between:
            await way.close()


async def test_a_network_to_postgresql_that_drops_what_is_said(
    url: str, postgres: Postgres, tmp_path: Path
) -> None:
    async with apart(postgres, url, tmp_path, 2) as (servers, between):
        ann, bob = await guests(*servers)
        ann.servers([server.port for server in servers])
        bob.servers([server.port for server in reversed(servers)])
        table = await ann.open_table(variant="two-handed", options={"hands": 9})
        async with asyncio.TaskGroup() as together:
            together.create_task(trouble(between, [ann, bob], random.Random(2)))
            together.create_task(played([ann, bob], table))
        await kept(url, table, [ann, bob])


async def test_nobody_but_another_process_comes_by_the_inner_door(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    [ann] = await guests(two[0])
    table = await ann.open_table(variant="partnership")
    row = postgres.sql(url, "SELECT id || ' ' || address FROM processes LIMIT 1")
    process, _, address = row.partition(" ")
    inner = int(address.partition(":")[2])
    name = HEADER.decode()
    good = Notes("x", SECRET).write(process, "192.0.2.1").decode()
    later = Notes("x", SECRET, clock=lambda: time.time() + 200).write(process, None).decode()
    bad = [
        "", f"{name}: \r\n", f"{name}: {good[:-2]}xx\r\n", f"{name}: {later}\r\n",
        f"{name}: {Notes('x', 'another secret of 16').write(process, None).decode()}\r\n",
        f"{name}: {Notes('x', SECRET).write('another', None).decode()}\r\n",
    ]  # fmt: skip
    for header in bad:
        with pytest.raises(Closed) as refused:
            await open_socket(inner, f"/ws/{table}", lambda _: None, ann.cookie, header)
        assert refused.value.code == 403
        asked = f"GET /api/mine HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{header}\r\n"
        assert (await exchange(inner, asked.encode())).startswith(b"HTTP/1.1 403")
    socket = await open_socket(
        inner, f"/ws/{table}", lambda _: None, ann.cookie, f"{name}: {good}\r\n"
    )
    socket.transport.abort()
    await asyncio.wait([socket.closed])
    # By the other door a note is nothing: not even one that is good.
    asked = (
        f"GET /health HTTP/1.1\r\nhost: x.example\r\nconnection: close\r\n{name}: {good}\r\n\r\n"
    )
    assert (await exchange(two[0].port, asked.encode())).startswith(b"HTTP/1.1 421")


async def test_the_home_limits_whoever_is_handed_on_by_their_own_address(
    url: str, tmp_path: Path, postgres: Postgres
) -> None:
    servers = [Server(url, tmp_path / f"log{n}", proxy="127.0.0.1", each=2) for n in range(2)]
    try:
        for server in servers:
            await asyncio.to_thread(server.start)
        ann, bob = await guests(*servers)
        tables = [await ann.open_table(variant="partnership") for _ in range(3)]
        async with AsyncExitStack() as open_ones:
            for table in tables:
                await open_ones.enter_async_context(looking(ann, servers[0].port, table))
            texts: list[bytes] = []

            async def come(address: str, table: str) -> Socket:
                told = f"x-forwarded-for: {address}\r\n"
                path = f"/ws/{table}"
                return await open_socket(servers[1].port, path, texts.append, bob.cookie, told)

            first = [await come("192.0.2.1", table) for table in tables[:2]]
            third = await come("192.0.2.1", tables[2])
            assert await asyncio.wait_for(third.closed, 20) == 1013
            other = await come("192.0.2.2", tables[2])
            await told(servers[0].port, "handed", 3)
            for socket in (*first, other):
                socket.transport.abort()
                await asyncio.wait([socket.closed])
    finally:
        for server in servers:
            server.kill()


async def test_a_process_that_is_to_end_says_so_and_plays_on_for_a_while(
    url: str, tmp_path: Path
) -> None:
    server = Server(url, tmp_path / "log", drain=600.0)
    server.start()
    try:
        [ann] = await guests(server)
        table = await ann.open_table(variant="partnership", options={"hands": 1})
        async with looking(ann, server.port, table):
            server.process.send_signal(signal.SIGTERM)
            said = await ask(server.port, "/health")
            async with asyncio.timeout(20):
                while said.status == 200:
                    await asyncio.sleep(0.05)
                    said = await ask(server.port, "/health")
            assert said.status == 503
            assert said.json()["draining"] is True
        async with asyncio.timeout(60):
            await ann.play(table, 0)
        assert ann.connections == 1
    finally:
        server.kill()


@pytest.mark.parametrize("node", ["127.0.0.1", "127.0.0.0/8", "localhost"])
def test_this_machine_is_found_by_its_address_its_network_or_its_name(node: str) -> None:
    with listening(node) as (_, address):
        host, _, port = address.rpartition(":")
        assert host in ("127.0.0.1", "localhost")
        assert int(port) > 0


def test_a_network_in_which_this_machine_has_no_address_is_refused() -> None:
    with pytest.raises(OSError, match=r"no address in|unreachable"), listening("203.0.113.0/24"):
        pass


@pytest.mark.parametrize("node", ["0.0.0.0", "::", "0.0.0.0/0", "", "10.0.0.5:80", "a b"])
def test_an_address_by_which_others_cannot_find_this_machine_is_refused(node: str) -> None:
    with pytest.raises(ServeError, match="no address of this machine"):
        Settings(database_url="postgresql://x/y", secret=SECRET, node=node)
