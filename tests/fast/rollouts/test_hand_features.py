"""The features of a hand equal counts of its cards."""

from __future__ import annotations

import numpy as np
import pytest

from acesaround import variants
from acesaround.cards import RANK_COUNT, SUITS, pack, unpack
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import hand_from_sets as packed_hand
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.fast.rollouts.hand_features import (
    FEATURE_COUNT,
    FIRST_PLAIN_FEATURE,
    FIRST_TRUMP_FEATURE,
    MELD_FEATURE,
    TRUMP_LENGTH_FEATURE,
    VOID_FEATURE,
    compute_hand_features,
)
from acesaround.rules import Rules
from acesaround.rules.melds import find_melds, total_points
from tests.fast.rollouts.test_bid_limits import hands


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=lambda rules: rules.variant)
def test_features_count_the_cards(rules: Rules) -> None:
    worlds, run = hands(rules, 12, 3), rules.melds.run[0]
    numbers, tables = build_rule_arrays(rules, tuple(range(rules.seats))), build_meld_tables(rules)
    for trump in SUITS:
        found = compute_hand_features(numbers, tables, worlds, 1, int(trump), run)
        for world, row in zip(worlds, found, strict=True):
            cards = unpack(packed_hand(world[1]))
            expected = np.zeros(FEATURE_COUNT)
            for card in cards:
                expected[
                    (FIRST_TRUMP_FEATURE if card.suit is trump else FIRST_PLAIN_FEATURE)
                    + int(card) % RANK_COUNT
                ] += 1
            expected[MELD_FEATURE] = total_points(find_melds(rules.melds, pack(cards), trump)) / run
            expected[TRUMP_LENGTH_FEATURE] = sum(card.suit is trump for card in cards) ** 2
            held = {card.suit for card in cards}
            expected[VOID_FEATURE] = sum(suit not in held and suit is not trump for suit in SUITS)
            np.testing.assert_allclose(row, expected)
