"""Reviews in progress: each runs on the bot workers, in the background of tables and hints.

A job evaluates one decision after the other. The jobs of an address take turns at one worker.
A finished review is stored with its game. A job that is interrupted leaves nothing behind, so the
next request starts it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from acesaround.bots.pool.request import NoAnswer, WorkerTask
from acesaround.errors import BotError
from acesaround.server.bots.scheduler import BotScheduler
from acesaround.server.limits.client_addresses import rate_limit_keys
from acesaround.server.limits.rate_limiters import RateLimited, ServerStopping
from acesaround.server.live.review_worker_tasks import EvaluationTask, PlanTask, SummaryTask
from acesaround.store import DatabaseUnavailable, Store, reviews

if TYPE_CHECKING:
    from acesaround.review import Evaluation, GameReview

T = TypeVar("T")
MAX_PER_PERSON: Final = 2
MAX_PER_ADDRESS: Final = 6
"""Reviews in progress for one address. An IPv6 network may have more, as for other limits."""
MAX_JOBS: Final = 200
SECONDS: Final = 0.4
"""The approximate time of a search: a game of eight deals then takes two minutes of a core."""
STORED_VERSION: Final = 2
"""The form of stored reviews. Change it with `http_messages.FinishedReview`."""
_MAX_FAILURES: Final = 200
_ATTEMPTS: Final = 3
_READY_SECONDS: Final = 1.0
"""Seconds between two looks whether the workers are ready."""
_FAILED: Final = "The review failed: try again later."
_LOG: Final = logging.getLogger(__name__)


class ReviewKey(NamedTuple):
    """The seat that is reviewed. `game` counts from 1."""

    table_id: str
    game: int
    seat: int


class ReviewJob:
    """A review in progress. `total`: the number of its decisions; 0 until it is known.

    `deals`: how many deals are reviewed already. `first_deals`: their review as JSON, or None.
    """

    def __init__(self, account: str, addresses: dict[str, int], turn: asyncio.Lock) -> None:
        self.account, self.addresses, self.turn = account, addresses, turn
        self.done = self.total = self.deals = 0
        self.first_deals: bytes | None = None


class ReviewJobs:
    """All reviews in progress. `encode`: returns a review as the JSON that is stored and sent."""

    def __init__(
        self, store: Store, scheduler: BotScheduler, encode: Callable[[GameReview], bytes]
    ) -> None:
        self.seconds = SECONDS
        self._store, self._scheduler, self._encode = store, scheduler, encode
        self._jobs: dict[ReviewKey, ReviewJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._failures: OrderedDict[ReviewKey, str] = OrderedDict()
        self._closed = False

    async def load(self, key: ReviewKey) -> bytes | None:
        """Return the stored review as JSON, or None. Raises DatabaseUnavailable."""
        body = await reviews.load_review(self._store, *key, STORED_VERSION)
        return None if body is None else body.encode()

    def find(self, key: ReviewKey) -> ReviewJob | None:
        """Return the job of a review, if it is in progress."""
        return self._jobs.get(key)

    def failure(self, key: ReviewKey) -> str:
        """Return why the last attempt at a review failed, as a sentence; empty if it did not."""
        return self._failures.get(key, "")

    def start(self, key: ReviewKey, record: bytes, account: str, address: str | None) -> ReviewJob:
        """Start a review and return its job, or the one that somebody else has started.

        `account`, `address`: of the requester, who may have only few reviews in progress. Raises
        RateLimited.
        """
        if (job := self._jobs.get(key)) is not None:
            return job
        if self._closed:
            raise ServerStopping
        addresses = rate_limit_keys(address)
        self._check_limits(account, addresses)
        line = next(iter(addresses), account)
        turn = self._turns.setdefault(line, asyncio.Lock())
        job = self._jobs[key] = ReviewJob(account, addresses, turn)
        self._failures.pop(key, None)
        task = asyncio.create_task(self._run(key, job, record), name="review")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def _check_limits(self, account: str, addresses: dict[str, int]) -> None:
        jobs = self._jobs.values()
        if sum(job.account == account for job in jobs) >= MAX_PER_PERSON:
            raise RateLimited("Two of your reviews are in progress: wait until one is done.")
        for address, factor in addresses.items():
            if sum(address in job.addresses for job in jobs) >= factor * MAX_PER_ADDRESS:
                raise RateLimited(
                    "Too many reviews are in progress at your address: wait until one is done."
                )
        if len(jobs) >= MAX_JOBS:
            raise RateLimited("Too many reviews are in progress on this server: try again later.")

    async def _run(self, key: ReviewKey, job: ReviewJob, record: bytes) -> None:
        try:
            body = await self._make_review(key.seat, job, record)
            await reviews.save_review(self._store, *key, STORED_VERSION, body.decode())
        except ServerStopping:
            pass
        except (BotError, NoAnswer, DatabaseUnavailable) as error:
            _LOG.error("a review failed: %s", error, exc_info=error.__cause__)
            self._fail(key)
        except Exception:
            _LOG.exception("a review failed")
            self._fail(key)
        finally:
            del self._jobs[key]

    def _fail(self, key: ReviewKey) -> None:
        self._failures[key] = _FAILED
        if len(self._failures) > _MAX_FAILURES:
            self._failures.popitem(last=False)

    async def _make_review(self, seat: int, job: ReviewJob, record: bytes) -> bytes:
        decisions = await self._compute(job, PlanTask(record, seat))
        job.total = len(decisions)
        evaluations: list[Evaluation | None] = []
        for decision in decisions:
            if (deals := decision.view.deals) > job.deals and evaluations:
                task = SummaryTask(record, seat, deals, tuple(evaluations))
                job.first_deals, job.deals = self._encode(await self._compute(job, task)), deals
            evaluations.append(await self._compute(job, EvaluationTask(decision, self.seconds)))
            job.done += 1
        summary = SummaryTask(record, seat, None, tuple(evaluations))
        return self._encode(await self._compute(job, summary))

    async def _compute(self, job: ReviewJob, task: WorkerTask[T]) -> T:
        """Return the result of a task. Raises NoAnswer, BotError and ServerStopping."""
        attempt = 1
        while True:
            while not self._scheduler.prepare():
                await asyncio.sleep(_READY_SECONDS)
            try:
                async with job.turn:
                    return await self._scheduler.run_in_background(task)
            except NoAnswer:
                if attempt == _ATTEMPTS:
                    raise
                attempt += 1

    async def close(self) -> None:
        """Cancel all reviews in progress."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
