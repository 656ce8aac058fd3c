"""A round-robin queue in front of the event loop, with one line for each address.

Without it, all requests and messages that have arrived are handled before anything else: one
address with 300 WebSockets that sends 99 messages on each would stop the server for seconds.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from acesaround.server.limits.client_addresses import rate_limit_keys

STARTS_PER_ITERATION: Final = 4
"""How much work starts in an iteration of the event loop.

A request takes up to ten milliseconds.
"""


class FairQueue:
    """Starts `per_iteration` pieces of work in each iteration of the event loop.

    Addresses are served round-robin, so that an address with few pieces waits for at most one piece
    of each other address. An IPv6 /48 counts as one address, and so do all loopback addresses.
    """

    def __init__(self, per_iteration: int = STARTS_PER_ITERATION) -> None:
        self._per_iteration = per_iteration
        self._lines: OrderedDict[str, deque[Callable[[], object]]] = OrderedDict()
        self._started_count = 0  # in this iteration of the loop
        self._is_scheduled = False

    @property
    def waiting_count(self) -> int:
        """How many pieces of work wait."""
        return sum(map(len, self._lines.values()))

    def call(self, address: str | None, start: Callable[[], object]) -> None:
        """Call `start` when the address is next: at once if nothing waits."""
        self._schedule()
        if not self._lines and self._started_count < self._per_iteration:
            self._started_count += 1
            start()
            return
        key = next(iter(rate_limit_keys(address)), "")
        self._lines.setdefault(key, deque()).append(start)

    async def wait(self, address: str | None) -> None:
        """Wait until the address is next."""
        is_next = asyncio.Event()
        self.call(address, is_next.set)
        await is_next.wait()  # without another iteration of the loop if it is set

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._begin_iteration)

    def _begin_iteration(self) -> None:
        self._is_scheduled, self._started_count = False, 0
        while self._lines and self._started_count < self._per_iteration:
            key, line = self._lines.popitem(last=False)
            start = line.popleft()
            if line:
                self._lines[key] = line  # behind the other addresses
            self._started_count += 1
            self._schedule()
            start()
