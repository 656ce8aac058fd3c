"""Those who think for a real server: none of it is in the server, and none outlives it."""

from __future__ import annotations

import os
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.processes.server import Server

_PATIENCE = 300.0  # something may have to be compiled


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One whose bots get ready at the start, with two that think."""
    found = Server(
        f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path / "log", prepare=True, thinkers=2
    )
    found.start()
    yield found
    found.kill()


def until(so: Callable[[], bool]) -> None:
    """Wait until something holds; fail after a long while."""
    end = time.monotonic() + _PATIENCE
    while not so():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


def ready(server: Server) -> bool:
    """Whether its bots answer."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=10) as said:
        return b"acesaround_ready 1" in said.read()


def offspring(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have, by what /proc says."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            parents[int(stat.parent.name)] = int(fields[1])
    found, new = set[int](), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return found


def has_kernels(pid: int) -> bool:
    """Whether what compiles kernels is in the memory of a process."""
    return "llvmlite" in Path(f"/proc/{pid}/maps").read_text()


def gone(pids: set[int]) -> Callable[[], bool]:
    """Whether none of those processes is there any more."""
    return lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids)


needs_proc = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="there is no /proc")


@needs_proc
def test_no_kernel_is_in_the_process_that_serves(server: Server) -> None:
    until(lambda: ready(server))
    assert not has_kernels(server.process.pid)
    assert any(has_kernels(pid) for pid in offspring(server.process.pid))


@needs_proc
@pytest.mark.parametrize("early", [True, False])
def test_nobody_thinks_on_when_the_server_is_killed(server: Server, early: bool) -> None:
    """Also while they start, and compile."""
    until(lambda: any(map(has_kernels, offspring(server.process.pid))) if early else ready(server))
    pids = offspring(server.process.pid)
    assert pids
    server.kill()
    until(gone(pids))
    server.start()
    until(lambda: ready(server))


@needs_proc
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_nobody_thinks_on_when_the_server_is_told_to_end(
    server: Server, told: signal.Signals
) -> None:
    """A service manager or a terminal tells everybody; those who think leave it to the server."""
    until(lambda: ready(server))
    pids = offspring(server.process.pid)
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, told)
    server.stop(told)
    until(gone(pids))
    said = server.log.read_text()
    assert "Traceback" not in said
    assert "another takes its place" not in said


@needs_proc
def test_one_that_is_killed_is_replaced_and_the_server_says_so(server: Server) -> None:
    until(lambda: ready(server))
    pids = {pid for pid in offspring(server.process.pid) if has_kernels(pid)}
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    until(gone(pids))
    until(lambda: any(map(has_kernels, offspring(server.process.pid))))
    until(lambda: ready(server))
    said = server.log.read_text()
    assert "that thinks ended by signal 9: another takes its place" in said
    assert "Traceback" not in said
