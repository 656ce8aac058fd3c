"""Files of games that a test leaves open are closed behind it, and keys wait for no clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acesaround.terminal.kept import Kept
from tests.terminal.rest import at_rest


@pytest.fixture(autouse=True)
def _resting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that the pilot pressed has done all that it does when the pilot goes on."""
    for module in ("textual.app", "textual.pilot"):
        monkeypatch.setattr(f"{module}.wait_for_idle", at_rest)


@pytest.fixture(autouse=True)
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    held: list[Kept] = []
    hold = Kept.hold

    def remembered(file: Kept) -> None:
        hold(file)
        held.append(file)

    monkeypatch.setattr(Kept, "hold", remembered)
    yield
    for file in held:
        file.close()
