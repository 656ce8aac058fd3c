"""The keeper: counts what the database holds, and clears what its rule does not keep.

Each process has one; of all on a database one clears at a time. It works in small pieces, and
nine times as long as it worked it rests.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from acesaround.retention.cleanup import Clearing
from acesaround.retention.database_stats import count_database
from acesaround.retention.policy import RetentionPolicy
from acesaround.server.background.periodic import PeriodicTasks, ShuttingDown
from acesaround.server.live.live_table import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.store import Store

FIRST: Final = 60.0
"""Seconds from the start to the first clearing: those who play come first."""
EVERY: Final = 3600.0
"""Seconds from one clearing to the next."""
COUNTED: Final = 600.0
"""Seconds from one counting to the next."""


@contextlib.asynccontextmanager
async def run_retention(
    store: Store, hub: TableRegistry, metrics: Metrics, rule: RetentionPolicy
) -> AsyncIterator[None]:
    """Count and clear meanwhile."""
    beside = PeriodicTasks()
    clearing = Clearing(store, rule, hub.in_use, beside.throttle)

    async def count() -> None:
        metrics.held = msgspec.structs.asdict(await count_database(store, beside.throttle))

    async def clear() -> None:
        with contextlib.suppress(ShuttingDown):
            await beside.sleep(FIRST)
            await beside.run_every("clearing", clearing.run_once, EVERY)

    async with beside.running(beside.run_every("counting", count, COUNTED), clear()):
        yield
