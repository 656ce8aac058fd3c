"""What tests of the server share."""

from __future__ import annotations

import random

import pytest

from acesaround.server import chance as drawn


@pytest.fixture(autouse=True)
def _alike(monkeypatch: pytest.MonkeyPatch, chance: random.Random) -> None:
    """Servers in the process of a test draw cards and lots from the chance of that test."""
    monkeypatch.setattr(drawn, "RNG", chance)
