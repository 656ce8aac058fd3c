"""Time that runs for one thing, stands still and goes on, and rings when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable


class Countdown:
    """`ring`: is told for what the time is over. What it is told to run for again goes on."""

    def __init__(self, ring: Callable[[Hashable], None]) -> None:
        self._ring = ring
        self._what: Hashable = None
        self._timer: asyncio.TimerHandle | None = None
        self._rest = 0.0  # seconds, while it stands
        self._over = False

    def run(self, what: Hashable, seconds: float) -> None:
        """Run for that, from the beginning where it has not run for it before; None for nothing."""
        if what != self._what:
            self._stop()
            self._what, self._rest, self._over = what, seconds, False
        if what is not None and self._timer is None and not self._over:
            self._timer = asyncio.get_running_loop().call_later(self._rest, self._end)

    def pause(self) -> None:
        """Stand still until it is told to run again."""
        self._rest = self.remaining or 0.0
        self._stop()

    def restart(self, seconds: float) -> None:
        """Ring once more for the same."""
        self._over, self._rest = False, seconds
        self.run(self._what, seconds)

    def runs_for(self, what: Hashable) -> bool:
        """Whether that is what it was told to run for last, be it over or not."""
        return self._what == what

    def has_expired(self, what: Hashable) -> bool:
        """Whether the time for that has run out."""
        return self._over and self._what == what

    @property
    def remaining(self) -> float | None:
        """Seconds that are left, also while it stands; None where it is for nothing."""
        if self._what is None:
            return None
        if self._timer is None:
            return 0.0 if self._over else round(self._rest, 1)
        return round(max(0.0, self._timer.when() - asyncio.get_running_loop().time()), 1)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _end(self) -> None:
        self._timer, self._over = None, True
        self._ring(self._what)
