"""The simulated world in the gate: 200 seeds, and every seed that once failed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tests.simulation.shrink import shrink

_ROOT: Final = Path(__file__).parents[2]
_GATE_SEEDS: Final = 200
_GATE_CHUNK: Final = 50  # worlds of a test: with 200 it could count as hanging on a slow processor
_FIRST_SOAK_SEED: Final = 1_000_000
_SOAK_ACTIONS: Final = int(os.environ.get("ACESAROUND_SIMULATED_ACTIONS", "20000"))
_CHUNK: Final = 200


class _Seen(msgspec.Struct):
    seed: int
    actions: int
    seconds: float
    is_played_out: bool
    rule: str | None
    failure: str


def simulate(*arguments: str) -> list[_Seen]:
    """The outcomes of worlds, which run in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation", "--json", *arguments],
        cwd=_ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr.decode()
    return [msgspec.json.decode(line, type=_Seen) for line in done.stdout.splitlines()]


def failures(seen: list[_Seen]) -> list[str]:
    """Return the failures, and how to repeat each."""
    return [f"make simulate SEED={one.seed}: {one.failure}" for one in seen if one.rule is not None]


@pytest.mark.parametrize("first", range(0, _GATE_SEEDS, _GATE_CHUNK))
def test_no_seed_of_the_gate_fails_and_most_games_are_played_to_the_end(first: int) -> None:
    seen = simulate("--first", str(first), "--count", str(_GATE_CHUNK))
    assert not failures(seen)
    assert len(seen) == _GATE_CHUNK
    assert sum(one.is_played_out for one in seen) > len(seen) / 2


def test_no_seed_that_once_failed_fails_again() -> None:
    seen = simulate("--kept")
    assert seen
    assert not failures(seen)


@pytest.mark.soak
def test_every_seed_of_the_gate_is_repeated_to_the_byte() -> None:
    assert not failures(simulate("--twice", "--kept", "--first", "0", "--count", str(_GATE_SEEDS)))


@pytest.mark.soak
def test_no_other_seed_fails() -> None:
    actions, seconds = 0, 0.0
    for first in _chunks():
        seen = simulate("--first", str(first), "--count", str(_CHUNK))
        assert not failures(seen)
        actions += sum(one.actions for one in seen)
        seconds += sum(one.seconds for one in seen)
        if actions >= _SOAK_ACTIONS:
            break
    sys.stdout.write(f"{actions} acknowledged actions, {seconds / 3600:.1f} simulated hours\n")


def _chunks() -> Iterator[int]:
    yield from range(_FIRST_SOAK_SEED, _FIRST_SOAK_SEED + 10_000_000, _CHUNK)


def test_a_story_shrinks_to_what_it_needs() -> None:
    happened = [("fault", number) for number in range(40)]
    needed = {("fault", 7), ("fault", 31)}
    assert set(shrink(happened, lambda kept: needed <= set(kept))) == needed
