"""Fixtures of server tests."""

from __future__ import annotations

import random

import pytest

from acesaround.server import random_source


@pytest.fixture(autouse=True)
def _seeded_server(monkeypatch: pytest.MonkeyPatch, chance: random.Random) -> None:
    """Let servers in the test process draw random numbers from the generator of the test."""
    monkeypatch.setattr(random_source, "RNG", chance)
