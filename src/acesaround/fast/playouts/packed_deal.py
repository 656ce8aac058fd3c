"""A deal in its play as packed integers: the layout, `pack` and `unpack`.

A packed deal has only the data on which the rest of the play depends. The history of the deal stays
in the engine's state. `play_loop` changes packed deals.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec.structs import replace
from numba import int64

from acesaround.cards import CARDS, KIND_COUNT, counts
from acesaround.cards import pack as packed_hand
from acesaround.errors import PositionError
from acesaround.fast.jit import arrayless_kernel, inlined_kernel, kernel
from acesaround.fast.playouts.rule_arrays import (
    COPY_COUNT,
    KITTY_SIZE,
    PLAYER_COUNT,
    Integers,
    RuleArrays,
)
from acesaround.fast.playouts.rule_arrays import STOCK_SIZE as STOCK_OF_DECK
from acesaround.game.state import GameState, Playing, StockPlaying
from acesaround.rules.laid_melds import LaidMelds

Array: TypeAlias = Any  # of int64; numba infers it

# Fields of `PackedDeal.status`.
TRUMP: Final = 0
LEADER: Final = 1
TURN: Final = 2
CARDS_IN_TRICK: Final = 3
BEST_KIND: Final = 4  # the kind now winning the trick, -1 before the lead
WINNER: Final = 5  # the player now winning the trick, -1 before the lead
TRUMP_BROKEN: Final = 6  # whether trump may be led freely
TRICKS_LEFT: Final = 7  # tricks to be completed, including those of the stock phase
STOCK_LEFT: Final = 8  # cards to be drawn, including the upcard; at 0 the strict rules apply
MAY_CONCEDE: Final = 9  # whether the leader may concede instead of leading
MAY_MELD: Final = 10  # whether the leader may lay a meld first, or before the draw (MELD_THEN_DRAW)
UPCARD_EXCHANGED: Final = 11  # whether no upcard can be exchanged: a nine took it, or it was drawn
DECLARER_NUMBER: Final = 12  # the declarer, counted from 1; 0 without one
STATUS_SIZE: Final = 13

MELD_THEN_DRAW: Final = 2
"""The value of MAY_MELD if cards are drawn after a meld is laid or declined."""

# Rows of `PackedDeal.laid_melds`: the accounts of `laid_melds.LaidMelds`.
ON_TABLE: Final = 0
CLASS_A: Final = 1  # classes B and C follow


class PackedDeal(NamedTuple):
    """A deal in its play. Players are counted in turn; hands are rows as in `rule_arrays`."""

    status: Integers
    hands: Integers
    """(players, copies)."""
    trick: Integers
    """The kinds in the trick in the order played: (players,), the rest -1."""
    points_won: Integers
    """Points that each side has won in tricks, including the last trick's bonus: (sides,)."""
    won_counter: Integers
    """Whether each side has won a card that saves meld in a trick: (sides,)."""
    stock: Integers
    """Cards in the order of drawing, the upcard last; the last `STOCK_LEFT` of them are left."""
    unplayed: Integers
    """The cards of the deck that are not played yet, with the undealt and buried ones. If a kitty
    is buried, a second row has the cards that the declarer counts as left: (1 or 2, copies)."""
    laid_melds: Integers
    """Melds on the table in the stock phase: (players, 4, copies)."""
    growth_state: Integers
    """Numbers of royal marriages and pinochles that may grow, and whether a double pinochle was
    laid: (players, 3)."""
    meld_points: Integers
    """Points of the melds that each player has laid: (players,)."""


