"""A random generator for kernels: numbered streams, the same on every machine and thread.

The state of a stream is one integer. `advance` returns the next state; `random_below` and
`random_member` draw from the present one. The stream of an item depends only on the seed and the
item's number, so work may be split in any way. The state is an integer because a kernel can keep it
in a register; an array would cost a third of the time of a playout. The mixing function is
splitmix64's (Steele, Lea and Flood, 2014).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numba import int64

from acesaround.fast.jit import arrayless_kernel, bit_count, inlined_kernel

Array: TypeAlias = Any  # of int64; numba infers it

_NTH_SET_BIT: Final = np.array(
    [[*([b for b in range(8) if byte >> b & 1] + [0] * 8)[:8]] for byte in range(256)], np.int8
)
"""_NTH_SET_BIT[byte, n]: the position of the set bit of a byte that has n set bits below it."""
_GOLDEN_GAMMA: Final = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_FACTOR_1: Final = 0xBF58476D1CE4E5B9 - (1 << 64)
_MIX_FACTOR_2: Final = 0x94D049BB133111EB - (1 << 64)


@inlined_kernel
def _mix_bits(x: int) -> int:
    x = (x ^ ((x >> 30) & 0x3FFFFFFFF)) * int64(_MIX_FACTOR_1)
    x = (x ^ ((x >> 27) & 0x1FFFFFFFFF)) * int64(_MIX_FACTOR_2)
    return x ^ ((x >> 31) & 0x1FFFFFFFF)


@arrayless_kernel
def start_stream(seed: int, item: int) -> int:
    """Return the stream of an item under a seed, both of 64 bits."""
    mixed = _mix_bits(int64(seed) + int64(_GOLDEN_GAMMA))
    rng_state: int = _mix_bits(mixed + (int64(item) + 1) * int64(_GOLDEN_GAMMA))
    return rng_state


@inlined_kernel
def advance(rng_state: int) -> int:
    """Return the stream after one more draw."""
    next_state: int = rng_state + int64(_GOLDEN_GAMMA)
    return next_state


@inlined_kernel
def random_below(rng_state: int, limit: int) -> int:
    """Return a number from 0 to `limit` - 1, uniform up to a few parts in 2**32."""
    return (((_mix_bits(rng_state) >> 32) & 0xFFFFFFFF) * limit) >> 32


@inlined_kernel
def random_member(rng_state: int, kind_set: int) -> int:
    """Return a uniformly random member of a non-empty set of 40 bits.

    No branch depends on the draw, because no processor could predict it.
    """
    bits_below = random_below(rng_state, bit_count(kind_set))
    shift = 8 * (bits_below >= bit_count(kind_set & 0xFF)) + 8 * (
        bits_below >= bit_count(kind_set & 0xFFFF)
    )
    if kind_set >> 24:
        shift += 8 * (bits_below >= bit_count(kind_set & 0xFFFFFF))
        shift += 8 * (bits_below >= bit_count(kind_set & 0xFFFFFFFF))
    bits_below -= bit_count(kind_set & ((1 << shift) - 1))
    member: int = shift + _NTH_SET_BIT[kind_set >> shift & 0xFF, bits_below]
    return member


@arrayless_kernel
def shuffle(rng_state: int, cards: Array, count: int) -> int:
    """Shuffle `cards` partly: fill its first `count` places at random. Return the next stream."""
    size = cards.shape[0]
    for at in range(min(count, size - 1)):
        rng_state = advance(rng_state)
        other = at + random_below(rng_state, size - at)
        cards[at], cards[other] = cards[other], cards[at]
    return rng_state
