"""The event loop lag: how late the loop runs. A slow callback delays everybody."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from prometheus_client import Histogram

_INTERVAL_SECONDS: Final = 0.1


@contextlib.asynccontextmanager
async def measure_loop_lag(lag: Histogram) -> AsyncIterator[None]:
    """Measure the lag ten times a second inside the `with` block."""
    task = asyncio.create_task(_measure(lag), name="pulse")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _measure(lag: Histogram) -> None:
    now = asyncio.get_running_loop().time
    while True:
        expected_at = now() + _INTERVAL_SECONDS
        await asyncio.sleep(_INTERVAL_SECONDS)
        lag.observe(max(0.0, now() - expected_at))
