"""A pool of bot workers on a Dask cluster.

The pool sends each worker at most as many requests at a time as the worker has threads. A worker
gets its first request after it has reported that it is ready: it runs the same version and has
loaded the search kernels. When the cluster is lost, the pool logs that once and keeps trying to
reconnect.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from distributed import Client

from acesaround import __version__, extras
from acesaround.bots.advice import Advice
from acesaround.bots.pool.request import (
    BotFailure,
    BotRequest,
    NoAnswer,
    decide_or_failure,
    unwrap_answer,
)
from acesaround.bots.warmup import process_warmup
from acesaround.errors import AcesAroundError, RulesError
from acesaround.workers.dask_client import (
    connect,
    disconnect,
    missing_package_error,
    parse_scheduler_address,
    require_same_version,
)

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_LOOK: Final = 2.0
"""The seconds between two polls of the cluster."""
_PATIENCE: Final = 10.0
"""The seconds that the scheduler may take to list its workers or to hand over a result."""
_MEETING: Final = 60.0
"""The seconds in which an otherwise idle worker reports whether it is ready."""
_FIRST: Final = 10
"""The Dask priority of requests: above other work on the cluster."""


class DaskPool:
    """A pool of Dask workers that answer bot requests.

    `address`: the address of the scheduler. `seconds`: the time limit of an answer. `servers`: the
    number of servers that share the cluster. Raises RulesError if `address` is not an address.
    """

    def __init__(self, address: str, seconds: float, servers: int = 1) -> None:
        parse_scheduler_address(address)
        self._servers = servers
        self.changed: Callable[[], None] = lambda: None
        self._address = address
        self._seconds = seconds
        self._client: Client | None = None
        self._threads: dict[str, int] = {}  # ready workers, and the threads of each
        self._meeting: dict[str, asyncio.Task[None]] = {}  # readiness checks under way, by worker
        self._busy: Counter[str] = Counter()
        self._waiting: dict[asyncio.Future[None], str] = {}  # pending answers, and their workers
        self._gone = False
        self._watcher: asyncio.Task[None] | None = None
        self._end = asyncio.Event()
        self._apart = ThreadPoolExecutor(8, "cluster")

    @property
    def number(self) -> int:
        """The share of this server of the threads of all ready workers, rounded up."""
        return -(-sum(self._threads.values()) // self._servers)

    @property
    def ready(self) -> bool:
        """Whether at least one worker is ready."""
        return bool(self._threads)

    def start(self) -> None:
        """Start watching the cluster and its workers, unless already started or closed."""
        if self._watcher is None and not self._end.is_set():
            self._watcher = asyncio.create_task(self._watch(), name="watching the cluster")

    async def ask(self, question: BotRequest) -> Advice:
        """Return a worker's answer.

        Raises NoAnswer if no worker answers in time, and BotError if the bot failed.
        """
        free = {worker: n - self._busy[worker] for worker, n in self._threads.items()}
        worker = max(free, key=free.__getitem__, default="")
        if not free.get(worker):
            raise NoAnswer("no worker of the cluster is free")
        self._busy[worker] += 1
        sent = pickle.dumps(question), __version__
        try:
            said = await self._sent(worker, self._seconds, _answer, *sent)
        except TimeoutError:
            self._leave(worker, f"took more than {self._seconds:g} seconds for {question.bot}")
            raise NoAnswer("it took too long") from None
        except NoAnswer:
            raise
        except Exception as error:  # any failure of the worker, the cluster or the connection
            self._leave(worker, f"did not answer: {_line(error)}")
            raise NoAnswer(_line(error)) from None
        finally:
            self._busy[worker] -= 1
        return unwrap_answer(question, said)

    async def _sent(
        self, worker: str, seconds: float, work: Callable[..., object], *given: object
    ) -> object:
        """Run a function on a worker and return its result.

        Raises TimeoutError after `seconds`, NoAnswer if the worker is gone, and the errors of the
        function.
        """
        client, loop = self._client, asyncio.get_running_loop()
        if client is None:
            raise NoAnswer("the cluster is gone")
        done: asyncio.Future[None] = loop.create_future()
        self._waiting[done] = worker
        future: Any = None

        def tell(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(lambda: None if done.done() else done.set_result(None))

        def send() -> Any:
            sent = client.submit(
                work, *given, pure=False, retries=0, workers=[worker], priority=_FIRST
            )
            sent.add_done_callback(tell)
            return sent

        try:
            async with asyncio.timeout(seconds):
                future = await self._off(send)
                await done
            return await self._off(_fetched, future)
        finally:
            del self._waiting[done]
            done.cancel()
            if future is not None and not self._end.is_set():
                self._apart.submit(_forget, future)

    async def _watch(self) -> None:
        """Connect to the cluster and poll it; reconnect when it is lost."""
        while not self._end.is_set():
            try:
                self._client = await self._off(connect, self._address)
                await self._look(self._client)
            except AcesAroundError as error:
                self._miss(str(error))
            except Exception:  # the cluster was there, but no longer answers
                self._miss(f"The cluster at {self._address} is lost.")
            client, self._client = self._client, None
            self._keep({})
            if client is not None:
                await self._off(disconnect, client)
            await self._rest()

    async def _look(self, client: Client) -> None:
        """Keep track of the workers for as long as the scheduler answers."""
        while not self._end.is_set():
            if client.status != "running":  # a call would now try to connect for half a minute
                raise ConnectionError
            async with asyncio.timeout(_PATIENCE):
                threads: dict[str, int] = await self._off(client.nthreads)
            self._keep(threads)
            if not threads:
                self._miss(f"The cluster at {self._address} has no workers.")
            for worker, number in threads.items():
                if worker not in self._threads and worker not in self._meeting:
                    self._meeting[worker] = asyncio.create_task(self._meet(worker, number))
            await self._rest()

    def _keep(self, workers: dict[str, int]) -> None:
        """Forget the workers that are gone, and fail the requests that wait for them.

        `workers`: the workers that the cluster still has.
        """
        for worker in [worker for worker in self._meeting if worker not in workers]:
            self._meeting.pop(worker).cancel()
        for done, worker in self._waiting.items():
            if worker not in workers and not done.done():
                done.set_exception(NoAnswer("the worker is gone"))
        gone = [worker for worker in self._threads if worker not in workers]
        for worker in gone:
            del self._threads[worker]
        if gone:
            self.changed()

    async def _meet(self, worker: str, threads: int) -> None:
        """Wait until a worker is ready.

        A worker that can never be ready is left out, and the reason is logged.
        """
        try:
            while not await self._sent(worker, _MEETING, _there, __version__):
                await self._rest()
        except (TimeoutError, NoAnswer):  # busy or gone: the next poll decides
            del self._meeting[worker]
        except Exception as error:
            why = (
                missing_package_error(error)
                if isinstance(error, ImportError | AttributeError)
                else error
            )
            _LOG.error("worker %s is left out: %s", worker, _line(why))
        else:
            del self._meeting[worker]
            self._threads[worker] = threads
            if self._gone:
                _LOG.warning("the cluster at %s is there: bots think on it", self._address)
            self._gone = False
            self.changed()

    def _leave(self, worker: str, how: str) -> None:
        """Send a worker no requests until it reports again that it is ready."""
        if self._threads.pop(worker, None) is not None:
            _LOG.error("worker %s %s: thumb plays instead", worker, how)
            self.changed()

    def _miss(self, why: str) -> None:
        """Log once that the cluster is gone."""
        if not self._gone and not self._end.is_set():
            _LOG.error("%s Until it is there, thumb plays for the bots that search.", why)
        self._gone = True

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._end.wait(), _LOOK)

    async def _off(self, work: Callable[..., T], *given: object) -> T:
        """Run a function in the thread pool and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._apart, work, *given)

    async def close(self) -> None:
        """Disconnect from the cluster. Pending requests raise NoAnswer."""
        self._end.set()
        self._keep({})
        if self._watcher is not None:
            await asyncio.wait([self._watcher])
        await asyncio.to_thread(self._apart.shutdown)


