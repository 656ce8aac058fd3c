"""Perft in the kernel: the number of ways to play on, to compare with the engine's count."""

from __future__ import annotations

import numpy as np

from acesaround.cards import KINDS
from acesaround.fast.jit import kernel
from acesaround.fast.playouts.packed_deal import TRICKS, Packed, copied
from acesaround.fast.playouts.play_loop import DRAW, LOGGED, choices, play_on
from acesaround.fast.playouts.rule_arrays import RuleArrays


@kernel
def perft(flat: RuleArrays, packed: Packed, depth: int) -> int:
    """Return the number of ways to play the next `depth` cards; identical cards are one way.

    Only plays of cards are counted: no melds are laid, and no player concedes. A deal that ends
    earlier is one way.
    """
    if depth == 0 or packed.place[TRICKS] == 0:
        return 1
    policies = np.full(flat.numbers[0], LOGGED)
    log = np.zeros(1, np.int64)
    legal, ways = choices(flat, packed), 0
    if legal >> DRAW & 1:
        after = copied(packed)
        log[0] = DRAW
        play_on(flat, after, policies, 0, log, 1)
        return perft(flat, after, depth)
    for kind in range(KINDS):
        if legal >> kind & 1:
            after = copied(packed)
            log[0] = kind
            play_on(flat, after, policies, 0, log, 1)
            ways += perft(flat, after, depth - 1)
    return ways
