"""A pool of local worker processes that run bots, one request per process.

Workers have a lower CPU priority than this process. A worker that exceeds the time limit is killed,
and a worker that has ended is replaced; its request raises NoAnswer. The pool keeps one idle worker
in reserve, so that a request need not wait for a process to start.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, TypeVar

from acesaround.bots.advice import Advice
from acesaround.bots.pool.request import (
    BotRequest,
    NoAnswer,
    WorkerTask,
    decide_or_failure,
    name_of,
    unwrap_answer,
    unwrap_result,
)
from acesaround.bots.pool.worker import compile_at_idle_priority, load_kernels
from acesaround.workers.process import WorkerProcess, available_cores

T = TypeVar("T")
_Request = tuple[BotRequest | WorkerTask[Any], asyncio.Future[object]]
"""A request and its answer."""
_LOG: Final = logging.getLogger(__name__)
_START: Final = 120.0
"""The seconds that a process may take to load the compiled kernels."""
_COMPILING: Final = 3600.0
"""The seconds that compiling may take on a machine with little spare CPU time."""
_PAUSE: Final = 2.0
_LONGEST: Final = 60.0
"""The seconds to wait after a failed start: `_PAUSE` at first, then doubled up to `_LONGEST`."""
_COMPILES: Final = "preparing the strong bots, once: until they are ready, thumb plays for them"


def default_pool_size(servers: int = 1) -> int:
    """Return the number of workers for each of `servers` servers on this machine.

    One core is left to the servers. The minimum is two, so that one person's long requests leave a
    worker for other people.
    """
    return max(2, (available_cores() - 1) // servers)


class LocalPool:
    """A pool of local worker processes.

    `max_running`: the maximum number of workers. `seconds`: the time limit of an answer.
    """

    def __init__(self, max_running: int, seconds: float) -> None:
        self.max_running = max_running
        self.ready = False
        # Never called, because `max_running` is fixed.
        self.on_resize: Callable[[], None] = lambda: None
        self._seconds = seconds
        self._requests = asyncio.Queue[_Request]()
        self._pending: set[asyncio.Future[object]] = set()
        self._tasks: list[asyncio.Task[None]] = []  # one for each worker
        self._workers: set[WorkerProcess] = set()  # those that are ready
        self._starting = asyncio.Lock()
        self._closed = False

    def start(self) -> None:
        """Start the first worker."""
        self._start_workers(1)

    def _start_workers(self, wanted: int) -> None:
        """Let the pool have at least `wanted` workers, up to its limit."""
        while len(self._tasks) < min(wanted, self.max_running) and not self._closed:
            self._tasks.append(asyncio.create_task(self._keep_worker(), name="bot worker"))

    async def ask(self, request: BotRequest) -> Advice:
        """Return a worker's answer.

        Raises NoAnswer if no worker answers in time, and BotError if the bot failed.
        """
        return unwrap_answer(request, await self._submit(request))

    async def run(self, task: WorkerTask[T]) -> T:
        """Return the result of a task, as `ask` does."""
        return unwrap_result(task, await self._submit(task))

    async def _submit(self, request: BotRequest | WorkerTask[Any]) -> object:
        if self._closed:
            raise NoAnswer("the server is stopping")
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._pending.add(answer)
        self._requests.put_nowait((request, answer))
        self._start_workers(len(self._pending) + 1)
        try:
            await asyncio.wait([answer], timeout=self._seconds)
            if not answer.done():
                why = f"took more than {self._seconds:g} seconds for {name_of(request)}"
                answer.set_exception(NoAnswer(why))
            return answer.result()
        finally:
            answer.cancel()
            self._pending.discard(answer)

    async def _keep_worker(self) -> None:
        """Answer requests with a worker, and replace it whenever it fails."""
        while True:
            worker = await self._start_worker()
            self._workers.add(worker)
            self.ready = True
            failure = ""
            try:
                while not failure:
                    if (request := await self._next_request(worker)) is None:
                        failure = f"ended {worker.exit_description()}"
                    else:
                        failure = await _answer(worker, *request)
            finally:
                self._workers.discard(worker)
                worker.kill()
            _LOG.error("worker process %s %s: another one replaces it", worker.pid, failure)

    async def _next_request(self, worker: WorkerProcess) -> _Request | None:
        """Return the next request, or None as soon as the worker has ended."""
        request = asyncio.create_task(self._requests.get())
        end = asyncio.create_task(worker.wait_until_ended())
        try:
            await asyncio.wait([request, end], return_when=asyncio.FIRST_COMPLETED)
            if not request.done():
                return None
            if not worker.is_alive():
                self._requests.put_nowait(request.result())
                return None
            return request.result()
        finally:
            request.cancel()
            end.cancel()

    async def _start_worker(self) -> WorkerProcess:
        """Start a worker and return it when it is ready; try again until one is.

        Only one worker starts at a time, so that missing kernels are compiled once.
        """
        pause = _PAUSE
        async with self._starting:
            while True:
                worker = WorkerProcess()
                try:
                    if not await _call(worker, _START, load_kernels, False):
                        await _compile_kernels()
                        await _call(worker, _COMPILING, load_kernels, True)
                    return worker
                except Exception as error:
                    worker.kill()
                    why = str(error).strip() or "it took too long to start"
                    _LOG.error("a worker process did not start: %s", why)
                    self.ready = bool(self._workers)
                    await asyncio.sleep(pause)
                    pause = min(_LONGEST, 2 * pause)
                except BaseException:  # the pool is closed
                    worker.kill()
                    raise

    async def close(self) -> None:
        """Kill all workers, including one that is starting. Pending requests raise NoAnswer."""
        self._closed = True
        for answer in self._pending:
            if not answer.done():
                answer.set_exception(NoAnswer("the server is stopping"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _answer(
    worker: WorkerProcess, request: BotRequest | WorkerTask[Any], answer: asyncio.Future[object]
) -> str:
    """Answer a request. Return why the worker has to be replaced, or an empty string."""
    if answer.done():
        return ""
    job: asyncio.Task[object] = asyncio.create_task(_call(worker, None, decide_or_failure, request))
    try:
        await asyncio.wait([job, answer], return_when=asyncio.FIRST_COMPLETED)
    finally:
        job.cancel()
    if answer.done():
        return "was cancelled" if answer.cancelled() else str(answer.exception())
    if (error := job.exception()) is None:
        answer.set_result(job.result())
        return ""
    died = isinstance(error, BrokenProcessPool)
    failure = f"ended {worker.exit_description()}" if died else repr(error)
    answer.set_exception(NoAnswer(failure))
    return failure


async def _compile_kernels() -> None:
    """Compile the kernels in a separate process, because it cannot leave idle priority."""
    _LOG.warning(_COMPILES)
    began, compiler = time.monotonic(), WorkerProcess()
    try:
        await _call(compiler, _COMPILING, compile_at_idle_priority)
    finally:
        compiler.kill()
    _LOG.warning(
        "compiled the kernels in %.0f s: search bots can play now", time.monotonic() - began
    )


async def _call(
    worker: WorkerProcess, seconds: float | None, work: Callable[..., T], *given: object
) -> T:
    """Let a worker call a function, and return its result. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        return await asyncio.wrap_future(worker.submit(work, *given))
