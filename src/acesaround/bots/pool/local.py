"""A pool of local worker processes that run bots, one request per process.

Workers have a lower CPU priority than this process. A worker that exceeds the time limit is killed,
and a worker that has ended is replaced; its request raises NoAnswer. The pool keeps one idle worker
in reserve, so that a request need not wait for a process to start.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from acesaround.bots.advice import Advice
from acesaround.bots.pool.request import BotRequest, NoAnswer, unwrap_answer
from acesaround.bots.pool.worker import WarmupJob, make_compiler, make_worker
from acesaround.errors import AcesAroundError
from acesaround.workers.process import Make, WorkerDied, WorkerProcess, cores

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_START: Final = 120.0
"""The seconds that a process may take to load the compiled kernels."""
_COMPILING: Final = 3600.0
"""The seconds that compiling may take on a machine with little spare CPU time."""
_PAUSE: Final = 2.0
_LONGEST: Final = 60.0
"""The seconds to wait after a failed start: `_PAUSE` at first, then doubled up to `_LONGEST`."""
_COMPILES: Final = "compiling what bots think with, this once: until then thumb plays for them"


def default_pool_size(servers: int = 1) -> int:
    """Return the number of workers for each of `servers` servers on this machine.

    One core is left to the servers. The minimum is two, so that one person's long requests leave a
    worker for other people.
    """
    return max(2, (cores() - 1) // servers)


class LocalPool:
    """A pool of local worker processes.

    `number`: the maximum number of workers. `seconds`: the time limit of an answer.
    """

    def __init__(self, number: int, seconds: float) -> None:
        self.number = number
        self.ready = False
        self.changed: Callable[[], None] = lambda: None  # never called, because `number` is fixed
        self._seconds = seconds
        self._wanted = 0
        self._there: set[WorkerProcess] = set()
        self._busy: set[WorkerProcess] = set()
        self._free: list[WorkerProcess] = []
        self._new: WorkerProcess | None = None  # the worker that is starting
        self._moved = asyncio.Event()  # set when a worker becomes free or is no longer busy
        self._starter: asyncio.Task[None] | None = None
        self._end = asyncio.Event()
        self._threads = ThreadPoolExecutor(number + 1, "mind")

    def start(self) -> None:
        """Start the first worker."""
        self._want(1)

    async def ask(self, question: BotRequest) -> Advice:
        """Return a worker's answer.

        Raises NoAnswer if no worker answers in time, and BotError if the bot failed.
        """
        helper = await self._taken()
        self._busy.add(helper)
        how, said = "is waited for no more", None
        try:
            said = await self._apart(helper.run, question, self._seconds)
            how = ""
        except TimeoutError:
            how = f"took more than {self._seconds:g} seconds for {question.bot}"
        except WorkerDied:
            how = f"ended {await self._apart(helper.exit_description)}"
        except (AcesAroundError, RuntimeError) as error:
            how = str(error)
        finally:
            self._busy.remove(helper)
            if how or helper not in self._there:
                self._lose(helper, how)
            else:
                self._free.append(helper)
            self._moved.set()
        if how:
            raise NoAnswer(how)
        return unwrap_answer(question, said)

    async def _taken(self) -> WorkerProcess:
        """Take an idle worker, and have one more started as a reserve.

        Raises NoAnswer if no worker becomes idle in time.
        """
        self._want(len(self._busy) + 2)
        try:
            async with asyncio.timeout(self._seconds):
                while not self._free and not self._end.is_set():
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError:
            raise NoAnswer("there is no process that thinks") from None
        if self._end.is_set():
            raise NoAnswer("the server ends")
        return self._free.pop()

    def _want(self, number: int) -> None:
        """Raise the wanted number of workers, up to the limit, and start the missing ones."""
        self._wanted = max(self._wanted, min(number, self.number))
        if self._starter is None and len(self._there) < self._wanted and not self._end.is_set():
            self._starter = asyncio.create_task(self._start(), name="starting what thinks")

    async def _start(self) -> None:
        """Start the wanted workers one after the other; compile the kernels first if needed."""
        began, pause = 0.0, _PAUSE
        try:
            while len(self._there) < self._wanted and not self._end.is_set():
                try:
                    seconds = _COMPILING if began else _START
                    thinks = await self._started(
                        make_worker, WarmupJob(compiles=bool(began)), seconds
                    )
                    if not thinks:
                        began = time.monotonic()
                        _LOG.warning(_COMPILES)
                        await self._started(make_compiler, WarmupJob(compiles=True), _COMPILING)
                    elif began:
                        _LOG.warning("compiled, in %.0f s: bots think", time.monotonic() - began)
                        began = 0.0
                    pause = _PAUSE
                except (WorkerDied, TimeoutError, AcesAroundError, RuntimeError) as error:
                    if self._end.is_set():
                        return
                    why = str(error).strip() or "it ended, or took too long to get ready"
                    _LOG.error("a process that is to think did not start: %s", why)
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._end.wait(), pause)
                    pause = min(_LONGEST, 2 * pause)
                self.ready = bool(self._there)
        finally:
            self._starter = None

    async def _started(self, make: Make, load: WarmupJob, seconds: float) -> bool:
        """Start a process and give it its first job. Return whether it is a ready worker."""
        self._new = helper = await self._apart(WorkerProcess, make)
        thinks = False
        try:
            if not self._end.is_set():
                thinks = (
                    await self._apart(helper.run, load, seconds) is True and make is make_worker
                )
        finally:
            self._new = None
            if self._end.is_set() or not thinks:
                helper.close()
        if thinks and not self._end.is_set():
            self._there.add(helper)
            asyncio.get_running_loop().add_reader(helper.sentinel, self._ended, helper)
            self._free.append(helper)
            self._moved.set()
        return thinks

    def _ended(self, helper: WorkerProcess) -> None:
        """Replace a worker process that ended by itself or was killed from outside."""
        self._lose(helper, f"ended {helper.exit_description()}")

    def _lose(self, helper: WorkerProcess, how: str) -> None:
        """Drop a worker and start another in its place."""
        if helper in self._there:
            self._there.remove(helper)
            asyncio.get_running_loop().remove_reader(helper.sentinel)
            if helper in self._free:
                self._free.remove(helper)
            if not self._end.is_set():
                _LOG.error("process %s that thinks %s: another takes its place", helper.pid, how)
        if helper not in self._busy:
            helper.close()
        self._want(0)

    async def _apart(self, work: Callable[..., T], *given: object) -> T:
        """Run a function in the thread pool and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    async def close(self) -> None:
        """Kill all workers, including one that is starting. Pending requests raise NoAnswer."""
        self._end.set()
        self._moved.set()
        for helper in (*self._there, *([self._new] if self._new is not None else [])):
            helper.kill()
        if self._starter is not None:
            await asyncio.wait([self._starter])
        while self._busy:
            self._moved.clear()
            await self._moved.wait()
        for helper in list(self._there):
            self._lose(helper, "")
        await asyncio.to_thread(self._threads.shutdown)
