"""Chance in kernels: numbered streams of random numbers, the same on every machine and thread.

A stream is one integer: `after` gives the next, `below` and `member` draw from the present one.
That of item `number` under a seed depends on nothing else, so work may be cut up in any way. It is
an integer and no array because a kernel then keeps it in a register, which is a third of the time
of a playout. The mixing function is splitmix64's (Steele, Lea and Flood, 2014).
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
"""_NTH[byte, n]: the place of the bit of a byte before which there are n others."""
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
    """The stream of an item under a seed, both of 64 bits."""
    mixed = _mixed(int64(seed) + int64(_GOLDEN))
    beginning: int = _mixed(mixed + (int64(number) + 1) * int64(_GOLDEN))
    return beginning


@inlined
def advance(chance: int) -> int:
    """The stream moved on by one draw."""
    moved: int = chance + int64(_GOLDEN)
    return moved


@inlined
def random_below(chance: int, limit: int) -> int:
    """A number from 0 to `limit` - 1, each as likely but for a few parts in 2**32."""
    return (((_mixed(chance) >> 32) & 0xFFFFFFFF) * limit) >> 32


@inlined
def random_member(chance: int, kind_set: int) -> int:
    """One member of a set of 40 bits that is not empty, each as likely.

    Nothing branches on what is drawn, which no processor could foresee.
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
    """Put random ones of `cards` into its first `number` places; returns the stream after it."""
    size = cards.shape[0]
    for at in range(min(number, size - 1)):
        chance = advance(chance)
        other = at + random_below(chance, size - at)
        cards[at], cards[other] = cards[other], cards[at]
    return chance
