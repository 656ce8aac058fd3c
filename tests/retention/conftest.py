"""A store of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.store.opening import empty_database, store

__all__ = ["store"]


@pytest.fixture(params=["sqlite", "postgresql", "memory-shared"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty database of each kind."""
    with empty_database(request) as made:
        yield made
