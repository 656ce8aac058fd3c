"""What a process does beside serving, until it is told to end: never cut in mid-write."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from acesaround.store import DatabaseUnavailable

_SHARE: Final = 9
"""So many times as long as a piece of work took nothing is done, so that others can write."""
_LEAST: Final = 0.02  # seconds between two pieces of work
_LOG: Final = logging.getLogger(__name__)


class ShuttingDown(Exception):  # noqa: N818 - no fault
    """The server ends, and what it does beside serving with it."""


class PeriodicTasks:
    """Work that goes on until the process is told to end."""

    def __init__(self) -> None:
        self._ending = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Wait. Raises Ended."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)
        if self._ending.is_set():
            raise ShuttingDown

    async def throttle(self, took: float) -> None:
        """Wait after a piece of work that took so many seconds. Raises Ended."""
        await self.sleep(max(_LEAST, _SHARE * took))

    async def run_every(self, what: str, do: Callable[[], Awaitable[object]], every: float) -> None:
        """Do something again and again, whatever becomes of it, until told to end."""
        with contextlib.suppress(ShuttingDown):
            while True:
                try:
                    await do()
                except DatabaseUnavailable as error:  # it is done when the database is back
                    _LOG.warning("%s was not finished: %s", what, error)
                except ShuttingDown:
                    raise
                except Exception:  # nobody who plays is to be troubled by it
                    _LOG.exception("%s failed", what)
                await self.sleep(every)

    @contextlib.asynccontextmanager
    async def running(self, *work: Awaitable[None]) -> AsyncIterator[None]:
        """Do that meanwhile."""
        tasks = [asyncio.ensure_future(one) for one in work]
        try:
            yield
        finally:
            self._ending.set()
            await asyncio.wait(tasks)
