"""The event loop lag: how late the loop runs. A slow callback delays everybody."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from prometheus_client import Histogram

_EVERY: Final = 0.1


@contextlib.asynccontextmanager
async def measure_loop_lag(lag: Histogram) -> AsyncIterator[None]:
    """Measure the lag ten times a second inside the `with` block."""
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
