"""Database statistics, counted some hundred tables at a time without reading logs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from acesaround.store import Store, retention_queries
from acesaround.store.retention_queries import Sizes

Pause = Callable[[float], Awaitable[object]]


async def count_database(store: Store, pause: Pause = asyncio.sleep) -> Sizes:
    """Count all rows. Raises DatabaseUnavailable.

    `pause`: called between two pieces of work with the seconds that the previous piece took.
    """
    found = Sizes(bytes=await retention_queries.database_bytes(store))
    loop = asyncio.get_running_loop()
    last: str | None = ""
    while last is not None:
        began = loop.time()
        last, some = await retention_queries.some_tables(store, last)
        found.tables += some.tables
        found.games += some.games
        found.entries += some.entries
        await pause(loop.time() - began)
    person: str | None = ""
    while person is not None:
        began = loop.time()
        person, number = await retention_queries.some_people(store, person)
        found.people += number
        await pause(loop.time() - began)
    return found
