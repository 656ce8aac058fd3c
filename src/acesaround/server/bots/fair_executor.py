"""Runs work for persons, so that a person with much work does not delay others.

All pieces need a worker, which is a token of a first-in-first-out limiter. No person holds all
workers: one always stays free for others (unless there is only one). And only one piece of each
person waits in the common line, so one greedy person delays no other person. With several greedy
persons, another person waits for at most one piece of each.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final, TypeVar

from anyio import CapacityLimiter

from acesaround.server.limits.rates import RateLimited

T = TypeVar("T")
_MAX_WAITING_PER_PERSON: Final = 64
_MAX_WAITING: Final = 2000


class _Person:
    """The limits and the pieces of a person."""

    def __init__(self, max_running: int) -> None:
        self.limiter = CapacityLimiter(max_running)
        self.turn = asyncio.Lock()
        self.waiting: set[asyncio.Task[Any]] = set()
        self.working: set[asyncio.Task[Any]] = set()


class FairExecutor:
    """Runs asynchronous work. `workers`: how many pieces run at a time, at least one.

    `observe_wait`, `observe_work`: called with the seconds that a piece waited, and that it took.
    """

    def __init__(
        self,
        workers: int,
        observe_wait: Callable[[float], object] = lambda _: None,
        observe_work: Callable[[float], object] = lambda _: None,
    ) -> None:
        self._observe_wait, self._observe_work = observe_wait, observe_work
        self._workers = CapacityLimiter(max(1, workers))
        self._persons: dict[str, _Person] = {}

    @property
    def waiting_count(self) -> int:
        """How many pieces wait."""
        return sum(len(person.waiting) for person in self._persons.values())

    @property
    def working_count(self) -> int:
        """How many pieces are in progress."""
        return sum(len(person.working) for person in self._persons.values())

    @property
    def person_count(self) -> int:
        """How many persons have pieces that wait or are in progress."""
        return len(self._persons)

    @property
    def _max_running(self) -> int:
        """How many pieces of one person may be in progress at a time."""
        return max(1, int(self._workers.total_tokens) - 1)

    async def submit(self, person_id: str, work: Callable[[], Awaitable[T]]) -> T:
        """Run work in its turn, charged to a person, and return its result. Raises RateLimited.

        Work that has started runs to its end, even if the caller is cancelled.
        """
        person = self._persons.get(person_id) or _Person(self._max_running)
        if len(person.waiting) >= _MAX_WAITING_PER_PERSON:
            raise RateLimited(
                "You have too many hints and bot moves waiting: try again when some are done."
            )
        if self.waiting_count >= _MAX_WAITING:
            raise RateLimited("Too many hints and bot moves are waiting here: try again soon.")
        self._persons[person_id] = person
        task = asyncio.create_task(self._run(person, work))
        person.waiting.add(task)
        task.add_done_callback(lambda _: self._forget(person_id, person, task))
        try:
            return await asyncio.shield(task)
        finally:
            if task in person.waiting:
                task.cancel()

    async def _run(self, person: _Person, work: Callable[[], Awaitable[T]]) -> T:
        task, submitted_at = asyncio.current_task(), perf_counter()
        assert task is not None
        async with person.limiter:
            async with person.turn:
                await self._workers.acquire()
            began = perf_counter()
            person.waiting.discard(task)
            person.working.add(task)
            self._observe_wait(began - submitted_at)
            try:
                return await work()
            finally:
                self._workers.release()
                self._observe_work(perf_counter() - began)

    def _forget(self, person_id: str, person: _Person, task: asyncio.Task[Any]) -> None:
        person.waiting.discard(task)
        person.working.discard(task)
        if not person.waiting and not person.working:
            del self._persons[person_id]

    def resize(self, workers: int) -> None:
        """Change how many pieces run at a time."""
        self._workers.total_tokens = max(1, workers)
        for person in self._persons.values():
            person.limiter.total_tokens = self._max_running

    def time_share(self, person_id: str) -> float:
        """Return the share of a worker that each piece of a person can have, at most 1.

        Workers are shared evenly among persons, and a person's share evenly among that person's
        pieces.
        """
        person = self._persons[person_id]
        part = min(self._max_running, self._workers.total_tokens / len(self._persons))
        return min(1.0, part / (len(person.waiting) + len(person.working)))

    async def close(self) -> None:
        """Cancel all pieces and their callers."""
        tasks = [
            task for person in self._persons.values() for task in (*person.waiting, *person.working)
        ]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
