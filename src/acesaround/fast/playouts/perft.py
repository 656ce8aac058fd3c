"""Perft in the kernel: the number of ways to play on, to compare with the engine's count."""

from __future__ import annotations

import numpy as np

from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import kernel
from acesaround.fast.playouts.packed_deal import TRICKS_LEFT, PackedDeal, copy_deal
from acesaround.fast.playouts.play_loop import DECLINE_MELD, FROM_LOG, legal_choices, play_on
from acesaround.fast.playouts.rule_arrays import RuleArrays


@kernel
def perft(rule_arrays: RuleArrays, packed: PackedDeal, depth: int) -> int:
    """Return the number of ways to play the next `depth` cards; identical cards are one way.

    Only plays of cards are counted: no melds are laid, and no player concedes. A deal that ends
    earlier is one way.
    """
    if depth == 0 or packed.status[TRICKS_LEFT] == 0:
        return 1
    policies = np.full(rule_arrays.params[0], FROM_LOG)
    log = np.zeros(1, np.int64)
    legal, ways = legal_choices(rule_arrays, packed), 0
    if legal >> DECLINE_MELD & 1:
        child = copy_deal(packed)
        log[0] = DECLINE_MELD
        play_on(rule_arrays, child, policies, 0, log, 1)
        return perft(rule_arrays, child, depth)
    for kind in range(KIND_COUNT):
        if legal >> kind & 1:
            child = copy_deal(packed)
            log[0] = kind
            play_on(rule_arrays, child, policies, 0, log, 1)
            ways += perft(rule_arrays, child, depth - 1)
    return ways
