"""Heuristic hand evaluation for kernels: what a hand promises, and which cards it gives up.

The evaluation sees one hand and the meld in it, and is deterministic. It matches that of the
heuristic bot, with integers made from the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround import heuristic_weights
from acesaround.cards import RANK_COUNT, Rank
from acesaround.fast.jit import arrayless_kernel, bit_count, lowest_bit
from acesaround.fast.playouts.rule_arrays import (
    ACE_WEIGHT,
    BASE_WEIGHT,
    GROWTH_WEIGHT,
    HAND_SIZE,
    ONE_SHORT_WEIGHT,
    RUN_POINTS,
    TEN_WEIGHT,
    TRICK_POINTS,
    TRUMP_ACE_WEIGHT,
    TRUMP_TEN_WEIGHT,
    TRUMP_WEIGHT,
    TWO_SHORT_WEIGHT,
    WEIGHT_SCALE,
    RuleArrays,
)
from acesaround.rules.melds import PINOCHLE

Array: TypeAlias = Any  # of int64; numba infers it

BURY: Final = 0
"""A card that the declarer buries, where buried counters count for the declarer."""
GIVE: Final = 1
"""A card that a partner gives the declarer."""
RETURN: Final = 2
"""A card that the declarer gives back."""
DISCARD: Final = 3
"""A card that is exchanged for an undealt one."""

_ACE, _KING = int(Rank.ACE), int(Rank.KING)
_PINOCHLE: Final = sum(1 << kind for kind in PINOCHLE)
_ACE_OF_EVERY_SUIT: Final = 1 | 1 << RANK_COUNT | 1 << 2 * RANK_COUNT | 1 << 3 * RANK_COUNT


def _in_tenths(prices: Sequence[float]) -> NDArray[np.int64]:
    return np.array([round(10 * price) for price in prices], np.int64)


# Prices by rank, in tenths of a point at a table where a run is worth
# `heuristic_weights.REFERENCE_RUN_POINTS`.
_REFERENCE_RUN_POINTS: Final = heuristic_weights.REFERENCE_RUN_POINTS
_TRUMP_GIFT_VALUES: Final = _in_tenths(heuristic_weights.TRUMP_GIFT_VALUES)
_PLAIN_GIFT_VALUES: Final = _in_tenths(heuristic_weights.PLAIN_GIFT_VALUES)
_TRUMP_GIVING_COSTS: Final = _in_tenths(heuristic_weights.TRUMP_GIVING_COSTS)
_PLAIN_GIVING_COSTS: Final = _in_tenths(heuristic_weights.PLAIN_GIVING_COSTS)
_TRUMP_KEEP_VALUES: Final = _in_tenths(heuristic_weights.TRUMP_KEEP_VALUES)
_PLAIN_KEEP_VALUES: Final = _in_tenths(heuristic_weights.PLAIN_KEEP_VALUES)
_SUIT_LENGTH_BONUS: Final = round(10 * heuristic_weights.SUIT_LENGTH_BONUS)
_PINOCHLE_GIFT_VALUE: Final = round(10 * heuristic_weights.PINOCHLE_GIFT_VALUE)
_PINOCHLE_KEEP_VALUE: Final = round(10 * heuristic_weights.PINOCHLE_KEEP_VALUE)
_BURIED_COUNTER_BONUS: Final = round(10 * heuristic_weights.BURIED_COUNTER_BONUS)
_DRAWN_CARD_VALUE: Final = round(10 * heuristic_weights.DRAWN_CARD_VALUE)
_GIVER_MELD_FACTOR: Final = round(10 * heuristic_weights.GIVER_MELD_FACTOR)


@arrayless_kernel
def evaluate_packed_hand(rule_arrays: RuleArrays, row: Array, trump: int, meld: int) -> int:
    """Return what a hand promises its declarer in meld and play, in thousandths of a point.

    The estimate includes the meld from cards that may join the hand. `row`: the hand as a row of
    sets; `meld`: its meld with that trump.
    """
    weights, hand_size = rule_arrays.hand_weights, rule_arrays.params[HAND_SIZE]
    trumps = rule_arrays.suit_kinds[trump]
    aces = _ACE_OF_EVERY_SUIT << _ACE
    trump_count = trump_aces = trump_tens = plain_aces = plain_tens = 0
    for copy in range(row.shape[0]):
        held = row[copy]
        trump_count += bit_count(held & trumps)
        trump_aces += bit_count(held & trumps & aces)
        trump_tens += bit_count(held & trumps & aces << 1)
        plain_aces += bit_count(held & ~trumps & aces)
        plain_tens += bit_count(held & ~trumps & aces << 1)
    tricks = (
        weights[BASE_WEIGHT]
        + weights[TRUMP_WEIGHT] * trump_count
        + weights[TRUMP_ACE_WEIGHT] * trump_aces
        + weights[TRUMP_TEN_WEIGHT] * trump_tens
        + weights[ACE_WEIGHT] * plain_aces
        + weights[TEN_WEIGHT] * plain_tens
    )
    play_points = min(tricks, WEIGHT_SCALE * hand_size) * weights[TRICK_POINTS]
    missing_run_ranks = 5 - bit_count(row[0] & trumps & ~(_ACE_OF_EVERY_SUIT << (RANK_COUNT - 1)))
    growth = weights[GROWTH_WEIGHT]
    if missing_run_ranks == 1:
        growth += weights[ONE_SHORT_WEIGHT]
    elif missing_run_ranks == 2:
        growth += weights[TWO_SHORT_WEIGHT]
    value: int = (
        meld * WEIGHT_SCALE + growth * rule_arrays.params[RUN_POINTS] + play_points // WEIGHT_SCALE
    )
    return value


@arrayless_kernel
def next_discard(rule_arrays: RuleArrays, row: Array, trump: int, loss: Array, purpose: int) -> int:
    """Return the next kind to give up for a purpose, or -1 if no further discard is worth it.

    `loss`: how many points the hand's meld falls without one card of each kind, (24,).
    """
    # Price and meld loss are both in tenths of a point at a table where a run is
    # `run * _REFERENCE_RUN_POINTS`.
    meld_factor = (_GIVER_MELD_FACTOR if purpose == GIVE else 10) * _REFERENCE_RUN_POINTS
    run_points = rule_arrays.params[RUN_POINTS]
    chosen, lowest_price = -1, 0
    legal = row[0]
    while legal:
        kind = lowest_bit(legal)
        legal &= legal - 1
        price = (
            _price(row, kind, rule_arrays.suit_kinds[kind // RANK_COUNT], trump, purpose)
            * run_points
        )
        price += meld_factor * loss[kind]
        if chosen < 0 or price < lowest_price:
            chosen, lowest_price = kind, price
    if purpose == DISCARD and lowest_price >= _DRAWN_CARD_VALUE * run_points:
        return -1
    return chosen


@arrayless_kernel
def _price(row: Array, kind: int, suit_kinds: int, trump: int, purpose: int) -> int:
    """Return the price of giving up a card besides its meld; a gift has a negative price."""
    rank = kind % RANK_COUNT
    is_plain = kind // RANK_COUNT != trump
    is_of_pinochle = _PINOCHLE >> kind & 1
    price: int
    if purpose == GIVE:
        price = (
            -max(_PLAIN_GIFT_VALUES[rank], _PINOCHLE_GIFT_VALUE * is_of_pinochle)
            if is_plain
            else -_TRUMP_GIFT_VALUES[rank]
        )
        return price
    if purpose == DISCARD:
        price = (
            max(_PLAIN_KEEP_VALUES[rank], _PINOCHLE_KEEP_VALUE * is_of_pinochle)
            if is_plain
            else _TRUMP_KEEP_VALUES[rank]
        )
        return price
    price = _PLAIN_GIVING_COSTS[rank] if is_plain else _TRUMP_GIVING_COSTS[rank]
    if is_plain and rank != _ACE:
        for copy in range(row.shape[0]):
            price += _SUIT_LENGTH_BONUS * bit_count(
                row[copy] & suit_kinds
            )  # cards of shorter suits go first
    if purpose == BURY and 0 < rank <= _KING:
        price -= _BURIED_COUNTER_BONUS
    return price
