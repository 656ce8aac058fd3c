"""Threads that do what waits in a fair queue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any, Final, TypeVar

from acesaround.server.fair import Fair
from acesaround.server.metrics import SLOW, Histogram

T = TypeVar("T")
_EACH: Final = 64  # pieces that may wait for one person
_MOST: Final = 2000  # and for all

_Piece = tuple[Callable[[], Any], "asyncio.Future[Any]", float]


class Crew:
    """So many threads, which take from the persons in turn."""

    def __init__(self, threads: int, name: str) -> None:
        self.queue: Fair[_Piece] = Fair(threads, _EACH, _MOST)
        self.waited, self.worked = Histogram(SLOW), Histogram(SLOW)
        self._free = threads
        self._threads = ThreadPoolExecutor(threads, name)

    async def do(self, who: str, work: Callable[[], T]) -> T:
        """What comes of some work on a person's account, off the loop. Raises TooMany."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.queue.put(who, (work, done, perf_counter()))
        self._begin()
        return await done

    def _begin(self) -> None:
        """Give work to every thread that is free."""
        while self._free and (taken := self.queue.take()) is not None:
            who, (work, done, came) = taken
            if done.done():  # nobody waits for it any more
                self.queue.done(who)
                continue
            self._free -= 1
            now = perf_counter()
            self.waited.note(now - came)
            begun = asyncio.get_running_loop().run_in_executor(self._threads, work)
            begun.add_done_callback(partial(self._end, who, done, now))

    def _end(
        self, who: str, done: asyncio.Future[Any], began: float, ended: asyncio.Future[Any]
    ) -> None:
        self._free += 1
        self.worked.note(perf_counter() - began)
        self.queue.done(who)
        error = None if ended.cancelled() else ended.exception()
        if done.done():
            pass
        elif ended.cancelled():
            done.cancel()
        elif error is not None:
            done.set_exception(error)
        else:
            done.set_result(ended.result())
        self._begin()

    async def close(self) -> None:
        """Drop what waits, and let those who work come to an end."""
        for _, done, _ in self.queue.clear():
            done.cancel()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
