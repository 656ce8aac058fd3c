"""The value of a hand to its declarer: meld in hand, meld to come, and points in play.

The weights are in `heuristic_weights.HandWeights`. Play is measured in tricks (card points divided
by the size of a hand), meld to come in runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from acesaround.cards import RANKS, counts
from acesaround.game.view import View
from acesaround.heuristic_weights import HandWeights, hand_weights, run_worth, trick_worth
from acesaround.rules import MeldTable
from acesaround.rules.melds import find, points


class HandValue(NamedTuple):
    """An estimate for one trump suit: points of meld in hand, meld to come, and play."""

    trump: int
    meld: int
    growth: float
    play: float

    @property
    def total(self) -> float:
        """The points that the declarer's side may expect to score."""
        return self.meld + self.growth + self.play


@lru_cache(maxsize=1 << 12)
def meld_points(table: MeldTable, hand: int, trump: int | None) -> int:
    """Return the meld points of a packed hand."""
    return points(find(table, hand, trump))


def evaluate_hand(view: View, hand: int, trump: int, its: HandWeights | None = None) -> HandValue:
    """Return the value of a packed hand with that trump, without regard to partners' bids.

    `its`: the hand weights to use, None for those in force.
    """
    rules = view.rules
    table, numbers = rules.melds, its or hand_weights(rules)
    held = counts(hand)
    run = run_worth(rules)
    meld = meld_points(table, hand, trump)
    at = trump * RANKS
    missing = sum(not held[at + rank] for rank in range(5))
    growth = numbers.growth
    if missing == 1:
        growth += numbers.one_short
    elif missing == 2:
        growth += numbers.two_short
    aces = held[0] + held[6] + held[12] + held[18] - held[at]
    tens = held[1] + held[7] + held[13] + held[19] - held[at + 1]
    tricks = (
        numbers.base
        + numbers.trump * sum(held[at : at + RANKS])
        + numbers.trump_ace * held[at]
        + numbers.trump_ten * held[at + 1]
        + numbers.ace * aces
        + numbers.ten * tens
    )
    tricks = min(tricks, rules.hand_size)
    return HandValue(trump, meld, growth * run, tricks * trick_worth(rules, len(view.players)))


def best_worth(
    view: View, hand: int, suits: Iterable[int] = range(4), its: HandWeights | None = None
) -> HandValue:
    """Return the value of the best trump suit. The first suit wins ties."""
    return max(
        (evaluate_hand(view, hand, suit, its) for suit in suits), key=lambda w: (w.total, -w.trump)
    )
