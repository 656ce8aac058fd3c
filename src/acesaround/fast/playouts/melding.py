"""What a hand melds, in kernels: looked up in tables that `melds.find` has filled.

Melds never mix two suits but in sets of their own (arounds, pinochles, the double roundhouse). So
the worth of a hand is the sum of a table of each suit's pattern, as trump or plain, and of one of
how often each such set is held. Melds of a table's own are counted one by one. No value and no
combination of melds is decided here.
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

# The tables are one array, since taking an array out of a tuple costs a kernel more than a lookup.
DIGITS: Final = 0  # what a set of ranks adds to the number of a suit's pattern: 64
PATTERNS: Final = 64  # how many patterns there are
SETS: Final = 65  # the sets of kinds of several suits that meld together: 6
_MOST: Final = MOST_COPIES + 1  # a set may be held 0 to so many times less one
TOGETHER: Final = SETS + 6  # what each of those melds when it is held so often: 6 rows of `_MOST`
OTHERS: Final = TOGETHER + 6 * _MOST  # how many melds of the table's own there are, and
OTHERS_AT: Final = (
    OTHERS + 1
)  # where they stand: a row of `_OTHER` for each, under no trump and each
SUITS: Final = OTHERS + 2  # rows of a number for each pattern of a suit
# Those rows:
PLAIN: Final = 0  # what a plain suit melds
TRUMP: Final = 1  # what the trump suit melds
NINES: Final = 2  # the part of that which dixes are
RUNS: Final = 3  # how many runs there are
MARRIAGES: Final = 4  # how many marriages, those in runs included
_ROWS: Final = 5
_PATTERN: Final = (1 << RANKS) - 1
# And the fields of such a row of a meld of the table's own:
_POINTS: Final = 0
_LENGTH: Final = 1  # how many kinds it takes,
_NEEDS: Final = 2  # and each with how many of it
_OTHER: Final = _NEEDS + 2 * MOST_OF_A_MELD

_COUPLES: Final = tuple(card for suit in _EVERY_SUIT for card in marriage_cards(suit))
_SETS: Final = (PINOCHLE, *(arounds_cards(rank) for rank, _ in AROUNDS), _COUPLES)


@lru_cache(maxsize=64)
def melds(rules: Rules) -> Integers:
    """The tables for the meld table and the deck of some rules."""
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
    """What no hand melds more than: each suit and each set for itself at its most."""
    suits = np.abs(melds[SUITS : SUITS + (TRUMP + 1) * int(melds[PATTERNS])]).max()
    together = np.abs(melds[TOGETHER:OTHERS]).reshape(-1, _MOST).max(1).sum()
    others = MOST_COPIES * melds[melds[OTHERS_AT] :][::_OTHER].sum()
    return int(4 * suits + together + others)


@inlined
def pattern(melds: Array, hands: Array, player: int, suit: int) -> int:
    """The number of the pattern of a suit in a hand: its counts as digits."""
    number = 0
    for copy in range(hands.shape[1]):
        number += melds[DIGITS + ((hands[player, copy] >> (RANKS * suit)) & _PATTERN)]
    return number


@inlined
def of_suit(melds: Array, row: int, pattern: int) -> int:
    """What a row says of a suit of that pattern."""
    number: int = melds[SUITS + row * melds[PATTERNS] + pattern]
    return number


@inlined
def _times(hands: Array, player: int, cards: int) -> int:
    """How often a hand holds a set of kinds."""
    number = 0
    while number < hands.shape[1] and hands[player, number] & cards == cards:
        number += 1
    return number


@inlined
def _together(melds: Array, hands: Array, player: int) -> int:
    """What a hand melds in sets of several suits."""
    total = 0
    for place in range(TOGETHER - SETS):
        total += melds[TOGETHER + place * _MOST + _times(hands, player, melds[SETS + place])]
    return total


@inlined
def _held(hands: Array, player: int, kind: int) -> int:
    """How many of a kind a hand holds."""
    number = 0
    for copy in range(hands.shape[1]):
        number += (hands[player, copy] >> kind) & 1
    return number


@inlined
def _row(melds: Array, other: int, trump: int) -> int:
    """Where a meld of the table's own stands under that trump, or under none (-1)."""
    row: int = melds[OTHERS_AT] + ((trump + 1) * melds[OTHERS] + other) * _OTHER
    return row


@inlined
def _whole(melds: Array, hands: Array, player: int, row: int, less: int) -> int:
    """How often the meld of that row is held, without one card of the kind `less`; -1: with all."""
    times = 0
    for need in range(melds[row + _LENGTH]):
        at = row + _NEEDS + 2 * need
        kind = melds[at]
        its = (_held(hands, player, kind) - (kind == less)) // melds[at + 1]
        times = its if need == 0 else min(times, its)
    return times


@arrayless_kernel
def _others(melds: Array, hands: Array, player: int, trump: int) -> int:
    """What a hand melds of the table's own, where it has any: callers ask, since few have."""
    total = 0
    for other in range(melds[OTHERS]):
        row = _row(melds, other, trump)
        total += melds[row + _POINTS] * _whole(melds, hands, player, row, -1)
    return total


@arrayless_kernel
def worth(melds: Array, hands: Array, player: int, trump: int) -> int:
    """What a hand melds with a trump suit, or with none (-1), the best combination."""
    total = _together(melds, hands, player)
    if melds[OTHERS]:
        total += _others(melds, hands, player, trump)
    for suit in range(4):
        row = TRUMP if suit == trump else PLAIN
        total += of_suit(melds, row, pattern(melds, hands, player, suit))
    return total


@inlined
def shows(flat: RuleArrays, player: int, declarer: int) -> bool:
    """Whether a player melds before the play, which need not be everybody's to do."""
    its: bool = flat.numbers[DEFENDERS_MELD] != 0 or flat.side[player] == flat.side[declarer]
    return its


@arrayless_kernel
def best_worth(melds: Array, hands: Array, player: int) -> tuple[int, int]:
    """What a hand melds with its best trump, and how many runs it has in all suits together."""
    total = _together(melds, hands, player)
    own, more, runs = melds[OTHERS] != 0, 0, 0
    for suit in range(4):
        its = pattern(melds, hands, player, suit)
        plain = of_suit(melds, PLAIN, its)
        total += plain
        grown = of_suit(melds, TRUMP, its) - plain  # which may be less than nothing
        if own:
            grown += _others(melds, hands, player, suit)
        more = max(more, grown) if suit else grown
        runs += of_suit(melds, RUNS, its)
    return total + more, runs


@arrayless_kernel
def meld_loss_per_card(melds: Array, hands: Array, player: int, trump: int, loss: Array) -> None:
    """By how much a hand's meld falls with one card of each kind that it holds, into (24,)."""
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
            scarce = cards  # those of which there are no more than of the set
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
