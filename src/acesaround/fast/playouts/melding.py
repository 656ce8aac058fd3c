"""What a hand melds, in kernels: looked up in tables that `melds.find` has filled.

Melds never mix two suits but in sets of their own (arounds, pinochles, the double roundhouse). So
the worth of a hand is the sum of a table of each suit's pattern, as trump or plain, and of one of
how often each such set is held. No value and no combination of melds is decided here.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np

from acesaround.cards import KINDS, ONE, RANKS, Suit, counts, pack
from acesaround.cards import SUITS as _EVERY_SUIT
from acesaround.fast.compiled import inlined, lean
from acesaround.fast.playouts.flat import Integers
from acesaround.fast.playouts.packed import sets as held_sets
from acesaround.melds import AROUNDS, PINOCHLE, arounds_cards, find, marriage_cards, nines, points
from acesaround.melds import marriages as _marriages
from acesaround.melds import runs as _runs
from acesaround.rules import Rules
from acesaround.supported import MOST_COPIES

Array: TypeAlias = Any  # of int64; numba infers it

# The tables are one array, since taking an array out of a tuple costs a kernel more than a lookup.
DIGITS: Final = 0  # what a set of ranks adds to the number of a suit's pattern: 64
PATTERNS: Final = 64  # how many patterns there are
SETS: Final = 65  # the sets of kinds of several suits that meld together: 6
_MOST: Final = MOST_COPIES + 1  # a set may be held 0 to so many times less one
TOGETHER: Final = SETS + 6  # what each of those melds when it is held so often: 6 rows of `_MOST`
SUITS: Final = TOGETHER + 6 * _MOST  # rows of a number for each pattern of a suit
# Those rows:
PLAIN: Final = 0  # what a plain suit melds
TRUMP: Final = 1  # what the trump suit melds
NINES: Final = 2  # the part of that which dixes are
RUNS: Final = 3  # how many runs there are
MARRIAGES: Final = 4  # how many marriages, those in runs included
_ROWS: Final = 5
_PATTERN: Final = (1 << RANKS) - 1

_COUPLES: Final = tuple(card for suit in _EVERY_SUIT for card in marriage_cards(suit))
_SETS: Final = (PINOCHLE, *(arounds_cards(rank) for rank, _ in AROUNDS), _COUPLES)


@lru_cache(maxsize=64)
def melds(rules: Rules) -> Integers:
    """The tables for the meld table and the deck of some rules."""
    table, copies, ranks = rules.melds, rules.deck.copies, rules.deck.ranks
    base, suit = copies + 1, Suit.H  # any suit but those of the pinochle
    tables = np.zeros(SUITS + _ROWS * base**ranks, np.int64)
    tables[PATTERNS] = base**ranks
    for held in range(1 << ranks):
        tables[DIGITS + held] = sum(base**rank for rank in range(ranks) if held >> rank & 1)
    for counted in product(range(base), repeat=ranks):
        hand = sum(ONE[suit * RANKS + rank] * number for rank, number in enumerate(counted))
        at = SUITS + sum(number * base**rank for rank, number in enumerate(counted))
        found = find(table, hand, suit)
        tables[at :: base**ranks] = (
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
    return tables


def most(melds: Integers) -> int:
    """What no hand melds more than: each suit and each set for itself at its most."""
    suits = np.abs(melds[SUITS : SUITS + (TRUMP + 1) * int(melds[PATTERNS])]).max()
    together = np.abs(melds[TOGETHER:SUITS]).reshape(-1, _MOST).max(1).sum()
    return int(4 * suits + together)


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


@lean
def worth(melds: Array, hands: Array, player: int, trump: int) -> int:
    """What a hand melds with a trump suit, or with none (-1), the best combination."""
    total = _together(melds, hands, player)
    for suit in range(4):
        row = TRUMP if suit == trump else PLAIN
        total += of_suit(melds, row, pattern(melds, hands, player, suit))
    return total


@lean
def best_worth(melds: Array, hands: Array, player: int) -> tuple[int, int]:
    """What a hand melds with its best trump, and how many runs it has in all suits together."""
    total = _together(melds, hands, player)
    more = runs = 0
    for suit in range(4):
        its = pattern(melds, hands, player, suit)
        plain = of_suit(melds, PLAIN, its)
        total += plain
        more = max(more, of_suit(melds, TRUMP, its) - plain)
        runs += of_suit(melds, RUNS, its)
    return total + more, runs


@lean
def losses(melds: Array, hands: Array, player: int, trump: int, loss: Array) -> None:
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
