"""What a hand melds, in kernels: looked up in tables that `melds.find` has filled.

Melds never mix two suits but in sets of their own (arounds, pinochles, the double roundhouse). So
the worth of a hand is the sum of a table of each suit's pattern, as trump or plain, and of one of
how often each such set is held. No value and no combination of melds is decided here.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from acesaround.cards import ONE, RANKS, SUITS, Suit, counts, pack
from acesaround.fast.compiled import kernel
from acesaround.fast.flat import Integers
from acesaround.fast.packed import sets as held_sets
from acesaround.melds import AROUNDS, PINOCHLE, arounds_cards, find, marriage_cards, nines, points
from acesaround.melds import marriages as _marriages
from acesaround.melds import runs as _runs
from acesaround.rules import Rules

Array: TypeAlias = Any  # of int64; numba infers it

# Rows of `Melds.suits`.
PLAIN: Final = 0  # what a plain suit melds
TRUMP: Final = 1  # what the trump suit melds
NINES: Final = 2  # the part of that which dixes are
RUNS: Final = 3  # how many runs there are
MARRIAGES: Final = 4  # how many marriages, those in runs included
_PATTERN: Final = (1 << RANKS) - 1


class Melds(NamedTuple):
    """The meld table of some rules."""

    digits: Integers
    """What a set of ranks adds to the number of a suit's pattern: (64,)."""
    suits: Integers
    """What a suit of each pattern is worth and has: (5, patterns)."""
    sets: Integers
    """The sets of kinds of several suits that meld together: (sets,)."""
    together: Integers
    """What each of those melds when it is held so many times: (sets, copies + 1)."""


@lru_cache(maxsize=64)
def melds(rules: Rules) -> Melds:
    """The tables for the meld table and the deck of some rules."""
    table, copies, ranks = rules.melds, rules.deck.copies, rules.deck.ranks
    base, suit = copies + 1, Suit.H  # any suit but those of the pinochle
    suits = np.zeros((5, base**ranks), np.int64)
    for held in product(range(base), repeat=ranks):
        hand = sum(ONE[suit * RANKS + rank] * number for rank, number in enumerate(held))
        pattern = sum(number * base**rank for rank, number in enumerate(held))
        found = find(table, hand, suit)
        suits[:, pattern] = (
            points(find(table, hand, None)),
            points(found),
            nines(found),
            _runs(counts(hand), suit),
            _marriages(counts(hand), suit),
        )
    couples = tuple(card for one in SUITS for card in marriage_cards(one))
    sets = [PINOCHLE, *(arounds_cards(rank) for rank, _ in AROUNDS), couples]
    made = Melds(
        digits=np.array(
            [sum(base**r for r in range(ranks) if held >> r & 1) for held in range(64)], np.int64
        ),
        suits=suits,
        sets=np.array([sum(1 << card for card in cards) for cards in sets], np.int64),
        together=np.zeros((len(sets), base), np.int64),
    )
    for at, cards in enumerate(sets):
        for number in range(1, base):
            hand = pack(cards) * number
            rest = worth(made, np.array([held_sets(hand, copies)], np.int64), 0, -1)
            made.together[at, number] = points(find(table, hand, None)) - rest
    return made


@kernel
def pattern(melds: Melds, hands: Array, player: int, suit: int) -> int:
    """The number of the pattern of a suit in a hand: its counts as digits."""
    number, digits = 0, melds.digits
    for copy in range(hands.shape[1]):
        number += digits[(hands[player, copy] >> (RANKS * suit)) & _PATTERN]
    return number


@kernel
def worth(melds: Melds, hands: Array, player: int, trump: int) -> int:
    """What a hand melds with a trump suit, or with none (-1), the best combination."""
    total, suits, sets, together = 0, melds.suits, melds.sets, melds.together
    for suit in range(4):
        row = TRUMP if suit == trump else PLAIN
        total += suits[row, pattern(melds, hands, player, suit)]
    for at in range(sets.shape[0]):
        number = 0
        while number < hands.shape[1] and hands[player, number] & sets[at] == sets[at]:
            number += 1
        total += together[at, number]
    return total
