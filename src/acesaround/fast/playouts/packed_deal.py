"""A deal in its play as packed integers: the layout, `pack` and `unpack`.

A packed deal has only the data on which the rest of the play depends. The history of the deal stays
in the engine's state. `play_loop` changes packed deals.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec.structs import replace
from numba import int64

from acesaround.cards import CARDS, KINDS, counts
from acesaround.cards import pack as packed_hand
from acesaround.errors import PositionError
from acesaround.fast.jit import arrayless_kernel, inlined, kernel
from acesaround.fast.playouts.rule_arrays import COPIES, KITTY, PLAYERS, Integers, RuleArrays
from acesaround.fast.playouts.rule_arrays import STOCK as STOCK_OF_DECK
from acesaround.game.state import GameState, Playing, StockPlaying
from acesaround.rules.laydown import LaidMelds

Array: TypeAlias = Any  # of int64; numba infers it

# Fields of `Packed.place`.
TRUMP: Final = 0
LEADER: Final = 1
TURN: Final = 2
CARDS_IN_TRICK: Final = 3
BEST: Final = 4  # the kind now winning the trick, -1 before the lead
WINNER: Final = 5  # the player now winning the trick, -1 before the lead
BROKEN: Final = 6  # whether trump may be led freely
TRICKS: Final = 7  # tricks to be completed, including those of the stock phase
STOCK: Final = 8  # cards to be drawn, including the upcard; at 0 the strict rules apply
CONCEDE: Final = 9  # whether the leader may concede instead of leading
MELD: Final = 10  # whether the leader may lay a meld first, or before the draw (BEFORE)
EXCHANGED: Final = 11  # whether no upcard can be exchanged: a nine took it, or it was drawn
DECLARED: Final = 12  # the declarer, counted from 1; 0 without one
PLACE: Final = 13

BEFORE: Final = 2
"""The value of MELD if cards are drawn after a meld is laid or declined."""

# Rows of `Packed.down`: the accounts of `laydown.LaidMelds`.
LYING: Final = 0
CLASS_A: Final = 1  # classes B and C follow


class Packed(NamedTuple):
    """A deal in its play. Players are counted in turn; hands are rows as in `rule_arrays`."""

    place: Integers
    hands: Integers
    """(players, copies)."""
    trick: Integers
    """The kinds in the trick in the order played: (players,), the rest -1."""
    won: Integers
    """Points that each side has won in tricks, including the last trick's bonus: (sides,)."""
    counters: Integers
    """Whether each side has won a card that saves meld in a trick: (sides,)."""
    stock: Integers
    """Cards in the order of drawing, the upcard last; the last `STOCK` of them are left."""
    left: Integers
    """The cards of the deck that are not played yet, with the undealt and buried ones. If a kitty
    is buried, a second row has the cards that the declarer counts as left: (1 or 2, copies)."""
    down: Integers
    """Melds on the table in the stock phase: (players, 4, copies)."""
    grown: Integers
    """Numbers of royal marriages and pinochles that may grow, and whether a double pinochle was
    laid: (players, 3)."""
    meld: Integers
    """Points of the melds that each player has laid: (players,)."""


