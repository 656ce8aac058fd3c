"""Several servers on one PostgreSQL, side by side, and both at the same tables."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.store import Store
from tests.multiprocess.client import Message, Player
from tests.multiprocess.log_check import Log
from tests.multiprocess.server import Server
from tests.postgres import Postgres
from tests.waiting import PATIENCE_SECONDS, wait_until, wait_until_async


async def guest(name: str, *servers: Server) -> Player:
    """Somebody with a name, who asks these servers in turn."""
    player = Player(name, [server.port for server in servers])
    await player.enter()
    return player


def look(player: Player, server: Server, table: str) -> connect:
    """A socket of a person at one server, that a slow one does not lose."""
    return connect(
        f"ws://127.0.0.1:{server.port}/ws/{table}",
        additional_headers={"cookie": player.cookie},
        proxy=None,
        open_timeout=PATIENCE_SECONDS,
        ping_interval=None,
    )


async def heard(
    socket: ClientConnection, wanted: Callable[[Message], bool], seconds: float = PATIENCE_SECONDS
) -> Message:
    """The next message by a socket that is wanted."""
    async with asyncio.timeout(seconds):
        async for text in socket:
            message: Message = json.loads(text)
            if wanted(message):
                return message
    raise AssertionError("the socket has been closed")


ENDLESS = {"target": 1_000_000}
"""Options of a game that is not over before a test is: how long one lasts is chance."""


@asynccontextmanager
async def playing(ann: Player, bob: Player, table: str, apart: int) -> AsyncIterator[None]:
    """Let two people play meanwhile, so many seats from each other, and then leave."""
    tasks = [
        asyncio.create_task(ann.play(table, 0, waits=apart)),
        asyncio.create_task(bob.play(table, apart)),
    ]
    try:
        yield
        for task in tasks:
            assert not task.done(), task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def more(*players: Player, states: int = 10) -> None:
    """They see so many states more of the game."""
    seen = [len(player.seen) + states for player in players]
    await wait_until_async(
        lambda: all(len(one.seen) >= wanted for one, wanted in zip(players, seen, strict=True)),
        "they play on",
    )


async def held(url: str, table: str, *people: Player) -> list[Any]:
    """The entries of a table's log; fail unless it holds all that these people were shown."""
    store = await Store.open(url)
    try:
        log = Log(await store.entries(table))
    finally:
        await store.close()
    for player in people:
        assert log.holds(player) > 0
    return log.entries


async def stored(server: Server) -> int:
    """How many entries a server has stored."""
    figures = (await Player("", [server.port]).get("/metrics")).decode()
    found = re.search(r"^acesaround_log_entries_total (\d+)\.0$", figures, re.MULTILINE)
    assert found is not None
    return int(found[1])


async def test_two_people_at_two_servers_play_a_whole_game(two: list[Server], url: str) -> None:
    ann, bob = await guest("Ann", two[0]), await guest("Bob", two[1])
    table = await ann.open_table(variant="partnership", options={"hands": 1})
    first = len(await held(url, table))
    async with asyncio.TaskGroup() as together:
        together.create_task(ann.play(table, 0, waits=2))
        together.create_task(bob.play(table, 2))
    assert ann.seen[-1]["view"]["winner"] == bob.seen[-1]["view"]["winner"] is not None
    assert ann.connections == bob.connections == 1
    record = await bob.get(f"/api/tables/{table}/record.json")
    assert record == await ann.get(f"/api/tables/{table}/record.json")
    assert verify(decode(record)) == []
    for player in (ann, bob):  # each saw every entry since the table was full, in order
        seqs = list(dict.fromkeys(state["seq"] for state in player.seen))
        assert seqs == list(range(seqs[0], seqs[-1] + 1))
    assert any(state["table"]["seats"][2]["present"] for state in ann.seen)
    entries = await held(url, table, ann, bob)
    assert len(entries) == ann.seen[-1]["seq"] == bob.seen[-1]["seq"]
    # Both servers act for its bots, and every entry was appended once.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while sum([await stored(server) for server in two]) != len(entries) - first:
            await asyncio.sleep(0.05)


