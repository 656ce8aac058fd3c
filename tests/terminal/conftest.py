"""Files of games that a test leaves open are closed behind it, and keys wait for no clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acesaround.terminal.save_file import SaveFile
from tests.terminal.rest import at_rest


@pytest.fixture(autouse=True)
def _resting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that the pilot pressed has done all that it does when the pilot goes on."""
    for module in ("textual.app", "textual.pilot"):
        monkeypatch.setattr(f"{module}.wait_for_idle", at_rest)


@pytest.fixture(autouse=True)
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    held: list[SaveFile] = []
    hold = SaveFile.lock

    def remembered(file: SaveFile) -> None:
        hold(file)
        held.append(file)

    monkeypatch.setattr(SaveFile, "lock", remembered)
    yield
    for file in held:
        file.close()
