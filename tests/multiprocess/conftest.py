"""What the tests of several processes share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.multiprocess.server import Server
from tests.postgres import Postgres

HEARTBEAT_SECONDS = 0.5
"""How often servers on one database say that they live: more often than elsewhere, so that tests
need not wait for long until one that was killed is missed."""


@pytest.fixture
def url(postgres: Postgres) -> str:
    """A new database."""
    return postgres.url()


@pytest.fixture
def two(url: str, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers on one database."""
    servers = [
        Server(url, tmp_path / f"log{place}", heartbeat_seconds=HEARTBEAT_SECONDS)
        for place in range(2)
    ]
    try:
        for server in servers:
            server.start()
        yield servers
    finally:
        for server in servers:
            server.kill()