async def test_who_is_connected_to_a_server_that_dies_is_soon_seen_as_gone(
    two: list[Server],
) -> None:
    ann, bob = await guest("Ann", two[0]), await guest("Bob", two[1])
    table = await ann.open_table(variant="partnership")

    def shows(present: bool) -> Callable[[Message], bool]:
        return lambda state: state["table"]["seats"][1]["present"] is present

    async with look(ann, two[0], table) as hers:
        async with look(bob, two[1], table) as his:
            await his.send('{"type":"sit","seat":1}')
            await heard(hers, shows(True))
            [line] = json.loads(await bob.get("/api/mine"))
            assert line["present"] == 2
        await heard(hers, shows(False))  # he went
        async with look(bob, two[1], table):
            await heard(hers, shows(True))
            await asyncio.to_thread(two[1].kill)
            await heard(hers, shows(False))
        await asyncio.to_thread(two[1].start)
        async with look(bob, two[1], table):
            await heard(hers, shows(True))


@pytest.mark.parametrize("told", [signal.SIGKILL, signal.SIGTERM])
async def test_play_goes_on_at_the_other_server_when_one_ends(
    told: signal.Signals, two: list[Server], url: str
) -> None:
    """Both play where the table is; a bot whose turn it is plays at the other one at once."""
    ann, bob = await guest("Ann", *two), await guest("Bob", *reversed(two))
    table = await ann.open_table(variant="partnership", options=ENDLESS)
    async with playing(ann, bob, table, 2):
        await more(ann, bob, states=20)
        await asyncio.to_thread(two[0].stop, told)
        await more(ann, bob, states=20)
    assert ann.connections == 2  # it was sent away once
    assert bob.connections == 1
    await held(url, table, ann, bob)


async def test_a_server_whose_listening_was_cut_off_hears_again(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guest("Ann", two[0]), await guest("Bob", two[1])
    table = await ann.open_table(variant="partnership", options=ENDLESS)
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with playing(ann, bob, table, 2):
        for _ in range(5):  # every connection of both servers to the database is closed
            await more(ann, bob)
            await asyncio.to_thread(postgres.sql, url, cut)
        await more(ann, bob, states=20)
    await held(url, table, ann, bob)


async def test_play_goes_on_when_postgresql_returns(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guest("Ann", two[0]), await guest("Bob", two[1])
    table = await ann.open_table(variant="two-handed", options=ENDLESS)
    async with playing(ann, bob, table, 1):
        await more(ann, bob)
        async with look(ann, two[0], table) as beside:
            await asyncio.to_thread(postgres.stop)
            try:
                await beside.send('{"type":"joining","joining":"ask"}')
                said = await heard(beside, lambda message: message["type"] == "refused")
                assert said["code"] == "unsaved"
            finally:
                await asyncio.to_thread(postgres.start)
        await more(ann, bob, states=20)
    # stale: what could not be acknowledged, but was saved
    assert ann.refused.keys() | bob.refused.keys() <= {"unsaved", "stale"}
    assert ann.connections == bob.connections == 1
    assert verify(decode(await bob.get(f"/api/tables/{table}/record.json"))) == []
    await held(url, table, ann, bob)


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_whoever_comes_while_a_server_ends_is_refused_at_once(
    told: signal.Signals, tmp_path: Path
) -> None:
    """A proxy then asks another server; it would wait for nobody as long as this one ends."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    server = Server(url, tmp_path / "log", grace_seconds=600)
    server.start()
    try:
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as slow:
            slow.sendall(
                b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
                b"Expect: 100-continue\r\n\r\n"
            )
            head = slow.recv(1000)  # steady: so many bytes, no limit of time
            assert re.match(rb"HTTP/1.1 100 ", head)  # now it waits for the rest
            server.process.send_signal(told)

            def refused() -> bool:
                with socket.socket() as asking:
                    return asking.connect_ex(("127.0.0.1", server.port)) != 0

            wait_until(refused, "nobody is let in")
            assert server.process.poll() is None
            slow.sendall(b'{"name":1')
        assert server.process.wait() in (0, -told)
        assert "Traceback" not in server.log.read_text()
    finally:
        server.kill()
