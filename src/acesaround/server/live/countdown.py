"""A timer that can be paused, restarted for another key, and calls back when it expires."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable


class Countdown:
    """A pausable timer.

    The key says what is timed, such as one turn. A new key starts the timer again.

    `on_expired`: the callback that gets the key when its time expires.
    """

    def __init__(self, on_expired: Callable[[Hashable], None]) -> None:
        self._on_expired = on_expired
        self._key: Hashable = None
        self._timer: asyncio.TimerHandle | None = None
        self._paused_seconds = 0.0  # remaining seconds while the timer is paused
        self._expired = False

    def update(self, key: Hashable, seconds: float) -> None:
        """Start the timer for a new key, or continue it for the current key.

        The key None stops it.
        """
        if key != self._key:
            self._stop()
            self._key, self._paused_seconds, self._expired = key, seconds, False
        if key is not None and self._timer is None and not self._expired:
            self._timer = asyncio.get_running_loop().call_later(self._paused_seconds, self._expire)

    def pause(self) -> None:
        """Pause until the next call of `update`."""
        self._paused_seconds = self.remaining or 0.0
        self._stop()

    def restart(self, seconds: float) -> None:
        """Start the expired timer again for its current key."""
        self._expired, self._paused_seconds = False, seconds
        self.update(self._key, seconds)

    def has_expired(self, key: Hashable) -> bool:
        """Return whether `key` is the current key and its time has expired."""
        return self._expired and self._key == key

    def is_running_for(self, key: Hashable) -> bool:
        """Return whether `key` is the current key, perhaps paused, and its time is not over."""
        return self._key == key and not self._expired

    @property
    def remaining(self) -> float | None:
        """The remaining seconds, also while the timer is paused; None without a key."""
        if self._key is None:
            return None
        if self._timer is None:
            return 0.0 if self._expired else round(self._paused_seconds, 1)
        return round(max(0.0, self._timer.when() - asyncio.get_running_loop().time()), 1)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _expire(self) -> None:
        self._timer, self._expired = None, True
        self._on_expired(self._key)
