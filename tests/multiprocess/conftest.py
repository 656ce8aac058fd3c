"""Fixtures of the tests with several server processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.multiprocess.server import Server
from tests.postgres import Postgres

HEARTBEAT_SECONDS = 0.5
"""The interval of heartbeats, short so that a killed server is soon noticed."""


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.url()


@pytest.fixture
def two_servers(url: str, tmp_path: Path) -> Iterator[list[Server]]:
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
