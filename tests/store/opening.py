"""Stores that are always closed, and waiting processes of PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # as in the store
import pytest
from sqlalchemy.engine import make_url

from acesaround.store import Store, Timeouts
from acesaround.store.store import current_ms
from tests.postgres import Postgres
from tests.simulation.memory_store import MemoryDatabase
from tests.waiting import PATIENCE_SECONDS

PATIENT: Final = Timeouts(*6 * [PATIENCE_SECONDS])
"""Time limits that expire only when a test advances the clock."""
LOCKED: Final = (
    "SELECT pid FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
"""The processes of PostgreSQL that wait for a lock of this database."""
KINDS: Final = ("sqlite", "postgresql", "memory", "memory-shared")
"""The kinds of databases. Stores in memory notify each other where it is shared."""
_IN_MEMORY: Final[dict[str, MemoryDatabase]] = {}


@contextmanager
def empty_database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield the URL, for `opened`, of an empty database. The fixture's parameter is its kind."""
    if request.param == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        yield postgres.url()
    elif request.param == "sqlite":
        yield f"sqlite:///{request.getfixturevalue('tmp_path') / 'folder' / 'tables.sqlite'}"
    else:
        _IN_MEMORY[request.param] = MemoryDatabase()
        try:
            yield request.param
        finally:
            _IN_MEMORY.pop(request.param).close()


@asynccontextmanager
async def opened(
    url: str, patience: Timeouts = PATIENT, *, clock: Callable[[], int] = current_ms
) -> AsyncIterator[Store]:
    """A store, closed at the end."""
    in_memory = _IN_MEMORY.get(url)
    if in_memory is None:
        result = await Store.open(url, patience, clock=clock)
    else:
        result = in_memory.open_store(clock=clock, is_shared=url == "memory-shared")
    try:
        yield result
    finally:
        await result.close()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """Open a store on the database of the fixture `url`."""
    async with opened(url) as opened_store:
        yield opened_store


@asynccontextmanager
async def watching(url: str) -> AsyncIterator[Any]:
    """Open a connection to PostgreSQL apart from any store, and close it at the end."""
    where = make_url(url)
    connection = await asyncpg.connect(
        host=where.query["host"],
        user=where.username,
        database=where.database,
        timeout=PATIENCE_SECONDS,
    )
    try:
        yield connection
    finally:
        await connection.close(timeout=PATIENCE_SECONDS)


async def found(connection: Any, asked: str) -> Any:
    """Return the first value of the result of a query, as soon as there is one."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (value := await connection.fetchval(asked)) is None:
            await asyncio.sleep(0.01)
    return value
