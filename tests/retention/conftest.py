"""A store of each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from acesaround.store import Store
from tests.store.opening import empty_database, opened


@pytest.fixture(params=["sqlite", "postgresql", "memory-shared"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty database of each kind."""
    with empty_database(request) as made:
        yield made


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """A store on each kind of database."""
    async with opened(url) as store:
        yield store
