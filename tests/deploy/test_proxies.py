"""Two servers behind nginx and behind Caddy, as `deploy/` has them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import wire
from acesaround.record.model import decode
from acesaround.record.replay import faults
from acesaround.server.journal import called
from tests.deploy.proxies import free_port, proxy
from tests.postgres import Postgres
from tests.processes.player import Player
from tests.processes.server import Server


class Behind(NamedTuple):
    """Servers, and the port of the proxy before them."""

    servers: list[Server]
    port: int

    @property
    def logs(self) -> list[str]:
        return [server.log.read_text() for server in self.servers]


@pytest.fixture(params=["nginx", "caddy"])
def behind(request: pytest.FixtureRequest, postgres: Postgres, tmp_path: Path) -> Iterator[Behind]:
    url, port = postgres.url(), free_port()
    public = f"http://127.0.0.1:{port}"
    servers = [
        Server(url, tmp_path / f"log{n}", proxy="127.0.0.1", public_url=public, access=True)
        for n in range(2)
    ]
    with proxy(request.param, tmp_path / "proxy", port, [server.port for server in servers]):
        for server in servers:
            server.start()
        yield Behind(servers, port)
        for server in servers:
            server.kill()


class Counting(Player):
    """Counts what went wrong: a connection that was lost, and one that could not be made."""

    trouble = 0

    async def _elsewhere(self) -> None:
        self.trouble += 1
        await super()._elsewhere()


async def test_everybody_at_a_table_comes_to_the_same_server(behind: Behind) -> None:
    ann = Player("Ann", [behind.port])
    await ann.enter()
    tables = [await ann.open_table(variant="partnership") for _ in range(16)]
    for table in tables:
        for seq in range(3):
            texts: list[bytes] = []
            path = f"/ws/{table}?seq={seq}"
            socket = await wire.open_socket(behind.port, path, texts.append, ann.cookie)
            while not texts:
                await asyncio.sleep(0.01)
            socket.close()
            await socket.closed
            answer = await wire.ask(behind.port, f"/api/tables/{table}/games", cookie=ann.cookie)
            assert answer.status == 200
    its = [called(table) for table in tables]
    opened = [f" opened /ws/{one} " for one in its]
    listed = [f" GET /api/tables/{one}/games " for one in its]
    async with asyncio.timeout(20):  # a line is written when an answer is sent, or a little later
        while sum(log.count(one) for log in behind.logs for one in opened + listed) < 6 * 16:
            await asyncio.sleep(0.05)
    for one, other in zip(opened, listed, strict=True):
        at = sorted([log.count(one), log.count(other)] for log in behind.logs)
        assert at == [[0, 0], [3, 3]]
    assert all(" opened /ws/" in log for log in behind.logs)  # and not all of them to one


async def test_the_proxy_names_requests_and_shuts_off_the_figures(behind: Behind) -> None:
    answer = await wire.ask(behind.port, "/api/me")
    named = answer.headers["x-request-id"]
    assert len(named) in (32, 36)  # it is theirs: ours have 16
    async with asyncio.timeout(20):
        while not any(f"[{named}]" in log for log in behind.logs):
            await asyncio.sleep(0.05)
    assert (await wire.ask(behind.port, "/metrics")).status == 403


async def test_servers_are_restarted_one_by_one_under_a_game(behind: Behind) -> None:
    ann, bob = (Counting(name, [behind.port]) for name in ("Ann", "Bob"))
    for player in (ann, bob):
        await player.enter()
    table = await ann.open_table(variant="partnership", options={"target": 1000000})

    async def restarted() -> None:
        for server in behind.servers:
            seen = len(ann.seen)
            while len(ann.seen) < seen + 60:  # they play on between the restarts
                await asyncio.sleep(0.01)
            before = ann.connections, bob.connections
            await asyncio.to_thread(server.stop)
            while len(ann.seen) < seen + 120:  # and while one is away
                await asyncio.sleep(0.01)
            assert ann.connections - before[0] <= 1
            assert bob.connections - before[1] <= 1
            await asyncio.to_thread(server.start)

    async with asyncio.timeout(120):
        playing = [
            asyncio.create_task(player.play(table, place, waits))
            for player, place, waits in ((ann, 0, 2), (bob, 2, None))
        ]
        try:
            await restarted()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.wait(playing)
    for player in (ann, bob):
        # Whoever lost a connection had another at the first try: a quarter of a second later.
        assert player.trouble == player.connections - 1
        assert 1 <= player.trouble <= 2
    assert faults(decode(await ann.get(f"/api/tables/{table}/record.json"))) == []
