"""A server whose SQLite database cannot be written: it says so, and continues later."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.store import Store
from tests.multiprocess.client import Player
from tests.multiprocess.log_check import Log
from tests.multiprocess.server import Server
from tests.waiting import wait_until_async


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path / "log")
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def full_disk(server: Server, folder: Path) -> Iterator[None]:
    """Prevent the server from growing any file, as on a full disk."""
    pid = server.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def missing_database(server: Server, folder: Path) -> Iterator[None]:
    """Move the database away."""
    path = folder / "tables.sqlite"
    path.rename(folder / "away")
    yield
    assert not path.exists()
    (folder / "away").rename(path)


@pytest.mark.parametrize("trouble", [full_disk, missing_database])
async def test_unsaved_actions_are_refused_and_play_continues_later(
    trouble: Callable[[Server, Path], AbstractContextManager[None]], server: Server, tmp_path: Path
) -> None:
    ann = Player("Ann", [server.port])
    await ann.enter()
    table = await ann.open_table(variant="two-handed", options={"hands": 2})
    bob = Player("Bob", [server.port])
    await bob.enter()

    def unsaved() -> int:
        return ann.refused.get("unsaved", 0) + bob.refused.get("unsaved", 0)

    async def disturb() -> None:
        await wait_until_async(lambda: len(ann.seen) >= 10, "they play")
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as reading:
            count = "SELECT count(*) FROM entries WHERE table_id = ?"
            reading.execute(count, (table,))  # opens the file before it is moved
            with trouble(server, tmp_path):
                await wait_until_async(lambda: unsaved() >= 3, "actions are refused as unsaved")
                shown = max(ann.seen[-1]["seq"], bob.seen[-1]["seq"])
                [(stored,)] = reading.execute(count, (table,))
        assert shown <= stored  # only stored entries were shown

    async with asyncio.TaskGroup() as together:
        together.create_task(disturb())
        together.create_task(ann.play(table, 0, waits=1))
        together.create_task(bob.play(table, 1))
    assert ann.connections == bob.connections == 1
    record = decode(await bob.get(f"/api/tables/{table}/record.json"))
    assert record.winner is not None
    assert verify(record) == []
    server.kill()
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    try:
        log = Log(await store.entries(table))
    finally:
        await store.close()
    assert log.check_player(ann) > 5
    assert log.check_player(bob) > 5
