"""An operator beside two processes that serve: somebody is deleted, a table removed in mid-game."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from acesaround.record.model import decode
from acesaround.record.replay import faults
from acesaround.table.former import FORMER
from tests.command import ENVIRONMENT
from tests.postgres import Postgres
from tests.processes.player import Player
from tests.processes.server import Server


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.url()


@pytest.fixture
def two(url: str, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers on one database."""
    servers = [Server(url, tmp_path / f"log{place}") for place in range(2)]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.kill()


async def administer(url: str, *words: str) -> str:
    """The command, in a process of its own; what it says."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "acesaround", "admin", "--database-url", url, *words),
        env=ENVIRONMENT,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await running.communicate()
    assert running.returncode == 0
    return said.decode()


async def closed(port: int, table: str, cookie: str, sit: int | None = None) -> tuple[int, str]:
    """How a socket is closed that is there for good."""
    where = f"ws://127.0.0.1:{port}/ws/{table}"
    async with connect(where, additional_headers={"cookie": cookie}, proxy=None) as socket:
        if sit is not None:
            await socket.send(json.dumps({"type": "sit", "seat": sit}))
        try:
            async with asyncio.timeout(120):
                while True:
                    await socket.recv()
        except ConnectionClosed:
            return socket.close_code or 0, socket.close_reason or ""


async def test_somebody_at_another_process_is_deleted_and_the_game_goes_on(
    two: list[Server], url: str, tmp_path: Path
) -> None:
    """The socket at the second process is closed; who plays at the first is refused nothing."""
    ann, bob = Player("Ann", [two[0].port]), Player("Bobolink", [two[1].port])
    await ann.enter()
    await bob.enter()
    table = await ann.open_table(variant="partnership", options={"hands": 6})
    sitting = asyncio.create_task(closed(two[1].port, table, bob.cookie, sit=1))
    playing = asyncio.create_task(ann.play(table, waits=1, limit=120))
    bobs = json.loads(await administer(url, "people", "Bobolink", "--json"))["id"]
    while not (ann.seen and ann.seen[-1]["view"] is not None):
        await asyncio.sleep(0.05)
    await administer(url, "delete", bobs, "--yes")
    code, why = await sitting
    assert (code, why.startswith("You are known here no more")) == (4410, True)
    await playing
    assert ann.refused.get("unsaved", 0) == 0
    assert ann.seen[-1]["table"]["over"]
    assert "Bobolink" not in json.dumps(ann.seen[-1])
    for place in range(2):
        record = await Player("", [two[place].port]).get(f"/api/tables/{table}/record.json")
        assert b"Bobolink" not in record
        assert faults(decode(record)) == []
        assert FORMER in [seat.name for seat in decode(record).seats]
        assert "Traceback" not in (tmp_path / f"log{place}").read_text()


async def test_a_removed_table_closes_its_sockets_at_every_process(
    two: list[Server], url: str, tmp_path: Path
) -> None:
    people = [Player(name, [server.port]) for name, server in zip(("A", "B"), two, strict=True)]
    for one in people:
        await one.enter()
    table = await people[0].open_table(variant="partnership", start=True)
    looking = [
        asyncio.create_task(closed(server.port, table, one.cookie))
        for server, one in zip(two, people, strict=True)
    ]
    await asyncio.sleep(0.5)
    await administer(url, "remove", table, "--yes")
    for left in looking:
        code, why = await left
        assert (code, why) == (4410, "This table has been removed by who runs the server.")
    assert await administer(url, "tables") == ""
    for place in range(2):
        assert "Traceback" not in (tmp_path / f"log{place}").read_text()
