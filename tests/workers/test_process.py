"""Processes beside this one: what they answer, and that none is ever left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from acesaround.errors import RulesError
from acesaround.workers.process import Make, WorkerDied, WorkerProcess
from tests.orphans import until_gone
from tests.waiting import PATIENCE_SECONDS as LONG
from tests.workers import jobs


@pytest.fixture
def helper() -> Iterator[Callable[[Make], WorkerProcess]]:
    """Makes helpers, which are closed afterwards."""
    made: list[WorkerProcess] = []

    def start(make: Make) -> WorkerProcess:
        made.append(WorkerProcess(make))
        return made[-1]

    yield start
    for one in made:
        one.close()


def test_it_does_one_job_after_the_other(helper: Callable[[Make], WorkerProcess]) -> None:
    found = helper(jobs.doubling)
    assert [found.run(number, LONG) for number in (1, 2, 3)] == [2, 4, 6]
    assert found.begun


@pytest.mark.parametrize(("job", "sent"), [("record", RulesError), ("number", RuntimeError)])
def test_what_goes_wrong_over_there_is_raised_here_and_it_goes_on(
    helper: Callable[[Make], WorkerProcess], job: str, sent: type[Exception]
) -> None:
    found = helper(jobs.failing)
    for _ in range(2):
        with pytest.raises(sent, match="oh"):
            found.run(job, LONG)


def test_what_cannot_be_made_is_told(helper: Callable[[Make], WorkerProcess]) -> None:
    with pytest.raises(RulesError, match="not here"):
        helper(jobs.unable).run(1, LONG)


def test_a_process_that_ends_is_gone(helper: Callable[[Make], WorkerProcess]) -> None:
    found = helper(jobs.ending)
    with pytest.raises(WorkerDied):
        found.run(3, LONG)
    assert found.exit_description() == "with status 3"
    killed = helper(jobs.hanging)
    killed.send_job(LONG)
    assert killed.receive_result() is None
    killed.kill()
    with pytest.raises(WorkerDied):
        killed.receive_result()
    assert killed.exit_description() == "by signal 9"


def test_an_answer_that_does_not_come_is_not_waited_for(
    helper: Callable[[Make], WorkerProcess],
) -> None:
    found = helper(jobs.hanging)
    assert found.run(0.0, LONG)
    with pytest.raises(TimeoutError):
        found.run(LONG, 0.1)


def test_it_can_come_after_others_and_last_of_all(helper: Callable[[Make], WorkerProcess]) -> None:
    found, own = helper(jobs.priority), os.getpriority(os.PRIO_PROCESS, 0)
    assert found.run(15, LONG) == max(15, own)  # nobody goes before what started it
    assert found.run(0, LONG) == 19
    if hasattr(os, "SCHED_IDLE"):
        assert found.pid is not None
        assert os.sched_getscheduler(found.pid) == os.SCHED_IDLE
    assert os.getpriority(os.PRIO_PROCESS, 0) == own


PARENT = """
import time
from acesaround.workers.process import WorkerProcess
from tests.workers import jobs
if __name__ == "__main__":
    found = [WorkerProcess(jobs.hanging), WorkerProcess(jobs.doubling)]
    found[0].send_job(600.0)
    for one in found:
        assert one.receive_result() is None
    print(*(one.pid for one in found), flush=True)
    time.sleep(600)
"""


def test_helpers_end_with_a_process_that_is_killed_even_in_the_midst_of_a_job() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, env={**os.environ}
    ) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
    assert len(pids) == 2
    for pid in pids:
        until_gone(pid)
