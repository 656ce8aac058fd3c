"""How late the event loop is: what takes long in it makes everybody wait."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from acesaround.server.observability.metrics import Histogram

_EVERY: Final = 0.1


@contextlib.asynccontextmanager
async def measure_loop_lag(lag: Histogram) -> AsyncIterator[None]:
    """Meanwhile wake up ten times a second, and note how much later than asked that was."""
    task = asyncio.create_task(_beat(lag), name="pulse")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _beat(lag: Histogram) -> None:
    now = asyncio.get_running_loop().time
    while True:
        due = now() + _EVERY
        await asyncio.sleep(_EVERY)
        lag.observe(max(0.0, now() - due))
