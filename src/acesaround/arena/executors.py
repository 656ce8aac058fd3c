"""Who plays the legs: this process, or processes of this machine. A cluster has its own file.

A crew is given legs by number while it has room, and hands back those that are done, in whatever
order. A worker that is lost costs nothing: its leg is played again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Final, Protocol

from acesaround.arena import leg
from acesaround.arena.leg import Leg
from acesaround.arena.match import Match, deserialize, serialize
from acesaround.errors import RulesError
from acesaround.workers.process import WorkerDied, WorkerProcess

Job = tuple[int, int]
"""A board and a seating."""

_TRIES: Final = 3
"""How often a leg is begun whose worker is lost each time."""


class LegExecutor(Protocol):
    """Plays legs, several at a time."""

    def has_capacity(self) -> bool:
        """Whether another leg can be given."""
        ...

    def submit(self, job: Job) -> None:
        """Have a leg played."""
        ...

    def next_result(self) -> Leg:
        """A leg that is done; waits for one. Raises AcesAroundError if it cannot be played."""
        ...

    def close(self) -> None:
        """Leave off. Legs under way are lost."""
        ...


def local_executor(match: Match, processes: int = 1, record: bool = False) -> LegExecutor:
    """A crew on this machine."""
    return InlineExecutor(match, record) if processes == 1 else Workers(match, processes, record)


class InlineExecutor:
    """This process plays."""

    def __init__(self, match: Match, record: bool = False) -> None:
        self._match, self._record = match, record
        self._job: Job | None = None

    def has_capacity(self) -> bool:
        """It plays one leg at a time."""
        return self._job is None

    def submit(self, job: Job) -> None:
        """Keep the leg for later."""
        self._job = job

    def next_result(self) -> Leg:
        """Play the leg that was given."""
        assert self._job is not None
        job, self._job = self._job, None
        return leg.play(self._match, *job, self._record)

    def close(self) -> None:
        """Nothing is under way."""


class Workers:
    """So many processes, started when they are needed."""

    def __init__(self, match: Match, processes: int, record: bool = False) -> None:
        self._make = partial(_player, serialize(match), record)
        self._processes = processes
        self._idle: list[WorkerProcess] = []
        self._busy: dict[WorkerProcess, Job] = {}
        self._tries: dict[Job, int] = {}

    def has_capacity(self) -> bool:
        """Whether a process is idle or can be started."""
        return len(self._busy) < self._processes

    def submit(self, job: Job) -> None:
        """Have a leg played."""
        self._tries[job] = self._tries.get(job, 0) + 1
        helper = self._idle.pop() if self._idle else WorkerProcess(self._make)
        self._busy[helper] = job
        helper.send_job(job)

    def next_result(self) -> Leg:
        """A leg that is done; waits for one. Raises AcesAroundError."""
        while True:
            busy = {helper.pipe: helper for helper in self._busy}
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                helper = busy[pipe]
                try:
                    done = helper.receive_result()
                except WorkerDied:
                    self._lost(helper)
                    continue
                if done is None:
                    continue
                assert isinstance(done, Leg)
                del self._tries[done.board, done.seating]
                del self._busy[helper]
                self._idle.append(helper)
                return done

    def _lost(self, helper: WorkerProcess) -> None:
        """Play the leg of a process that is gone again."""
        job = self._busy.pop(helper)
        how = helper.exit_description()
        helper.close()
        if self._tries[job] >= _TRIES:
            raise RulesError(
                f"Board {job[0]} cannot be played in seating {job[1]}: {_TRIES} times the process "
                + (
                    f"that played it came to an end, {how}."
                    if helper.begun
                    else f"that was to play it ended before it could begin, {how}. What it wrote "
                    "on standard error says why."
                )
            )
        self.submit(job)

    def close(self) -> None:
        """End all processes."""
        for helper in (*self._busy, *self._idle):
            helper.close()
        self._busy.clear()
        self._idle.clear()


def _player(what: bytes, record: bool) -> Callable[[Job], Leg]:
    """Over there: what plays legs. Raises RulesError where it lacks what the match is about."""
    match = deserialize(what)
    return lambda job: leg.play(match, *job, record)
