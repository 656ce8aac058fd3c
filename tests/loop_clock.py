"""The clock of an event loop that a test puts on, so that time limits run out when it says so."""

from __future__ import annotations

import asyncio


class LoopClock:
    """Puts the clock of the running loop on. Nobody waits for that, and no limit runs out sooner
    because the machine is slow where limits are longer than a test may take."""

    def __init__(self) -> None:
        self._ahead = 0.0
        loop = asyncio.get_running_loop()
        real = loop.time
        loop.time = lambda: real() + self._ahead  # type: ignore[method-assign]

    def put_on(self, seconds: float) -> None:
        """Let so many seconds pass at once: what was to happen in them happens next."""
        self._ahead += seconds
