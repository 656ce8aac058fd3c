"""How rollouts ended: the end of the deal after each choice in each world.

Kernels write these ends: what each side melded and won, and the contract.
A caller may change one part, such as the meld, and have the deals scored again without playing
them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.win_probability import END_COLUMNS, EndBuffer, copy_end

THROWN_IN: Final = -2
"""As the trump of an end: the deal was thrown in, and totals stay."""


class DealEnds(NamedTuple):
    """The end of the deal after each choice in each world."""

    sides: Integers
    """What each side melded and won: (worlds, choices, sides, END_COLUMNS)."""
    trick: Integers
    """The points that each side won in the present trick, 0 before the play, with the same axes
    but the last."""
    trump: Integers
    """-1 if the declarer had no marriage to name trump from, or THROWN_IN: (worlds, choices)."""
    declarer: Integers
    """The declarer's side, -1 if there is none: (worlds, choices)."""
    bid: Integers
    """(worlds, choices)."""


def empty_deal_ends(worlds: int, choices: int, sides: int) -> DealEnds:
    """Return arrays of this size."""
    shape = worlds, choices
    return DealEnds(
        np.zeros((*shape, sides, END_COLUMNS), np.int64),
        np.zeros((*shape, sides), np.int64),
        *(np.zeros(shape, np.int64) for _ in range(3)),
    )


@arrayless_kernel
def write_deal_end(
    ends: DealEnds,
    world: int,
    choice: int,
    end_buffer: EndBuffer,
    trump: int,
    declarer: int,
    bid: int,
) -> None:
    """Write the end of a deal to its place. `declarer`: a side."""
    copy_end(end_buffer, ends.sides[world, choice])
    ends.trump[world, choice] = trump
    ends.declarer[world, choice], ends.bid[world, choice] = declarer, bid
