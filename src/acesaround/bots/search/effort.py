"""How much thinking a decision is worth: counted in playouts, never by the clock.

So the same view and seed get the same answer on every machine. A time is turned into playouts at
the rate of a machine of today; what a decision really takes is measured by the arena.
"""

from __future__ import annotations

from typing import Final, NamedTuple

PLAYOUTS_A_MS: Final = 300
"""Playouts of a whole deal in a millisecond, all that goes with them included."""


class Effort(NamedTuple):
    """What one decision may spend."""

    playouts: int
    """Whole deals played out."""
    seed: int

    def worlds(self, choices: int, most: int = 4000) -> int:
        """How many worlds to try so many choices in."""
        return max(8, min(most, self.playouts // max(choices, 1)))


def effort(seconds: float, seed: int) -> Effort:
    """The effort that takes about that long."""
    return Effort(max(16, int(seconds * 1000 * PLAYOUTS_A_MS)), seed)
