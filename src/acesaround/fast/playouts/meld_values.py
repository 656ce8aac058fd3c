"""Meld values of hands in kernels, looked up in tables that `melds.find_melds` has filled.

Melds mix suits only in certain sets (arounds, pinochles, the double roundhouse). So the meld of a
hand is a sum of table entries: one for the pattern of each suit, as trump or plain, and one for the
number of times that each such set is held. House melds are counted one by one. This module decides
no value and no combination of melds.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain, product
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec.structs import replace

from acesaround.cards import KIND_COUNT, ONE_OF_KIND, RANK_COUNT, Suit, counts, pack
from acesaround.cards import SUITS as _EVERY_SUIT
from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.playouts.packed_deal import sets_from_hand as held_sets
from acesaround.fast.playouts.rule_arrays import DEFENDERS_MELD, Integers, RuleArrays
from acesaround.rules import MAX_MELD_CARDS, Rules
from acesaround.rules.feature_support import MAX_COPIES
from acesaround.rules.melds import (
    AROUND_KINDS,
    PINOCHLE,
    arounds_cards,
    find_melds,
    marriage_cards,
    points_of_dixes,
    total_points,
)
from acesaround.rules.melds import count_marriages as _marriages
from acesaround.rules.melds import count_runs as _runs

Array: TypeAlias = Any  # of int64; numba infers it

# The tables are one array, because taking an array out of a tuple costs more than a lookup.
DIGIT_TABLE: Final = 0  # what a set of ranks adds to the pattern number of a suit: 64 entries
PATTERN_COUNT: Final = 64  # number of patterns of a suit
SET_KINDS: Final = 65  # the 6 sets of kinds of several suits that meld together
_SET_ROW_SIZE: Final = MAX_COPIES + 1  # a set is held 0 to MAX_COPIES times
SET_POINTS: Final = (
    SET_KINDS + 6
)  # the meld of each set by the times that it is held: 6 rows of `_SET_ROW_SIZE`
HOUSE_MELD_COUNT: Final = SET_POINTS + 6 * _SET_ROW_SIZE  # number of house melds
HOUSE_MELD_START: Final = (
    HOUSE_MELD_COUNT + 1
)  # index of their rows of `_HOUSE_ROW_SIZE`: all without trump, then all under each trump
SUIT_TABLES: Final = HOUSE_MELD_COUNT + 2  # rows with a number for each pattern of a suit
# The rows at SUITS:
PLAIN_ROW: Final = 0  # the meld of a plain suit
TRUMP_ROW: Final = 1  # the meld of the trump suit
DIX_ROW: Final = 2  # the part of TRUMP_ROW that is from dixes
RUN_ROW: Final = 3  # number of runs
MARRIAGE_ROW: Final = 4  # number of marriages, including those in runs
_ROW_COUNT: Final = 5
_SUIT_MASK: Final = (1 << RANK_COUNT) - 1
# The fields of a house meld's row:
_HOUSE_POINTS: Final = 0
_HOUSE_KIND_COUNT: Final = 1  # number of kinds in the meld
_HOUSE_NEEDS: Final = 2  # pairs of a kind and its number of cards
_HOUSE_ROW_SIZE: Final = _HOUSE_NEEDS + 2 * MAX_MELD_CARDS

_ROUNDHOUSE: Final = tuple(card for suit in _EVERY_SUIT for card in marriage_cards(suit))
_MIXED_SETS: Final = (PINOCHLE, *(arounds_cards(rank) for rank, _ in AROUND_KINDS), _ROUNDHOUSE)


@lru_cache(maxsize=64)
def build_meld_tables(rules: Rules) -> Integers:
    """Return the lookup tables for the meld table and the deck of some rules."""
    copies, ranks, house_melds = rules.deck.copies, rules.deck.ranks, rules.melds.others
    meld_table = replace(rules.melds, others=())
    base, suit = copies + 1, Suit.H  # any suit but those of the pinochle
    house_start = SUIT_TABLES + _ROW_COUNT * base**ranks
    tables = np.zeros(
        house_start + (1 + len(_EVERY_SUIT)) * len(house_melds) * _HOUSE_ROW_SIZE, np.int64
    )
    tables[PATTERN_COUNT], tables[HOUSE_MELD_COUNT], tables[HOUSE_MELD_START] = (
        base**ranks,
        len(house_melds),
        house_start,
    )
    for held in range(1 << ranks):
        tables[DIGIT_TABLE + held] = sum(base**rank for rank in range(ranks) if held >> rank & 1)
    for rank_counts in product(range(base), repeat=ranks):
        hand = sum(
            ONE_OF_KIND[suit * RANK_COUNT + rank] * count for rank, count in enumerate(rank_counts)
        )
        pattern_index = SUIT_TABLES + sum(
            count * base**rank for rank, count in enumerate(rank_counts)
        )
        trump_melds = find_melds(meld_table, hand, suit)
        tables[pattern_index : house_start : base**ranks] = (
            total_points(find_melds(meld_table, hand, None)),
            total_points(trump_melds),
            points_of_dixes(trump_melds),
            _runs(counts(hand), suit),
            _marriages(counts(hand), suit),
        )
    for index, cards in enumerate(_MIXED_SETS):
        tables[SET_KINDS + index] = sum(1 << card for card in cards)
        for count in range(1, base):
            hand = pack(cards) * count
            single_suit_points = hand_meld(
                tables, np.array([held_sets(hand, copies)], np.int64), 0, -1
            )
            tables[SET_POINTS + index * _SET_ROW_SIZE + count] = (
                total_points(find_melds(meld_table, hand, None)) - single_suit_points
            )
    for index, (trump, house_meld) in enumerate(product((None, *_EVERY_SUIT), house_melds)):
        kind_counts = sorted(Counter(house_meld.cards_in_trump(trump)).items())
        row = [house_meld.points, len(kind_counts), *chain(*kind_counts)]
        tables[
            house_start + index * _HOUSE_ROW_SIZE : house_start + index * _HOUSE_ROW_SIZE + len(row)
        ] = row
    return tables


def max_meld(meld_tables: Integers) -> int:
    """Return an upper bound on the meld of a hand: the sum of the maxima of suits and sets."""
    suit_points = np.abs(
        meld_tables[SUIT_TABLES : SUIT_TABLES + (TRUMP_ROW + 1) * int(meld_tables[PATTERN_COUNT])]
    ).max()
    set_points = (
        np.abs(meld_tables[SET_POINTS:HOUSE_MELD_COUNT]).reshape(-1, _SET_ROW_SIZE).max(1).sum()
    )
    house_points = (
        MAX_COPIES * meld_tables[meld_tables[HOUSE_MELD_START] :][::_HOUSE_ROW_SIZE].sum()
    )
    return int(4 * suit_points + set_points + house_points)


@inlined_kernel
def suit_pattern(meld_tables: Array, hands: Array, player: int, suit: int) -> int:
    """Return the pattern number of a suit in a hand: its counts as digits."""
    pattern_number = 0
    for copy in range(hands.shape[1]):
        pattern_number += meld_tables[
            DIGIT_TABLE + ((hands[player, copy] >> (RANK_COUNT * suit)) & _SUIT_MASK)
        ]
    return pattern_number


@inlined_kernel
def suit_entry(meld_tables: Array, row: int, pattern: int) -> int:
    """Return the entry of a row for a suit with that pattern."""
    entry: int = meld_tables[SUIT_TABLES + row * meld_tables[PATTERN_COUNT] + pattern]
    return entry


@inlined_kernel
def _times_held(hands: Array, player: int, kinds: int) -> int:
    """Return how often a hand holds a set of kinds."""
    times = 0
    while times < hands.shape[1] and hands[player, times] & kinds == kinds:
        times += 1
    return times


@inlined_kernel
def _mixed_set_meld(meld_tables: Array, hands: Array, player: int) -> int:
    """Return the meld of a hand in sets of several suits."""
    total = 0
    for set_index in range(SET_POINTS - SET_KINDS):
        total += meld_tables[
            SET_POINTS
            + set_index * _SET_ROW_SIZE
            + _times_held(hands, player, meld_tables[SET_KINDS + set_index])
        ]
    return total


@inlined_kernel
def _cards_held(hands: Array, player: int, kind: int) -> int:
    """Return how many cards of a kind a hand holds."""
    count = 0
    for copy in range(hands.shape[1]):
        count += (hands[player, copy] >> kind) & 1
    return count


@inlined_kernel
def _house_row(meld_tables: Array, house_meld: int, trump: int) -> int:
    """Return the index of a house meld's row under a trump, or without one (-1)."""
    row: int = (
        meld_tables[HOUSE_MELD_START]
        + ((trump + 1) * meld_tables[HOUSE_MELD_COUNT] + house_meld) * _HOUSE_ROW_SIZE
    )
    return row


