"""The melds that a kernel finds in a hand are those of the engine, for every variant and option."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.cards import KIND_COUNT, ONE_OF_KIND, SUITS, counts, pack, unpack
from acesaround.fast.playouts.meld_values import (
    DIX_ROW,
    MARRIAGE_ROW,
    RUN_ROW,
    best_hand_meld,
    build_meld_tables,
    hand_meld,
    meld_loss_per_card,
    suit_entry,
    suit_pattern,
)
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.rules import HouseMeld, Rules
from acesaround.rules.melds import (
    count_marriages,
    count_runs,
    find_melds,
    points_of_dixes,
    total_points,
)
from tests.extended_rules import SIX_COPIES, table
from tests.variant_sample import sample_variants

HOUSE_MELDS = tuple(
    HouseMeld(*fields)
    for fields in (
        ("grand pinochle", "QS QS JD JD", 80),
        ("long run", "A* T* K* Q* J* T*", 200),
        ("aces of trump", "A* A*", 15),
        ("two for one", "KH KH QH", 7),
    )
)
TABLES: list[Rules] = [
    *variants.VARIANTS.values(),
    variants.get("double-deck", None, {"double_roundhouse": 100}),
    variants.get("double-deck-classic", None, {"duplicate_runs_extra": False}),
    variants.get("two-handed", 3, {"deck": "24-each"}),
    *(table(variants.DOUBLE_DECK, n, values=n) for n in (1, 2, 3, 5)),
    *(table(variants.PARTNERSHIP, n, values=m) for n, m in ((1, 3), (3, 1), (4, 2), (5, 6))),
    replace(SIX_COPIES, melds=replace(SIX_COPIES.melds, double_roundhouse=100)),
    *(
        replace(r, melds=replace(r.melds, others=HOUSE_MELDS))
        for r in (variants.PARTNERSHIP, SIX_COPIES)
    ),
    table(variants.PARTNERSHIP, 6),
]


def meld_rich_hand(rules: Rules, size: int, rng: random.Random) -> int:
    """Return a random hand, most often with many cards of few kinds, so that much is melded."""
    deck = list(rules.deck.cards)
    rng.shuffle(deck)
    frequent_kinds = set(rng.sample(range(24), rng.randrange(8, 25)))
    deck.sort(key=lambda card: card not in frequent_kinds)
    return pack(deck[:size])


@pytest.mark.parametrize(
    "rules", sample_variants(TABLES), ids=lambda r: f"{r.variant}-{r.deck.copies}"
)
def test_kernel_and_engine_find_the_same_melds(rules: Rules) -> None:
    rng, tables, copies = random.Random(4), build_meld_tables(rules), rules.deck.copies
    hands_with_meld = 0
    for number in range(200):
        hand = meld_rich_hand(rules, rng.randrange(4, min(12 * copies, rules.deck.size) + 1), rng)
        hands = np.array([sets_from_hand(0, copies), sets_from_hand(hand, copies)], np.int64)
        trump = (*SUITS, None)[number % 5]
        found = find_melds(rules.melds, hand, trump)
        assert hand_meld(tables, hands, 1, -1 if trump is None else trump) == total_points(found)
        for suit in SUITS:
            pattern = suit_pattern(tables, hands, 1, suit)
            assert suit_entry(tables, RUN_ROW, pattern) == count_runs(counts(hand), suit)
            assert suit_entry(tables, MARRIAGE_ROW, pattern) == count_marriages(counts(hand), suit)
            if suit == trump:
                assert suit_entry(tables, DIX_ROW, pattern) == points_of_dixes(found)
        loss = np.full(KIND_COUNT, -1)
        meld_loss_per_card(tables, hands, 1, -1 if trump is None else trump, loss)
        for card in set(unpack(hand)):
            rest = total_points(find_melds(rules.melds, hand - ONE_OF_KIND[card], trump))
            assert loss[card] == total_points(found) - rest, card
        by_trump = [total_points(find_melds(rules.melds, hand, suit)) for suit in SUITS]
        run_count = sum(count_runs(counts(hand), suit) for suit in SUITS)
        assert best_hand_meld(tables, hands, 1) == (max(by_trump), run_count)
        hands_with_meld += total_points(found) > 0
    assert hands_with_meld > 100
