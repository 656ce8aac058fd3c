"""Laying melds in kernels: the melds that may be laid, and the effects of laying and playing.

The rules are the engine's functions in `laydown`, compiled. The accounts of melds on the table are
rows of sets (see `rule_arrays`), so that comparing two accounts is comparing sets.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import RANKS, Rank
from acesaround.fast.jit import arrayless_kernel, inlined
from acesaround.fast.playouts.packed_deal import (
    CLASS_A,
    EXCHANGED,
    LYING,
    TRUMP,
    Packed,
    add,
    add_set,
    remove,
)
from acesaround.fast.playouts.rule_arrays import (
    BESIDE,
    CARDS_OF,
    FROM_HAND,
    GROUP,
    NINE_BESIDE,
    PAIRS,
    WORTH,
    RuleArrays,
)
from acesaround.rules import laydown
from acesaround.rules.laydown import CANDIDATES, DIX, GROWN
from acesaround.rules.melds import PINOCHLE_JACK, PINOCHLE_QUEEN

Array: TypeAlias = Any  # of int64; numba infers it

_KING: Final = int(Rank.KING)
_QUEEN: Final = int(Rank.QUEEN)
_NINE: Final = int(Rank.NINE)
_OF_PINOCHLE: Final = int(PINOCHLE_QUEEN), int(PINOCHLE_JACK)

_way = inlined(laydown.how_laid)
_grown = inlined(laydown.meld_extensions)
_coming = inlined(laydown.cards_from_hand)
_whole = inlined(laydown.complete_pairs)


@inlined
def surplus_kinds(more: Array, less: Array) -> tuple[int, int]:
    """Return the kinds of which `more` has one card or more beyond `less`, and two or more."""
    once, twice = int64(0), int64(0)
    for copy in range(more.shape[0]):
        extra = more[copy] & ~less[copy]
        twice |= once & extra
        once |= extra
    return once, twice


@arrayless_kernel
def _way_of(flat: RuleArrays, packed: Packed, player: int, number: int) -> int:
    its = flat.laying[packed.place[TRUMP], number]
    held, down, grown = packed.hands[player], packed.down[player], packed.grown[player]
    once, twice = surplus_kinds(held, down[CLASS_A + its[GROUP]])
    in_hand, _ = surplus_kinds(held, down[LYING])
    found: int = _way(
        number,
        its[CARDS_OF],
        its[PAIRS],
        its[BESIDE],
        once,
        twice,
        in_hand,
        flat.numbers[FROM_HAND] != 0,
        grown[0],
        grown[1],
        grown[2] != 0,
    )
    return found


@arrayless_kernel
def find_layable_melds(flat: RuleArrays, packed: Packed, player: int) -> int:
    """Return the set of numbers of the melds that a player may lay, if laying is allowed now."""
    held: int = packed.hands[player, 0]
    found: int = int64(0)
    for number in range(CANDIDATES):
        cards = flat.laying[packed.place[TRUMP], number, CARDS_OF]
        if cards & ~held == 0 and _way_of(flat, packed, player, number) <= GROWN:
            found |= int64(1) << number
    return found


@arrayless_kernel
def best_meld(flat: RuleArrays, packed: Packed, player: int, numbers: int) -> int:
    """Return the meld of a set that scores most, the first one on a tie.

    A nine of trump goes before all others if another meld may follow it.
    """
    if numbers >> DIX & 1 and flat.numbers[NINE_BESIDE]:
        return DIX
    chosen, most = -1, -1
    for number in range(CANDIDATES):
        if numbers >> number & 1:
            found = _way_of(flat, packed, player, number)
            points = flat.laying[packed.place[TRUMP], number, WORTH + found]
            if points > most:
                chosen, most = number, points
    return chosen


@arrayless_kernel
def lay(flat: RuleArrays, packed: Packed, player: int, number: int) -> None:
    """Lay a legal meld: update points and accounts. The first nine of trump takes the upcard."""
    place, hands = packed.place, packed.hands
    held, down, grown = packed.hands[player], packed.down[player], packed.grown[player]
    trump = place[TRUMP]
    its = flat.laying[trump, number]
    found = _way_of(flat, packed, player, number)
    served, pairs = its[CARDS_OF], its[PAIRS]
    if found == GROWN:
        served, pairs = its[BESIDE], int64(0)
    row = CLASS_A + its[GROUP]
    ready, both = surplus_kinds(down[LYING], down[row])
    in_hand, _ = surplus_kinds(held, down[LYING])
    first, second = _coming(
        its[CARDS_OF], served, pairs, ready, both, in_hand, flat.numbers[FROM_HAND] != 0
    )
    add_set(down, LYING, first)
    add_set(down, LYING, second)
    add_set(down, row, served)
    add_set(down, row, pairs)
    royals, pinochles, doubled = _grown(number, found, trump, grown[0], grown[1], grown[2] != 0)
    grown[0], grown[1], grown[2] = royals, pinochles, doubled
    packed.meld[player] += its[WORTH + found]
    if number == DIX and not place[EXCHANGED]:
        place[EXCHANGED] = 1
        nine, upcard = trump * RANKS + _NINE, packed.stock.shape[0] - 1
        remove(hands, player, nine)
        add(hands, player, packed.stock[upcard])
        packed.stock[upcard] = nine
        remove(down, LYING, nine)
        remove(down, CLASS_A, nine)


@arrayless_kernel
def update_after_play(packed: Packed, player: int) -> None:
    """Reduce a player's accounts to the cards still held, after a card was played."""
    hands, down, grown = packed.hands, packed.down, packed.grown
    if down[player, LYING, 0] == 0:
        return
    for row in range(down.shape[1]):
        for copy in range(down.shape[2]):
            down[player, row, copy] &= hands[player, copy]
    at = packed.place[TRUMP] * RANKS
    king, queen = _count(hands, player, at + _KING), _count(hands, player, at + _QUEEN)
    grown[player, 0] = _whole(grown[player, 0], king, queen)
    one, other = _OF_PINOCHLE
    grown[player, 1] = _whole(
        grown[player, 1], _count(hands, player, one), _count(hands, player, other)
    )


@inlined
def _count(hands: Array, player: int, kind: int) -> int:
    number: int = int64(0)
    for copy in range(hands.shape[1]):
        number += hands[player, copy] >> kind & 1
    return number
