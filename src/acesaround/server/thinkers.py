"""Bots that search, at all tables together: a thread a core, first come first served.

Where many think at once each thinks for less, so that nobody waits much longer for it. Until their
kernels are compiled, `thumb` plays in their place.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from acesaround import bots
from acesaround.bots.player import Player
from acesaround.bots.preparing import preparation
from acesaround.rules import Rules
from acesaround.server.limits import TooMany

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_HINT: Final = 1.0  # seconds that are thought about a hint, if nobody else thinks
_ASKED: Final = 32  # questions about finished games that may wait for an answer


class Thinkers:
    """Threads that think. `busy`: how many decisions are thought about or wait for it."""

    def __init__(self) -> None:
        self.busy = 0
        self._cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        self._threads = ThreadPoolExecutor(self._cores, "thinking")
        self._asking: set[str] = set()

    def prepare(self) -> bool:
        """Whether bots that search answer at once; sees to it that they will."""
        its = preparation()
        its.begin(announce)
        return its.ready.is_set() and its.failed is None

    def player(self, name: str, rng: random.Random) -> Player:
        """A bot that takes its part of the time there is."""
        return bots.sharing(name, rng, min(1.0, self._cores / max(self.busy, 1)))

    def adviser(self, rules: Rules, rng: random.Random) -> Player:
        """Who gives hints by those rules: the best there is and that answers at once."""
        if not (bots.searches(bots.adviser_name(rules)) and self.prepare()):
            return bots.make("thumb", rng)
        return bots.adviser(rng, _HINT * min(1.0, self._cores / max(self.busy, 1)), rules)

    async def think(self, work: Callable[[], T]) -> T:
        """What comes of some thinking, off the loop."""
        self.busy += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self.busy -= 1

    async def answer(self, who: str, work: Callable[[], T]) -> T:
        """The same for somebody's question, one at a time of each. Raises TooMany."""
        if who in self._asking or len(self._asking) >= _ASKED:
            raise TooMany
        self._asking.add(who)
        try:
            return await self.think(work)
        finally:
            self._asking.discard(who)

    async def close(self) -> None:
        """Let those who think come to an end."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)


def announce() -> None:
    """Say in the log that something is being compiled."""
    _LOG.warning("compiling what bots think with, this once: until then thumb plays for them")
