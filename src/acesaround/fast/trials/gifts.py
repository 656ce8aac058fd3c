"""How much of what was passed the rules of thumb would have passed too, in each world."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from acesaround.cards import KINDS
from acesaround.fast.compiled import lean, ones
from acesaround.fast.playouts.flat import Flat, Integers
from acesaround.fast.playouts.hands import let_go
from acesaround.fast.playouts.melding import losses
from acesaround.fast.playouts.packed import add, remove

Array: TypeAlias = Any  # of int64; numba infers it


def alike(
    numbers: Flat,
    tables: Integers,
    hands: Integers,
    player: int,
    trump: int,
    purpose: int,
    passed: Integers,
) -> Integers:
    """How many of the cards passed the rules of thumb would have passed: (worlds,).

    `hands`: with those cards still in the player's, (worlds, players, copies). `purpose`: see
    `hands.let_go`. `passed`: a row of sets.
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


@lean
def _alike(
    flat: Flat,
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
            losses(melds, hand, player, trump, loss)
            kind = let_go(flat, hand[player], trump, loss, purpose)
            remove(hand, player, kind)
            add(gone, 0, kind)
        for copy in range(passed.shape[0]):
            found[world] += ones(gone[0, copy] & passed[copy])
