"""Periodic tasks of a server process. On shutdown they stop between two pieces of work."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from acesaround.store import DatabaseUnavailable

_SHARE: Final = 9
"""The length of a pause as a multiple of the work before it, so that others can write."""
_LEAST: Final = 0.02  # seconds between two pieces of work
_LOG: Final = logging.getLogger(__name__)


class ShuttingDown(Exception):  # noqa: N818 - not an error
    """The server is shutting down, so periodic tasks end."""


class PeriodicTasks:
    """Tasks that repeat until shutdown."""

    def __init__(self) -> None:
        self._ending = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Wait. Raises ShuttingDown."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)
        if self._ending.is_set():
            raise ShuttingDown

    async def throttle(self, took: float) -> None:
        """Pause after a piece of work that took `took` seconds. Raises ShuttingDown."""
        await self.sleep(max(_LEAST, _SHARE * took))

    async def run_every(self, what: str, do: Callable[[], Awaitable[object]], every: float) -> None:
        """Run a task every `every` seconds until shutdown. Failures are logged."""
        with contextlib.suppress(ShuttingDown):
            while True:
                try:
                    await do()
                except DatabaseUnavailable as error:  # the next run does it
                    _LOG.warning("%s was not finished: %s", what, error)
                except ShuttingDown:
                    raise
                except Exception:  # a failed task must not disturb players
                    _LOG.exception("%s failed", what)
                await self.sleep(every)

    @contextlib.asynccontextmanager
    async def running(self, *work: Awaitable[None]) -> AsyncIterator[None]:
        """Run tasks inside the `with` block, then wait for them to end."""
        tasks = [asyncio.ensure_future(one) for one in work]
        try:
            yield
        finally:
            self._ending.set()
            await asyncio.wait(tasks)