def pack(state: GameState) -> Packed:
    """Return a packed state of the play, with or without a stock. Raises PositionError."""
    phase, deal = state.phase, state.deal
    if not isinstance(phase, Playing | StockPlaying) or deal.trump is None:
        raise PositionError("Only the play of tricks can be packed.")
    players, copies = state.players, state.rules.deck.copies
    stock = (*deal.stock, *([deal.upcard] if deal.upcard is not None else []))
    stock = stock if isinstance(phase, StockPlaying) else ()
    left = sum(sum(counts(state.hands[seat])) for seat in players) + len(phase.cards) + len(stock)
    place = np.zeros(PLACE, np.int64)
    place[TRUMP] = deal.trump
    if deal.declarer is not None:
        place[DECLARED] = 1 + players.index(deal.declarer)
    place[LEADER] = players.index(phase.leader)
    place[TURN] = players.index(phase.turn)
    place[CARDS_IN_TRICK] = len(phase.cards)
    place[BEST] = phase.best
    place[WINNER] = players.index(phase.best_seat) if phase.cards else -1
    place[TRICKS] = left // len(players)
    place[STOCK] = len(stock)
    down = np.zeros((len(players), 4, copies), np.int64)
    grown = np.zeros((len(players), 3), np.int64)
    if isinstance(phase, Playing):
        place[BROKEN] = phase.broken
        place[CONCEDE] = phase.may_concede
    else:
        place[BROKEN] = not state.rules.play.trump_must_be_broken
        place[MELD] = BEFORE if phase.to_draw else phase.may_meld
        place[EXCHANGED] = phase.exchanged
        for player, seat in enumerate(players):
            its = phase.down[seat]
            for row, cards in enumerate((its.cards, its.a, its.b, its.c)):
                down[player, row] = sets(cards, copies)
            grown[player] = its.royals, its.pinochles, its.doubled
    played = packed_hand([*phase.cards, *(card for trick in deal.tricks for card in trick.cards)])
    trick = np.full(len(players), -1, np.int64)
    trick[: len(phase.cards)] = phase.cards
    meld = np.zeros(len(players), np.int64)
    for laid in deal.laid:
        meld[players.index(laid.seat)] += laid.points
    known = 2 if state.rules.deal.kitty else 1
    packed = Packed(
        place=place,
        hands=np.array([sets(state.hands[seat], copies) for seat in players], np.int64),
        trick=trick,
        won=np.array(deal.won, np.int64),
        counters=np.array(deal.counter, np.int64),
        stock=np.array(stock, np.int64),
        left=np.array([sets(state.rules.deck.packed - played, copies)] * known, np.int64),
        down=down,
        grown=grown,
        meld=meld,
    )
    use_declarer_knowledge(packed)
    return packed


def blank(numbers: RuleArrays) -> Packed:
    """Return a packed deal of those rules, before any card is dealt."""
    players, copies = int(numbers.numbers[PLAYERS]), int(numbers.numbers[COPIES])

    def zeros(*shape: int) -> Integers:
        return np.zeros(shape, np.int64)

    return Packed(
        place=zeros(PLACE),
        hands=zeros(players, copies),
        trick=zeros(players),
        won=zeros(len(numbers.sides)),
        counters=zeros(len(numbers.sides)),
        stock=zeros(int(numbers.numbers[STOCK_OF_DECK])),
        left=zeros(2 if numbers.numbers[KITTY] else 1, copies),
        down=zeros(players, 4, copies),
        grown=zeros(players, 3),
        meld=zeros(players),
    )


def unpack(packed: Packed, like: GameState) -> GameState:
    """Return the engine's state of a packed deal. Raises PositionError.

    `like`: the state of the same deal, now or earlier. The result has its history; hands, trick,
    stock and points in tricks are those of `packed`.
    """
    place, players = packed.place, like.players
    if not place[TRICKS]:
        raise PositionError("A deal that is played out is no state of the play.")
    hands = list(like.hands)
    for player, seat in enumerate(players):
        hands[seat] = hand(packed.hands[player])
    cards = tuple(CARDS[kind] for kind in packed.trick[: place[CARDS_IN_TRICK]])
    leader, turn = players[place[LEADER]], players[place[TURN]]
    best = int(place[BEST])
    best_seat = players[place[WINNER]] if cards else -1
    left = tuple(CARDS[kind] for kind in packed.stock[len(packed.stock) - place[STOCK] :])
    phase: Playing | StockPlaying
    deal = replace(
        like.deal,
        won=tuple(map(int, packed.won)),
        counter=tuple(map(bool, packed.counters)),
    )
    if not left and not place[MELD]:
        broken, concede = bool(place[BROKEN]), bool(place[CONCEDE])
        phase = Playing(leader, turn, cards, best, best_seat, broken, concede)
        if isinstance(like.phase, StockPlaying):
            deal = replace(deal, stock=(), upcard=None)
    else:
        deal = replace(deal, stock=left[:-1], upcard=left[-1] if left else None)
        down = [LaidMelds()] * like.rules.seats
        for player, seat in enumerate(players):
            cards_down, a, b, c = (hand(row) for row in packed.down[player])
            royals, pinochles, doubled = map(int, packed.grown[player])
            down[seat] = LaidMelds(cards_down, a, b, c, royals, pinochles, bool(doubled))
        meld, exchanged = bool(place[MELD]), bool(place[EXCHANGED])
        phase = StockPlaying(
            leader,
            turn,
            cards,
            best,
            best_seat,
            meld,
            tuple(down),
            exchanged,
            bool(place[MELD] == BEFORE),
        )
    return replace(like, hands=tuple(hands), deal=deal, phase=phase)


