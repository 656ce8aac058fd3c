"""The budget of a decision, counted in playouts and not by the clock.

So the same view and seed get the same answer on every machine. A time is converted to playouts at
the rate of a current machine. The arena measures the time that decisions really take.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from acesaround.fast.sampler import ALL_SOURCES, Source

PLAYOUTS_PER_MS: Final = 250
"""Playouts of a whole deal per millisecond, including everything that goes with them."""


class SearchBudget(NamedTuple):
    """The limits of one decision, and the evidence that it uses."""

    playouts: int
    """The number of whole deals to play out."""
    seed: int
    sources: frozenset[Source] = ALL_SOURCES
    """The sources of certain knowledge to use, besides hand sizes and the own cards."""
    uses_calls: bool = True
    """Whether worlds are weighted by the likelihood of bids and passes."""
    uses_plays: bool = True
    """Whether worlds are weighted by the likelihood of the cards played."""
    is_two_ply: bool = False
    """Whether the next own card is searched as well, where no card is drawn before it."""
    exact_tricks: int = 0
    """The number of tricks before the end from which the exact solver is used.

    Half as many again if nothing is hidden.
    """
    is_natural: bool = False
    """Whether bids and cards are chosen and read without conventions."""
    records_statistics: bool = False
    """Whether the result holds the rollouts, for reasons."""

    def world_count(self, choices: int, max_worlds: int = 4000) -> int:
        """Return in how many worlds to try that many choices."""
        return max(8, min(max_worlds, self.playouts // max(choices, 1)))


def playouts_within(seconds: float) -> int:
    """Return how many playouts take about that long."""
    return max(16, int(seconds * 1000 * PLAYOUTS_PER_MS))
