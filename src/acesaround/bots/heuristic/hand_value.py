"""The value of a hand to its declarer: meld in hand, meld to come, and points in play.

The weights are in `heuristic_weights.HandWeights`. Play is measured in tricks (card points divided
by the size of a hand), meld to come in runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from acesaround.cards import RANK_COUNT, counts
from acesaround.game.view import View
from acesaround.heuristic_weights import HandWeights, average_trick_points, hand_weights, run_points
from acesaround.rules import MeldTable
from acesaround.rules.melds import find_melds, total_points


class HandValue(NamedTuple):
    """An estimate for one trump suit: points of meld in hand, meld to come, and play."""

    trump: int
    meld: int
    meld_to_come: float
    play: float

    @property
    def total(self) -> float:
        """The points that the declarer's side may expect to score."""
        return self.meld + self.meld_to_come + self.play


@lru_cache(maxsize=1 << 12)
def meld_points(table: MeldTable, hand: int, trump: int | None) -> int:
    """Return the meld points of a packed hand."""
    return total_points(find_melds(table, hand, trump))


def evaluate_hand(
    view: View, hand: int, trump: int, weights: HandWeights | None = None
) -> HandValue:
    """Return the value of a packed hand with that trump, without regard to partners' bids.

    `weights`: the hand weights to use, None for those in force.
    """
    rules = view.rules
    table, active_weights = rules.melds, weights or hand_weights(rules)
    held = counts(hand)
    points_per_run = run_points(rules)
    meld = meld_points(table, hand, trump)
    first_kind = trump * RANK_COUNT
    missing = sum(not held[first_kind + rank] for rank in range(5))
    runs_to_come = active_weights.growth
    if missing == 1:
        runs_to_come += active_weights.one_short
    elif missing == 2:
        runs_to_come += active_weights.two_short
    aces = held[0] + held[6] + held[12] + held[18] - held[first_kind]
    tens = held[1] + held[7] + held[13] + held[19] - held[first_kind + 1]
    tricks = (
        active_weights.base
        + active_weights.trump * sum(held[first_kind : first_kind + RANK_COUNT])
        + active_weights.trump_ace * held[first_kind]
        + active_weights.trump_ten * held[first_kind + 1]
        + active_weights.ace * aces
        + active_weights.ten * tens
    )
    tricks = min(tricks, rules.hand_size)
    return HandValue(
        trump,
        meld,
        runs_to_come * points_per_run,
        tricks * average_trick_points(rules, len(view.players)),
    )


def best_hand_value(
    view: View, hand: int, suits: Iterable[int] = range(4), weights: HandWeights | None = None
) -> HandValue:
    """Return the value of the best trump suit. The first suit wins ties."""
    return max(
        (evaluate_hand(view, hand, suit, weights) for suit in suits),
        key=lambda w: (w.total, -w.trump),
    )
