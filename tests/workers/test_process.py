"""Worker processes: results, errors, and no process left behind."""

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
from tests.processes import wait_until_ended
from tests.waiting import PATIENCE_SECONDS
from tests.workers import jobs


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    """Yield a worker, which is killed afterwards."""
    found = WorkerProcess()
    yield found
    found.kill()
    assert not found.is_alive()


def test_worker_runs_jobs_in_turn_even_after_an_error(worker: WorkerProcess) -> None:
    assert [worker.submit(abs, number).result(PATIENCE_SECONDS) for number in (-1, -2)] == [1, 2]
    assert worker.has_started
    with pytest.raises(ValueError, match="invalid literal"):
        worker.submit(int, "oh").result(PATIENCE_SECONDS)
    assert worker.submit(os.getpid).result(PATIENCE_SECONDS) == worker.pid


@pytest.mark.parametrize("killed", [False, True])
def test_ended_process_breaks_its_job(worker: WorkerProcess, killed: bool) -> None:
    if killed:
        job = worker.submit(jobs.hang, PATIENCE_SECONDS)
        worker.kill()
    else:
        job = worker.submit(os._exit, 3)
    with pytest.raises(BrokenProcessPool):
        job.result(PATIENCE_SECONDS)
    assert worker.exit_description() == ("by signal 9" if killed else "with status 3")


def test_process_that_fails_to_start_has_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "end_with_parent", jobs.ExitsAtStart())
    worker = WorkerProcess()
    with pytest.raises(BrokenProcessPool):
        worker.submit(os.getpid).result(PATIENCE_SECONDS)
    assert not worker.has_started
    assert worker.exit_description() == "with status 4"
    worker.kill()


def test_worker_can_lower_its_priority(worker: WorkerProcess) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    # A process cannot have a higher priority than its parent.
    assert worker.submit(jobs.priority, 15).result(PATIENCE_SECONDS) == max(15, own)
    assert worker.submit(jobs.priority, 0).result(PATIENCE_SECONDS) == 19
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
    workers = [WorkerProcess(), WorkerProcess()]
    for _ in range(2):
        os.killpg(0, signal.SIGINT)
        pids = [worker.submit(os.getpid).result() for worker in workers]
    hanging = workers[0].submit(jobs.hang, 600.0)
    print(*pids, flush=True)
    hanging.result()
"""


def test_workers_end_when_their_parent_is_killed() -> None:
    """An interrupt, which a terminal sends to the whole group, ends no worker."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, process_group=0
    ) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
    assert len(pids) == 2
    for pid in pids:
        wait_until_ended(pid)
