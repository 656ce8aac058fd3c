"""Bot workers of a real server: kernels are not in the server, and workers end with it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.multiprocess.server import Server
from tests.processes import wait_until_ended
from tests.server.random_client import Guest
from tests.waiting import PATIENCE_SECONDS, wait_until

_COMPILING_SECONDS = 300.0  # without compiled kernels, readiness takes minutes

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="There is no /proc here."
)


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server that prepares two bot workers at the start."""
    folder = tmp_path_factory.mktemp("thinking")
    url = f"sqlite:///{folder / 'tables.sqlite'}"
    found = Server(url, folder / "log", start_bots_early=True, bot_workers=2)
    try:
        yield found
    finally:
        found.kill()


@pytest.fixture
def server(shared_server: Server) -> Server:
    """Return the server, ready, restarted if a test has ended it."""
    if not shared_server.running:
        shared_server.start()
    wait_until_ready(shared_server)
    shared_server.log.write_text("")
    return shared_server


def wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + _COMPILING_SECONDS
    while not is_ready(server):
        assert time.monotonic() < deadline, "bot workers do not get ready"
        time.sleep(0.05)


def is_ready(server: Server) -> bool:
    url = f"http://127.0.0.1:{server.port}/metrics"
    with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as response:
        return b"acesaround_bot_pool_ready 1.0" in response.read()


def descendants(pid: int) -> set[int]:
    """Return the ids of all descendants of a process, according to /proc."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(_fields(stat)[1])
    found, new = set[int](), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return found


def _fields(stat: Path) -> list[str]:
    """Return the fields of /proc/PID/stat after the name: state, parent and so on."""
    return stat.read_text().rpartition(")")[2].split()


def has_kernels(pid: int) -> bool:
    """Return True if llvmlite is in the memory of a process."""
    try:
        return "llvmlite" in Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return False  # it has ended


def has_loading_worker(server: Server) -> bool:
    """Return True if a descendant of the server has begun to load kernels."""
    return any(map(has_kernels, descendants(server.process.pid)))


def test_server_process_has_no_kernels(server: Server) -> None:
    assert not has_kernels(server.process.pid)
    assert has_loading_worker(server)


async def test_killed_worker_is_replaced_and_logged(server: Server) -> None:
    pids = {pid for pid in descendants(server.process.pid) if has_kernels(pid)}
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for pid in pids:
        wait_until_ended(pid)
    ann = Guest("Ann", server.port, random.Random(1))
    await ann.enter()
    opened = await ann.open_table(
        variant="partnership", bots="hard", options={"target": 1_000_000}, start=True
    )
    await asyncio.wait_for(
        ann.play(opened, lambda _: has_loading_worker(server)), _COMPILING_SECONDS
    )
    log = server.log.read_text()
    assert "ended by signal 9: another one replaces it" in log
    assert "Traceback" not in log


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_a_terminated_server(ending: signal.Signals, server: Server) -> None:
    """A service manager or a terminal signals all processes; workers wait for the server."""
    pids = descendants(server.process.pid)
    assert pids
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, ending)
    server.stop(ending)
    for pid in pids:
        wait_until_ended(pid)
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "another takes its place" not in log


def test_workers_end_with_a_killed_server(server: Server) -> None:
    pids = descendants(server.process.pid)
    assert pids
    server.kill()
    for pid in pids:
        wait_until_ended(pid)


def test_starting_workers_end_when_the_server_is_killed(shared_server: Server) -> None:
    shared_server.kill()
    shared_server.start()
    wait_until(lambda: has_loading_worker(shared_server), "a worker loads kernels")
    pids = descendants(shared_server.process.pid)
    shared_server.kill()
    for pid in pids:
        wait_until_ended(pid)
