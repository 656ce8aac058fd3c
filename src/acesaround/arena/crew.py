"""Who plays the legs: this process, or processes of this machine. A cluster has its own file.

A crew is given legs by number while it has room, and hands back those that are done, in whatever
order. A worker that is lost costs nothing: its leg is played again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, Protocol

from acesaround.arena import leg
from acesaround.arena.leg import Leg
from acesaround.arena.match import Match, packed, unpacked
from acesaround.errors import AcesAroundError, RulesError

Job = tuple[int, int]
"""A board and a seating."""

_TRIES: Final = 3
"""How often a leg is begun whose worker is lost each time."""
_PATIENCE: Final = 2.0
"""Seconds for a process that has closed its pipe to end."""


class Crew(Protocol):
    """Plays legs, several at a time."""

    def room(self) -> bool:
        """Whether another leg can be given."""
        ...

    def give(self, job: Job) -> None:
        """Have a leg played."""
        ...

    def take(self) -> Leg:
        """A leg that is done; waits for one. Raises AcesAroundError if it cannot be played."""
        ...

    def close(self) -> None:
        """Leave off. Legs under way are lost."""
        ...


def cores() -> int:
    """How many processes this machine can run side by side."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def local(match: Match, processes: int = 1, record: bool = False) -> Crew:
    """A crew on this machine."""
    return Alone(match, record) if processes == 1 else Workers(match, processes, record)


class Alone:
    """This process plays."""

    def __init__(self, match: Match, record: bool = False) -> None:
        self._match, self._record = match, record
        self._job: Job | None = None

    def room(self) -> bool:
        """It plays one leg at a time."""
        return self._job is None

    def give(self, job: Job) -> None:
        """Keep the leg for later."""
        self._job = job

    def take(self) -> Leg:
        """Play the leg that was given."""
        assert self._job is not None
        job, self._job = self._job, None
        return leg.play(self._match, *job, self._record)

    def close(self) -> None:
        """Nothing is under way."""


class _Worker:
    """A process that plays one leg at a time."""

    def __init__(self, match: Match, record: bool) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_work, args=(theirs, packed(match), record), daemon=False
        )
        with _interrupts_ignored():
            self.process.start()
        theirs.close()
        self.job: Job | None = None
        self.begun = False

    def give(self, job: Job) -> None:
        self.job = job
        with contextlib.suppress(OSError):  # that it is lost is seen when the leg is taken
            self.pipe.send(job)

    def end(self) -> str:
        """How a process that is gone has ended."""
        self.process.join(_PATIENCE)
        status = self.process.exitcode
        if status is None:
            return "closing its pipe"
        return f"with status {status}" if status >= 0 else f"by signal {-status}"

    def close(self) -> None:
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


class Workers:
    """So many processes, started when they are needed."""

    def __init__(self, match: Match, processes: int, record: bool = False) -> None:
        self._match, self._processes, self._record = match, processes, record
        self._workers: list[_Worker] = []
        self._tries: dict[Job, int] = {}

    def room(self) -> bool:
        """Whether a process is idle or can be started."""
        busy = sum(worker.job is not None for worker in self._workers)
        return busy < self._processes

    def give(self, job: Job) -> None:
        """Have a leg played."""
        self._tries[job] = self._tries.get(job, 0) + 1
        for worker in self._workers:
            if worker.job is None:
                break
        else:
            worker = _Worker(self._match, self._record)
            self._workers.append(worker)
        worker.give(job)

    def take(self) -> Leg:
        """A leg that is done; waits for one. Raises AcesAroundError."""
        while True:
            busy = {worker.pipe: worker for worker in self._workers if worker.job is not None}
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                worker = busy[pipe]
                try:
                    done = pipe.recv()
                except (EOFError, OSError):
                    self._lost(worker)
                    continue
                if done is None:
                    worker.begun = True
                    continue
                if isinstance(done, BaseException):
                    raise done
                assert isinstance(done, Leg)
                del self._tries[done.board, done.seating]
                worker.job = None
                return done

    def _lost(self, worker: _Worker) -> None:
        """Play the leg of a worker that is gone again."""
        job = worker.job
        assert job is not None
        self._workers.remove(worker)
        how = worker.end()
        worker.close()
        if self._tries[job] >= _TRIES:
            raise RulesError(
                f"Board {job[0]} cannot be played in seating {job[1]}: {_TRIES} times the process "
                + (
                    f"that played it came to an end, {how}."
                    if worker.begun
                    else f"that was to play it ended before it could begin, {how}. What it wrote "
                    "on standard error says why."
                )
            )
        self.give(job)

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.close()
        self._workers.clear()


def _work(pipe: Connection, what: bytes, record: bool) -> None:
    """Play legs until nobody asks any more; `None` is sent first, to say that it has begun."""
    try:
        pipe.send(None)
        match = unpacked(what)
    except RulesError as error:
        with contextlib.suppress(OSError):
            pipe.send(error)
        return
    except OSError:
        return
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            board, seating = job
            done: Leg | Exception = leg.play(match, board, seating, record)
        except AcesAroundError as error:
            done = RulesError(str(error))  # which can be sent, whatever it was made with
        except Exception as error:
            done = RuntimeError("".join(traceback.format_exception(error)))
        try:
            pipe.send(done)
        except OSError:
            return


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started here leave an interrupt from the terminal to this one."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread: nothing was to be done
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
