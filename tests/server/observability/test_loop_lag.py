"""The measurement of event loop lag."""

from __future__ import annotations

import asyncio

from acesaround.server.observability.loop_lag import measure_loop_lag
from acesaround.server.observability.metrics import Metrics
from tests.server.clock import Clock
from tests.waiting import wait_until_async


async def test_blocked_loop_is_measured() -> None:
    metrics, clock = Metrics(), Clock(asyncio.get_running_loop())

    def read_lag(part: str) -> float:
        found = metrics.registry.get_sample_value(f"acesaround_event_loop_lag_seconds_{part}")
        assert found is not None
        return found

    async with measure_loop_lag(metrics.loop_lag_seconds):
        await wait_until_async(lambda: read_lag("count") >= 1)
        clock.advance(1000)  # as if the loop had been held for so long
        await wait_until_async(lambda: read_lag("sum") >= 999)
