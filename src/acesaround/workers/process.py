"""A local worker process that runs one job at a time.

The worker ends when this process ends for any reason. A terminal sends Ctrl-C to the whole process
group; workers ignore it and leave it to this process.
"""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from acesaround.errors import AcesAroundError, RulesError

Make = Callable[[], Callable[[Any], object]]
"""Creates the job function in the worker. A job must not return None."""

_PATIENCE: Final = 2.0
"""Seconds for a process that has closed its pipe to end."""


class WorkerDied(Exception):  # noqa: N818 - named after the state of the process
    """A worker ended before it answered."""


class WorkerProcess:
    """A worker process. `make` must be importable by name in the worker."""

    def __init__(self, make: Make) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=_work, args=(theirs, make), daemon=False
        )
        with _interrupts_held():
            self._process.start()
        _ALL.add(self)
        theirs.close()
        self.begun = False
        """Whether the worker has reported that it runs."""

    @property
    def pid(self) -> int | None:
        """The process id."""
        return self._process.pid

    @property
    def sentinel(self) -> int:
        """The handle that becomes readable when the process has ended."""
        return self._process.sentinel

    def send_job(self, job: object) -> None:
        """Send a job to the worker."""
        with contextlib.suppress(OSError):  # receive_result reports a lost worker
            self.pipe.send(job)

    def receive_result(self) -> object:
        """Wait for the result of the job, and return it; None means that the worker has started.

        Raises WorkerDied, and errors of the worker: AcesAroundError, or RuntimeError for any other.
        """
        try:
            said = self.pipe.recv()
        except (EOFError, OSError):
            raise WorkerDied from None
        if said is None:
            self.begun = True
        if isinstance(said, BaseException):
            raise said
        return said

    def run(self, job: object, seconds: float) -> object:
        """Run a job and return its result.

        Raises TimeoutError after `seconds` without a message, and the errors of `receive_result`.
        """
        self.send_job(job)
        while self.pipe.poll(seconds):
            if (said := self.receive_result()) is not None:
                return said
        raise TimeoutError

    def exit_description(self) -> str:
        """Return a clause that says how an ended process has exited."""
        self._process.join(_PATIENCE)
        status = self._process.exitcode
        if status is None:
            return "closing its pipe"
        return f"with status {status}" if status >= 0 else f"by signal {-status}"

    def kill(self) -> None:
        """Kill the process. A caller that waits for its answer gets WorkerDied."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process and release its resources."""
        _ALL.discard(self)
        self._process.kill()
        self._process.join()
        self._process.close()
        self.pipe.close()


_ALL: Final[set[WorkerProcess]] = set()


@atexit.register
def _kill_all() -> None:
    """Kill all open workers at exit, because multiprocessing would wait for them."""
    for helper in _ALL:
        helper.kill()


def cores() -> int:
    """Return the number of processes that this machine can run in parallel."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _work(pipe: Connection, make: Make) -> None:
    """Run jobs until the pipe closes. First send None to report the start."""
    threading.Thread(target=_follow, daemon=True, name="following").start()
    with contextlib.suppress(OSError, EOFError):  # the other process closed the pipe
        pipe.send(None)
        try:
            do = make()
        except Exception as error:
            pipe.send(_plain(error))
            return
        while True:
            job = pipe.recv()
            try:
                done = do(job)
            except Exception as error:
                done = _plain(error)
            pipe.send(done)


def _plain(error: Exception) -> Exception:
    """Return an error with the same text that can be pickled."""
    if isinstance(error, AcesAroundError):
        return RulesError(str(error))
    return RuntimeError("".join(traceback.format_exception(error)))


def _follow() -> None:
    """Exit when the parent process ends, even in the middle of a job."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Block SIGINT, so that processes started here never get an interrupt from the terminal."""
    resource_tracker.ensure_running()  # start it first, because its start would unblock SIGINT
    held = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
