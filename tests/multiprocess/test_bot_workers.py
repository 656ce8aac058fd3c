"""Those who think for a real server: none of it is in the server, and none outlives it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.multiprocess.server import Server
from tests.server.random_client import Guest
from tests.waiting import PATIENCE_SECONDS, wait_until

_COMPILING_SECONDS = 300.0  # where nothing has been compiled yet, readiness takes minutes

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="There is no /proc here."
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots get ready at the start, with two that think."""
    folder = tmp_path_factory.mktemp("thinking")
    url = f"sqlite:///{folder / 'tables.sqlite'}"
    found = Server(url, folder / "log", start_bots_early=True, bot_workers=2)
    try:
        yield found
    finally:
        found.kill()


@pytest.fixture
def server(served: Server) -> Server:
    """The same server, ready; started anew where a test has ended it."""
    if not served.running:
        served.start()
    until_ready(served)
    served.log.write_text("")  # what it says belongs to this test
    return served


def until_ready(server: Server) -> None:
    """Wait until the server's bots answer."""
    deadline = time.monotonic() + _COMPILING_SECONDS
    while not ready(server):
        assert time.monotonic() < deadline, "its bots do not get ready"
        time.sleep(0.05)


def ready(server: Server) -> bool:
    """Whether its bots answer."""
    url = f"http://127.0.0.1:{server.port}/metrics"
    with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as said:
        return b"acesaround_bot_pool_ready 1.0" in said.read()


def offspring(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have, by what /proc says."""
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
    """What /proc says of a process behind its name: its state, its parent and so on."""
    return stat.read_text().rpartition(")")[2].split()


def has_kernels(pid: int) -> bool:
    """Whether what compiles kernels is in the memory of a process."""
    try:
        return "llvmlite" in Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return False  # it has ended


def thinks(server: Server) -> bool:
    """Whether a process of the server's has begun to load kernels."""
    return any(map(has_kernels, offspring(server.process.pid)))


def gone(pids: set[int]) -> Callable[[], bool]:
    """Whether none of those processes runs any more.

    One that has ended stays until its parent asks for it, which may be a PID 1 that never does.
    """

    def runs(pid: int) -> bool:
        try:
            return _fields(Path(f"/proc/{pid}/stat"))[0] != "Z"
        except OSError:
            return False

    return lambda: not any(map(runs, pids))


def test_no_kernel_is_in_the_process_that_serves(server: Server) -> None:
    assert not has_kernels(server.process.pid)
    assert thinks(server)


async def test_one_that_is_killed_is_replaced_and_the_server_says_so(server: Server) -> None:
    pids = {pid for pid in offspring(server.process.pid) if has_kernels(pid)}
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    wait_until(gone(pids), "they are gone")
    ann = Guest("Ann", server.port, random.Random(1))
    await ann.enter()
    opened = await ann.opens(
        variant="partnership", bots="hard", options={"target": 1_000_000}, start=True
    )
    await asyncio.wait_for(ann.play(opened, lambda _: thinks(server)), _COMPILING_SECONDS)
    said = server.log.read_text()
    assert "ended by signal 9: another one replaces it" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_nobody_thinks_on_when_the_server_is_told_to_end(
    told: signal.Signals, server: Server
) -> None:
    """A service manager or a terminal tells everybody; those who think leave it to the server."""
    pids = offspring(server.process.pid)
    assert pids
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, told)
    server.stop(told)
    wait_until(gone(pids), "they are gone")
    said = server.log.read_text()
    assert "Traceback" not in said
    assert "another takes its place" not in said


def test_nobody_thinks_on_when_the_server_is_killed(server: Server) -> None:
    pids = offspring(server.process.pid)
    assert pids
    server.kill()
    wait_until(gone(pids), "they are gone")


def test_nobody_starts_to_think_when_the_server_is_killed_meanwhile(served: Server) -> None:
    served.kill()
    served.start()
    wait_until(lambda: thinks(served), "somebody starts to think")
    pids = offspring(served.process.pid)
    served.kill()
    wait_until(gone(pids), "they are gone")
