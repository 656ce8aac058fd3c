"""A database as a server leaves it, made once for all tests that damage or copy it."""

from __future__ import annotations

import base64
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from acesaround.server import random_source
from tests.seeds import chance_of
from tests.server.http_client import (
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.store.opening import KINDS, empty_database, store

__all__ = ["store"]


class Played(NamedTuple):
    """An SQLite database with tables, one of which was played, and their ids."""

    path: Path
    tables: list[str]

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"


@pytest.fixture(scope="session")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return a database with forty tables of a person with two devices, and always the same ids."""
    folder, chance = tmp_path_factory.mktemp("played"), chance_of("tests/store: played")

    def token(size: int = 32) -> str:
        return base64.urlsafe_b64encode(chance.randbytes(size)).rstrip(b"=").decode()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(secrets, "token_urlsafe", token)
        patched.setattr(random_source, "RNG", chance)
        with open_clients(
            make_app(folder, max_creations_per_guest=100, max_unfinished_tables=100)
        ) as [ann]:
            set_name(ann, "Ann Ö")
            opened = [create_table(ann, start=True) for _ in range(40)]
            with open_seat(ann, opened[0]) as sitting:
                sitting.play(has_scored_deals())
            assert ann.post("/api/devices/code", json={}).status_code == 201
    path = folder / "tables.sqlite"
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()
    return Played(path, opened)


@pytest.fixture
def played(played_once: Played, tmp_path: Path) -> Played:
    """Return a copy of that database, which a test may change."""
    path = tmp_path / "tables.sqlite"
    shutil.copy(played_once.path, path)
    return Played(path, played_once.tables)


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty database of each kind."""
    with empty_database(request) as made:
        yield made
