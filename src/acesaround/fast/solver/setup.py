"""The setup of a solver: players, sides, deck and rules, constant while a deal is played out.

`SolverSetup` is the value. `tables` builds the arrays that the kernels read, once for each setup.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from acesaround.cards import RANKS
from acesaround.errors import PositionError
from acesaround.fast.solver import board, move_generation
from acesaround.fast.solver.move_ordering import scores
from acesaround.rules import PlayLaw, Rules
from acesaround.rules.support import Feature, require_support, unsolvable
from acesaround.rules.tricks import beats, must_beat, points_of

Integers = NDArray[np.int64]
_WORD: Final = 1 << 64


class SolverSetup(msgspec.Struct, frozen=True):
    """The players in turn, with the side of each: 0, whose points count, or 1.

    `copies`: most copies of a card; `points`: those of each rank, A T K Q J and, if the deck has
    it, 9; `last`: points of the last trick; `law`: what a follower must play. Raises PositionError
    for setups that the search cannot represent, such as points that rise towards the lower ranks,
    or more than three ranks in a row of equal worth.
    """

    sides: tuple[int, ...]
    copies: int
    points: tuple[int, ...]
    last: int
    law: PlayLaw = PlayLaw()

    def __post_init__(self) -> None:
        points = self.points
        if len(points) not in (5, 6) or not all(isinstance(p, int) for p in (*points, self.last)):
            raise PositionError("Points are whole numbers, one for each of 5 or 6 ranks.")
        if why := unsolvable(len(self.sides), self.copies, points, self.last):
            raise PositionError(f"{why[0].upper()}{why[1:]}.")
        if set(self.sides) != {0, 1}:
            raise PositionError("A position needs players on two sides, 0 and 1.")

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.sides)

    @property
    def ranks(self) -> int:
        """The number of ranks in a suit."""
        return len(self.points)


def arrangement(rules: Rules, seats: tuple[int, ...], side: int) -> SolverSetup:
    """Return the setup of a deal in which `seats` play, in turn, for the points of one side.

    Raises RulesError for rules that the solver does not support.
    """
    require_support(rules, Feature.SOLVER, "the solver")
    deck = rules.deck
    return SolverSetup(
        sides=tuple(0 if rules.side_of(seat) == side else 1 for seat in seats),
        copies=deck.copies,
        points=points_of(rules.scoring.card_points)[: deck.ranks],
        last=rules.scoring.last_trick,
        law=rules.play,
    )


class Tables(NamedTuple):
    """The arrays that kernels read for a setup: the fixed memory of `board`, and facts of lanes.

    `facts`, indexed by lane: the number of its cards (bits 0 to 7), the number of cards worth
    points (bits 8 to 15) and their points (from bit 16).
    """

    fixed: Integers
    facts: Integers


def wrapped(number: int) -> int:
    """Return the low 64 bits of a number as a signed integer."""
    number %= _WORD
    return number - _WORD if number >> 63 else number


@lru_cache(maxsize=64)
def tables(of: SolverSetup) -> Tables:
    """Return the tables of a setup."""
    bits = 2 if of.copies <= 3 else 3
    lane = 16 if of.ranks * bits <= 16 else 20
    a_word = 64 // lane
    ranks = range(of.ranks)
    points = of.points[::-1]
    always = sum(1 << r for r in ranks[:-1] if points[r] != points[r + 1])
    chance = random.Random(1)

    def drawn(number: int) -> list[int]:
        return [wrapped(chance.getrandbits(64) | 1) for _ in range(number)]

    fixed = np.zeros(board.FIXED, np.int64)

    def write(place: int, numbers: Iterable[int]) -> None:
        for at, number in enumerate(numbers, place):
            fixed[at] = number

    fixed[board.PLAYERS] = of.players
    fixed[board.RANKS] = of.ranks
    fixed[board.BITS] = bits
    fixed[board.ALWAYS] = always * 0x8421
    fixed[board.LEAST] = min(point for point in points if point)
    fixed[board.LAST] = of.last
    fixed[board.VOID_TRUMPS] = of.law.void_must_trump
    fixed[board.BEAT_PLAIN] = must_beat(of.law.must_beat, trump_led=False)
    fixed[board.BEAT_TRUMP] = must_beat(of.law.must_beat, trump_led=True)
    fixed[board.LOWEST_BITS] = sum(1 << r * bits for r in ranks)
    fixed[board.PARTED] = sum(1 << r * bits + 1 for r in ranks if always >> r & 1)
    fixed[board.A_SUIT] = -(-of.players // a_word)
    write(board.SIDE, of.sides)
    write(board.WORD, (player // a_word for player in range(of.players)))
    write(board.SHIFT, (lane * (player % a_word) for player in range(of.players)))
    write(board.WORTH, points)
    write(board.BEATS, (_beating(code, of.ranks) for code in range(32)))
    write(board.BEATING, (_beating_lanes(code, of.ranks, bits) for code in range(32)))
    write(board.LEADERS, drawn(of.players + 1))
    write(board.MASKS, _masks(always, of.ranks, bits, lane, a_word))
    write(board.SALTS, drawn(12))
    write(board.SCORES, scores(points))
    for suit in range(4):
        for player in range(of.players):
            by_worth = dict(zip(points, drawn(of.ranks), strict=True))
            write(board.SHAPES + (suit << 7 | player << 3), (by_worth[p] for p in points))
    return Tables(fixed, _facts(points, bits))


def _facts(points: tuple[int, ...], bits: int) -> Integers:
    every = np.arange(1 << (len(points) * bits))
    facts = np.zeros_like(every)
    for rank, point in enumerate(points):
        facts += (every >> (rank * bits) & (1 << bits) - 1) * (1 | (point > 0) << 8 | point << 16)
    return facts


def _beating(code: int, ranks: int) -> int:
    """Return the set of codes that beat a code."""
    best = _kind(code, ranks)
    codes = (suit << 3 | rank for suit in range(4) for rank in range(ranks))
    return sum(1 << other for other in codes if beats(_kind(other, ranks), best, 0))


def _kind(code: int, ranks: int) -> int:
    """Return the kind of card of a code, where trump is suit 0."""
    return RANKS * (code >> 3) + ranks - 1 - (code & 7)


def _beating_lanes(code: int, ranks: int, bits: int) -> int:
    """Return the codes that beat a code as two lanes: of its suit, unless trump, and of trump."""
    beating, field = _beating(code, ranks), (1 << bits) - 1
    suit = code >> 3
    lanes = sum(
        field << rank * bits for rank in range(ranks) if suit and beating >> (suit << 3 | rank) & 1
    )
    trumps = sum(field << rank * bits for rank in range(ranks) if beating >> rank & 1)
    return lanes | trumps << move_generation.TRUMPS


def _masks(always: int, ranks: int, bits: int, lane: int, a_word: int) -> Integers:
    """Return for each dependency set of a suit the counts that it adds to the shape, as a mask.

    The shape has the number of cards in each run of ranks of equal worth. Of the classes in such a
    run only those of a single rank are compared. This suffices because a run has three ranks at
    most.
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
        masks[told] = wrapped(mask * repeated)
    return masks
