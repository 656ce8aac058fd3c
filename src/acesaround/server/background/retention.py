"""The retention task: counts the rows of the database and deletes data by the retention policy.

Each process runs one, but only one process per database cleans up at a time. The task works in
small pieces and pauses nine times as long as each piece took.
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
"""Seconds from the start to the first cleanup, which gives players priority at startup."""
EVERY: Final = 3600.0
"""Seconds between two cleanups."""
COUNTED: Final = 600.0
"""Seconds between two counts."""


@contextlib.asynccontextmanager
async def run_retention(
    store: Store, hub: TableRegistry, metrics: Metrics, rule: RetentionPolicy
) -> AsyncIterator[None]:
    """Run the counting and the cleanup inside the `with` block."""
    beside = PeriodicTasks()
    clearing = Clearing(store, rule, hub.in_use, beside.throttle)

    async def count() -> None:
        metrics.database_size = msgspec.structs.asdict(await count_database(store, beside.throttle))

    async def clear() -> None:
        with contextlib.suppress(ShuttingDown):
            await beside.sleep(FIRST)
            await beside.run_every("clearing", clearing.run_once, EVERY)

    async with beside.running(beside.run_every("counting", count, COUNTED), clear()):
        yield
