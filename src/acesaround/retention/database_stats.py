"""Database statistics, counted some hundred tables at a time without reading logs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from acesaround.store import Store, retention_queries
from acesaround.store.retention_queries import DatabaseSizes

Pause = Callable[[float], Awaitable[object]]


async def count_database(store: Store, pause: Pause = asyncio.sleep) -> DatabaseSizes:
    """Count all rows. Raises DatabaseUnavailable.

    `pause`: called between two pieces of work with the seconds that the previous piece took.
    """
    sizes = DatabaseSizes(bytes=await retention_queries.database_bytes(store))
    loop = asyncio.get_running_loop()
    last_table_id: str | None = ""
    while last_table_id is not None:
        started_at = loop.time()
        last_table_id, piece = await retention_queries.count_some_tables(store, last_table_id)
        sizes.tables += piece.tables
        sizes.games += piece.games
        sizes.entries += piece.entries
        await pause(loop.time() - started_at)
    last_person_id: str | None = ""
    while last_person_id is not None:
        started_at = loop.time()
        last_person_id, people_count = await retention_queries.count_some_people(
            store, last_person_id
        )
        sizes.people += people_count
        await pause(loop.time() - started_at)
    return sizes
