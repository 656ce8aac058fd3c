"""Laying melds in the kernel: melds that may be laid, points and accounts equal the engine's.

These hands have many melds, so that melds grow, are laid twice and contain twins, which is rare in
dealt hands. Nines exchanged for the upcard occur in the games of `test_packed_deal`.

"""

from __future__ import annotations

import random

import numpy as np
import pytest

from acesaround import variants
from acesaround.cards import KIND_COUNT, ONE_OF_KIND, RANK_COUNT, SUITS, pack, unpack
from acesaround.fast.playouts.meld_laying import (
    best_meld,
    find_layable_melds,
    lay_meld,
    update_after_play,
)
from acesaround.fast.playouts.packed_deal import (
    TRUMP,
    UPCARD_EXCHANGED,
    PackedDeal,
    copy_deal,
    empty_deal,
    hand_from_sets,
    sets_from_hand,
)
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.rules import Rules
from acesaround.rules.laid_melds import NO_LAID_MELDS, LaidMelds, layable_melds, meld_candidates
from acesaround.rules.laid_melds import lay_meld as engine_lay
from acesaround.rules.melds import PINOCHLE

TABLES = [
    variants.get("two-handed", players, {"deck": deck, "meld_from_hand": from_hand})
    for players, deck in ((2, "48"), (3, "24-each"), (4, "24-each"))
    for from_hand in (True, False)
]


def meld_rich_deck(rng: random.Random, trump: int, copies: int) -> list[int]:
    """Return a shuffled deck of few kinds: trump, the pinochle and some others."""
    kinds = {*range(trump * RANK_COUNT, trump * RANK_COUNT + RANK_COUNT), *PINOCHLE}
    kinds |= set(rng.sample(range(KIND_COUNT), rng.choice([2, 6, 16])))
    deck = [kind for kind in kinds for _ in range(copies)]
    rng.shuffle(deck)
    return deck


def laid_melds_of_player_0(packed: PackedDeal) -> LaidMelds:
    """Return the laid melds of player 0 as the engine keeps them."""
    cards, a, b, c = (hand_from_sets(row) for row in packed.laid_melds[0])
    royals, pinochles, doubled = map(int, packed.growth_state[0])
    return LaidMelds(cards, a, b, c, royals, pinochles, bool(doubled))


def compare_random_walks(rules: Rules, seed: int, walks: int) -> set[tuple[str, int]]:
    """Lay and play at random; return the melds that were laid, each with its points."""
    rng, table, copies = random.Random(seed), rules.melds, rules.deck.copies
    rule_numbers, laid_melds = build_rule_arrays(rules, tuple(range(rules.seats))), set()
    for _ in range(walks):
        trump = rng.choice(SUITS)
        deck = meld_rich_deck(rng, trump, copies)
        held, laid_before = pack(deck[:12]), NO_LAID_MELDS
        stock = deck[12:]
        packed = empty_deal(rule_numbers)
        packed.status[TRUMP], packed.status[UPCARD_EXCHANGED] = trump, 1
        packed.hands[0] = sets_from_hand(held, copies)
        while held and stock:
            number_of = {
                candidate.results[0].cards: candidate.pattern.number
                for candidate in meld_candidates(table, trump)
            }
            offered = {
                number_of[meld.cards]: meld
                for meld in layable_melds(table, held, laid_before, trump)
            }
            expected_bits = sum(1 << number for number in offered)
            assert find_layable_melds(rule_numbers, packed, 0) == expected_bits
            for number, meld in offered.items():
                after = copy_deal(packed)
                lay_meld(rule_numbers, after, 0, number)
                assert (
                    laid_melds_of_player_0(after)
                    == engine_lay(table, held, laid_before, meld.cards, trump)[1]
                )
                assert after.meld_points[0] - packed.meld_points[0] == meld.points
            if offered:
                best = best_meld(rule_numbers, packed, 0, expected_bits)
                assert offered[best].points == max(meld.points for meld in offered.values())
                number, meld = rng.choice(list(offered.items()))
                lay_meld(rule_numbers, packed, 0, number)
                _, laid_before = engine_lay(table, held, laid_before, meld.cards, trump)
                laid_melds.add((meld.name, meld.points))
            if rng.random() < 0.7:
                card = rng.choice(unpack(held))
                held -= ONE_OF_KIND[card]
                packed.hands[0] = sets_from_hand(held, copies)
                update_after_play(packed, 0)
                laid_before = laid_before.after_playing(card, held, trump)
                held += ONE_OF_KIND[stock.pop()]
                packed.hands[0] = sets_from_hand(held, copies)
            assert laid_melds_of_player_0(packed) == laid_before
    return laid_melds


@pytest.mark.parametrize(
    "rules", TABLES, ids=lambda rules: f"{rules.seats}-{rules.option_value('deck')}"
)
def test_kernel_and_engine_lay_the_same_melds(rules: Rules) -> None:
    laid = compare_random_walks(rules, 1, 60)
    assert {("run", 150), ("run", 110), ("royal marriage", 40), ("dix", 10)} <= laid
    assert {("double pinochle", 300), ("double pinochle", 260), ("pinochle", 40)} <= laid
    assert {("marriage", 20), ("kings around", 80), ("queens around", 60)} <= laid


def test_a_table_without_a_dix_offers_none() -> None:
    numbers = build_rule_arrays(variants.VARIANTS["double-deck"], (0, 1, 2, 3))
    packed = empty_deal(numbers)
    packed.hands[0] = np.full(4, (1 << KIND_COUNT) - 1)
    assert find_layable_melds(numbers, packed, 0) == 0b111111111101