def sets(cards: int, copies: int) -> list[int]:
    """Return a packed hand of the engine as a row of sets of kinds."""
    held = counts(cards)
    return [sum(1 << kind for kind in range(KINDS) if held[kind] > copy) for copy in range(copies)]


def hand(row: Integers) -> int:
    """Return a row of sets of kinds as a packed hand of the engine."""
    return packed_hand(kind for copy in row for kind in range(KINDS) if int(copy) >> kind & 1)


@inlined
def add_set(hands: Array, player: int, more: int) -> None:
    """Add a card of each kind of a set to a hand."""
    for copy in range(hands.shape[1]):
        had = hands[player, copy]
        hands[player, copy] = had | more
        more &= had


@inlined
def add(hands: Array, player: int, kind: int) -> None:
    """Add a card to a hand."""
    add_set(hands, player, 1 << kind)


@inlined
def remove(hands: Array, player: int, kind: int) -> None:
    """Remove a card from a hand that has it."""
    gone = 1 << kind
    copies = hands.shape[1]
    for at in range(copies):  # numba compiles a loop that counts down to slower code
        copy = copies - 1 - at
        had = hands[player, copy] & gone
        hands[player, copy] ^= had
        gone ^= had


@inlined
def row_of(packed: Packed, player: int) -> int:
    """Return the row of `left` for a player: the declarer's own, if there is one."""
    row: int = int64(packed.left.shape[0] > 1 and packed.place[DECLARED] == player + 1)
    return row


@arrayless_kernel
def use_declarer_knowledge(packed: Packed) -> None:
    """Set the declarer's row of `left` to the cards in hands: the declarer buried the others."""
    left, hands = packed.left, packed.hands
    if left.shape[0] == 1:
        return
    for copy in range(left.shape[1]):
        left[1, copy] = 0
    for player in range(hands.shape[0]):
        for copy in range(hands.shape[1]):
            add_set(left, 1, hands[player, copy])


@kernel
def copied(packed: Packed) -> Packed:
    """Return a copy of the deal with its own arrays."""
    return Packed(
        packed.place.copy(),
        packed.hands.copy(),
        packed.trick.copy(),
        packed.won.copy(),
        packed.counters.copy(),
        packed.stock.copy(),
        packed.left.copy(),
        packed.down.copy(),
        packed.grown.copy(),
        packed.meld.copy(),
    )


@inlined
def _copy(one: Array, other: Array) -> None:
    for at in range(one.shape[0]):
        other[at] = one[at]


@inlined
def _copy_rows(one: Array, other: Array) -> None:
    for row in range(one.shape[0]):
        for at in range(one.shape[1]):
            other[row, at] = one[row, at]


@arrayless_kernel
def copy_into(packed: Packed, other: Packed) -> None:
    """Copy `packed` into `other`, a packed deal of the same rules."""
    _copy(packed.place, other.place)
    _copy_rows(packed.hands, other.hands)
    _copy(packed.trick, other.trick)
    _copy(packed.won, other.won)
    _copy(packed.counters, other.counters)
    _copy(packed.stock, other.stock)
    _copy_rows(packed.left, other.left)
    for player in range(packed.down.shape[0]):
        _copy_rows(packed.down[player], other.down[player])
    _copy_rows(packed.grown, other.grown)
    _copy(packed.meld, other.meld)
