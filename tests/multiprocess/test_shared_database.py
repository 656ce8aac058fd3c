"""Several servers on one PostgreSQL, serving the same tables."""

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
    """Return a named guest who tries these servers in turn."""
    player = Player(name, [server.port for server in servers])
    await player.enter()
    return player


def open_socket(player: Player, server: Server, table: str) -> connect:
    """Return a socket of a person at one server, without pings."""
    return connect(
        f"ws://127.0.0.1:{server.port}/ws/{table}",
        additional_headers={"cookie": player.cookie},
        proxy=None,
        open_timeout=PATIENCE_SECONDS,
        ping_interval=None,
    )


async def wait_for_message(
    socket: ClientConnection, wanted: Callable[[Message], bool], seconds: float = PATIENCE_SECONDS
) -> Message:
    """Return the next message of a socket that satisfies a condition."""
    async with asyncio.timeout(seconds):
        async for text in socket:
            message: Message = json.loads(text)
            if wanted(message):
                return message
    raise AssertionError("the socket has been closed")


ENDLESS_GAME = {"target": 1_000_000}
"""Options of a game that does not end during a test."""


@asynccontextmanager
async def playing(ann: Player, bob: Player, table: str, apart: int) -> AsyncIterator[None]:
    """Let two people play in seats 0 and `apart`; stop them afterwards."""
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


async def wait_for_states(*players: Player, states: int = 10) -> None:
    seen = [len(player.seen) + states for player in players]
    await wait_until_async(
        lambda: all(
            len(player.seen) >= wanted for player, wanted in zip(players, seen, strict=True)
        ),
        "they play on",
    )


async def check_log(url: str, table: str, *people: Player) -> list[Any]:
    """Return the entries of a table; assert that they contain all that players were shown."""
    store = await Store.open(url)
    try:
        log = Log(await store.entries(table))
    finally:
        await store.close()
    for player in people:
        assert log.check_player(player) > 0
    return log.entries


async def stored_entries(server: Server) -> int:
    figures = (await Player("", [server.port]).get("/metrics")).decode()
    found = re.search(r"^acesaround_log_entries_total (\d+)\.0$", figures, re.MULTILINE)
    assert found is not None
    return int(found[1])


async def test_two_people_at_two_servers_play_a_game(two_servers: list[Server], url: str) -> None:
    ann, bob = await guest("Ann", two_servers[0]), await guest("Bob", two_servers[1])
    table = await ann.open_table(variant="partnership", options={"hands": 1})
    first = len(await check_log(url, table))
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
    entries = await check_log(url, table, ann, bob)
    assert len(entries) == ann.seen[-1]["seq"] == bob.seen[-1]["seq"]
    # Both servers act for its bots, and every entry was appended once.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while sum([await stored_entries(server) for server in two_servers]) != len(entries) - first:
            await asyncio.sleep(0.05)


async def test_play_goes_on_at_the_other_server_when_one_is_killed(
    two_servers: list[Server], url: str
) -> None:
    """Both play at the table; a bot on turn acts at the other server at once."""
    ann, bob = await guest("Ann", *two_servers), await guest("Bob", *reversed(two_servers))
    table = await ann.open_table(variant="partnership", options=ENDLESS_GAME)
    async with playing(ann, bob, table, 2):
        await wait_for_states(ann, bob, states=20)
        await asyncio.to_thread(two_servers[0].kill)
        await wait_for_states(ann, bob, states=20)
    assert ann.connections == 2  # she had to reconnect once
    assert bob.connections == 1
    await check_log(url, table, ann, bob)


@pytest.mark.soak
async def test_server_listens_again_after_lost_database_connections(
    two_servers: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guest("Ann", two_servers[0]), await guest("Bob", two_servers[1])
    table = await ann.open_table(variant="partnership", options=ENDLESS_GAME)
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with playing(ann, bob, table, 2):
        for _ in range(5):  # every connection of both servers to the database is closed
            await wait_for_states(ann, bob)
            await asyncio.to_thread(postgres.sql, url, cut)
        await wait_for_states(ann, bob, states=20)
    await check_log(url, table, ann, bob)


async def test_play_goes_on_when_postgresql_returns(
    two_servers: list[Server], url: str, postgres: Postgres
) -> None:
    ann, bob = await guest("Ann", two_servers[0]), await guest("Bob", two_servers[1])
    table = await ann.open_table(variant="two-handed", options=ENDLESS_GAME)
    async with playing(ann, bob, table, 1):
        await wait_for_states(ann, bob)
        async with open_socket(ann, two_servers[0], table) as second_socket:
            await asyncio.to_thread(postgres.stop)
            try:
                await second_socket.send('{"type":"joining","joining":"ask"}')
                refusal = await wait_for_message(
                    second_socket, lambda message: message["type"] == "refused"
                )
                assert refusal["code"] == "unsaved"
            finally:
                await asyncio.to_thread(postgres.start)
        await wait_for_states(ann, bob, states=20)
    # stale: saved but not acknowledged
    assert ann.refused.keys() | bob.refused.keys() <= {"unsaved", "stale"}
    assert ann.connections == bob.connections == 1
    assert verify(decode(await bob.get(f"/api/tables/{table}/record.json"))) == []
    await check_log(url, table, ann, bob)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_ending_server_refuses_new_connections(ending: signal.Signals, tmp_path: Path) -> None:
    """So a proxy tries another server instead of waiting."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    server = Server(url, tmp_path / "log", shutdown_timeout_seconds=600)
    server.start()
    try:
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as slow:
            slow.sendall(
                b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
                b"Expect: 100-continue\r\n\r\n"
            )
            head = slow.recv(1000)  # steady: so many bytes, no limit of time
            assert re.match(rb"HTTP/1.1 100 ", head)  # now it waits for the rest
            server.process.send_signal(ending)

            def refused() -> bool:
                with socket.socket() as asking:
                    return asking.connect_ex(("127.0.0.1", server.port)) != 0

            wait_until(refused, "connections are refused")
            assert server.process.poll() is None
            slow.sendall(b'{"name":1')
        assert server.process.wait() in (0, -ending)
        assert "Traceback" not in server.log.read_text()
    finally:
        server.kill()
