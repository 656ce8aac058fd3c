"""Heuristic hand evaluation for kernels: what a hand promises, and which cards it gives up.

The evaluation sees one hand and the meld in it, and is deterministic. It matches that of the bot
`thumb`, with integers made from the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround import heuristic_weights
from acesaround.cards import RANKS, Rank
from acesaround.fast.jit import arrayless_kernel, lowest, ones
from acesaround.fast.playouts.rule_arrays import (
    BASE,
    GROWTH,
    HAND,
    MILLE,
    OF_ACE,
    OF_TEN,
    OF_TRUMP,
    OF_TRUMP_ACE,
    OF_TRUMP_TEN,
    ONE_SHORT,
    RUN,
    TRICK,
    TWO_SHORT,
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
_EVERY_SUIT: Final = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS


def _tenths(prices: Sequence[float]) -> NDArray[np.int64]:
    return np.array([round(10 * price) for price in prices], np.int64)


# Prices by rank, in tenths of a point at a table where a run is worth `heuristic_weights.RUN`.
_RUN: Final = heuristic_weights.RUN
_TRUMP_GIVEN: Final = _tenths(heuristic_weights.TRUMP_GIVEN)
_PLAIN_GIVEN: Final = _tenths(heuristic_weights.PLAIN_GIVEN)
_TRUMP_KEPT: Final = _tenths(heuristic_weights.TRUMP_KEPT)
_PLAIN_KEPT: Final = _tenths(heuristic_weights.PLAIN_KEPT)
_TRUMP_STAYS: Final = _tenths(heuristic_weights.TRUMP_STAYS)
_PLAIN_STAYS: Final = _tenths(heuristic_weights.PLAIN_STAYS)
_LENGTH: Final = round(10 * heuristic_weights.LENGTH)
_PINOCHLE_GIVEN: Final = round(10 * heuristic_weights.PINOCHLE_GIVEN)
_PINOCHLE_STAYS: Final = round(10 * heuristic_weights.PINOCHLE_STAYS)
_BURIED: Final = round(10 * heuristic_weights.BURIED_COUNTER)
_DRAWN: Final = round(10 * heuristic_weights.DRAWN)
_GIFT: Final = round(10 * heuristic_weights.GIFT)


@arrayless_kernel
def evaluate_packed_hand(flat: RuleArrays, row: Array, trump: int, meld: int) -> int:
    """Return what a hand promises its declarer in meld and play, in thousandths of a point.

    The estimate includes the meld from cards that may join the hand. `row`: the hand as a row of
    sets; `meld`: its meld with that trump.
    """
    gauge, hand = flat.gauge, flat.numbers[HAND]
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
        gauge[BASE]
        + gauge[OF_TRUMP] * length
        + gauge[OF_TRUMP_ACE] * high
        + gauge[OF_TRUMP_TEN] * tens
        + gauge[OF_ACE] * ace_count
        + gauge[OF_TEN] * ten_count
    )
    play = min(tricks, MILLE * hand) * gauge[TRICK]
    missing = 5 - ones(row[0] & trumps & ~(_EVERY_SUIT << (RANKS - 1)))
    growth = gauge[GROWTH]
    if missing == 1:
        growth += gauge[ONE_SHORT]
    elif missing == 2:
        growth += gauge[TWO_SHORT]
    promised: int = meld * MILLE + growth * flat.numbers[RUN] + play // MILLE
    return promised


@arrayless_kernel
def next_discard(flat: RuleArrays, row: Array, trump: int, loss: Array, purpose: int) -> int:
    """Return the next kind to give up for a purpose, or -1 if no further discard is worth it.

    `loss`: how many points the hand's meld falls without one card of each kind, (24,).
    """
    # Price and meld loss are both in tenths of a point at a table where a run is `run * _RUN`.
    care = (_GIFT if purpose == GIVE else 10) * _RUN
    run = flat.numbers[RUN]
    chosen, least = -1, 0
    legal = row[0]
    while legal:
        kind = lowest(legal)
        legal &= legal - 1
        price = _price(row, kind, flat.suits[kind // RANKS], trump, purpose) * run
        price += care * loss[kind]
        if chosen < 0 or price < least:
            chosen, least = kind, price
    if purpose == DISCARD and least >= _DRAWN * run:
        return -1
    return chosen


@arrayless_kernel
def _price(row: Array, kind: int, suit: int, trump: int, purpose: int) -> int:
    """Return the price of giving up a card besides its meld; a gift has a negative price."""
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
            price += _LENGTH * ones(row[copy] & suit)  # cards of shorter suits go first
    if purpose == BURY and 0 < rank <= _KING:
        price -= _BURIED
    return price
