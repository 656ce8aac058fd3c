"""The clock of an event loop, which a test can advance so that time limits expire."""

from __future__ import annotations

import asyncio


class LoopClock:
    """Advances the clock of the running loop without waiting."""

    def __init__(self) -> None:
        self._ahead = 0.0
        loop = asyncio.get_running_loop()
        real = loop.time
        loop.time = lambda: real() + self._ahead  # type: ignore[method-assign]

    def put_on(self, seconds: float) -> None:
        """Advance the clock; timers within these seconds become due at once."""
        self._ahead += seconds
