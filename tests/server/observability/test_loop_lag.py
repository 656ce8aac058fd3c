"""How late the loop is."""

from __future__ import annotations

import asyncio

from acesaround.server.observability.loop_lag import measure_loop_lag
from acesaround.server.observability.metrics import Histogram
from tests.server.clock import Clock
from tests.waiting import wait_until_async


async def test_what_holds_the_loop_is_noticed() -> None:
    lag, clock = Histogram(), Clock(asyncio.get_running_loop())
    async with measure_loop_lag(lag):
        await wait_until_async(lambda: sum(lag.figures[1:]) >= 1)
        clock.forward(1000)  # as if the loop had been held for so long
        await wait_until_async(lambda: lag.figures[0] >= 999)
