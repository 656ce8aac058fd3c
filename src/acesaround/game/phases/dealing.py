"""Dealing: splitting a shuffled deck into hands, kitty, stock and upcard, and validating a deal."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from msgspec.structs import replace

from acesaround.actions import Action, Deal, LazyActions, why_invalid
from acesaround.cards import Card, pack
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Dealt, Event
from acesaround.game.state import (
    Dealing,
    DealState,
    Decision,
    DecisionKind,
    GameState,
    UpcardTaken,
    players_clockwise,
)
from acesaround.rules import Rules

KIND: Final = DecisionKind.DEAL


class Deals(LazyActions):
    """All possible deals; `sample` draws one, because there are too many to list."""

    __slots__ = ("_dealer", "_players", "_rules")

    def __init__(self, rules: Rules, players: tuple[int, ...], dealer: int) -> None:
        self._rules, self._players, self._dealer = rules, players, dealer

    def sample(self, rng: random.Random) -> Deal:
        """Return a uniformly shuffled deal."""
        shuffled = list(self._rules.deck.cards)
        rng.shuffle(shuffled)
        return deal_out(self._rules, self._players, self._dealer, shuffled)

    def __contains__(self, action: object) -> bool:
        if type(action) is not Deal or why_invalid(action) is not None:
            return False
        return why_invalid_deal(self._rules, self._players, self._dealer, action) is None

    def __iter__(self) -> Iterator[Action]:
        return (self.sample(random.Random(number)) for number in count())


def deal_out(rules: Rules, players: tuple[int, ...], dealer: int, shuffled: Sequence[Card]) -> Deal:
    """Deal a shuffled deck: packets clockwise from the dealer's left.

    After each round of packets a card goes to the kitty until it is full. Then the upcard is turned
    up, and the rest is the stock. Without a stock the upcard is the dealer's last card.
    """
    hands: list[list[Card]] = [[] for _ in range(rules.seats)]
    kitty: list[Card] = []
    undealt = list(reversed(shuffled))
    dealing_order = players_clockwise(players, dealer)
    dealing_order = (*dealing_order[1:], dealer)
    while len(hands[dealer]) < rules.hand_size:
        packet_size = min(rules.deal.packet, rules.hand_size - len(hands[dealer]))
        for seat in dealing_order:
            hands[seat].extend(undealt.pop() for _ in range(packet_size))
        if len(kitty) < rules.deal.kitty:
            kitty.append(undealt.pop())
    upcard = None
    if rules.deal.upcard:
        upcard = undealt.pop() if rules.deal.stock else hands[dealer][-1]
    return Deal(
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        kitty=tuple(kitty),
        stock=tuple(reversed(undealt)) if rules.deal.stock else (),
        upcard=upcard,
    )


def why_invalid_deal(rules: Rules, players: tuple[int, ...], dealer: int, deal: Deal) -> str | None:
    """Return what is wrong with a deal by this dealer, or None."""
    if len(deal.hands) != rules.seats:
        return f"it has {len(deal.hands)} hands for {rules.seats} seats"
    for seat, hand in enumerate(deal.hands):
        expected_size = rules.hand_size if seat in players else 0
        if len(hand) != expected_size:
            return f"seat {seat} has {len(hand)} cards instead of {expected_size}"
    if len(deal.kitty) != rules.deal.kitty:
        return f"the kitty has {len(deal.kitty)} cards instead of {rules.deal.kitty}"
    if (deal.upcard is not None) != rules.deal.upcard:
        return "there is no upcard" if rules.deal.upcard else "there is an upcard"
    cards = [card for hand in deal.hands for card in hand] + [*deal.kitty, *deal.stock]
    if deal.upcard is not None and rules.deal.stock:
        cards.append(deal.upcard)
    elif deal.upcard is not None and deal.upcard not in deal.hands[dealer]:
        return f"the upcard {deal.upcard} is not in the dealer's hand"
    if pack(cards) == rules.deck.packed:
        return None
    excess = rules.deck.first_excess_card(cards)
    if excess is not None:
        return f"there are too many {excess}"
    if len(cards) != rules.deck.size:
        return f"it has {len(cards)} cards instead of {rules.deck.size}"
    return None


def turn_of(_: GameState) -> None:
    """Return None: the random generator deals, not a seat."""


def decision(state: GameState) -> Decision:
    """Return the decision to deal, which has no seat."""
    return Decision(None, KIND, Deals(state.rules, state.players, state.dealer))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Hand out the dealt cards. Raises IllegalAction."""
    rules = state.rules
    if not isinstance(action, Deal):
        raise IllegalAction(Reason.WRONG_KIND, expected="the cards are to be dealt")
    if why := why_invalid_deal(rules, state.players, state.dealer, action):
        raise IllegalAction(Reason.BAD_DEAL, why=why)
    sides, upcard = len(rules.sides), action.upcard
    is_dealers_card = upcard is not None and not rules.deal.stock
    deal = DealState(
        kitty=action.kitty,
        stock=action.stock,
        upcard=None if is_dealers_card else upcard,
        upcards_taken=(UpcardTaken(state.dealer, upcard, None, 0),)
        if upcard is not None and is_dealers_card
        else (),
        trump=upcard.suit if upcard is not None else None,
        drawn=((),) * rules.seats,
        won=(0,) * sides,
        has_counter=(False,) * sides,
    )
    dealt = Dealt(
        deal=state.deals,
        dealer=state.dealer,
        players=state.players,
        hands=tuple(tuple(sorted(hand)) for hand in action.hands),
        sizes=tuple(len(hand) for hand in action.hands),
        kitty=len(action.kitty),
        stock=len(action.stock),
        upcard=upcard,
    )
    hands = tuple(pack(hand) for hand in action.hands)
    return replace(state, hands=hands, deal=deal, phase=None), (dealt,)


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Clear the table for the next deal."""
    empty = (0,) * state.rules.seats
    return replace(state, hands=empty, deal=DealState(), phase=Dealing()), ()
