"""Runs work for persons, so that an address or a person with much work does not delay others.

All pieces need a worker, which is a token of a first-in-first-out limiter. No person holds all
workers: one always stays free for others (unless there is only one).

Addresses take turns at the workers, and the persons of an address take turns among themselves,
because anybody can pose as many persons. So only one piece of each person waits in the line of the
person's address, and only one piece of each address waits in the common line. Another person waits
for at most one piece of each greedy address, however many persons are there. An IPv6 address has
three lines: of its /64, its /56 and its /48. A person without a known address, or at a loopback
address, waits in the common line like an address.

A newcomer is a person who has not played a deal to its end. Anybody can pose as many newcomers,
even at many addresses. So all newcomers together take turns like one address, and never hold all
workers.

Background work, such as a review, gets a worker only when no other piece can use that worker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from time import perf_counter
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter

from acesaround.server.limits.client_addresses import rate_limit_keys
from acesaround.server.limits.rate_limiters import RateLimited, ServerStopping

T = TypeVar("T")
_MAX_WAITING_PER_PERSON: Final = 64
_MAX_WAITING_PER_ADDRESS: Final = 500
_MAX_WAITING: Final = 2000
_NEWCOMERS: Final = "newcomers"

_Path = tuple[str, ...]
"""The rate-limit keys of a person's address, the widest network first, and the person's id.

