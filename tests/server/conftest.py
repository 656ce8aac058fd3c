"""Fixtures of server tests."""

from __future__ import annotations

import random

import pytest

from acesaround.server import chance as server_chance


@pytest.fixture(autouse=True)
def _seeded_server(monkeypatch: pytest.MonkeyPatch, chance: random.Random) -> None:
    """Let servers in the test process draw random numbers from the generator of the test."""
    monkeypatch.setattr(server_chance, "RNG", chance)
