"""The keeper: counts what the database holds, and clears what its rule does not keep.

Each process has one; of all on a database one clears at a time. It works in small pieces, and
nine times as long as it worked it rests.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from acesaround.keep.clearing import Clearing
from acesaround.keep.rule import Rule
from acesaround.keep.sizing import sizes
from acesaround.server.live import Hub
from acesaround.server.meanwhile import Ended, Meanwhile
from acesaround.server.metrics import Metrics
from acesaround.store import Store

FIRST: Final = 60.0
"""Seconds from the start to the first clearing: those who play come first."""
EVERY: Final = 3600.0
"""Seconds from one clearing to the next."""
COUNTED: Final = 600.0
"""Seconds from one counting to the next."""


@contextlib.asynccontextmanager
async def keeping(store: Store, hub: Hub, metrics: Metrics, rule: Rule) -> AsyncIterator[None]:
    """Count and clear meanwhile."""
    beside = Meanwhile()
    clearing = Clearing(store, rule, hub.in_use, beside.after)

    async def count() -> None:
        metrics.held = msgspec.structs.asdict(await sizes(store, beside.after))

    async def clear() -> None:
        with contextlib.suppress(Ended):
            await beside.rest(FIRST)
            await beside.often("clearing", clearing.once, EVERY)

    async with beside.running(beside.often("counting", count, COUNTED), clear()):
        yield
