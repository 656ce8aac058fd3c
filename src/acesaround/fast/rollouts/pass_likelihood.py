"""Likelihood of passed cards: how many of them the rules of thumb would have passed."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from acesaround.cards import KINDS
from acesaround.fast.jit import arrayless_kernel, ones
from acesaround.fast.playouts.hand_evaluation import next_discard
from acesaround.fast.playouts.melding import meld_loss_per_card
from acesaround.fast.playouts.packed_deal import add, remove
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays

Array: TypeAlias = Any  # of int64; numba infers it


def passed_overlap(
    numbers: RuleArrays,
    tables: Integers,
    hands: Integers,
    player: int,
    trump: int,
    purpose: int,
    passed: Integers,
) -> Integers:
    """Return how many of the passed cards the rules of thumb would have passed: (worlds,).

    `hands`: with the passed cards still in the player's hand, (worlds, players, copies). `purpose`:
    see `hand_evaluation.next_discard`. `passed`: a row of sets.
    """
    found = np.zeros(len(hands), np.int64)
    _alike(
        numbers,
        tables,
        hands.copy(),
        player,
        trump,
        purpose,
        passed,
        np.zeros((1, len(passed)), np.int64),
        np.zeros(KINDS, np.int64),
        found,
    )
    return found


@arrayless_kernel
def _alike(
    flat: RuleArrays,
    melds: Array,
    hands: Array,
    player: int,
    trump: int,
    purpose: int,
    passed: Array,
    gone: Array,
    loss: Array,
    found: Array,
) -> None:
    number = 0
    for copy in range(passed.shape[0]):
        number += ones(passed[copy])
    for world in range(hands.shape[0]):
        hand = hands[world]
        gone[:] = 0
        for _ in range(number):
            meld_loss_per_card(melds, hand, player, trump, loss)
            kind = next_discard(flat, hand[player], trump, loss, purpose)
            remove(hand, player, kind)
            add(gone, 0, kind)
        for copy in range(passed.shape[0]):
            found[world] += ones(gone[0, copy] & passed[copy])
