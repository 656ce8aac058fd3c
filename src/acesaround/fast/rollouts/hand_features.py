"""Hand features: the shape of a hand as numbers, the input of a fitted model of changed hands.

The weights of the model, and the choice of hands, are not part of this module.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import RANK_COUNT
from acesaround.fast.jit import arrayless_kernel, bit_count
from acesaround.fast.playouts.meld_values import hand_meld
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays

Array: TypeAlias = Any  # numba infers it

FIRST_TRUMP_FEATURE: Final = 0  # number of trumps of each rank
FIRST_PLAIN_FEATURE: Final = RANK_COUNT  # number of plain cards of each rank
MELD_FEATURE: Final = 2 * RANK_COUNT  # meld points, divided by those of a run
TRUMP_LENGTH_FEATURE: Final = MELD_FEATURE + 1  # number of trumps, squared
VOID_FEATURE: Final = TRUMP_LENGTH_FEATURE + 1  # number of plain suits without a card
FEATURE_COUNT: Final = VOID_FEATURE + 1


def compute_hand_features(
    rule_arrays: RuleArrays,
    meld_tables: Integers,
    hands: Integers,
    player: int,
    trump: int,
    run_points: int,
) -> NDArray[np.float64]:
    """Return the features of a player's hand in each world: (worlds, FEATURE_COUNT).

    `meld_tables`: see `meld_values.build_meld_tables`. `hands`: (worlds, players, copies).
    `run_points`: the points a run melds.
    """
    found = np.zeros((len(hands), FEATURE_COUNT))
    _compute_hand_features(rule_arrays, meld_tables, hands, player, trump, run_points, found)
    return found


@arrayless_kernel
def _compute_hand_features(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    hands: Array,
    player: int,
    trump: int,
    run_points: int,
    found: Array,
) -> None:
    trumps = rule_arrays.suit_kinds[trump]
    for world in range(hands.shape[0]):
        hand, features, length = hands[world, player], found[world], 0
        for copy in range(hands.shape[2]):
            held = hand[copy]
            length += bit_count(held & trumps)
            for kind in range(4 * RANK_COUNT):
                if held >> kind & 1:
                    of = FIRST_TRUMP_FEATURE if trumps >> kind & 1 else FIRST_PLAIN_FEATURE
                    features[of + kind % RANK_COUNT] += 1.0
        for suit in range(4):
            if suit != trump and hand[0] & rule_arrays.suit_kinds[suit] == 0:
                features[VOID_FEATURE] += 1.0
        features[TRUMP_LENGTH_FEATURE] = length * length
        features[MELD_FEATURE] = hand_meld(meld_tables, hands[world], player, trump) / run_points