@inlined_kernel
def _house_melds_held(
    meld_tables: Array, hands: Array, player: int, row: int, without_kind: int
) -> int:
    """Return how often a hand without one card of `without_kind` holds a house meld, by its row.

    With `without_kind` -1 all cards count.
    """
    times = 0
    for need in range(meld_tables[row + _HOUSE_KIND_COUNT]):
        at = row + _HOUSE_NEEDS + 2 * need
        kind = meld_tables[at]
        times_of_kind = (_cards_held(hands, player, kind) - (kind == without_kind)) // meld_tables[
            at + 1
        ]
        times = times_of_kind if need == 0 else min(times, times_of_kind)
    return times


@arrayless_kernel
def _house_meld_points(meld_tables: Array, hands: Array, player: int, trump: int) -> int:
    """Return the points of a hand's house melds. Callers skip this if the table has none."""
    total = 0
    for house_meld in range(meld_tables[HOUSE_MELD_COUNT]):
        row = _house_row(meld_tables, house_meld, trump)
        total += meld_tables[row + _HOUSE_POINTS] * _house_melds_held(
            meld_tables, hands, player, row, -1
        )
    return total


@arrayless_kernel
def hand_meld(meld_tables: Array, hands: Array, player: int, trump: int) -> int:
    """Return the best meld of a hand with a trump suit, or without one (-1)."""
    total = _mixed_set_meld(meld_tables, hands, player)
    if meld_tables[HOUSE_MELD_COUNT]:
        total += _house_meld_points(meld_tables, hands, player, trump)
    for suit in range(4):
        row = TRUMP_ROW if suit == trump else PLAIN_ROW
        total += suit_entry(meld_tables, row, suit_pattern(meld_tables, hands, player, suit))
    return total


