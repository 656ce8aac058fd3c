"""The stakes of a trick besides its points: melds to be saved, and melds still to be laid.

These are heuristics of `policy`, not rules. `scoring` defines what saves meld, and `meld_laying`
which melds may be laid. The heuristic bot uses the same heuristics, card by card of its view.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64

from acesaround import heuristic_weights
from acesaround.cards import KIND_COUNT, RANK_COUNT
from acesaround.fast.jit import arrayless_kernel, bit_count, inlined_kernel, lowest_bit
from acesaround.fast.playouts.meld_laying import surplus_kinds
from acesaround.fast.playouts.packed_deal import (
    CLASS_A,
    DECLARER_NUMBER,
    ON_TABLE,
    TRUMP,
    PackedDeal,
)
from acesaround.fast.playouts.rule_arrays import (
    CANDIDATE_ADDED_KINDS,
    CANDIDATE_CLASS,
    CANDIDATE_KINDS,
    CANDIDATE_KINDS_TWICE,
    CANDIDATE_POINTS,
    FIXED_BITS,
    FIXED_ONE,
    KEEP_MELD_RULE,
    MELD_AFTER_STOCK,
    MIN_MELD_POINTS,
    MIN_PLAY_POINTS,
    RuleArrays,
)
from acesaround.rules import KeepMeld
from acesaround.rules.feature_support import MELD_WORTH_BITS
from acesaround.rules.laid_melds import DOUBLE_PINOCHLE, LAID_GROWN, RUN, STANDARD_CANDIDATE_COUNT

Array: TypeAlias = Any  # of int64; numba infers it

_RANK_FIELDS: Final = np.array(
    [
        sum(1 << MELD_WORTH_BITS * rank for rank in range(RANK_COUNT) if held >> rank & 1)
        for held in range(64)
    ],
    np.int64,
)
"""Each set of ranks of a suit as a word of `SuitMeldProspects`, with a 1 for each rank."""
_SUIT_MASK: Final = (1 << RANK_COUNT) - 1
_DECLARER_ROLE: Final = heuristic_weights.DECLARER_ROLE
_HELPER_ROLE: Final = heuristic_weights.HELPER_ROLE
_DEFENDER_ROLE: Final = heuristic_weights.DEFENDER_ROLE
_PERCENT: Final = 100
_KEEP_BY_POINT: Final = list(KeepMeld).index(KeepMeld.POINT)

_MAX_MELD_SAVING_TRICKS: Final = heuristic_weights.MAX_MELD_SAVING_TRICKS
_MELD_NEED_POINTS: Final = heuristic_weights.MELD_NEED_POINTS
_DENIED_MELD_POINTS: Final = heuristic_weights.DENIED_MELD_POINTS
_LOST_MELD_PERCENT: Final = round(_PERCENT * heuristic_weights.LOST_MELD_FRACTION)
_TRICK_WIN_MELD_PERCENT: Final = round(_PERCENT * heuristic_weights.TRICK_WIN_MELD_FRACTION)


class SuitMeldProspects(NamedTuple):
    """The expected meld points lost with a card of each kind.

    Each suit is a word with a field of MELD_WORTH_BITS bits for each rank.
    """

    spades: int
    hearts: int
    diamonds: int
    clubs: int


class Stakes(NamedTuple):
    """The worth of a trick to its winner besides its points, in points."""

    meld_saving_points: int
    """The worth of a trick with a counter for saving meld; a trick without one has half of it."""
    points_factor: int
    """The factor on the points of the trick, times FIXED_ONE."""
    trick_win_points: int
    """The worth of winning any trick."""
    declarer_number: int
    """The declarer, counted from 1; 0 without one."""
    role: int
    """The part of a `RoleWeights` that the player plays."""
    meld_prospects: SuitMeldProspects


@arrayless_kernel
def stakes_of_trick(
    rule_arrays: RuleArrays, packed: PackedDeal, player: int, stock_left: int
) -> Stakes:
    """Return the stakes of the trick for a player. `stock_left`: cards still to be drawn."""
    declarer_number = packed.status[DECLARER_NUMBER]
    side = rule_arrays.side_of_player[player]
    role = int64(_DEFENDER_ROLE)
    if declarer_number and rule_arrays.side_of_player[declarer_number - 1] == side:
        role = int64(_DECLARER_ROLE if declarer_number - 1 == player else _HELPER_ROLE)
    if stock_left:
        prospects, trick_win_points = _meld_prospects(rule_arrays, packed, player, stock_left)
        return Stakes(
            int64(0), int64(FIXED_ONE), trick_win_points, declarer_number, role, prospects
        )
    meld_saving_points, points_factor = int64(0), int64(FIXED_ONE)
    keep_rule, min_play_points = (
        rule_arrays.params[KEEP_MELD_RULE],
        rule_arrays.params[MIN_PLAY_POINTS],
    )
    side_has_won = (
        packed.points_won[side] if keep_rule == _KEEP_BY_POINT else packed.won_counter[side]
    )
    if (keep_rule and side_has_won == 0) or packed.points_won[side] < min_play_points:
        side_meld = int64(0)
        for other in range(packed.meld_points.shape[0]):
            if rule_arrays.side_of_player[other] == side:
                side_meld += packed.meld_points[other]
        if side_meld < rule_arrays.params[MIN_MELD_POINTS]:
            side_meld = int64(0)  # too little meld: it is lost already
        if keep_rule and side_has_won == 0:
            cards_held = int64(0)
            for copy in range(packed.hands.shape[1]):
                cards_held += bit_count(packed.hands[player, copy])
            meld_saving_points = side_meld // min(cards_held + 1, _MAX_MELD_SAVING_TRICKS)
        if packed.points_won[side] < min_play_points:
            points_factor += FIXED_ONE * min(side_meld, _MELD_NEED_POINTS) // _MELD_NEED_POINTS
    zero = int64(0)
    return Stakes(
        meld_saving_points,
        points_factor,
        zero,
        declarer_number,
        role,
        SuitMeldProspects(zero, zero, zero, zero),
    )


@arrayless_kernel
def _meld_prospects(
    rule_arrays: RuleArrays, packed: PackedDeal, player: int, stock_left: int
) -> tuple[SuitMeldProspects, int]:
    """Return the worth of a player's cards for future melds, and that of the trick for melding.

    An incomplete meld counts with the probability that its missing cards are drawn.
    """
    held, laid_melds, growth_state = (
        packed.hands[player],
        packed.laid_melds[player],
        packed.growth_state[player],
    )
    unplayed, trump = packed.unplayed[0], packed.status[TRUMP]
    players, copies = packed.hands.shape[0], packed.hands.shape[1]
    unseen = int64(0)
    for copy in range(copies):
        unseen += bit_count(unplayed[copy]) - bit_count(held[copy])
    miss_probability = max(
        FIXED_ONE - (stock_left << FIXED_BITS) // (players * max(unseen, 1)), int64(0)
    )
    in_hand, _ = surplus_kinds(held, laid_melds[ON_TABLE])
    spades = hearts = diamonds = clubs = ready_melds = best_points = int64(0)
    for number in range(STANDARD_CANDIDATE_COUNT):
        candidate = rule_arrays.meld_candidates[trump, number]
        kinds, pairs, points = (
            candidate[CANDIDATE_KINDS],
            candidate[CANDIDATE_KINDS_TWICE],
            candidate[CANDIDATE_POINTS],
        )
        if kinds >> KIND_COUNT or (number == DOUBLE_PINOCHLE and growth_state[2]):
            continue
        free_once, free_twice = surplus_kinds(
            held, laid_melds[CLASS_A + candidate[CANDIDATE_CLASS]]
        )
        growable_count = (
            growth_state[0]
            if number == RUN
            else growth_state[1]
            if number == DOUBLE_PINOCHLE
            else int64(0)
        )
        if growable_count and (kinds & ~free_once or pairs & ~free_twice):
            kinds, pairs, points = (
                candidate[CANDIDATE_ADDED_KINDS],
                int64(0),
                candidate[CANDIDATE_POINTS + LAID_GROWN],
            )
        probability = _draw_probability(kinds & ~free_once, unplayed, held, miss_probability)
        if pairs:
            probability = (
                probability
                * _draw_probability(pairs & ~free_twice, unplayed, held, miss_probability)
            ) >> FIXED_BITS
        expected_points = (points * probability) >> FIXED_BITS
        if expected_points == 0:
            continue
        if (
            kinds & ~free_once == 0
            and pairs & ~free_twice == 0
            and candidate[CANDIDATE_KINDS] & in_hand
        ):
            ready_melds, best_points = ready_melds + 1, max(best_points, points)
        irreplaceable = (kinds & free_once & ~free_twice) | (pairs & free_once)
        loss = expected_points * _LOST_MELD_PERCENT // _PERCENT
        spades += loss * _RANK_FIELDS[irreplaceable & _SUIT_MASK]
        hearts += loss * _RANK_FIELDS[irreplaceable >> RANK_COUNT & _SUIT_MASK]
        diamonds += loss * _RANK_FIELDS[irreplaceable >> 2 * RANK_COUNT & _SUIT_MASK]
        clubs += loss * _RANK_FIELDS[irreplaceable >> 3 * RANK_COUNT & _SUIT_MASK]
    trick_win_points = int64(0)
    if stock_left > players or rule_arrays.params[MELD_AFTER_STOCK]:
        percent = min(
            _PERCENT, _TRICK_WIN_MELD_PERCENT + _PERCENT * ready_melds * players // stock_left
        )
        trick_win_points = _DENIED_MELD_POINTS + best_points * percent // _PERCENT
    return SuitMeldProspects(spades, hearts, diamonds, clubs), trick_win_points


@inlined_kernel
def _draw_probability(
    missing_kinds: int, unplayed: Array, held: Array, miss_probability: int
) -> int:
    """Return the probability of drawing a card of each of some kinds, times FIXED_ONE.

    `miss_probability`: the probability that one given card is not drawn.
    """
    probability: int = int64(FIXED_ONE)
    while missing_kinds:
        kind = lowest_bit(missing_kinds)
        missing_kinds &= missing_kinds - 1
        none_drawn = int64(FIXED_ONE)
        for copy in range(held.shape[0]):
            if (unplayed[copy] & ~held[copy]) >> kind & 1:
                none_drawn = (none_drawn * miss_probability) >> FIXED_BITS
        probability = (probability * (FIXED_ONE - none_drawn)) >> FIXED_BITS
    return probability
