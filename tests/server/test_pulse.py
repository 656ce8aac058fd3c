"""How late the loop is."""

from __future__ import annotations

import asyncio
import time

from acesaround.server.metrics import Histogram
from acesaround.server.pulse import beating


async def test_what_holds_the_loop_is_noticed() -> None:
    lag = Histogram()
    async with beating(lag):
        while sum(lag.figures[1:]) < 2:
            await asyncio.sleep(0.01)
        time.sleep(0.5)  # what nobody should do
        while sum(lag.figures[1:]) < 3:
            await asyncio.sleep(0.01)
    assert lag.figures[0] >= 0.35