`_NEWCOMERS` comes before those of a newcomer.
"""


class _Person:
    """The limits and the pieces of a person. `turns`: the locks of the lines to wait in."""

    def __init__(self, path: _Path, turns: list[asyncio.Lock], max_running: int) -> None:
        self.path = path
        self.is_newcomer = path[0] == _NEWCOMERS
        self.turns = turns
        self.limiter = CapacityLimiter(max_running)
        self.waiting: set[asyncio.Task[Any]] = set()
        self.working: set[asyncio.Task[Any]] = set()


class FairExecutor:
    """Runs asynchronous work. `workers`: how many pieces run at a time, at least one.

    `observe_wait`, `observe_work`: called with the seconds that a piece waited, and that it took.
    `find_address`: returns the address of a person, or None if it is unknown. `has_played`: returns
    whether a person has played a deal to its end.
    """

    def __init__(
        self,
        workers: int,
        observe_wait: Callable[[float], object] = lambda _: None,
        observe_work: Callable[[float], object] = lambda _: None,
    ) -> None:
        self._observe_wait, self._observe_work = observe_wait, observe_work
        self._workers = CapacityLimiter(max(1, workers))
        self._newcomer_workers = CapacityLimiter(self._max_running)
        self._persons: dict[str, _Person] = {}
        self._turns: WeakValueDictionary[_Path, asyncio.Lock] = WeakValueDictionary()
        self._closed = False
        self._background: set[asyncio.Task[Any]] = set()
        self._background_count = 0  # of the pieces that have a worker
        self._freed = asyncio.Event()  # set when background work may find a free worker
        self.find_address: Callable[[str], str | None] = lambda _: None
        self.has_played: Callable[[str], Awaitable[bool]] = _everybody_has_played

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
        """How many pieces of one person, or of all newcomers, may be in progress at a time."""
        return max(1, int(self._workers.total_tokens) - 1)

    async def submit(self, person_id: str, work: Callable[[], Awaitable[T]]) -> T:
        """Run work in its turn, charged to a person, and return its result. Raises RateLimited.

        Work that has started runs to its end, even if the caller is cancelled.
        """
        has_played = person_id in self._persons or await self.has_played(person_id)
        if self._closed:
            raise ServerStopping
        person = self._persons.get(person_id) or self._new_person(person_id, has_played)
        if len(person.waiting) >= _MAX_WAITING_PER_PERSON:
            raise RateLimited(
                "You have too many hints and bot moves waiting: try again when some are done."
            )
        at_address = [one for one in self._persons.values() if one.path[0] == person.path[0]]
        if (
            self.waiting_count >= _MAX_WAITING
            or sum(len(one.waiting) for one in at_address) >= _MAX_WAITING_PER_ADDRESS
        ):
            raise RateLimited("Too many hints and bot moves are waiting here: try again soon.")
        self._persons[person_id] = person
        task = asyncio.create_task(self._run(person, work))
        person.waiting.add(task)
        task.add_done_callback(lambda _: self._forget(person_id, person, task))
        try:
            await asyncio.wait([task])
        finally:
            if task in person.waiting:
                task.cancel()
        if task.cancelled():
            raise ServerStopping
        return task.result()

    async def run_in_background(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run work on a worker that no other piece can use, and return its result.

        All background work together leaves a worker free, unless there is only one. Callers get
        workers in the order in which they came. Raises ServerStopping.
        """
        if self._closed:
            raise ServerStopping
        task = asyncio.create_task(self._run_in_background(work))
        self._background.add(task)
        try:
            await asyncio.wait([task])
        finally:
            self._background.discard(task)
            task.cancel()
        if task.cancelled():
            raise ServerStopping
        return task.result()

    async def _run_in_background(self, work: Callable[[], Awaitable[T]]) -> T:
        while not self._can_run_background():
            self._freed.clear()
            await self._freed.wait()
        self._workers.acquire_nowait()
        self._background_count += 1
        try:
            return await work()
        finally:
            self._background_count -= 1
            self._workers.release()
            self._freed.set()

    def _can_run_background(self) -> bool:
        """Return whether a worker is free that no piece of a person can use."""
        persons = self._persons.values()
        newcomers_working = sum(len(one.working) for one in persons if one.is_newcomer)
        return (
            self._workers.available_tokens >= 1
            and self._background_count < self._max_running
            and not any(
                one.waiting
                and len(one.working) < self._max_running
                and not (one.is_newcomer and newcomers_working >= self._max_running)
                for one in persons
            )
        )

    def _new_person(self, person_id: str, has_played: bool) -> _Person:
        path: _Path = (*rate_limit_keys(self.find_address(person_id)), person_id)
        path = path if has_played else (_NEWCOMERS, *path)
        lines = [path[:length] for length in range(len(path), 0, -1)]
        turns = [self._turns.setdefault(line, asyncio.Lock()) for line in lines]
        return _Person(path, turns, self._max_running)

    async def _run(self, person: _Person, work: Callable[[], Awaitable[T]]) -> T:
        task, submitted_at = asyncio.current_task(), perf_counter()
        assert task is not None
        async with person.limiter, AsyncExitStack() as held_workers:
            async with AsyncExitStack() as held_turns:
                for turn in person.turns:
                    await held_turns.enter_async_context(turn)
                if person.is_newcomer:
                    await held_workers.enter_async_context(self._newcomer_workers)
                await held_workers.enter_async_context(self._workers)
            began = perf_counter()
            person.waiting.discard(task)
            person.working.add(task)
            self._observe_wait(began - submitted_at)
            try:
                return await work()
            finally:
                self._observe_work(perf_counter() - began)

    def _forget(self, person_id: str, person: _Person, task: asyncio.Task[Any]) -> None:
        person.waiting.discard(task)
        person.working.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as seen, because the caller may be gone
        if not person.waiting and not person.working:
            del self._persons[person_id]
        self._freed.set()

    def resize(self, workers: int) -> None:
        """Change how many pieces run at a time."""
        self._workers.total_tokens = max(1, workers)
        for limiter in (self._newcomer_workers, *(one.limiter for one in self._persons.values())):
            limiter.total_tokens = self._max_running
        self._freed.set()

    def time_share(self, person_id: str) -> float:
        """Return the share of a worker that each piece of a person can have, at most 1.

        Workers are shared evenly among addresses; all newcomers count as one address. The share of
        an address is split evenly among its persons, and a person's share among that person's
        pieces.
        """
        person = self._persons[person_id]
        paths = {other.path for other in self._persons.values()}
        part = float(self._max_running if person.is_newcomer else self._workers.total_tokens)
        for end in range(1, len(person.path) + 1):
            part /= len({path[:end] for path in paths if path[: end - 1] == person.path[: end - 1]})
        part = min(self._max_running, part)
        return min(1.0, part / (len(person.waiting) + len(person.working)))

    def refuse_waiting(self) -> None:
        """Refuse the work that waits, and all further work: the callers get RateLimited."""
        self._closed = True
        for person in self._persons.values():
            for task in person.waiting:
                task.cancel()
        for task in self._background:
            task.cancel()

    async def close(self) -> None:
        """Refuse the work that waits, and cancel the work in progress."""
        self.refuse_waiting()
        persons = list(self._persons.values())
        working = {task for person in persons for task in person.working}
        working |= self._background
        waiting = {task for person in persons for task in person.waiting}
        for task in working:
            task.cancel()
        if working or waiting:
            await asyncio.wait(working | waiting)


async def _everybody_has_played(_: str) -> bool:
    return True
