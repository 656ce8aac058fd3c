"""A fast judge of hands for kernels, by rules of thumb: what one promises, and what it parts with.

It sees one hand and the meld in it, and draws no lots. The weights were settled by letting two
versions play the same deals with seats swapped.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from acesaround.cards import RANKS, Rank
from acesaround.fast.compiled import lean, lowest, ones
from acesaround.fast.playouts.flat import (
    COPIES,
    EXCHANGE,
    HAND,
    KITTY,
    LAST,
    PARTNER,
    PLAYERS,
    Flat,
)
from acesaround.melds import PINOCHLE

Array: TypeAlias = Any  # of int64; numba infers it

BURY: Final = 0
"""Laid aside by a declarer for whom counters in it count."""
GIVE: Final = 1
"""Given to the declarer by a partner."""
RETURN: Final = 2
"""Given back by the declarer."""
DISCARD: Final = 3
"""Exchanged for cards off the pile."""

_CENT: Final = 100
_BIG: Final = 10  # points of an ace from which on a run is worth 150, not 15

_ACE, _KING = int(Rank.ACE), int(Rank.KING)
_PINOCHLE: Final = sum(1 << kind for kind in PINOCHLE)
_EVERY_SUIT: Final = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS

# Prices by rank, in tenths of a point at a table where a run is worth 150.
_TRUMP_GIVEN: Final = np.array([600, 520, 460, 450, 440, 200])  # what they are to a declarer
_PLAIN_GIVEN: Final = np.array([380, 60, 40, 30, 10, 0])
_TRUMP_KEPT: Final = np.array([600, 400, 300, 250, 220, 200])  # what parting with them costs him
_PLAIN_KEPT: Final = np.array([240, 80, 30, 10, 5, 0])
_LENGTH: Final = 15  # and so much for each card of a plain suit
_PINOCHLE_GIVEN: Final = 220  # a card of a pinochle
_PINOCHLE_STAYS: Final = 65
_BURIED: Final = 80  # a counter buried is a counter won
_TRUMP_STAYS: Final = np.array([200, 160, 120, 100, 90, 120])
_PLAIN_STAYS: Final = np.array([100, 40, 30, 10, 0, 0])
_DRAWN: Final = 80  # what a card off the pile is worth


class _Numbers(NamedTuple):
    """What a declarer's cards win, in hundredths of a trick, and meld to come in those of a run."""

    base: int
    trump: int
    trump_ace: int
    trump_ten: int
    ace: int
    ten: int
    growth: int
    one_short: int


@lean
def _numbers(flat: Flat) -> _Numbers:
    """The numbers for a table: with partners, with a kitty, or with a draw."""
    players, hand = flat.numbers[PLAYERS], flat.numbers[HAND]
    if flat.numbers[PARTNER]:
        given = flat.numbers[EXCHANGE]
        ace, growth = (50, 75) if flat.numbers[COPIES] > 2 else (75, 25)
        more, short = growth + 45 * given // 4, 10 + 25 * given // 4
        return _Numbers(27 * hand, 70, 30, 10, ace, 5, more, short)
    if flat.numbers[KITTY]:
        return _Numbers(130, 80, 60, 30, 70, 45, 28, 11)
    return _Numbers(30 + 60 * hand // players - 15 * hand, 58, 70, 40, 10, 0, 2, 2)


@lean
def promise(flat: Flat, row: Array, trump: int, meld: int) -> int:
    """What a hand and what may join it promise its side in meld and play as declarer, in points.

    `row`: the hand as a row of sets; `meld`: what it melds with that trump.
    """
    numbers, points = _numbers(flat), flat.points
    hand, copies = flat.numbers[HAND], flat.numbers[COPIES]
    trumps = flat.suits[trump]
    aces = _EVERY_SUIT << _ACE
    length = high = tens = ace_count = ten_count = 0
    for copy in range(row.shape[0]):
        held = row[copy]
        length += ones(held & trumps)
        high += ones(held & trumps & aces)
        tens += ones(held & trumps & aces << 1)
        ace_count += ones(held & ~trumps & aces)
        ten_count += ones(held & ~trumps & aces << 1)
    tricks = (
        numbers.base
        + numbers.trump * length
        + numbers.trump_ace * high
        + numbers.trump_ten * tens
        + numbers.ace * ace_count
        + numbers.ten * ten_count
    )
    deck = flat.deck.shape[0]
    total = 0
    for rank in range(RANKS):
        total += 4 * copies * points[rank]
    total = total * min(flat.numbers[PLAYERS] * hand, deck) // deck + flat.numbers[LAST]
    play: int = min(tricks, _CENT * hand) * total // (_CENT * hand)
    missing = 5 - ones(row[0] & trumps & ~(_EVERY_SUIT << (RANKS - 1)))
    growth = numbers.growth
    if missing == 1:
        growth += numbers.one_short
    elif missing == 2:
        growth += numbers.one_short // 2
    run = 150 if points[_ACE] >= _BIG else 15
    return meld + growth * run // _CENT + play


@lean
def let_go(flat: Flat, row: Array, trump: int, loss: Array, purpose: int) -> int:
    """The next kind to part with for a purpose, or -1 where nothing more is to be discarded.

    `loss`: by how many points the hand's meld falls with one card of each kind, (24,).
    """
    # A price is in tenths of a point at a table where a run is worth 150.
    scale = 1 if flat.points[_ACE] >= _BIG else 10
    care = 8 if purpose == GIVE else 10
    chosen, least = -1, 0
    legal = row[0]
    while legal:
        kind = lowest(legal)
        legal &= legal - 1
        price = _price(row, kind, flat.suits[kind // RANKS], trump, purpose)
        price += care * scale * loss[kind]
        if chosen < 0 or price < least:
            chosen, least = kind, price
    if purpose == DISCARD and least >= _DRAWN:
        return -1
    return chosen


@lean
def _price(row: Array, kind: int, suit: int, trump: int, purpose: int) -> int:
    """What parting with a card costs beside meld; a gift to the partner costs less than nothing."""
    rank = kind % RANKS
    plain = kind // RANKS != trump
    pinochle = _PINOCHLE >> kind & 1
    price: int
    if purpose == GIVE:
        price = (
            -max(_PLAIN_GIVEN[rank], _PINOCHLE_GIVEN * pinochle) if plain else -_TRUMP_GIVEN[rank]
        )
        return price
    if purpose == DISCARD:
        price = max(_PLAIN_STAYS[rank], _PINOCHLE_STAYS * pinochle) if plain else _TRUMP_STAYS[rank]
        return price
    price = _PLAIN_KEPT[rank] if plain else _TRUMP_KEPT[rank]
    if plain and rank != _ACE:
        for copy in range(row.shape[0]):
            price += _LENGTH * ones(row[copy] & suit)  # the shorter a suit, the sooner it goes
    if purpose == BURY and 0 < rank <= _KING:
        price -= _BURIED
    return price
