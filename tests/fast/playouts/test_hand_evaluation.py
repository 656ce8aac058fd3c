"""The fast judge of hands: what it gives, returns, buries and discards, and what hands promise."""

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


def row(cards: str, variant: str) -> tuple[RuleArrays, Integers]:
    """A hand of a variant as a row of sets."""
    rules = variants.get(variant)
    return packed_rules(rules)[0], np.array(
        sets_from_hand(pack(hand(cards)), rules.deck.copies), np.int64
    )


def parted(
    cards: str, variant: str, trump: str, purpose: int, number: int, melded: str = ""
) -> str:
    """The cards parted with one after the other, where those `melded` each lose 40 points."""
    numbers, own = row(cards, variant)
    loss = np.zeros(KIND_COUNT, np.int64)
    for kind in hand(melded):
        loss[kind] = 40
    gone: list[str] = []
    kept = hand(cards)
    for _ in range(number):
        least = int(next_discard(numbers, own, int(Card(f"A{trump}").suit), loss, purpose))
        if least < 0:
            break
        kept.remove(CARDS[least])
        own[:] = sets_from_hand(pack(kept), len(own))
        gone.append(str(CARDS[least]))
    return " ".join(gone)


def test_the_declarers_partner_gives_trumps_and_aces() -> None:
    held = "AH TH AS QS JS 9S TD QD JC 9C KC 9D"
    assert parted(held, "partnership", "H", GIVE, 3) == "AH TH AS"


def test_the_declarer_returns_neither_trump_nor_meld() -> None:
    held = "AH TH KH QH JH AS KS QS JD 9D 9C JC"
    assert set(parted(held, "partnership", "H", RETURN, 3, "KS QS JD").split()) == {
        "9C",
        "9D",
        "JC",
    }


def test_buried_are_counters_of_a_short_suit() -> None:
    held = "AH TH KH QH JH AS AS KS QS JS 9S TD KD AC QC JC 9C QC"
    assert set(parted(held, "three-handed", "H", BURY, 2, "KS QS").split()) == {"TD", "KD"}


def test_what_is_neither_trump_nor_ace_nor_meld_is_discarded() -> None:
    assert set(parted("AH 9H AS KD JC", "five-card", "H", DISCARD, 5).split()) == {"KD", "JC"}
    assert parted("AH 9H AS TH JH", "five-card", "H", DISCARD, 5) == ""


def test_a_hand_promises_most_in_its_long_suit() -> None:
    for variant in ("partnership", "three-handed", "double-deck", "five-card"):
        numbers, own = row("AH TH KH QH JH AS QS JD 9C", variant)
        promised = [evaluate_packed_hand(numbers, own, suit, 0) for suit in range(4)]
        assert max(promised) == promised[1]
        assert evaluate_packed_hand(numbers, own, 1, 100) == promised[1] + 100 * WEIGHT_SCALE


def test_a_hand_promises_no_more_than_there_is() -> None:
    numbers, own = row("AH AH TH TH KH KH QH QH JH JH AS AS", "partnership")
    assert (
        evaluate_packed_hand(numbers, own, 1, 0) - evaluate_packed_hand(numbers, own * 0, 1, 0)
        < 250 * WEIGHT_SCALE
    )
