"""Meld values of hands in kernels, looked up in tables that `melds.find` has filled.

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

from acesaround.cards import KINDS, ONE, RANKS, Suit, counts, pack
from acesaround.cards import SUITS as _EVERY_SUIT
from acesaround.fast.jit import arrayless_kernel, inlined
from acesaround.fast.playouts.packed_deal import sets as held_sets
from acesaround.fast.playouts.rule_arrays import DEFENDERS_MELD, Integers, RuleArrays
from acesaround.rules import MOST_OF_A_MELD, Rules
from acesaround.rules.melds import (
    AROUNDS,
    PINOCHLE,
    arounds_cards,
    find,
    marriage_cards,
    nines,
    points,
)
from acesaround.rules.melds import marriages as _marriages
from acesaround.rules.melds import runs as _runs
from acesaround.rules.support import MOST_COPIES

Array: TypeAlias = Any  # of int64; numba infers it

# The tables are one array, because taking an array out of a tuple costs more than a lookup.
DIGITS: Final = 0  # what a set of ranks adds to the pattern number of a suit: 64 entries
PATTERNS: Final = 64  # number of patterns of a suit
SETS: Final = 65  # the 6 sets of kinds of several suits that meld together
_MOST: Final = MOST_COPIES + 1  # a set is held 0 to MOST_COPIES times
TOGETHER: Final = SETS + 6  # the meld of each set by the times that it is held: 6 rows of `_MOST`
OTHERS: Final = TOGETHER + 6 * _MOST  # number of house melds
OTHERS_AT: Final = (
    OTHERS + 1
)  # index of their rows of `_OTHER`: all without trump, then all under each trump
SUITS: Final = OTHERS + 2  # rows with a number for each pattern of a suit
# The rows at SUITS:
PLAIN: Final = 0  # the meld of a plain suit
TRUMP: Final = 1  # the meld of the trump suit
NINES: Final = 2  # the part of TRUMP that is from dixes
RUNS: Final = 3  # number of runs
MARRIAGES: Final = 4  # number of marriages, including those in runs
_ROWS: Final = 5
_PATTERN: Final = (1 << RANKS) - 1
# The fields of a house meld's row:
_POINTS: Final = 0
_LENGTH: Final = 1  # number of kinds in the meld
_NEEDS: Final = 2  # pairs of a kind and its number of cards
_OTHER: Final = _NEEDS + 2 * MOST_OF_A_MELD

_COUPLES: Final = tuple(card for suit in _EVERY_SUIT for card in marriage_cards(suit))
_SETS: Final = (PINOCHLE, *(arounds_cards(rank) for rank, _ in AROUNDS), _COUPLES)


@lru_cache(maxsize=64)
def melds(rules: Rules) -> Integers:
    """Return the lookup tables for the meld table and the deck of some rules."""
    copies, ranks, others = rules.deck.copies, rules.deck.ranks, rules.melds.others
    table = replace(rules.melds, others=())
    base, suit = copies + 1, Suit.H  # any suit but those of the pinochle
    end = SUITS + _ROWS * base**ranks
    tables = np.zeros(end + (1 + len(_EVERY_SUIT)) * len(others) * _OTHER, np.int64)
    tables[PATTERNS], tables[OTHERS], tables[OTHERS_AT] = base**ranks, len(others), end
    for held in range(1 << ranks):
        tables[DIGITS + held] = sum(base**rank for rank in range(ranks) if held >> rank & 1)
    for counted in product(range(base), repeat=ranks):
        hand = sum(ONE[suit * RANKS + rank] * number for rank, number in enumerate(counted))
        at = SUITS + sum(number * base**rank for rank, number in enumerate(counted))
        found = find(table, hand, suit)
        tables[at : end : base**ranks] = (
            points(find(table, hand, None)),
            points(found),
            nines(found),
            _runs(counts(hand), suit),
            _marriages(counts(hand), suit),
        )
    for place, cards in enumerate(_SETS):
        tables[SETS + place] = sum(1 << card for card in cards)
        for number in range(1, base):
            hand = pack(cards) * number
            parts = worth(tables, np.array([held_sets(hand, copies)], np.int64), 0, -1)
            tables[TOGETHER + place * _MOST + number] = points(find(table, hand, None)) - parts
    for place, (trump, its) in enumerate(product((None, *_EVERY_SUIT), others)):
        takes = sorted(Counter(its.in_trump(trump)).items())
        row = [its.points, len(takes), *chain(*takes)]
        tables[end + place * _OTHER : end + place * _OTHER + len(row)] = row
    return tables


def most(melds: Integers) -> int:
    """Return an upper bound on the meld of a hand: the sum of the maxima of suits and sets."""
    suits = np.abs(melds[SUITS : SUITS + (TRUMP + 1) * int(melds[PATTERNS])]).max()
    together = np.abs(melds[TOGETHER:OTHERS]).reshape(-1, _MOST).max(1).sum()
    others = MOST_COPIES * melds[melds[OTHERS_AT] :][::_OTHER].sum()
    return int(4 * suits + together + others)


@inlined
def pattern(melds: Array, hands: Array, player: int, suit: int) -> int:
    """Return the pattern number of a suit in a hand: its counts as digits."""
    number = 0
    for copy in range(hands.shape[1]):
        number += melds[DIGITS + ((hands[player, copy] >> (RANKS * suit)) & _PATTERN)]
    return number


@inlined
def of_suit(melds: Array, row: int, pattern: int) -> int:
    """Return the entry of a row for a suit with that pattern."""
    number: int = melds[SUITS + row * melds[PATTERNS] + pattern]
    return number


@inlined
def _times(hands: Array, player: int, cards: int) -> int:
    """Return how often a hand holds a set of kinds."""
    number = 0
    while number < hands.shape[1] and hands[player, number] & cards == cards:
        number += 1
    return number


@inlined
def _together(melds: Array, hands: Array, player: int) -> int:
    """Return the meld of a hand in sets of several suits."""
    total = 0
    for place in range(TOGETHER - SETS):
        total += melds[TOGETHER + place * _MOST + _times(hands, player, melds[SETS + place])]
    return total


@inlined
def _held(hands: Array, player: int, kind: int) -> int:
    """Return how many cards of a kind a hand holds."""
    number = 0
    for copy in range(hands.shape[1]):
        number += (hands[player, copy] >> kind) & 1
    return number


@inlined
def _row(melds: Array, other: int, trump: int) -> int:
    """Return the index of a house meld's row under a trump, or without one (-1)."""
    row: int = melds[OTHERS_AT] + ((trump + 1) * melds[OTHERS] + other) * _OTHER
    return row


