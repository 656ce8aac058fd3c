"""Periodic tasks of a server process. On shutdown they stop between two pieces of work."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from acesaround.store import DatabaseUnavailable

_PAUSE_FACTOR: Final = 9
"""The length of a pause as a multiple of the work before it, so that others can write."""
_MIN_PAUSE_SECONDS: Final = 0.02  # seconds between two pieces of work
_LOG: Final = logging.getLogger(__name__)


class ShuttingDown(Exception):  # noqa: N818 - not an error
    """The server is shutting down, so periodic tasks end."""


class PeriodicTasks:
    """Tasks that repeat until shutdown."""

    def __init__(self) -> None:
        self._shutdown = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Wait. Raises ShuttingDown."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._shutdown.wait(), seconds)
        if self._shutdown.is_set():
            raise ShuttingDown

    async def throttle(self, work_seconds: float) -> None:
        """Pause after a piece of work that took `work_seconds` seconds. Raises ShuttingDown."""
        await self.sleep(max(_MIN_PAUSE_SECONDS, _PAUSE_FACTOR * work_seconds))

    async def run_every(
        self, name: str, task: Callable[[], Awaitable[object]], interval_seconds: float
    ) -> None:
        """Run a task every `interval_seconds` seconds until shutdown. Failures are logged."""
        with contextlib.suppress(ShuttingDown):
            while True:
                try:
                    await task()
                except DatabaseUnavailable as error:  # the next run does it
                    _LOG.warning("%s did not finish: %s", name, error)
                except ShuttingDown:
                    raise
                except Exception:  # a failed task must not disturb players
                    _LOG.exception("%s failed", name)
                await self.sleep(interval_seconds)

    @contextlib.asynccontextmanager
    async def run(self, *coroutines: Awaitable[None]) -> AsyncIterator[None]:
        """Run tasks inside the `with` block, then wait for them to end."""
        tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
        try:
            yield
        finally:
            self._shutdown.set()
            await asyncio.wait(tasks)