def pack(state: GameState) -> PackedDeal:
    """Return a packed state of the play, with or without a stock. Raises PositionError."""
    phase, deal = state.phase, state.deal
    if not isinstance(phase, Playing | StockPlaying) or deal.trump is None:
        raise PositionError("Only the play of tricks can be packed.")
    players, copies = state.players, state.rules.deck.copies
    stock = (*deal.stock, *([deal.upcard] if deal.upcard is not None else []))
    stock = stock if isinstance(phase, StockPlaying) else ()
    cards_left = (
        sum(sum(counts(state.hands[seat])) for seat in players) + len(phase.cards) + len(stock)
    )
    status = np.zeros(STATUS_SIZE, np.int64)
    status[TRUMP] = deal.trump
    if deal.declarer is not None:
        status[DECLARER_NUMBER] = 1 + players.index(deal.declarer)
    status[LEADER] = players.index(phase.leader)
    status[TURN] = players.index(phase.turn)
    status[CARDS_IN_TRICK] = len(phase.cards)
    status[BEST_KIND] = phase.best
    status[WINNER] = players.index(phase.best_seat) if phase.cards else -1
    status[TRICKS_LEFT] = cards_left // len(players)
    status[STOCK_LEFT] = len(stock)
    laid_melds = np.zeros((len(players), 4, copies), np.int64)
    growth_state = np.zeros((len(players), 3), np.int64)
    if isinstance(phase, Playing):
        status[TRUMP_BROKEN] = phase.is_trump_broken
        status[MAY_CONCEDE] = phase.may_concede
    else:
        status[TRUMP_BROKEN] = not state.rules.play.trump_must_be_broken
        status[MAY_MELD] = MELD_THEN_DRAW if phase.to_draw else phase.may_meld
        status[UPCARD_EXCHANGED] = phase.is_upcard_settled
        for player, seat in enumerate(players):
            laid = phase.laid_melds[seat]
            for row, cards in enumerate(
                (laid.cards, laid.used_in_class_a, laid.used_in_class_b, laid.used_in_class_c)
            ):
                laid_melds[player, row] = sets_from_hand(cards, copies)
            growth_state[player] = laid.royal_marriages, laid.pinochles, laid.double_laid
    played = packed_hand([*phase.cards, *(card for trick in deal.tricks for card in trick.cards)])
    trick = np.full(len(players), -1, np.int64)
    trick[: len(phase.cards)] = phase.cards
    meld_points = np.zeros(len(players), np.int64)
    for meld in deal.laid:
        meld_points[players.index(meld.seat)] += meld.points
    knowledge_rows = 2 if state.rules.deal.kitty else 1
    packed = PackedDeal(
        status=status,
        hands=np.array([sets_from_hand(state.hands[seat], copies) for seat in players], np.int64),
        trick=trick,
        points_won=np.array(deal.won, np.int64),
        won_counter=np.array(deal.has_counter, np.int64),
        stock=np.array(stock, np.int64),
        unplayed=np.array(
            [sets_from_hand(state.rules.deck.packed - played, copies)] * knowledge_rows, np.int64
        ),
        laid_melds=laid_melds,
        growth_state=growth_state,
        meld_points=meld_points,
    )
    use_declarer_knowledge(packed)
    return packed


def empty_deal(rule_arrays: RuleArrays) -> PackedDeal:
    """Return a packed deal of those rules, before any card is dealt."""
    players, copies = int(rule_arrays.params[PLAYER_COUNT]), int(rule_arrays.params[COPY_COUNT])

    def zeros(*shape: int) -> Integers:
        return np.zeros(shape, np.int64)

    return PackedDeal(
        status=zeros(STATUS_SIZE),
        hands=zeros(players, copies),
        trick=zeros(players),
        points_won=zeros(len(rule_arrays.side_zeros)),
        won_counter=zeros(len(rule_arrays.side_zeros)),
        stock=zeros(int(rule_arrays.params[STOCK_OF_DECK])),
        unplayed=zeros(2 if rule_arrays.params[KITTY_SIZE] else 1, copies),
        laid_melds=zeros(players, 4, copies),
        growth_state=zeros(players, 3),
        meld_points=zeros(players),
    )


def unpack(packed: PackedDeal, template: GameState) -> GameState:
    """Return the engine's state of a packed deal. Raises PositionError.

    `template`: the state of the same deal, now or earlier. The result has its history; hands,
    trick, stock and points in tricks are those of `packed`.
    """
    status, players = packed.status, template.players
    if not status[TRICKS_LEFT]:
        raise PositionError("A deal that is played out is no state of the play.")
    hands = list(template.hands)
    for player, seat in enumerate(players):
        hands[seat] = hand_from_sets(packed.hands[player])
    cards = tuple(CARDS[kind] for kind in packed.trick[: status[CARDS_IN_TRICK]])
    leader, turn = players[status[LEADER]], players[status[TURN]]
    best = int(status[BEST_KIND])
    best_seat = players[status[WINNER]] if cards else -1
    stock = tuple(CARDS[kind] for kind in packed.stock[len(packed.stock) - status[STOCK_LEFT] :])
    phase: Playing | StockPlaying
    deal = replace(
        template.deal,
        won=tuple(map(int, packed.points_won)),
        has_counter=tuple(map(bool, packed.won_counter)),
    )
    if not stock and not status[MAY_MELD]:
        is_trump_broken, may_concede = bool(status[TRUMP_BROKEN]), bool(status[MAY_CONCEDE])
        phase = Playing(leader, turn, cards, best, best_seat, is_trump_broken, may_concede)
        if isinstance(template.phase, StockPlaying):
            deal = replace(deal, stock=(), upcard=None)
    else:
        deal = replace(deal, stock=stock[:-1], upcard=stock[-1] if stock else None)
        laid_melds = [LaidMelds()] * template.rules.seats
        for player, seat in enumerate(players):
            cards_down, a, b, c = (hand_from_sets(row) for row in packed.laid_melds[player])
            royals, pinochles, double_laid = map(int, packed.growth_state[player])
            laid_melds[seat] = LaidMelds(cards_down, a, b, c, royals, pinochles, bool(double_laid))
        may_meld, is_upcard_exchanged = bool(status[MAY_MELD]), bool(status[UPCARD_EXCHANGED])
        phase = StockPlaying(
            leader,
            turn,
            cards,
            best,
            best_seat,
            may_meld,
            tuple(laid_melds),
            is_upcard_exchanged,
            bool(status[MAY_MELD] == MELD_THEN_DRAW),
        )
    return replace(template, hands=tuple(hands), deal=deal, phase=phase)


