"""A local worker process that runs one function call at a time.

The worker ends when this process ends for any reason. A terminal sends Ctrl-C to the whole process
group; workers ignore it and leave it to this process.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import TypeVar

T = TypeVar("T")


class WorkerProcess:
    """A worker process: an executor with one process, which can be killed without the others.

    Futures of a worker that ends before it answers, or has ended, raise BrokenProcessPool.
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(1, context, end_with_parent)
        # The process inherits the mask, so that it never gets an interrupt from the terminal.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self._started = self.submit(os.getpid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        [self._process] = self._executor._processes.values()  # the only way to kill it

    @property
    def pid(self) -> int | None:
        """The process id."""
        return self._process.pid

    @property
    def has_started(self) -> bool:
        """Whether the worker has reported that it runs."""
        return self._started.done() and self._started.exception() is None

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        # The executor waits for its process too, so `Process.is_alive` may be late.
        return not wait([self._process.sentinel], 0)

    async def wait_until_ended(self) -> None:
        """Wait until the process has ended."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._process.sentinel)

    def submit(self, work: Callable[..., T], *given: object) -> Future[T]:
        """Let the worker call a function that it can import by name."""
        try:
            return self._executor.submit(work, *given)
        except BrokenProcessPool as error:
            future = Future[T]()
            future.set_exception(error)
            return future

    def exit_description(self) -> str:
        """Kill the process if it still runs, and return a clause that says how it has exited."""
        self.kill()
        status = self._process.exitcode
        assert status is not None
        return f"with status {status}" if status >= 0 else f"by signal {-status}"

    def kill(self) -> None:
        """Kill the process and release its resources."""
        self._process.kill()
        self._executor.shutdown()


def available_cores() -> int:
    """Return the number of processes that this machine can run in parallel."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_with_parent() -> None:
    """Let this worker exit when its parent process ends, even in the middle of a job."""
    threading.Thread(target=_follow_parent, daemon=True, name="following").start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
