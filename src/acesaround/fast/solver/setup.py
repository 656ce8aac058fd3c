"""The setup of a solver: players, sides, deck and rules, constant while a deal is played out.

`SolverSetup` is the value. `build_tables` builds the arrays that the kernels read, once for each
setup.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from acesaround.cards import RANK_COUNT
from acesaround.errors import PositionError
from acesaround.fast.solver import board, move_generation
from acesaround.fast.solver.move_ordering import move_scores
from acesaround.rules import PlayRules, Rules
from acesaround.rules.feature_support import Feature, require_support, why_unsolvable
from acesaround.rules.tricks import beats, must_beat, points_of

Integers = NDArray[np.int64]
_WORD_RANGE: Final = 1 << 64


class SolverSetup(msgspec.Struct, frozen=True):
    """The players in turn, with the side of each: 0, whose points count, or 1.

    `copies`: most copies of a card; `points`: those of each rank, A T K Q J and, if the deck has
    it, 9; `last_trick_points`: points of the last trick; `play_rules`: what a follower must play.
    Raises PositionError for setups that the search cannot represent, such as points that rise
    towards the lower ranks, or more than three ranks in a row of equal worth.
    """

    sides: tuple[int, ...]
    copies: int
    points: tuple[int, ...]
    last_trick_points: int
    play_rules: PlayRules = PlayRules()

    def __post_init__(self) -> None:
        points = self.points
        if len(points) not in (5, 6) or not all(
            isinstance(p, int) for p in (*points, self.last_trick_points)
        ):
            raise PositionError("Points are whole numbers, one for each of 5 or 6 ranks.")
        if reason := why_unsolvable(len(self.sides), self.copies, points, self.last_trick_points):
            raise PositionError(f"{reason[0].upper()}{reason[1:]}.")
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


def solver_setup(rules: Rules, seats: tuple[int, ...], side: int) -> SolverSetup:
    """Return the setup of a deal in which `seats` play, in turn, for the points of one side.

    Raises RulesError for rules that the solver does not support.
    """
    require_support(rules, Feature.SOLVER, "the solver")
    deck = rules.deck
    return SolverSetup(
        sides=tuple(0 if rules.side_of(seat) == side else 1 for seat in seats),
        copies=deck.copies,
        points=points_of(rules.scoring.card_points)[: deck.ranks],
        last_trick_points=rules.scoring.last_trick,
        play_rules=rules.play,
    )


class KernelTables(NamedTuple):
    """The arrays that kernels read for a setup: the fixed memory of `board`, and facts of lanes.

    `lane_facts`, indexed by lane: the number of its cards (bits 0 to 7), the number of cards worth
    points (bits 8 to 15) and their points (from bit 16).
    """

    fixed: Integers
    lane_facts: Integers


def to_signed_64(number: int) -> int:
    """Return the low 64 bits of a number as a signed integer."""
    number %= _WORD_RANGE
    return number - _WORD_RANGE if number >> 63 else number


@lru_cache(maxsize=64)
def build_tables(setup: SolverSetup) -> KernelTables:
    """Return the tables of a setup."""
    bits_per_rank = 2 if setup.copies <= 3 else 3
    lane_bits = 16 if setup.ranks * bits_per_rank <= 16 else 20
    lanes_per_word = 64 // lane_bits
    ranks = range(setup.ranks)
    points = setup.points[::-1]
    worth_boundaries = sum(1 << r for r in ranks[:-1] if points[r] != points[r + 1])
    rng = random.Random(1)

    def drawn(count: int) -> list[int]:
        return [to_signed_64(rng.getrandbits(64) | 1) for _ in range(count)]

    fixed = np.zeros(board.FIXED_SIZE, np.int64)

    def write(start: int, values: Iterable[int]) -> None:
        for at, value in enumerate(values, start):
            fixed[at] = value

    fixed[board.PLAYER_COUNT] = setup.players
    fixed[board.RANKS_IN_SUIT] = setup.ranks
    fixed[board.BITS_PER_RANK] = bits_per_rank
    fixed[board.BASE_DEPS] = worth_boundaries * 0x8421
    fixed[board.MIN_CARD_POINTS] = min(point for point in points if point)
    fixed[board.LAST_TRICK_POINTS] = setup.last_trick_points
    fixed[board.VOID_MUST_TRUMP] = setup.play_rules.void_must_trump
    fixed[board.MUST_BEAT_PLAIN] = must_beat(setup.play_rules.must_beat, trump_led=False)
    fixed[board.MUST_BEAT_TRUMP] = must_beat(setup.play_rules.must_beat, trump_led=True)
    fixed[board.LOWEST_BITS] = sum(1 << r * bits_per_rank for r in ranks)
    fixed[board.WORTH_BOUNDARIES] = sum(
        1 << r * bits_per_rank + 1 for r in ranks if worth_boundaries >> r & 1
    )
    fixed[board.WORDS_PER_SUIT] = -(-setup.players // lanes_per_word)
    write(board.SIDE_OF_PLAYER, setup.sides)
    write(board.WORD_OF_PLAYER, (player // lanes_per_word for player in range(setup.players)))
    write(
        board.SHIFT_OF_PLAYER,
        (lane_bits * (player % lanes_per_word) for player in range(setup.players)),
    )
    write(board.RANK_POINTS, points)
    write(board.BEATING_CODES, (_beating_codes(code, setup.ranks) for code in range(32)))
    write(
        board.BEATING_LANES,
        (_beating_lanes(code, setup.ranks, bits_per_rank) for code in range(32)),
    )
    write(board.LEADER_HASHES, drawn(setup.players + 1))
    write(
        board.BOUNDARY_MASKS,
        _boundary_masks(worth_boundaries, setup.ranks, bits_per_rank, lane_bits, lanes_per_word),
    )
    write(board.WORD_HASHES, drawn(12))
    write(board.MOVE_SCORES, move_scores(points))
    for suit in range(4):
        for player in range(setup.players):
            by_worth = dict(zip(points, drawn(setup.ranks), strict=True))
            write(board.SHAPE_HASHES + (suit << 7 | player << 3), (by_worth[p] for p in points))
    return KernelTables(fixed, _lane_facts(points, bits_per_rank))


def _lane_facts(points: tuple[int, ...], bits_per_rank: int) -> Integers:
    lanes = np.arange(1 << (len(points) * bits_per_rank))
    facts = np.zeros_like(lanes)
    for rank, point in enumerate(points):
        facts += (lanes >> (rank * bits_per_rank) & (1 << bits_per_rank) - 1) * (
            1 | (point > 0) << 8 | point << 16
        )
    return facts


def _beating_codes(code: int, ranks: int) -> int:
    """Return the set of codes that beat a code."""
    beaten_kind = _kind_of_code(code, ranks)
    codes = (suit << 3 | rank for suit in range(4) for rank in range(ranks))
    return sum(1 << other for other in codes if beats(_kind_of_code(other, ranks), beaten_kind, 0))


def _kind_of_code(code: int, ranks: int) -> int:
    """Return the kind of card of a code, where trump is suit 0."""
    return RANK_COUNT * (code >> 3) + ranks - 1 - (code & 7)


def _beating_lanes(code: int, ranks: int, bits_per_rank: int) -> int:
    """Return the codes that beat a code as two lanes: of its suit, unless trump, and of trump."""
    beating_codes, rank_mask = _beating_codes(code, ranks), (1 << bits_per_rank) - 1
    suit = code >> 3
    lanes = sum(
        rank_mask << rank * bits_per_rank
        for rank in range(ranks)
        if suit and beating_codes >> (suit << 3 | rank) & 1
    )
    trumps = sum(
        rank_mask << rank * bits_per_rank for rank in range(ranks) if beating_codes >> rank & 1
    )
    return lanes | trumps << move_generation.TRUMP_SHIFT


def _boundary_masks(
    worth_boundaries: int, ranks: int, bits_per_rank: int, lane_bits: int, lanes_per_word: int
) -> Integers:
    """Return for each dependency set of a suit the counts that it adds to the shape, as a mask.

    The shape has the number of cards in each run of ranks of equal worth. Of the classes in such a
    run only those of a single rank are compared. This suffices because a run has three ranks at
    most.
    """
    masks = np.zeros(32, np.int64)
    lane_ones = sum(1 << (lane_bits * index) for index in range(lanes_per_word))
    for boundaries in range(1 << (ranks - 1)):
        mask = start = 0
        for rank in range(ranks):
            is_last = rank == ranks - 1
            if not is_last and not (boundaries | worth_boundaries) >> rank & 1:
                continue
            is_single_rank = start == rank
            is_whole_run = (rank == 0 or worth_boundaries >> (rank - 1) & 1) and (
                is_last or worth_boundaries >> rank & 1
            )
            if is_single_rank and not is_whole_run:
                mask |= ((1 << bits_per_rank) - 1) << (rank * bits_per_rank)
            start = rank + 1
        masks[boundaries] = to_signed_64(mask * lane_ones)
    return masks
