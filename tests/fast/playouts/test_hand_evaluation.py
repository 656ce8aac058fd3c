"""The fast evaluation of hands: cards to give, return, bury and discard; values of suits."""

from __future__ import annotations

import numpy as np

from acesaround import variants
from acesaround.cards import CARDS, KIND_COUNT, Card, pack
from acesaround.fast.playouts.hand_evaluation import (
    BURY,
    DISCARD,
    GIVE,
    RETURN,
    evaluate_packed_hand,
    next_discard,
)
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import WEIGHT_SCALE, Integers, RuleArrays
from tests.fast.playouts.test_policy import hand, packed_rules


def rules_and_hand(cards: str, variant: str) -> tuple[RuleArrays, Integers]:
    """Return the rules of a variant as arrays, and a hand as a row of sets."""
    rules = variants.get(variant)
    return packed_rules(rules)[0], np.array(
        sets_from_hand(pack(hand(cards)), rules.deck.copies), np.int64
    )


def chosen_cards(
    cards: str, variant: str, trump: str, purpose: int, number: int, melded: str = ""
) -> str:
    """Return the cards chosen one after the other; losing one of `melded` costs 40 points."""
    rule_numbers, hand_sets = rules_and_hand(cards, variant)
    loss = np.zeros(KIND_COUNT, np.int64)
    for card in hand(melded):
        loss[card] = 40
    chosen: list[str] = []
    remaining = hand(cards)
    for _ in range(number):
        next_kind = int(
            next_discard(rule_numbers, hand_sets, int(Card(f"A{trump}").suit), loss, purpose)
        )
        if next_kind < 0:
            break
        remaining.remove(CARDS[next_kind])
        hand_sets[:] = sets_from_hand(pack(remaining), len(hand_sets))
        chosen.append(str(CARDS[next_kind]))
    return " ".join(chosen)


def test_the_declarers_partner_gives_trumps_and_aces() -> None:
    held = "AH TH AS QS JS 9S TD QD JC 9C KC 9D"
    assert chosen_cards(held, "partnership", "H", GIVE, 3) == "AH TH AS"


def test_the_declarer_returns_neither_trump_nor_meld() -> None:
    held = "AH TH KH QH JH AS KS QS JD 9D 9C JC"
    assert set(chosen_cards(held, "partnership", "H", RETURN, 3, "KS QS JD").split()) == {
        "9C",
        "9D",
        "JC",
    }


def test_bury_takes_counters_of_a_short_suit() -> None:
    held = "AH TH KH QH JH AS AS KS QS JS 9S TD KD AC QC JC 9C QC"
    assert set(chosen_cards(held, "three-handed", "H", BURY, 2, "KS QS").split()) == {"TD", "KD"}


def test_discard_keeps_trumps_aces_and_meld() -> None:
    assert set(chosen_cards("AH 9H AS KD JC", "five-card", "H", DISCARD, 5).split()) == {"KD", "JC"}
    assert chosen_cards("AH 9H AS TH JH", "five-card", "H", DISCARD, 5) == ""


def test_value_is_highest_in_the_long_suit() -> None:
    for variant in ("partnership", "three-handed", "double-deck", "five-card"):
        numbers, own = rules_and_hand("AH TH KH QH JH AS QS JD 9C", variant)
        values = [evaluate_packed_hand(numbers, own, suit, 0) for suit in range(4)]
        assert max(values) == values[1]
        assert evaluate_packed_hand(numbers, own, 1, 100) == values[1] + 100 * WEIGHT_SCALE


def test_value_is_less_than_all_points_of_a_deal() -> None:
    numbers, own = rules_and_hand("AH AH TH TH KH KH QH QH JH JH AS AS", "partnership")
    assert (
        evaluate_packed_hand(numbers, own, 1, 0) - evaluate_packed_hand(numbers, own * 0, 1, 0)
        < 250 * WEIGHT_SCALE
    )
