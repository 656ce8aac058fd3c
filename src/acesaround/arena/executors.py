"""Executors that play legs: in this process or in worker processes on this machine.

An executor accepts legs while it has capacity and returns finished legs in any order. If a worker
process dies, its leg is played again. The executor for a Dask cluster is in `dask_executor`.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Protocol

from acesaround.arena import leg
from acesaround.arena.leg import Leg, play_serialized
from acesaround.arena.match import Match, serialize
from acesaround.errors import RulesError
from acesaround.workers.process import WorkerProcess

Job = tuple[int, int]
"""A board and a seating."""

_MAX_TRIES: Final = 3
"""How often a leg is started if its worker dies each time."""


class LegExecutor(Protocol):
    """An executor that plays legs, several at a time."""

    def has_capacity(self) -> bool:
        """Return whether another leg can be submitted."""
        ...

    def submit(self, job: Job) -> None:
        """Submit a leg to be played."""
        ...

    def next_result(self) -> Leg:
        """Wait for a finished leg and return it. Raise AcesAroundError if it cannot be played."""
        ...

    def close(self) -> None:
        """Stop. Unfinished legs are lost."""
        ...


def local_executor(match: Match, processes: int = 1, with_record: bool = False) -> LegExecutor:
    """Return an executor on this machine."""
    return (
        InlineExecutor(match, with_record)
        if processes == 1
        else ProcessExecutor(match, processes, with_record)
    )


class InlineExecutor:
    """An executor that plays legs in this process."""

    def __init__(self, match: Match, with_record: bool = False) -> None:
        self._match, self._record = match, with_record
        self._job: Job | None = None

    def has_capacity(self) -> bool:
        """Return whether no leg is pending, because only one is played at a time."""
        return self._job is None

    def submit(self, job: Job) -> None:
        """Store the leg for `next_result`."""
        self._job = job

    def next_result(self) -> Leg:
        """Play the submitted leg."""
        assert self._job is not None
        job, self._job = self._job, None
        return leg.play_leg(self._match, *job, self._record)

    def close(self) -> None:
        """Do nothing, because no leg runs in the background."""


class ProcessExecutor:
    """An executor with up to `processes` worker processes, started on demand."""

    def __init__(self, match: Match, processes: int, with_record: bool = False) -> None:
        self._match, self._record = serialize(match), with_record
        self._processes = processes
        self._idle: list[WorkerProcess] = []
        self._busy: dict[Future[Leg], tuple[WorkerProcess, Job]] = {}
        self._tries: dict[Job, int] = {}

    def has_capacity(self) -> bool:
        """Return whether a process is idle or can be started."""
        return len(self._busy) < self._processes

    def submit(self, job: Job) -> None:
        """Submit a leg to be played."""
        self._tries[job] = self._tries.get(job, 0) + 1
        worker = self._idle.pop() if self._idle else WorkerProcess()
        self._busy[worker.submit(play_serialized, self._match, *job, self._record)] = worker, job

    def next_result(self) -> Leg:
        """Wait for a finished leg and return it. Raise AcesAroundError if it cannot be played."""
        while True:
            future = wait(self._busy, return_when=FIRST_COMPLETED).done.pop()
            worker, job = self._busy.pop(future)
            if isinstance(future.exception(), BrokenProcessPool):
                self._play_again(worker, job)
                continue
            self._idle.append(worker)
            del self._tries[job]
            return future.result()

    def _play_again(self, worker: WorkerProcess, job: Job) -> None:
        """Submit the leg of a dead worker again. Raise RulesError after too many tries."""
        how = worker.exit_description()
        if self._tries[job] >= _MAX_TRIES:
            raise RulesError(
                f"Board {job[0]} cannot be played in seating {job[1]}: {_MAX_TRIES} times the "
                "process "
                + (
                    f"that played it came to an end, {how}."
                    if worker.has_started
                    else f"that was to play it ended before it could begin, {how}. What it wrote "
                    "on standard error says why."
                )
            )
        self.submit(job)

    def close(self) -> None:
        """End all processes."""
        for worker in (*self._idle, *(worker for worker, _ in self._busy.values())):
            worker.kill()
        self._busy.clear()
        self._idle.clear()
