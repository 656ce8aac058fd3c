"""A server whose SQLite database cannot be written: it says so, and goes on when it can be."""

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
def full(server: Server, folder: Path) -> Iterator[None]:
    """Meanwhile no file of the server may grow, as on a disk without room."""
    pid = server.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def gone(server: Server, folder: Path) -> Iterator[None]:
    """Meanwhile the database is somewhere else."""
    path = folder / "tables.sqlite"
    path.rename(folder / "away")
    yield
    assert not path.exists()
    (folder / "away").rename(path)


@pytest.mark.parametrize("trouble", [full, gone])
async def test_what_cannot_be_saved_is_said_and_play_goes_on_when_it_can(
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
        with closing(
            sqlite3.connect(tmp_path / "tables.sqlite")
        ) as reading:  # also when it is away
            count = "SELECT count(*) FROM entries WHERE table_id = ?"
            reading.execute(count, (table,))  # so that it is open, also when it is away
            with trouble(server, tmp_path):
                await wait_until_async(lambda: unsaved() >= 3, "it is said that nothing is saved")
                shown = max(ann.seen[-1]["seq"], bob.seen[-1]["seq"])
                [(kept,)] = reading.execute(count, (table,))
        assert shown <= kept  # nothing was shown that is not on the disk

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
    assert log.holds(ann) > 5
    assert log.holds(bob) > 5
