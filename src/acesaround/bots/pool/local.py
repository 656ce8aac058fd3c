"""Processes beside this one that think, one for each question that is thought about at a time.

They come after this process wherever both want a core. One that takes too long is ended, and one
that has ended is replaced; of what it was asked nobody gets an answer. One more than think is kept
at hand, so that nobody waits for a start.
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
"""Seconds within which a process loads what it thinks with."""
_COMPILING: Final = 3600.0
"""Seconds within which everything is compiled, where nobody else leaves much of a core."""
_PAUSE: Final = 2.0
_LONGEST: Final = 60.0
"""Seconds after a start that failed until the next is tried: at first, and at most."""
_COMPILES: Final = "compiling what bots think with, this once: until then thumb plays for them"


def default_pool_size(servers: int = 1) -> int:
    """How many processes think for each of so many that serve here: one core is the servers'.

    Two at least, so that one is left to others beside somebody who has much to be thought about.
    """
    return max(2, (cores() - 1) // servers)


class LocalPool:
    """`number`: how many processes think at most; `seconds`: the time that an answer may take."""

    def __init__(self, number: int, seconds: float) -> None:
        self.number = number
        self.ready = False
        self.changed: Callable[[], None] = lambda: None  # the number never does
        self._seconds = seconds
        self._wanted = 0
        self._there: set[WorkerProcess] = set()
        self._busy: set[WorkerProcess] = set()
        self._free: list[WorkerProcess] = []
        self._new: WorkerProcess | None = None  # one that starts
        self._moved = asyncio.Event()  # one is free, or busy no more
        self._starter: asyncio.Task[None] | None = None
        self._end = asyncio.Event()
        self._threads = ThreadPoolExecutor(number + 1, "mind")

    def start(self) -> None:
        """Have one process at hand."""
        self._want(1)

    async def ask(self, question: BotRequest) -> Advice:
        """The answer of a process. Raises Unanswered, and BotError where the bot failed."""
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
        """A process that has nothing to do. Sees to it that one more is at hand after it."""
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
        """Have so many, as far as there may be."""
        self._wanted = max(self._wanted, min(number, self.number))
        if self._starter is None and len(self._there) < self._wanted and not self._end.is_set():
            self._starter = asyncio.create_task(self._start(), name="starting what thinks")

    async def _start(self) -> None:
        """Start one after the other, as many as are wanted, and what is to be compiled first."""
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
        """Start a process and let it get ready; whether it thinks from now on."""
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
        """A process has come to an end, by itself or by somebody else."""
        self._lose(helper, f"ended {helper.exit_description()}")

    def _lose(self, helper: WorkerProcess, how: str) -> None:
        """Go on without a process, and have another."""
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
        """What comes of some work, off the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    async def close(self) -> None:
        """End all processes, also one that starts: who waits for an answer gets none."""
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
