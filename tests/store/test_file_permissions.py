"""Database files are readable by their owner only, and must be files."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from acesaround.store import Store, StoreError
from tests.store.opening import opened


@pytest.fixture(autouse=True)
def _usual() -> Iterator[None]:
    """Use the usual umask, which lets others read new files."""
    was = os.umask(0o022)
    yield
    os.umask(was)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@asynccontextmanager
async def used(path: Path) -> AsyncIterator[None]:
    """Open a database, so that its write-ahead log exists."""
    async with opened(f"sqlite:///{path}") as store:
        await store.create("t", [b"[1]"], config=b"{}", public=True, summary=b"{}")
        yield


async def test_new_database_files_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    async with used(folder / "tables.sqlite"):
        found = {path.name: mode(path) for path in folder.iterdir()}
    assert set(found) >= {"tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm"}
    assert set(found.values()) == {0o600}
    assert mode(folder) == 0o700


async def test_old_files_are_made_private(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "tables.sqlite"
    kept = tmp_path / "backup" / "tables.sqlite"
    kept.parent.mkdir()
    async with used(path):
        for copy in (kept, kept.with_name("cookie.key"), tmp_path / "tables.sqlite.txt"):
            copy.write_text("x")
        for open_to_all in tmp_path.rglob("*.*"):
            open_to_all.chmod(0o644)
        with caplog.at_level(logging.WARNING):
            async with opened(f"sqlite:///{path}"):
                pass
    said = caplog.text
    for mended in (path, kept, kept.with_name("cookie.key")):
        assert mode(mended) == 0o600
        assert f"other users of this machine could read {mended}" in said
    assert f"other users of this machine could read {path}-wal" in said
    assert mode(tmp_path / "tables.sqlite.txt") == 0o644  # not a database file


async def test_file_that_is_no_database_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 500)
    path.chmod(0o644)
    with pytest.raises(StoreError, match="cannot be opened"):
        await Store.open(f"sqlite:///{path}")
    assert mode(path) == 0o644


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://", "sqlite:///:memory:", "sqlite+aiosqlite://", "sqlite:///",
        "sqlite:///file:x?mode=memory&cache=shared&uri=true",
    ],
)  # fmt: skip
async def test_in_memory_database_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="names no file"):
        await Store.open(url)
