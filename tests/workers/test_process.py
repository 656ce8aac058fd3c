"""Processes beside this one: what they answer, and that none is ever left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool

import pytest

from acesaround.workers import process
from acesaround.workers.process import WorkerProcess
from tests.orphans import until_gone
from tests.waiting import PATIENCE_SECONDS as LONG
from tests.workers import jobs


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    """A worker, which is killed afterwards."""
    found = WorkerProcess()
    yield found
    found.kill()
    assert not found.is_alive()


def test_it_does_one_job_after_the_other_also_after_one_that_fails(worker: WorkerProcess) -> None:
    assert [worker.submit(abs, number).result(LONG) for number in (-1, -2)] == [1, 2]
    assert worker.has_started
    with pytest.raises(ValueError, match="invalid literal"):
        worker.submit(int, "oh").result(LONG)
    assert worker.submit(os.getpid).result(LONG) == worker.pid


@pytest.mark.parametrize("killed", [False, True])
def test_a_process_that_ends_is_gone(worker: WorkerProcess, killed: bool) -> None:
    if killed:
        doing = worker.submit(jobs.hang, LONG)
        worker.kill()
    else:
        doing = worker.submit(os._exit, 3)
    with pytest.raises(BrokenProcessPool):
        doing.result(LONG)
    assert worker.exit_description() == ("by signal 9" if killed else "with status 3")


def test_a_process_that_never_begins_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "end_with_parent", jobs.Never())
    worker = WorkerProcess()
    with pytest.raises(BrokenProcessPool):
        worker.submit(os.getpid).result(LONG)
    assert not worker.has_started
    assert worker.exit_description() == "with status 4"
    worker.kill()


def test_it_can_come_after_others_and_last_of_all(worker: WorkerProcess) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    # Nobody goes before what started it.
    assert worker.submit(jobs.priority, 15).result(LONG) == max(15, own)
    assert worker.submit(jobs.priority, 0).result(LONG) == 19
    if hasattr(os, "SCHED_IDLE"):
        assert worker.pid is not None
        assert os.sched_getscheduler(worker.pid) == os.SCHED_IDLE
    assert os.getpriority(os.PRIO_PROCESS, 0) == own


PARENT = """
import os, signal
from acesaround.workers.process import WorkerProcess
from tests.workers import jobs
if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: None)
    found = [WorkerProcess(), WorkerProcess()]
    for _ in range(2):
        os.killpg(0, signal.SIGINT)
        pids = [one.submit(os.getpid).result() for one in found]
    hanging = found[0].submit(jobs.hang, 600.0)
    print(*pids, flush=True)
    hanging.result()
"""


def test_workers_end_with_a_process_that_is_killed_even_in_the_midst_of_a_job() -> None:
    """And an interrupt, which a terminal sends to all of them, ends none."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, process_group=0
    ) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
    assert len(pids) == 2
    for pid in pids:
        until_gone(pid)
