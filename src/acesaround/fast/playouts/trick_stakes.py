"""The stakes of a trick besides its points: melds to be saved, and melds still to be laid.

These are heuristics of `policy`, not rules. `scoring` defines what saves meld, and `meld_laying`
which melds may be laid. The bot `thumb` uses the same heuristics, card by card of its view.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64

from acesaround import heuristic_weights
from acesaround.cards import KINDS, RANKS
from acesaround.fast.jit import arrayless_kernel, inlined, lowest, ones
from acesaround.fast.playouts.meld_laying import surplus_kinds
from acesaround.fast.playouts.packed_deal import CLASS_A, DECLARED, LYING, TRUMP, Packed
from acesaround.fast.playouts.rule_arrays import (
    AFTER_STOCK,
    BESIDE,
    BITS,
    CARDS_OF,
    GROUP,
    LEAST_MELD,
    LEAST_PLAY,
    PAIRS,
    SAVED_BY,
    SURE,
    WORTH,
    RuleArrays,
)
from acesaround.rules import KeepMeld
from acesaround.rules.laydown import CANDIDATES, DOUBLE_PINOCHLE, GROWN, RUN
from acesaround.rules.support import HOPE_BITS

Array: TypeAlias = Any  # of int64; numba infers it

_SPREAD: Final = np.array(
    [sum(1 << HOPE_BITS * rank for rank in range(RANKS) if held >> rank & 1) for held in range(64)],
    np.int64,
)
"""Each set of ranks of a suit as a word of `MeldProspects`, with a 1 for each rank."""
_SUIT: Final = (1 << RANKS) - 1
_DECLARING: Final = heuristic_weights.DECLARING
_HELPING: Final = heuristic_weights.HELPING
_DEFENDING: Final = heuristic_weights.DEFENDING
_CENT: Final = 100
_POINT: Final = list(KeepMeld).index(KeepMeld.POINT)

_LAST_CHANCE: Final = heuristic_weights.LAST_CHANCE
_SHORT: Final = heuristic_weights.SHORT
_DENIED: Final = heuristic_weights.DENIED
_LOST: Final = round(_CENT * heuristic_weights.LOST)
_EAGER: Final = round(_CENT * heuristic_weights.EAGER)


class MeldProspects(NamedTuple):
    """The expected meld points lost with a card of each kind.

    Each suit is a word with a field of HOPE_BITS bits for each rank.
    """

    spades: int
    hearts: int
    diamonds: int
    clubs: int


class Stakes(NamedTuple):
    """The worth of a trick to its winner besides its points, in points."""

    saves: int
    """The worth of a trick with a counter for saving meld; a trick without one has half of it."""
    factor: int
    """The factor on the points of the trick, times SURE."""
    any: int
    """The worth of winning any trick."""
    declared: int
    """The declarer, counted from 1; 0 without one."""
    part: int
    """The part of a `Manner` that the player plays."""
    hopes: MeldProspects


@arrayless_kernel
def stakes(flat: RuleArrays, packed: Packed, player: int, stock: int) -> Stakes:
    """Return the stakes of the trick for a player. `stock`: cards still to be drawn."""
    declared = packed.place[DECLARED]
    side = flat.side[player]
    part = int64(_DEFENDING)
    if declared and flat.side[declared - 1] == side:
        part = int64(_DECLARING if declared - 1 == player else _HELPING)
    if stock:
        hopes, prize = _hopes(flat, packed, player, stock)
        return Stakes(int64(0), int64(SURE), prize, declared, part, hopes)
    saves, factor = int64(0), int64(SURE)
    by, least = flat.numbers[SAVED_BY], flat.numbers[LEAST_PLAY]
    won = packed.won[side] if by == _POINT else packed.counters[side]
    if (by and won == 0) or packed.won[side] < least:
        melded = int64(0)
        for other in range(packed.meld.shape[0]):
            if flat.side[other] == side:
                melded += packed.meld[other]
        if melded < flat.numbers[LEAST_MELD]:
            melded = int64(0)  # too little meld: it is lost already
        if by and won == 0:
            size = int64(0)
            for copy in range(packed.hands.shape[1]):
                size += ones(packed.hands[player, copy])
            saves = melded // min(size + 1, _LAST_CHANCE)
        if packed.won[side] < least:
            factor += SURE * min(melded, _SHORT) // _SHORT
    zero = int64(0)
    return Stakes(saves, factor, zero, declared, part, MeldProspects(zero, zero, zero, zero))


@arrayless_kernel
def _hopes(flat: RuleArrays, packed: Packed, player: int, stock: int) -> tuple[MeldProspects, int]:
    """Return the worth of a player's cards for future melds, and that of the trick for melding.

    An incomplete meld counts with the probability that its missing cards are drawn.
    """
    held, down, grown = packed.hands[player], packed.down[player], packed.grown[player]
    left, trump = packed.left[0], packed.place[TRUMP]
    players, copies = packed.hands.shape[0], packed.hands.shape[1]
    unseen = int64(0)
    for copy in range(copies):
        unseen += ones(left[copy]) - ones(held[copy])
    missed = max(SURE - (stock << BITS) // (players * max(unseen, 1)), int64(0))
    in_hand, _ = surplus_kinds(held, down[LYING])
    spades = hearts = diamonds = clubs = ready = best = int64(0)
    for number in range(CANDIDATES):
        its = flat.laying[trump, number]
        cards, pairs, points = its[CARDS_OF], its[PAIRS], its[WORTH]
        if cards >> KINDS or (number == DOUBLE_PINOCHLE and grown[2]):
            continue
        once, twice = surplus_kinds(held, down[CLASS_A + its[GROUP]])
        growing = grown[0] if number == RUN else grown[1] if number == DOUBLE_PINOCHLE else int64(0)
        if growing and (cards & ~once or pairs & ~twice):
            cards, pairs, points = its[BESIDE], int64(0), its[WORTH + GROWN]
        chance = _drawn(cards & ~once, left, held, missed)
        if pairs:
            chance = (chance * _drawn(pairs & ~twice, left, held, missed)) >> BITS
        hope = (points * chance) >> BITS
        if hope == 0:
            continue
        if cards & ~once == 0 and pairs & ~twice == 0 and its[CARDS_OF] & in_hand:
            ready, best = ready + 1, max(best, points)
        single = (cards & once & ~twice) | (pairs & once)
        lost = hope * _LOST // _CENT
        spades += lost * _SPREAD[single & _SUIT]
        hearts += lost * _SPREAD[single >> RANKS & _SUIT]
        diamonds += lost * _SPREAD[single >> 2 * RANKS & _SUIT]
        clubs += lost * _SPREAD[single >> 3 * RANKS & _SUIT]
    prize = int64(0)
    if stock > players or flat.numbers[AFTER_STOCK]:
        eager = min(_CENT, _EAGER + _CENT * ready * players // stock)
        prize = _DENIED + best * eager // _CENT
    return MeldProspects(spades, hearts, diamonds, clubs), prize


@inlined
def _drawn(missing: int, left: Array, held: Array, missed: int) -> int:
    """Return the probability of drawing a card of each of some kinds, times SURE.

    `missed`: the probability that one given card is not drawn.
    """
    chance: int = int64(SURE)
    while missing:
        kind = lowest(missing)
        missing &= missing - 1
        never = int64(SURE)
        for copy in range(held.shape[0]):
            if (left[copy] & ~held[copy]) >> kind & 1:
                never = (never * missed) >> BITS
        chance = (chance * (SURE - never)) >> BITS
    return chance
