"""Card play in a kernel: the one loop that playouts, perft and tests share.

`legal_moves` decides which cards are legal, `RuleArrays.beating` which kinds beat which,
`meld_laying` which melds may be laid, and `policy` what the heuristic player chooses. This module
has the order of play, the tricks and the draws.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import KINDS, RANKS
from acesaround.fast.jit import arrayless_kernel, inlined, lowest
from acesaround.fast.legal_moves import leads, legal_kinds
from acesaround.fast.playouts.meld_laying import (
    best_meld,
    find_layable_melds,
    lay,
    update_after_play,
)
from acesaround.fast.playouts.packed_deal import (
    BEFORE,
    BEST,
    BROKEN,
    CARDS_IN_TRICK,
    CONCEDE,
    EXCHANGED,
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
    row_of,
)
from acesaround.fast.playouts.policy import card, observe, table
from acesaround.fast.playouts.rng import advance, random_member
from acesaround.fast.playouts.rule_arrays import (
    AFTER_STOCK,
    BEAT_PLAIN,
    BEAT_TRUMP,
    BEFORE_DRAW,
    LAST,
    NINE_BESIDE,
    PLAYERS,
    VOID_TRUMPS,
    RuleArrays,
)
from acesaround.fast.playouts.trick_stakes import stakes
from acesaround.rules.laydown import CANDIDATES, DIX

Array: TypeAlias = Any  # of int64; numba infers it

# A choice is a kind to play (0 to 23), KINDS plus the number of a meld to lay, or DRAW to lay no
# meld before the draw.
DRAW: Final = KINDS + CANDIDATES
KIND_BITS: Final = 6  # an entry of a log is choice | set of legal choices << KIND_BITS
KIND_MASK: Final = (1 << KIND_BITS) - 1

RANDOM: Final = 0
RULES_OF_THUMB: Final = 1
LOGGED: Final = 2

_ANY: Final = (1 << KINDS) - 1
_MELDS: Final = (1 << CANDIDATES) - 1
_NINE: Final = KINDS + DIX


@inlined
def _laws(flat: RuleArrays) -> tuple[bool, bool, bool]:
    """Return BEAT_TRUMP, BEAT_PLAIN and VOID_TRUMPS as bools."""
    numbers = flat.numbers
    return numbers[BEAT_TRUMP] != 0, numbers[BEAT_PLAIN] != 0, numbers[VOID_TRUMPS] != 0


@inlined
def _legal(
    laws: tuple[bool, bool, bool],
    held: int,
    led: int,
    trumps: int,
    cards: int,
    broken: bool,
    beating: int,
) -> int:
    """Return the kinds that may be played under the strict rules. A lead ignores `beating`."""
    if cards == 0:
        return leads(held, trumps, broken)
    beat_trump, beat_plain, void_trumps = laws
    bound = beat_trump if led == trumps else beat_plain
    return legal_kinds(held, led, trumps, beating if bound else 0, void_trumps)


@inlined
def _before_lead(
    flat: RuleArrays, packed: Packed, player: int, may_meld: int, stock: int, broken: bool
) -> int:
    """Return the choices of a player who may lay a meld before a lead, or before the draw."""
    legal: int = packed.hands[player, 0]
    if may_meld == BEFORE:
        legal = int64(1) << DRAW
    elif stock == 0:
        legal = leads(legal, flat.suits[packed.place[TRUMP]], broken)
    return legal | find_layable_melds(flat, packed, player) << KINDS


@arrayless_kernel
def choices(flat: RuleArrays, packed: Packed) -> int:
    """Return the set of choices now: kinds to play and melds to lay, without conceding."""
    place, turn = packed.place, packed.place[TURN]
    held: int = packed.hands[turn, 0]
    trump = place[TRUMP]
    if place[MELD]:
        return _before_lead(flat, packed, turn, place[MELD], place[STOCK], place[BROKEN] != 0)
    if place[STOCK]:
        return held
    led = flat.suits[packed.trick[0] // RANKS]
    beating = flat.beating[trump, place[BEST]]
    trumps, broken = flat.suits[trump], place[BROKEN] != 0
    return _legal(_laws(flat), held, led, trumps, place[CARDS_IN_TRICK], broken, beating)


@inlined
def _draw(packed: Packed, winner: int, stock: int) -> int:
    """Let each player draw a card, the winner first. Return the number of cards left to draw."""
    hands, cards = packed.hands, packed.stock
    players = hands.shape[0]
    for its in range(players):
        add(hands, (winner + its) % players, cards[cards.shape[0] - stock])
        stock -= 1
    return stock


@arrayless_kernel
def _draw_late(packed: Packed, winner: int, stock: int) -> int:
    """Let each player draw a card, as `_draw` does, after a meld was laid or declined."""
    left: int = _draw(packed, winner, stock)
    return left


@arrayless_kernel
def _take_up(packed: Packed) -> None:
    """End the laying of melds: clear the melds on the table. Their cards stay in the hands."""
    packed.place[EXCHANGED] = 0
    packed.down[:] = 0
    packed.grown[:] = 0


@arrayless_kernel
def play_on(
    flat: RuleArrays, packed: Packed, policies: Array, chance: int, log: Array, number: int
) -> int:
    """Make the next `number` choices, or all that are left. Return the random stream after them.

    `policies`: that of each player. `log`: an entry for each choice (see KIND_BITS); a player with
    the policy LOGGED reads the choice from its entry. In a deal with a stock, laying a meld is a
    choice too: at most one meld for each trick before the stock is empty, and one before the
    play-off if the rules allow it. Nines of trump may be laid in addition if the rules allow that.
    """
    place, hands, trick, left = packed.place, packed.hands, packed.trick, packed.left
    points, counter, suits = flat.points, flat.counter, flat.suits
    players, trump = flat.numbers[PLAYERS], place[TRUMP]
    trumps, beating = suits[trump], flat.beating[trump]
    turn, cards, best, winner = place[TURN], place[CARDS_IN_TRICK], place[BEST], place[WINNER]
    leader, broken = place[LEADER], place[BROKEN] != 0
    tricks, stock, may_meld = place[TRICKS], place[STOCK], place[MELD]
    in_trick, counters = int64(0), int64(0)
    for at in range(cards):
        in_trick += points[trick[at]]
        counters |= counter[trick[at]]
    led = suits[trick[0] // RANKS] if cards else int64(0)
    after_stock, before_draw = flat.numbers[AFTER_STOCK] != 0, flat.numbers[BEFORE_DRAW] != 0
    nines_beside, laws = flat.numbers[NINE_BESIDE] != 0, _laws(flat)
    known, watched = table(flat), False
    for player in range(players):
        watched = watched or policies[player] == RULES_OF_THUMB
    better = beating[best] if cards else _ANY  # the kinds that would now win the trick
    at = int64(0)
    while tricks and at < number:
        while cards < players and at < number:
            held = hands[turn, 0]
            legal = held
            if may_meld:
                legal = _before_lead(flat, packed, turn, may_meld, stock, broken)
            elif stock == 0:
                legal = _legal(laws, held, led, trumps, cards, broken, better)
            if policies[turn] == LOGGED:
                kind = log[at] & KIND_MASK
            elif policies[turn] == RULES_OF_THUMB:
                if legal >> KINDS & _MELDS:  # the best meld goes before any card
                    kind = KINDS + best_meld(flat, packed, turn, legal >> KINDS & _MELDS)
                elif legal & (legal - 1) == 0:
                    kind = lowest(legal)
                else:
                    seen = observe(
                        known,
                        hands,
                        left,
                        row_of(packed, turn),
                        trick,
                        cards,
                        in_trick,
                        turn,
                        winner,
                        best,
                        better,
                        trump,
                        stock,
                        stakes(flat, packed, turn, stock),
                    )
                    kind = card(seen, legal)
            else:
                chance = advance(chance)
                kind = random_member(chance, legal)
            log[at] = legal << KIND_BITS | kind
            at += 1
            if may_meld:
                if KINDS <= kind < DRAW:
                    lay(flat, packed, turn, kind - KINDS)
                if kind != _NINE or not nines_beside:
                    if may_meld == BEFORE:
                        stock = _draw_late(packed, turn, stock)
                    may_meld = int64(0)
                    if stock == 0:
                        _take_up(packed)
                if kind >= KINDS:
                    continue
            remove(hands, turn, kind)
            if watched:
                for row in range(left.shape[0]):
                    remove(left, row, kind)
            if stock:
                update_after_play(packed, turn)
            else:
                broken = broken | (trumps >> kind & 1 != 0)  # a branch would be mispredicted
            if cards == 0:
                leader, led = turn, suits[kind // RANKS]
            if better >> kind & 1:
                best, winner, better = kind, turn, beating[kind]
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
        better = _ANY
        if stock:
            may_meld = int64(stock > players or after_stock)
            if may_meld and before_draw:
                may_meld = int64(BEFORE)
                continue
            stock = _draw(packed, turn, stock)
            if stock == 0 and may_meld:
                place[EXCHANGED] = 1  # no upcard is left to exchange
            elif stock == 0:
                _take_up(packed)
    if tricks and not watched:
        for entry in range(at):
            kind = log[entry] & KIND_MASK
            if kind < KINDS:
                for row in range(left.shape[0]):
                    remove(left, row, kind)
    for place_in_trick in range(cards, players):
        trick[place_in_trick] = -1
    if number:
        place[CONCEDE] = 0
    place[LEADER], place[TURN], place[CARDS_IN_TRICK] = leader, turn, cards
    place[BEST], place[WINNER], place[BROKEN] = best, winner, broken
    place[TRICKS], place[STOCK], place[MELD] = tricks, stock, may_meld
    return chance
