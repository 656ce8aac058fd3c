"""The pace of the table: pauses before a bot acts and after a trick, by name."""

from __future__ import annotations

from typing import Final, NamedTuple


class PauseLengths(NamedTuple):
    """Pauses in seconds. `after_trick` None: a finished trick waits for a key."""

    before_action: float
    after_trick: float | None


PACES: Final[dict[str, PauseLengths]] = {
    "wait": PauseLengths(0.8, None),
    "slow": PauseLengths(1.6, 3.5),
    "normal": PauseLengths(0.9, 2.2),
    "fast": PauseLengths(0.35, 1.0),
    "instant": PauseLengths(0, 0),
}
"""The paces, slowest first. `wait`: every finished trick waits for a key."""


def shift_pace(name: str, step: int) -> str:
    """Return the next faster or slower pace. The slowest and the fastest pace are the limits."""
    names = list(PACES)
    return names[min(max(names.index(name) + step, 0), len(names) - 1)]
