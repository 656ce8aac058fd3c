"""Close the save files that a test leaves open, and let the pilot wait for the event loop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acesaround.terminal.save_file import SaveFile
from tests.terminal.event_loop_idle import wait_for_idle


@pytest.fixture(autouse=True)
def _wait_for_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pilot go on only when all effects of a key are done."""
    for module in ("textual.app", "textual.pilot"):
        monkeypatch.setattr(f"{module}.wait_for_idle", wait_for_idle)


@pytest.fixture(autouse=True)
def _close_save_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    locked: list[SaveFile] = []
    lock = SaveFile.lock

    def lock_and_remember(file: SaveFile) -> None:
        lock(file)
        locked.append(file)

    monkeypatch.setattr(SaveFile, "lock", lock_and_remember)
    yield
    for file in locked:
        file.close()
