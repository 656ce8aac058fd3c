"""Likelihood of passed cards: how many of them the rules of thumb would have passed."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import arrayless_kernel, bit_count
from acesaround.fast.playouts.hand_evaluation import next_discard
from acesaround.fast.playouts.meld_values import meld_loss_per_card
from acesaround.fast.playouts.packed_deal import add_card, remove_card
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays

Array: TypeAlias = Any  # of int64; numba infers it


class PassedCards(NamedTuple):
    """Cards that a player has passed."""

    player: int
    trump: int
    purpose: int
    """See `hand_evaluation.next_discard`."""
    cards: Integers
    """A row of sets."""


def count_expected_passed_cards(
    rule_arrays: RuleArrays, meld_tables: Integers, hands: Integers, passed: PassedCards
) -> Integers:
    """Return how many of the passed cards the rules of thumb would have passed: (worlds,).

    `hands`: with the passed cards still in the player's hand, (worlds, players, copies).
    """
    found, gone = np.zeros(len(hands), np.int64), np.zeros((1, len(passed.cards)), np.int64)
    _count_expected_passed_cards(
        rule_arrays, meld_tables, hands.copy(), passed, gone, np.zeros(KIND_COUNT, np.int64), found
    )
    return found


@arrayless_kernel
def _count_expected_passed_cards(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    hands: Array,
    passed: PassedCards,
    gone: Array,
    loss: Array,
    found: Array,
) -> None:
    player, trump, cards = passed.player, passed.trump, passed.cards
    number = 0
    for copy in range(cards.shape[0]):
        number += bit_count(cards[copy])
    for world in range(hands.shape[0]):
        hand = hands[world]
        gone[:] = 0
        for _ in range(number):
            meld_loss_per_card(meld_tables, hand, player, trump, loss)
            kind = next_discard(rule_arrays, hand[player], trump, loss, passed.purpose)
            remove_card(hand, player, kind)
            add_card(gone, 0, kind)
        for copy in range(cards.shape[0]):
            found[world] += bit_count(gone[0, copy] & cards[copy])
