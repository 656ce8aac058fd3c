"""Laying melds in kernels: the melds that may be laid, and the effects of laying and playing.

The rules are the engine's functions in `laid_melds`, compiled. The accounts of melds on the table
are rows of sets (see `rule_arrays`), so that comparing two accounts is comparing sets.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import RANK_COUNT, Rank
from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.playouts.packed_deal import (
    CLASS_A,
    ON_TABLE,
    TRUMP,
    UPCARD_EXCHANGED,
    PackedDeal,
    add_card,
    add_kinds,
    remove_card,
)
from acesaround.fast.playouts.rule_arrays import (
    CANDIDATE_ADDED_KINDS,
    CANDIDATE_CLASS,
    CANDIDATE_KINDS,
    CANDIDATE_KINDS_TWICE,
    CANDIDATE_POINTS,
    MELD_AFTER_NINE,
    MELD_FROM_HAND,
    RuleArrays,
)
from acesaround.rules.laid_melds import (
    DIX,
    LAID_GROWN,
    STANDARD_CANDIDATE_COUNT,
    MeldPattern,
    cards_from_hand,
    check_laying,
    complete_pairs,
    meld_extensions,
)
from acesaround.rules.melds import PINOCHLE_JACK, PINOCHLE_QUEEN

Array: TypeAlias = Any  # of int64; numba infers it

_KING: Final = int(Rank.KING)
_QUEEN: Final = int(Rank.QUEEN)
_NINE: Final = int(Rank.NINE)
_PINOCHLE_KINDS: Final = int(PINOCHLE_QUEEN), int(PINOCHLE_JACK)

_check_laying = inlined_kernel(check_laying)
_meld_extensions = inlined_kernel(meld_extensions)
_cards_from_hand = inlined_kernel(cards_from_hand)
_complete_pairs = inlined_kernel(complete_pairs)


@inlined_kernel
def surplus_kinds(more: Array, less: Array) -> tuple[int, int]:
    """Return the kinds of which `more` has one card or more beyond `less`, and two or more."""
    once, twice = int64(0), int64(0)
    for copy in range(more.shape[0]):
        extra = more[copy] & ~less[copy]
        twice |= once & extra
        once |= extra
    return once, twice


@arrayless_kernel
def _laying_result(rule_arrays: RuleArrays, packed: PackedDeal, player: int, number: int) -> int:
    candidate = rule_arrays.meld_candidates[packed.status[TRUMP], number]
    held, laid_melds, growth_state = (
        packed.hands[player],
        packed.laid_melds[player],
        packed.growth_state[player],
    )
    free_once, free_twice = surplus_kinds(held, laid_melds[CLASS_A + candidate[CANDIDATE_CLASS]])
    in_hand, _ = surplus_kinds(held, laid_melds[ON_TABLE])
    result: int = _check_laying(
        MeldPattern(
            number,
            candidate[CANDIDATE_KINDS],
            candidate[CANDIDATE_KINDS_TWICE],
            candidate[CANDIDATE_ADDED_KINDS],
        ),
        (free_once, free_twice, in_hand),
        (growth_state[0], growth_state[1], growth_state[2] != 0),
        rule_arrays.params[MELD_FROM_HAND] != 0,
    )
    return result


@arrayless_kernel
def find_layable_melds(rule_arrays: RuleArrays, packed: PackedDeal, player: int) -> int:
    """Return the set of numbers of the melds that a player may lay, if laying is allowed now."""
    held: int = packed.hands[player, 0]
    melds: int = int64(0)
    for number in range(STANDARD_CANDIDATE_COUNT):
        cards = rule_arrays.meld_candidates[packed.status[TRUMP], number, CANDIDATE_KINDS]
        if cards & ~held == 0 and _laying_result(rule_arrays, packed, player, number) <= LAID_GROWN:
            melds |= int64(1) << number
    return melds


@arrayless_kernel
def best_meld(rule_arrays: RuleArrays, packed: PackedDeal, player: int, meld_set: int) -> int:
    """Return the meld of a set that scores most, the first one on a tie.

    A nine of trump goes before all others if another meld may follow it.
    """
    if meld_set >> DIX & 1 and rule_arrays.params[MELD_AFTER_NINE]:
        return DIX
    chosen, best_points = -1, -1
    for number in range(STANDARD_CANDIDATE_COUNT):
        if meld_set >> number & 1:
            result = _laying_result(rule_arrays, packed, player, number)
            points = rule_arrays.meld_candidates[
                packed.status[TRUMP], number, CANDIDATE_POINTS + result
            ]
            if points > best_points:
                chosen, best_points = number, points
    return chosen


@arrayless_kernel
def lay_meld(rule_arrays: RuleArrays, packed: PackedDeal, player: int, number: int) -> None:
    """Lay a legal meld: update points and accounts. The first nine of trump takes the upcard."""
    status, hands = packed.status, packed.hands
    held, laid_melds, growth_state = (
        packed.hands[player],
        packed.laid_melds[player],
        packed.growth_state[player],
    )
    trump = status[TRUMP]
    candidate = rule_arrays.meld_candidates[trump, number]
    result = _laying_result(rule_arrays, packed, player, number)
    served_kinds, pairs = candidate[CANDIDATE_KINDS], candidate[CANDIDATE_KINDS_TWICE]
    if result == LAID_GROWN:
        served_kinds, pairs = candidate[CANDIDATE_ADDED_KINDS], int64(0)
    row = CLASS_A + candidate[CANDIDATE_CLASS]
    on_table_once, on_table_twice = surplus_kinds(laid_melds[ON_TABLE], laid_melds[row])
    in_hand, _ = surplus_kinds(held, laid_melds[ON_TABLE])
    first, second = _cards_from_hand(
        candidate[CANDIDATE_KINDS],
        served_kinds,
        pairs,
        on_table_once,
        on_table_twice,
        in_hand,
        rule_arrays.params[MELD_FROM_HAND] != 0,
    )
    add_kinds(laid_melds, ON_TABLE, first)
    add_kinds(laid_melds, ON_TABLE, second)
    add_kinds(laid_melds, row, served_kinds)
    add_kinds(laid_melds, row, pairs)
    royals, pinochles, double_laid = _meld_extensions(
        number, result, trump, growth_state[0], growth_state[1], growth_state[2] != 0
    )
    growth_state[0], growth_state[1], growth_state[2] = royals, pinochles, double_laid
    packed.meld_points[player] += candidate[CANDIDATE_POINTS + result]
    if number == DIX and not status[UPCARD_EXCHANGED]:
        status[UPCARD_EXCHANGED] = 1
        nine, upcard = trump * RANK_COUNT + _NINE, packed.stock.shape[0] - 1
        remove_card(hands, player, nine)
        add_card(hands, player, packed.stock[upcard])
        packed.stock[upcard] = nine
        remove_card(laid_melds, ON_TABLE, nine)
        remove_card(laid_melds, CLASS_A, nine)


@arrayless_kernel
def update_after_play(packed: PackedDeal, player: int) -> None:
    """Reduce a player's accounts to the cards still held, after a card was played."""
    hands, laid_melds, growth_state = packed.hands, packed.laid_melds, packed.growth_state
    if laid_melds[player, ON_TABLE, 0] == 0:
        return
    for row in range(laid_melds.shape[1]):
        for copy in range(laid_melds.shape[2]):
            laid_melds[player, row, copy] &= hands[player, copy]
    first_trump = packed.status[TRUMP] * RANK_COUNT
    king, queen = (
        _cards_held(hands, player, first_trump + _KING),
        _cards_held(hands, player, first_trump + _QUEEN),
    )
    growth_state[player, 0] = _complete_pairs(growth_state[player, 0], king, queen)
    queen_kind, jack_kind = _PINOCHLE_KINDS
    growth_state[player, 1] = _complete_pairs(
        growth_state[player, 1],
        _cards_held(hands, player, queen_kind),
        _cards_held(hands, player, jack_kind),
    )


@inlined_kernel
def _cards_held(hands: Array, player: int, kind: int) -> int:
    count: int = int64(0)
    for copy in range(hands.shape[1]):
        count += hands[player, copy] >> kind & 1
    return count
