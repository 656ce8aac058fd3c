"""Runs queued work fairly by person, as soon as a worker is free."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final, TypeVar

from acesaround.server.bots.fair_executor import FairQueue

T = TypeVar("T")
_EACH: Final = 64  # pieces that may wait for one person
_MOST: Final = 2000  # pieces that may wait for all persons

_Piece = tuple[Callable[[], Awaitable[Any]], "asyncio.Future[Any]", float]


class FairExecutor:
    """Runs asynchronous work from a `FairQueue`.

    `room`: how many pieces run at a time, at least one. `waited`, `worked`: called with the seconds
    that a piece waited, and that it took.
    """

    def __init__(
        self,
        room: int,
        waited: Callable[[float], object] = lambda _: None,
        worked: Callable[[float], object] = lambda _: None,
    ) -> None:
        self.queue: FairQueue[_Piece] = FairQueue(max(1, room), _EACH, _MOST)
        self._waited, self._worked = waited, worked
        self._doing: dict[asyncio.Task[None], asyncio.Future[Any]] = {}

    async def submit(self, who: str, work: Callable[[], Awaitable[T]]) -> T:
        """Run work in its turn, charged to a person, and return its result. Raises RateLimited.

        Work that has started runs to its end, even if the caller is cancelled.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.queue.put(who, (work, done, perf_counter()))
        self._begin()
        return await done

    def resize(self, room: int) -> None:
        """Change how many pieces run at a time."""
        self.queue.workers = max(1, room)
        self._begin()

    def _begin(self) -> None:
        """Start queued pieces while workers are free."""
        while len(self._doing) < self.queue.workers and (taken := self.queue.next()) is not None:
            who, (work, done, came) = taken
            if done.done():  # the caller was cancelled
                self.queue.done(who)
                continue
            self._waited(perf_counter() - came)
            task = asyncio.create_task(self._do(who, work, done))
            self._doing[task] = done

    async def _do(
        self, who: str, work: Callable[[], Awaitable[Any]], done: asyncio.Future[Any]
    ) -> None:
        began = perf_counter()
        try:
            found = await work()
            if not done.done():
                done.set_result(found)
        except Exception as error:
            if not done.done():
                done.set_exception(error)
        finally:
            task = asyncio.current_task()
            assert task is not None
            del self._doing[task]
            self._worked(perf_counter() - began)
            done.cancel()  # the work was cancelled
            self.queue.done(who)
            self._begin()

    def clear(self) -> None:
        """Cancel all waiting callers, including those of running work."""
        for _, waiting, _ in self.queue.clear():
            waiting.cancel()
        for waiting in self._doing.values():
            waiting.cancel()

    async def close(self) -> None:
        """Cancel waiting pieces and wait for running ones."""
        for _, waiting, _ in self.queue.clear():
            waiting.cancel()
        if self._doing:
            await asyncio.wait(list(self._doing))
