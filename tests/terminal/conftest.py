"""Files of games that a test leaves open are closed behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acesaround.terminal.kept import Kept


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