def _fetched(future: Any) -> object:
    """Return the result of a finished future.

    Raises NoAnswer if the result is lost, and the error of the future if it failed.
    """
    if future.cancelled() or future.status == "lost":
        raise NoAnswer("the worker is gone")
    try:
        found: object = future.result(_PATIENCE)
    except asyncio.CancelledError:  # it would be taken for a cancellation of this task
        raise NoAnswer("the cluster is gone") from None
    return found


def _forget(future: Any) -> None:
    """Cancel a future whose result is no longer needed."""
    with contextlib.suppress(Exception):
        future.cancel()


def _line(error: Exception) -> str:
    """Return the message of an error on one line, or its type if it has no message."""
    return " ".join(str(error).split()).removesuffix(".") or type(error).__name__


def _there(version: str) -> bool:
    """Start this worker's warmup and return whether the warmup is done.

    Runs on the worker. Raises an error if the version differs, the extra `fast` is missing, or the
    warmup failed.
    """
    require_same_version(version)
    if (package := extras.missing_package("fast")) is not None:
        raise extras.missing_extra_error("A bot that searches", package, "fast")
    its = process_warmup()
    its.start()
    if its.error is not None:
        raise RulesError(f"what bots think with does not start: {_line(its.error)}")
    return its.ready.is_set()


def _answer(sent: bytes, version: str) -> Advice | BotFailure:
    """Answer a pickled request. Runs on the worker."""
    require_same_version(version)
    question: BotRequest = pickle.loads(sent)
    return decide_or_failure(question)