@inlined_kernel
def melds_before_play(rule_arrays: RuleArrays, player: int, declarer: int) -> bool:
    """Return whether a player melds before the play; some rules exclude the defenders."""
    may_meld: bool = (
        rule_arrays.params[DEFENDERS_MELD] != 0
        or rule_arrays.side_of_player[player] == rule_arrays.side_of_player[declarer]
    )
    return may_meld


@arrayless_kernel
def best_hand_meld(meld_tables: Array, hands: Array, player: int) -> tuple[int, int]:
    """Return the meld of a hand with its best trump, and its number of runs in all suits."""
    total = _mixed_set_meld(meld_tables, hands, player)
    has_house_melds, best_gain, runs = meld_tables[HOUSE_MELD_COUNT] != 0, 0, 0
    for suit in range(4):
        pattern_number = suit_pattern(meld_tables, hands, player, suit)
        plain_points = suit_entry(meld_tables, PLAIN_ROW, pattern_number)
        total += plain_points
        gain = suit_entry(meld_tables, TRUMP_ROW, pattern_number) - plain_points  # may be negative
        if has_house_melds:
            gain += _house_meld_points(meld_tables, hands, player, suit)
        best_gain = max(best_gain, gain) if suit else gain
        runs += suit_entry(meld_tables, RUN_ROW, pattern_number)
    return total + best_gain, runs


@arrayless_kernel
def meld_loss_per_card(
    meld_tables: Array, hands: Array, player: int, trump: int, loss: Array
) -> None:
    """Write to `loss`, (24,), how much a hand's meld falls without one card of each kind held."""
    held = hands[player, 0]
    for suit in range(4):
        row, pattern_number = (
            TRUMP_ROW if suit == trump else PLAIN_ROW,
            suit_pattern(meld_tables, hands, player, suit),
        )
        for rank in range(RANK_COUNT):
            kind = suit * RANK_COUNT + rank
            if held >> kind & 1:
                without = pattern_number - meld_tables[DIGIT_TABLE + (1 << rank)]
                loss[kind] = suit_entry(meld_tables, row, pattern_number) - suit_entry(
                    meld_tables, row, without
                )
    for set_index in range(SET_POINTS - SET_KINDS):
        set_kinds, at = meld_tables[SET_KINDS + set_index], SET_POINTS + set_index * _SET_ROW_SIZE
        times = _times_held(hands, player, set_kinds)
        if times:
            lost_points = meld_tables[at + times] - meld_tables[at + times - 1]
            scarce_kinds = set_kinds  # the kinds without a card to spare
            if times < hands.shape[1]:
                scarce_kinds &= ~hands[player, times]
            for kind in range(KIND_COUNT):
                if scarce_kinds >> kind & 1:
                    loss[kind] += lost_points
    for house_meld in range(meld_tables[HOUSE_MELD_COUNT]):
        at = _house_row(meld_tables, house_meld, trump)
        times = _house_melds_held(meld_tables, hands, player, at, -1)
        for need in range(meld_tables[at + _HOUSE_KIND_COUNT]):
            kind = meld_tables[at + _HOUSE_NEEDS + 2 * need]
            if held >> kind & 1:
                lost_times = times - _house_melds_held(meld_tables, hands, player, at, kind)
                loss[kind] += lost_times * meld_tables[at + _HOUSE_POINTS]
