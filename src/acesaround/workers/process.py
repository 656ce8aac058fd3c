"""A process beside this one that does what it is handed, one job at a time.

It ends when this process does, however that ended. A terminal sends Ctrl-C to everybody: helpers
leave it to this process.
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
"""Makes over there what does the jobs. A job comes to something else than None."""

_PATIENCE: Final = 2.0
"""Seconds for a process that has closed its pipe to end."""


class WorkerDied(Exception):  # noqa: N818 - it says how a process is
    """A helper that has ended before it answered."""


class WorkerProcess:
    """One process. `make` has to be known by name over there."""

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
        """Whether it has said that it is there."""

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    @property
    def sentinel(self) -> int:
        """What becomes readable when the process has ended."""
        return self._process.sentinel

    def send_job(self, job: object) -> None:
        """Hand it a job."""
        with contextlib.suppress(OSError):  # that it is lost is seen when it is heard
            self.pipe.send(job)

    def receive_result(self) -> object:
        """What came of the job, or None: it has begun. Waits for it.

        Raises Gone, and what went wrong over there: AcesAroundError, or RuntimeError for all else.
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
        """What comes of a job. Raises TimeoutError after so many seconds, else as `hear`."""
        self.send_job(job)
        while self.pipe.poll(seconds):
            if (said := self.receive_result()) is not None:
                return said
        raise TimeoutError

    def exit_description(self) -> str:
        """How a process that is gone has ended: a clause."""
        self._process.join(_PATIENCE)
        status = self._process.exitcode
        if status is None:
            return "closing its pipe"
        return f"with status {status}" if status >= 0 else f"by signal {-status}"

    def kill(self) -> None:
        """End the process at once; whoever waits for its answer hears that it is gone."""
        self._process.kill()

    def close(self) -> None:
        """End the process, and forget it."""
        _ALL.discard(self)
        self._process.kill()
        self._process.join()
        self._process.close()
        self.pipe.close()


_ALL: Final[set[WorkerProcess]] = set()


@atexit.register
def _kill_all() -> None:
    """A process that ends without closing its helpers waits for none of them."""
    for helper in _ALL:
        helper.kill()


def cores() -> int:
    """How many processes this machine can run side by side."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _work(pipe: Connection, make: Make) -> None:
    """Do jobs until nobody asks any more; `None` is sent first, to say that it has begun."""
    threading.Thread(target=_follow, daemon=True, name="following").start()
    with contextlib.suppress(OSError, EOFError):  # nobody listens any more
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
    """The same as an error that can be sent, whatever it was made with."""
    if isinstance(error, AcesAroundError):
        return RulesError(str(error))
    return RuntimeError("".join(traceback.format_exception(error)))


def _follow() -> None:
    """End this process when the one that started it is gone, even in the midst of a job."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes started here, by whichever thread, never take an interrupt from the terminal."""
    resource_tracker.ensure_running()  # it is started with what is started first, and lifts this
    held = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
