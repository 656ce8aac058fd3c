"""How cards are played in a kernel: the one loop through which playouts, counts and tests go.

What may be played and what beats what is asked of `law`, which card is chosen of `policy`; here
stand the order of play, the tricks and the draws from the stock.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import RANKS
from acesaround.fast.chance import after, member
from acesaround.fast.compiled import kernel, lowest
from acesaround.fast.flat import LAST, PLAYERS, Flat
from acesaround.fast.law import beats, leads, legal_kinds
from acesaround.fast.packed import (
    BEST,
    BROKEN,
    CARDS_IN_TRICK,
    CONCEDE,
    LEADER,
    MELD,
    STOCK,
    TRICKS,
    TRUMP,
    TURN,
    WINNER,
    Packed,
    add,
    remove,
)
from acesaround.fast.policy import card, sight

Array: TypeAlias = Any  # of int64; numba infers it

KIND_BITS: Final = 5  # an entry of a log is kind | set of legal kinds << KIND_BITS
KIND_MASK: Final = (1 << KIND_BITS) - 1

RANDOM: Final = 0
RULES_OF_THUMB: Final = 1
LOGGED: Final = 2


@kernel
def _legal(held: int, led: int, trumps: int, cards: int, broken: bool, beating: int) -> int:
    """The kinds that may be played under the strict law; before the lead `beating` says nothing."""
    kinds: int = (
        leads(held, trumps, broken) if cards == 0 else legal_kinds(held, led, trumps, beating)
    )
    return kinds


@kernel
def choices(flat: Flat, packed: Packed) -> int:
    """The set of kinds that may be played now."""
    place = packed.place
    held, trump = packed.hands[place[TURN], 0], place[TRUMP]
    if place[STOCK]:
        return held
    led = flat.suits[packed.trick[0] // RANKS]
    beating = flat.beating[trump, place[BEST]]
    trumps, broken = flat.suits[trump], place[BROKEN] != 0
    return _legal(held, led, trumps, place[CARDS_IN_TRICK], broken, beating)


@kernel
def play_on(
    flat: Flat, packed: Packed, policies: Array, chance: int, log: Array, number: int
) -> int:
    """Play the next `number` cards, or all that are left; returns the stream after it.

    `policies`: how each player chooses. `log`: for each card, the kind and the legal kinds (see
    KIND_BITS); a player whose policy is LOGGED plays the kind that stands there.
    """
    place, hands, trick, left = packed.place, packed.hands, packed.trick, packed.left
    points, counter, suits = flat.points, flat.counter, flat.suits
    players, trump = flat.numbers[PLAYERS], place[TRUMP]
    trumps, beating = suits[trump], flat.beating[trump]
    turn, cards, best, winner = place[TURN], place[CARDS_IN_TRICK], place[BEST], place[WINNER]
    leader, broken = place[LEADER], place[BROKEN] != 0
    tricks, stock = place[TRICKS], place[STOCK]
    in_trick, counters = int64(0), int64(0)
    for at in range(cards):
        in_trick += points[trick[at]]
        counters |= counter[trick[at]]
    led = suits[trick[0] // RANKS] if cards else int64(0)
    watched = False
    for player in range(players):
        watched = watched or policies[player] == RULES_OF_THUMB
    at = int64(0)
    while tricks and at < number:
        while cards < players and at < number:
            held = hands[turn, 0]
            legal = held
            if stock == 0:
                legal = _legal(held, led, trumps, cards, broken, beating[best])
            if policies[turn] == LOGGED:
                kind = log[at] & KIND_MASK
            elif legal & (legal - 1) == 0:
                kind = lowest(legal)
            elif policies[turn] == RULES_OF_THUMB:
                seen = sight(flat, hands, left, trick, cards, turn, winner, best, trump, stock)
                kind = card(seen, legal)
            else:
                chance = after(chance)
                kind = member(chance, legal)
            log[at] = legal << KIND_BITS | kind
            at += 1
            remove(hands, turn, kind)
            if watched:
                remove(left, 0, kind)
            if cards == 0:
                leader, best, winner, led = turn, kind, turn, suits[kind // RANKS]
            elif beats(kind, best, trump):
                best, winner = kind, turn
            if stock == 0 and kind // RANKS == trump:
                broken = True
            trick[cards] = kind
            in_trick += points[kind]
            counters |= counter[kind]
            cards += 1
            turn = turn + 1 if turn + 1 < players else int64(0)
        if cards < players:
            break
        tricks -= 1
        side = flat.side[winner]
        packed.won[side] += in_trick
        if tricks == 0:
            packed.won[side] += flat.numbers[LAST]
        packed.counters[side] |= counters
        in_trick = counters = cards = int64(0)
        turn = leader = winner
        best = winner = int64(-1)
        if stock:
            for its in range(players):
                add(hands, (turn + its) % players, packed.stock[packed.stock.shape[0] - stock])
                stock -= 1
            place[MELD] = 1 if stock else 0
    if tricks and not watched:
        for one in range(at):
            remove(left, 0, log[one] & KIND_MASK)
    for place_in_trick in range(cards, players):
        trick[place_in_trick] = -1
    if cards:
        place[CONCEDE] = place[MELD] = 0
    elif number:
        place[CONCEDE] = 0
    place[LEADER], place[TURN], place[CARDS_IN_TRICK] = leader, turn, cards
    place[BEST], place[WINNER], place[BROKEN] = best, winner, broken
    place[TRICKS], place[STOCK] = tricks, stock
    return chance
