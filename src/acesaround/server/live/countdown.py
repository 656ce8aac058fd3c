"""A timer that can be paused, restarted for another key, and calls back when it expires."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable


class Countdown:
    """A pausable timer for one key (`what`) at a time.

    `ring`: the callback that gets the key when its time expires.
    """

    def __init__(self, ring: Callable[[Hashable], None]) -> None:
        self._ring = ring
        self._what: Hashable = None
        self._timer: asyncio.TimerHandle | None = None
        self._rest = 0.0  # remaining seconds while the timer is paused
        self._over = False

    def run(self, what: Hashable, seconds: float) -> None:
        """Start the timer for a new key, or continue it for the current key. None stops it."""
        if what != self._what:
            self._stop()
            self._what, self._rest, self._over = what, seconds, False
        if what is not None and self._timer is None and not self._over:
            self._timer = asyncio.get_running_loop().call_later(self._rest, self._end)

    def pause(self) -> None:
        """Pause until the next call of `run`."""
        self._rest = self.remaining or 0.0
        self._stop()

    def restart(self, seconds: float) -> None:
        """Start the expired timer again for its current key."""
        self._over, self._rest = False, seconds
        self.run(self._what, seconds)

    def has_expired(self, what: Hashable) -> bool:
        """Return whether `what` is the current key and its time has expired."""
        return self._over and self._what == what

    @property
    def remaining(self) -> float | None:
        """The remaining seconds, also while the timer is paused; None without a key."""
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
