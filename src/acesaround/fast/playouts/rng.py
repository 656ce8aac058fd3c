"""A random generator for kernels: numbered streams, the same on every machine and thread.

The state of a stream is one integer. `advance` returns the next state; `random_below` and
`random_member` draw from the present one. The stream of item `number` depends only on the seed and
the number, so work may be split in any way. The state is an integer because a kernel can keep it in
a register; an array would cost a third of the time of a playout. The mixing function is
splitmix64's (Steele, Lea and Flood, 2014).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numba import int64

from acesaround.fast.jit import arrayless_kernel, inlined, ones

Array: TypeAlias = Any  # of int64; numba infers it

_NTH: Final = np.array(
    [[*([b for b in range(8) if byte >> b & 1] + [0] * 8)[:8]] for byte in range(256)], np.int8
)
"""_NTH[byte, n]: the position of the set bit of a byte that has n set bits below it."""
_GOLDEN: Final = 0x9E3779B97F4A7C15 - (1 << 64)
_FIRST: Final = 0xBF58476D1CE4E5B9 - (1 << 64)
_SECOND: Final = 0x94D049BB133111EB - (1 << 64)


@inlined
def _mixed(x: int) -> int:
    x = (x ^ ((x >> 30) & 0x3FFFFFFFF)) * int64(_FIRST)
    x = (x ^ ((x >> 27) & 0x1FFFFFFFFF)) * int64(_SECOND)
    return x ^ ((x >> 31) & 0x1FFFFFFFF)


@arrayless_kernel
def stream(seed: int, number: int) -> int:
    """Return the stream of an item under a seed, both of 64 bits."""
    mixed = _mixed(int64(seed) + int64(_GOLDEN))
    beginning: int = _mixed(mixed + (int64(number) + 1) * int64(_GOLDEN))
    return beginning


@inlined
def advance(chance: int) -> int:
    """Return the stream after one more draw."""
    moved: int = chance + int64(_GOLDEN)
    return moved


@inlined
def random_below(chance: int, limit: int) -> int:
    """Return a number from 0 to `limit` - 1, uniform up to a few parts in 2**32."""
    return (((_mixed(chance) >> 32) & 0xFFFFFFFF) * limit) >> 32


@inlined
def random_member(chance: int, kind_set: int) -> int:
    """Return a uniformly random member of a non-empty set of 40 bits.

    No branch depends on the draw, because no processor could predict it.
    """
    before = random_below(chance, ones(kind_set))
    field = 8 * (before >= ones(kind_set & 0xFF)) + 8 * (before >= ones(kind_set & 0xFFFF))
    if kind_set >> 24:
        field += 8 * (before >= ones(kind_set & 0xFFFFFF))
        field += 8 * (before >= ones(kind_set & 0xFFFFFFFF))
    before -= ones(kind_set & ((1 << field) - 1))
    drawn: int = field + _NTH[kind_set >> field & 0xFF, before]
    return drawn


@arrayless_kernel
def shuffle(chance: int, cards: Array, number: int) -> int:
    """Shuffle `cards` partly: fill its first `number` places at random. Return the next stream."""
    size = cards.shape[0]
    for at in range(min(number, size - 1)):
        chance = advance(chance)
        other = at + random_below(chance, size - at)
        cards[at], cards[other] = cards[other], cards[at]
    return chance