@inlined
def _whole(melds: Array, hands: Array, player: int, row: int, less: int) -> int:
    """Return how often a hand holds a house meld, by its row, without one card of kind `less`.

    With `less` -1 all cards count.
    """
    times = 0
    for need in range(melds[row + _LENGTH]):
        at = row + _NEEDS + 2 * need
        kind = melds[at]
        its = (_held(hands, player, kind) - (kind == less)) // melds[at + 1]
        times = its if need == 0 else min(times, its)
    return times


@arrayless_kernel
def _others(melds: Array, hands: Array, player: int, trump: int) -> int:
    """Return the points of a hand's house melds. Callers skip this if the table has none."""
    total = 0
    for other in range(melds[OTHERS]):
        row = _row(melds, other, trump)
        total += melds[row + _POINTS] * _whole(melds, hands, player, row, -1)
    return total


@arrayless_kernel
def worth(melds: Array, hands: Array, player: int, trump: int) -> int:
    """Return the best meld of a hand with a trump suit, or without one (-1)."""
    total = _together(melds, hands, player)
    if melds[OTHERS]:
        total += _others(melds, hands, player, trump)
    for suit in range(4):
        row = TRUMP if suit == trump else PLAIN
        total += of_suit(melds, row, pattern(melds, hands, player, suit))
    return total


@inlined
def shows(flat: RuleArrays, player: int, declarer: int) -> bool:
    """Return whether a player melds before the play; some rules exclude the defenders."""
    its: bool = flat.numbers[DEFENDERS_MELD] != 0 or flat.side[player] == flat.side[declarer]
    return its


@arrayless_kernel
def best_worth(melds: Array, hands: Array, player: int) -> tuple[int, int]:
    """Return the meld of a hand with its best trump, and its number of runs in all suits."""
    total = _together(melds, hands, player)
    own, more, runs = melds[OTHERS] != 0, 0, 0
    for suit in range(4):
        its = pattern(melds, hands, player, suit)
        plain = of_suit(melds, PLAIN, its)
        total += plain
        grown = of_suit(melds, TRUMP, its) - plain  # may be negative
        if own:
            grown += _others(melds, hands, player, suit)
        more = max(more, grown) if suit else grown
        runs += of_suit(melds, RUNS, its)
    return total + more, runs


@arrayless_kernel
def meld_loss_per_card(melds: Array, hands: Array, player: int, trump: int, loss: Array) -> None:
    """Write to `loss`, (24,), how much a hand's meld falls without one card of each kind held."""
    held = hands[player, 0]
    for suit in range(4):
        row, its = TRUMP if suit == trump else PLAIN, pattern(melds, hands, player, suit)
        for rank in range(RANKS):
            kind = suit * RANKS + rank
            if held >> kind & 1:
                without = its - melds[DIGITS + (1 << rank)]
                loss[kind] = of_suit(melds, row, its) - of_suit(melds, row, without)
    for place in range(TOGETHER - SETS):
        cards, at = melds[SETS + place], TOGETHER + place * _MOST
        number = _times(hands, player, cards)
        if number:
            less = melds[at + number] - melds[at + number - 1]
            scarce = cards  # the kinds without a card to spare
            if number < hands.shape[1]:
                scarce &= ~hands[player, number]
            for kind in range(KINDS):
                if scarce >> kind & 1:
                    loss[kind] += less
    for other in range(melds[OTHERS]):
        at = _row(melds, other, trump)
        number = _whole(melds, hands, player, at, -1)
        for need in range(melds[at + _LENGTH]):
            kind = melds[at + _NEEDS + 2 * need]
            if held >> kind & 1:
                lost = number - _whole(melds, hands, player, at, kind)
                loss[kind] += lost * melds[at + _POINTS]