def sets_from_hand(cards: int, copies: int) -> list[int]:
    """Return a packed hand of the engine as a row of sets of kinds."""
    kind_counts = counts(cards)
    return [
        sum(1 << kind for kind in range(KIND_COUNT) if kind_counts[kind] > copy)
        for copy in range(copies)
    ]


def hand_from_sets(row: Integers) -> int:
    """Return a row of sets of kinds as a packed hand of the engine."""
    return packed_hand(kind for copy in row for kind in range(KIND_COUNT) if int(copy) >> kind & 1)


@inlined_kernel
def add_kinds(hands: Array, player: int, kinds: int) -> None:
    """Add a card of each kind of a set to a hand."""
    for copy in range(hands.shape[1]):
        held = hands[player, copy]
        hands[player, copy] = held | kinds
        kinds &= held


@inlined_kernel
def add_card(hands: Array, player: int, kind: int) -> None:
    """Add a card to a hand."""
    add_kinds(hands, player, 1 << kind)


@inlined_kernel
def remove_card(hands: Array, player: int, kind: int) -> None:
    """Remove a card from a hand that has it."""
    remaining = 1 << kind
    copies = hands.shape[1]
    for at in range(copies):  # numba compiles a loop that counts down to slower code
        copy = copies - 1 - at
        held = hands[player, copy] & remaining
        hands[player, copy] ^= held
        remaining ^= held


@inlined_kernel
def unplayed_row(packed: PackedDeal, player: int) -> int:
    """Return the row of `unplayed` for a player: the declarer's own, if there is one."""
    row: int = int64(packed.unplayed.shape[0] > 1 and packed.status[DECLARER_NUMBER] == player + 1)
    return row


@arrayless_kernel
def use_declarer_knowledge(packed: PackedDeal) -> None:
    """Set the declarer's row of `unplayed` to the cards in hands; the others are buried."""
    unplayed, hands = packed.unplayed, packed.hands
    if unplayed.shape[0] == 1:
        return
    for copy in range(unplayed.shape[1]):
        unplayed[1, copy] = 0
    for player in range(hands.shape[0]):
        for copy in range(hands.shape[1]):
            add_kinds(unplayed, 1, hands[player, copy])


@kernel
def copy_deal(packed: PackedDeal) -> PackedDeal:
    """Return a copy of the deal with its own arrays."""
    return PackedDeal(
        packed.status.copy(),
        packed.hands.copy(),
        packed.trick.copy(),
        packed.points_won.copy(),
        packed.won_counter.copy(),
        packed.stock.copy(),
        packed.unplayed.copy(),
        packed.laid_melds.copy(),
        packed.growth_state.copy(),
        packed.meld_points.copy(),
    )


@inlined_kernel
def _copy_array(source: Array, target: Array) -> None:
    for at in range(source.shape[0]):
        target[at] = source[at]


@inlined_kernel
def _copy_rows(source: Array, target: Array) -> None:
    for row in range(source.shape[0]):
        for at in range(source.shape[1]):
            target[row, at] = source[row, at]


@arrayless_kernel
def copy_into(packed: PackedDeal, target: PackedDeal) -> None:
    """Copy `packed` into `target`, a packed deal of the same rules."""
    _copy_array(packed.status, target.status)
    _copy_rows(packed.hands, target.hands)
    _copy_array(packed.trick, target.trick)
    _copy_array(packed.points_won, target.points_won)
    _copy_array(packed.won_counter, target.won_counter)
    _copy_array(packed.stock, target.stock)
    _copy_rows(packed.unplayed, target.unplayed)
    for player in range(packed.laid_melds.shape[0]):
        _copy_rows(packed.laid_melds[player], target.laid_melds[player])
    _copy_rows(packed.growth_state, target.growth_state)
    _copy_array(packed.meld_points, target.meld_points)
