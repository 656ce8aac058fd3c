"""A pool of bot workers on a Dask cluster.

The scheduler of the cluster chooses the workers. Workers that have prepared for bots offer a
resource (`dask_preload`), of which each request takes one unit. The scheduler gives the request of
a worker that has died to another one. When the cluster is lost, the pool logs that once and keeps
trying to reconnect.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Final, TypeVar

from distributed import Client

from acesaround.bots.advice import Advice
from acesaround.bots.pool.dask_preload import RESOURCE
from acesaround.bots.pool.request import (
    BotRequest,
    NoAnswer,
    WorkerTask,
    decide_or_failure,
    name_of,
    unwrap_answer,
    unwrap_result,
)
from acesaround.errors import AcesAroundError
from acesaround.workers.dask_client import PATIENCE, connect_async, parse_scheduler_address

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_LOOK: Final = 2.0
"""The seconds between two polls of the cluster."""
_PATIENCE: Final = 10.0
"""The seconds that the scheduler may take to list its workers."""
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
        self.on_resize: Callable[[], None] = lambda: None
        self._address = address
        self._seconds = seconds
        self._client: Client | None = None
        self._threads = 0  # of all workers that have prepared
        self._answers: set[asyncio.Task[object]] = set()
        self._late: set[asyncio.Task[object]] = set()  # answers that are no longer needed
        self._left_out: set[str] = set()
        self._is_lost = False
        self._watcher: asyncio.Task[None] | None = None
        # Cancelling the watcher would not do, because Dask suppresses that in some places.
        self._closed = asyncio.Event()

    @property
    def max_running(self) -> int:
        """The share of this server of the threads that are not late, rounded up."""
        return -(-max(0, self._threads - len(self._late)) // self._servers)

    @property
    def ready(self) -> bool:
        """Whether at least one worker is ready."""
        return self.max_running > 0

    def start(self) -> None:
        """Start watching the cluster and its workers, unless already started or closed."""
        if self._watcher is None and not self._closed.is_set():
            self._watcher = asyncio.create_task(self._watch(), name="watching the cluster")

    async def ask(self, request: BotRequest) -> Advice:
        """Return a worker's answer.

        Raises NoAnswer if no worker answers in time, and BotError if the bot failed.
        """
        return unwrap_answer(request, await self._submit(request))

    async def run(self, task: WorkerTask[T]) -> T:
        """Return the result of a task, as `ask` does."""
        return unwrap_result(task, await self._submit(task))

    async def _submit(self, request: BotRequest | WorkerTask[Any]) -> object:
        if self._client is None or len(self._answers) >= self._threads:
            raise NoAnswer("no worker of the cluster is free")
        future: Any = self._client.submit(
            decide_or_failure,
            request,
            pure=False,
            retries=0,
            resources={RESOURCE: 1},
            priority=_FIRST,
        )
        answer: asyncio.Task[object] = asyncio.create_task(_result(future))
        self._answers.add(answer)
        answer.add_done_callback(self._forget)
        done, _ = await asyncio.wait([answer], timeout=self._seconds)
        if not done:
            # The request keeps its unit of the resource, so that its worker gets no other one.
            self._late.add(answer)
            _LOG.error(
                "a worker took more than %g seconds for %s: thumb plays instead",
                self._seconds,
                name_of(request),
            )
            self.on_resize()
            raise NoAnswer("it took too long")
        try:
            return answer.result()
        except Exception as error:  # any failure of the worker, the cluster or the connection
            why = " ".join(str(error).split()).removesuffix(".") or type(error).__name__
            _LOG.error("a worker did not answer: %s: thumb plays instead", why)
            raise NoAnswer(why) from None

    def _forget(self, answer: asyncio.Task[object]) -> None:
        self._answers.discard(answer)
        if not answer.cancelled():
            answer.exception()  # or asyncio would log that the exception was never retrieved
        if answer in self._late:
            self._late.discard(answer)
            self.on_resize()

    async def _watch(self) -> None:
        """Connect to the cluster and poll it; reconnect when it is lost."""
        while not self._closed.is_set():
            try:
                self._client = await connect_async(self._address)
                while not self._closed.is_set():
                    await self._poll(self._client)
                    await self._pause()
            except AcesAroundError as error:
                self._report_loss(str(error))
            except Exception:  # the cluster was there, but no longer answers
                self._report_loss(f"The cluster at {self._address} is lost.")
            await self._disconnect()
            await self._pause()

    async def _pause(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closed.wait(), _LOOK)

    async def _poll(self, client: Client) -> None:
        """Count the threads of the workers. Raises an error if the scheduler does not answer."""
        if client.status != "running":  # a call would now try to connect for half a minute
            raise ConnectionError
        async with asyncio.timeout(_PATIENCE):
            found = await client.scheduler.identity()
        workers: dict[str, dict[str, Any]] = found["workers"]
        threads = 0
        for name, worker in workers.items():
            threads += int(worker["resources"].get(RESOURCE, 0))
            if RESOURCE not in worker["resources"] and name not in self._left_out:
                _LOG.error(
                    "worker %s is not used: it does not offer %r. Start it with the same "
                    "version and --preload acesaround.bots.pool.dask_preload.",
                    name,
                    RESOURCE,
                )
        self._left_out = {name for name in workers if RESOURCE not in workers[name]["resources"]}
        self._set_threads(threads)
        if not workers:
            self._report_loss(f"The cluster at {self._address} has no workers.")

    def _set_threads(self, threads: int) -> None:
        if threads and self._is_lost:
            _LOG.warning("connected to the cluster at %s: it runs the bots now", self._address)
            self._is_lost = False
        if threads != self._threads:
            self._threads = threads
            self.on_resize()

    def _report_loss(self, why: str) -> None:
        """Log once that the cluster is gone."""
        if not self._is_lost and not self._closed.is_set():
            _LOG.error("%s Until it is back, thumb plays for the search bots.", why)
        self._is_lost = True

    async def _disconnect(self) -> None:
        """Close the client. Pending requests raise NoAnswer."""
        client, self._client = self._client, None
        self._set_threads(0)
        if client is not None:
            with contextlib.suppress(Exception):
                await client.close(PATIENCE)

    async def close(self) -> None:
        """Disconnect from the cluster. Pending requests raise NoAnswer."""
        self._closed.set()
        if self._watcher is not None:
            await self._watcher


async def _result(future: Any) -> object:
    """Return the result of a Dask future. Raises NoAnswer if it is cancelled."""
    try:
        found: object = await future
    except asyncio.CancelledError:
        raise NoAnswer("the cluster is lost") from None
    return found
