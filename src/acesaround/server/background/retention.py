"""The retention task: counts the rows of the database and deletes data by the retention policy.

Each process runs one, but only one process per database cleans up at a time. The task works in
small pieces and pauses nine times as long as each piece took.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from acesaround.retention.cleanup import Cleanup
from acesaround.retention.database_stats import count_database
from acesaround.retention.policy import RetentionPolicy
from acesaround.server.background.periodic import PeriodicTasks, ShuttingDown
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.store import Store

FIRST_CLEANUP_SECONDS: Final = 60.0
"""Seconds from the start to the first cleanup, which gives players priority at startup."""
CLEANUP_SECONDS: Final = 3600.0
"""Seconds between two cleanups."""
COUNT_SECONDS: Final = 600.0
"""Seconds between two counts."""


@contextlib.asynccontextmanager
async def run_retention(
    store: Store, registry: TableRegistry, metrics: Metrics, policy: RetentionPolicy
) -> AsyncIterator[None]:
    """Run the counting and the cleanup inside the `with` block."""
    periodic = PeriodicTasks()
    cleanup = Cleanup(store, policy, registry.is_in_use, periodic.throttle)

    async def count() -> None:
        metrics.database_size = msgspec.structs.asdict(
            await count_database(store, periodic.throttle)
        )

    async def clean_up() -> None:
        with contextlib.suppress(ShuttingDown):
            await periodic.sleep(FIRST_CLEANUP_SECONDS)
            await periodic.run_every("cleanup", cleanup.run_once, CLEANUP_SECONDS)

    async with periodic.run(periodic.run_every("counting", count, COUNT_SECONDS), clean_up()):
        yield
