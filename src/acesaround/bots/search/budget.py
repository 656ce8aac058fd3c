"""The budget of a decision, counted in playouts and not by the clock.

So the same view and seed get the same answer on every machine. A time is converted to playouts at
the rate of a current machine. The arena measures the time that decisions really take.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from acesaround.fast.sampler import ALL, Source

PLAYOUTS_A_MS: Final = 250
"""Playouts of a whole deal per millisecond, including everything that goes with them."""


class SearchBudget(NamedTuple):
    """The limits of one decision, and the evidence that it uses."""

    playouts: int
    """The number of whole deals to play out."""
    seed: int
    sources: frozenset[Source] = ALL
    """The sources of certain knowledge to use, besides hand sizes and the own cards."""
    calls: bool = True
    """Whether worlds are weighted by the likelihood of bids and passes."""
    plays: bool = True
    """Whether worlds are weighted by the likelihood of the cards played."""
    ahead: bool = False
    """Whether the next own card is searched as well, where no card is drawn before it."""
    exact: int = 0
    """The number of tricks before the end from which the exact solver is used.

    Half as many again if nothing is hidden.
    """

    def worlds(self, choices: int, most: int = 4000) -> int:
        """Return in how many worlds to try that many choices."""
        return max(8, min(most, self.playouts // max(choices, 1)))


def playouts(seconds: float) -> int:
    """Return how many playouts take about that long."""
    return max(16, int(seconds * 1000 * PLAYOUTS_A_MS))
