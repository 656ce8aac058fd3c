"""The positions that ship with the package, found by `find_positions`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from acesaround.practice.position import PracticePosition, read_position

POSITIONS_FILE: Final = Path(__file__).with_name("positions.jsonl")


@cache
def shipped_positions() -> tuple[PracticePosition, ...]:
    """Return all positions, in the order of the file."""
    lines = POSITIONS_FILE.read_bytes().splitlines()
    return tuple([read_position(line) for line in lines])


def find_position(position_id: str) -> PracticePosition | None:
    """Return the position with an identifier, or None."""
    return _positions_by_id().get(position_id)


@cache
def _positions_by_id() -> Mapping[str, PracticePosition]:
    return {position.id: position for position in shipped_positions()}
