"""The cards that a hand shows for its melds, looked up in tables that the engine has filled.

Runs, marriages and dixes use cards of one suit, so a table has an entry for each pattern of a suit
(see `meld_values`). Arounds and pinochles use one card of each of their kinds, so another table has
how many of them are shown. A card that serves in several melds is shown once.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec.structs import replace

from acesaround.cards import ONE_OF_KIND, RANK_COUNT, Suit, pack
from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.playouts.meld_values import SET_KINDS, suit_pattern
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.rules import Rules
from acesaround.rules.feature_support import MAX_COPIES
from acesaround.rules.melds import (
    AROUND_KINDS,
    PINOCHLE,
    arounds_cards,
    cards_used_by_class,
    find_melds,
)

Array: TypeAlias = Any  # of int64; numba infers it

_COUNT_BITS: Final = 3  # bits for the number of cards of a rank: 0 to MAX_COPIES
_COUNT_MASK: Final = (1 << _COUNT_BITS) - 1
_PLAIN: Final = 0
_TRUMP: Final = 1
_SHOWN_SETS: Final = (PINOCHLE, *(arounds_cards(rank) for rank, _ in AROUND_KINDS))
"""The first sets of kinds at `meld_values.SET_KINDS`. Each is a meld of its own."""
_ACES: Final = 1  # index into _SHOWN_SETS


class ShownMeldTables(NamedTuple):
    """The cards that melds use."""

    suit_cards: Integers
    """How many cards of each rank the melds of a suit use, _COUNT_BITS for each rank, for each
    pattern of the suit, as a plain suit or trump: (2, patterns)."""
    set_cards: Integers
    """How many cards of each kind a set's melds use, by the times that the set is held: (sets,
    MAX_COPIES + 1)."""


def build_shown_meld_tables(rules: Rules) -> ShownMeldTables:
    """Return the tables for the meld table and the deck of some rules."""
    copies, ranks, suit = rules.deck.copies, rules.deck.ranks, Suit.H
    meld_table = replace(rules.melds, others=())
    base = copies + 1
    suit_cards = np.zeros((2, base**ranks), np.int64)
    for rank_counts in product(range(base), repeat=ranks):
        hand = sum(
            ONE_OF_KIND[suit * RANK_COUNT + rank] * count for rank, count in enumerate(rank_counts)
        )
        pattern = sum(count * base**rank for rank, count in enumerate(rank_counts))
        for row, trump in ((_PLAIN, None), (_TRUMP, suit)):
            used = cards_used_by_class(find_melds(meld_table, hand, trump))[0]
            suit_cards[row, pattern] = sum(
                count << (_COUNT_BITS * int(card.rank)) for card, count in used.items()
            )
    set_cards = np.zeros((len(_SHOWN_SETS), MAX_COPIES + 1), np.int64)
    for index, cards in enumerate(_SHOWN_SETS):
        for times in range(1, base):
            _, *classes = cards_used_by_class(find_melds(meld_table, pack(cards) * times, None))
            set_cards[index, times] = max(used[cards[0]] for used in classes)
    return ShownMeldTables(suit_cards, set_cards)


@inlined_kernel
def _times_held(hands: Array, player: int, kinds: int) -> int:
    """Return how often a hand holds a set of kinds."""
    times = 0
    while times < hands.shape[1] and hands[player, times] & kinds == kinds:
        times += 1
    return times


@arrayless_kernel
def write_shown_cards(
    tables: ShownMeldTables,
    meld_tables: Array,
    hands: Array,
    player: int,
    trump: int,
    shown: Array,
) -> int:
    """Write the cards of a hand's melds to its row of `shown`. Return the number of aces around.

    `trump`: -1 without one. `hands`, `shown`: (players, copies).
    """
    copies = hands.shape[1]
    for copy in range(copies):
        shown[player, copy] = 0
    for suit in range(4):
        row = _TRUMP if suit == trump else _PLAIN
        counts = tables.suit_cards[row, suit_pattern(meld_tables, hands, player, suit)]
        for rank in range(RANK_COUNT):
            number = counts >> (_COUNT_BITS * rank) & _COUNT_MASK
            for copy in range(number):
                shown[player, copy] |= 1 << (suit * RANK_COUNT + rank)
    aces = 0
    for index in range(tables.set_cards.shape[0]):
        kinds = meld_tables[SET_KINDS + index]
        number = tables.set_cards[index, _times_held(hands, player, kinds)]
        for copy in range(number):
            shown[player, copy] |= kinds
        if index == _ACES:
            aces = number
    return aces
