"""How much thinking a decision is worth, counted in playouts and never by the clock.

So the same view and seed get the same answer on every machine. A time is turned into playouts at
the rate of a machine of today; what a decision really takes is measured by the arena.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from acesaround.fast.sampler import ALL, Source

PLAYOUTS_A_MS: Final = 250
"""Playouts of a whole deal in a millisecond, all that goes with them included."""


class SearchBudget(NamedTuple):
    """What one decision may spend, and what is inferred."""

    playouts: int
    """Whole deals played out."""
    seed: int
    sources: frozenset[Source] = ALL
    """What the view shows for certain and is made use of; sizes and own cards always are."""
    calls: bool = True
    """Whether bids and passes make worlds more or less likely."""
    plays: bool = True
    """Whether cards played do."""
    ahead: bool = False
    """Whether the next own card is searched as well, where none is drawn before it."""
    exact: int = 0
    """Tricks before the end from which on the exact solver is asked: half as many more where
    nothing is hidden."""

    def worlds(self, choices: int, most: int = 4000) -> int:
        """How many worlds to try so many choices in."""
        return max(8, min(most, self.playouts // max(choices, 1)))


def playouts(seconds: float) -> int:
    """How many playouts take about that long."""
    return max(16, int(seconds * 1000 * PLAYOUTS_A_MS))
