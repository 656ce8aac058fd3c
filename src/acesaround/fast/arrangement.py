"""Who plays against whom with which cards: what stays the same while a deal is played out.

`Arrangement` is a value; `tables` builds the arrays that the kernels read for it, once for each.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from acesaround.errors import AcesAroundError
from acesaround.fast import search
from acesaround.rules import Rules
from acesaround.tricks import POINTS

Integers = NDArray[np.int64]
_WORD: Final = 1 << 64


class PositionError(AcesAroundError):
    """Cards that cannot be what is left of a deal, or a question that makes no sense of them."""


class Arrangement(msgspec.Struct, frozen=True):
    """Players round the table in turn, with the side of each: 0, whose points count, or 1.

    `copies` of each card at most; `points` of each rank, A T K Q J and, where the deck has it, 9;
    `last`: points of the last trick.
    """

    sides: tuple[int, ...]
    copies: int
    points: tuple[int, ...]
    last: int

    def __post_init__(self) -> None:
        if not 2 <= len(self.sides) <= 9 or set(self.sides) != {0, 1}:
            raise PositionError("A position needs 2 to 9 players on two sides.")

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.sides)

    @property
    def ranks(self) -> int:
        """How many ranks a suit has."""
        return len(self.points)


def arrangement(rules: Rules, seats: tuple[int, ...], side: int) -> Arrangement:
    """The arrangement of a deal in which `seats` play, in turn, for the points of one side."""
    deck = rules.deck
    return Arrangement(
        sides=tuple(0 if rules.side_of(seat) == side else 1 for seat in seats),
        copies=deck.copies,
        points=POINTS[rules.scoring.card_points][: deck.ranks],
        last=rules.scoring.last_trick,
    )


class Tables(NamedTuple):
    """The arrays of an arrangement, as `search` names them. Lanes have rank 0 lowest."""

    bits: int
    lane: int
    a_word: int
    side: Integers
    sizes: NDArray[np.uint8]
    worth: NDArray[np.int16]
    counters: NDArray[np.uint8]
    value: Integers
    shapes: Integers
    leaders: Integers
    masks: Integers
    salts: Integers
    constants: Integers


def _signed(number: int) -> int:
    """The same 64 bits as a signed integer."""
    number %= _WORD
    return number - _WORD if number >> 63 else number


@lru_cache(maxsize=64)
def tables(of: Arrangement) -> Tables:
    """The arrays of an arrangement."""
    bits = 2 if of.copies <= 3 else 3
    lane = 16 if of.ranks * bits <= 16 else 20
    a_word = 64 // lane
    words = -(-of.players // a_word)
    points = of.points[::-1]
    classes = [sum(points[r] != points[r + 1] for r in range(rank)) for rank in range(of.ranks)]
    always = sum(1 << r for r in range(of.ranks - 1) if points[r] != points[r + 1])
    every = np.arange(1 << (of.ranks * bits))
    counts = [(every >> (rank * bits)) & ((1 << bits) - 1) for rank in range(of.ranks)]
    chance = random.Random(1)

    def drawn(*shape: int) -> Integers:
        number = int(np.prod(shape))
        odd = [_signed(chance.getrandbits(64) | 1) for _ in range(number)]
        return np.array(odd, np.int64).reshape(shape)

    by_class = drawn(4, of.players, classes[-1] + 1)
    constants = np.zeros(search.CONSTANTS, np.int64)
    constants[search.PLAYERS] = of.players
    constants[search.RANKS] = of.ranks
    constants[search.BITS] = bits
    constants[search.LANE] = lane
    constants[search.LANES] = a_word
    constants[search.ALWAYS] = always * 0x01010101
    constants[search.LEAST] = min(point for point in points if point)
    constants[search.LAST] = of.last
    return Tables(
        bits=bits,
        lane=lane,
        a_word=a_word,
        side=np.array(of.sides, np.int64),
        sizes=sum(counts).astype(np.uint8),  # type: ignore[union-attr]  # there are ranks
        worth=sum(n * p for n, p in zip(counts, points, strict=True)).astype(np.int16),  # type: ignore[union-attr]
        counters=sum(n * (p > 0) for n, p in zip(counts, points, strict=True)).astype(np.uint8),  # type: ignore[union-attr]
        value=np.array(points, np.int64),
        shapes=by_class[:, :, classes].reshape(-1).copy(),
        leaders=drawn(of.players + 1),  # the last for trump that is not broken
        masks=_masks(always, of.ranks, bits, lane, a_word),
        salts=drawn(4 * words),
        constants=constants,
    )


def _masks(always: int, ranks: int, bits: int, lane: int, a_word: int) -> Integers:
    """For each dependency set of a suit, the counts that it tells apart and the shape does not.

    The shape has the count of each run of ranks of one worth. Of the classes in such a run only
    those of a single rank are compared: runs are of three ranks at most, so that is enough.
    """
    masks = np.zeros(32, np.int64)
    repeated = sum(1 << (lane * at) for at in range(a_word))
    for told in range(1 << (ranks - 1)):
        mask = start = 0
        for rank in range(ranks):
            last = rank == ranks - 1
            if not last and not (told | always) >> rank & 1:
                continue
            alone = start == rank
            whole_run = (rank == 0 or always >> (rank - 1) & 1) and (last or always >> rank & 1)
            if alone and not whole_run:
                mask |= ((1 << bits) - 1) << (rank * bits)
            start = rank + 1
        masks[told] = _signed(mask * repeated)
    return masks
