"""A store of each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acesaround.store import Store
from tests.postgres import Postgres


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        url = postgres.url()
    opened = await Store.open(url)
    yield opened
    await opened.close()
