"""Naming trump. If the declarer needs a marriage and has none, the deal ends in this phase."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from acesaround.actions import TRUMP_ACTIONS, Action, ActionList, NameTrump
from acesaround.cards import Suit, counts
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Event, NoMarriage, TrumpNamed
from acesaround.game.state import Decision, DecisionKind, GameState, NamingTrump
from acesaround.rules.scoring import Outcome
from acesaround.rules.trump import nameable_trumps

KIND: Final = DecisionKind.TRUMP


def _nameable_suits(state: GameState) -> tuple[Suit, ...]:
    rules, seat = state.rules, state.deal.declarer
    assert seat is not None and rules.auction is not None
    return nameable_trumps(rules.auction, counts(state.hands[seat]))


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Ask the declarer; end the deal if no suit is possible."""
    if _nameable_suits(state):
        return replace(state, phase=NamingTrump()), ()
    assert state.deal.declarer is not None
    deal = replace(state.deal, outcome=Outcome.NO_MARRIAGE)
    return replace(state, deal=deal, phase=None), (NoMarriage(state.deal.declarer),)


def turn_of(state: GameState) -> int:
    """Return the declarer."""
    assert state.deal.declarer is not None
    return state.deal.declarer


def decision(state: GameState) -> Decision:
    """Return the declarer's decision: any suit, or a suit in which they hold a marriage."""
    legal = ActionList(TRUMP_ACTIONS[suit] for suit in _nameable_suits(state))
    return Decision(turn_of(state), KIND, legal)


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Name trump. Raises IllegalAction."""
    if not isinstance(action, NameTrump):
        raise IllegalAction(Reason.WRONG_KIND, expected="trump is to be named")
    if action.suit not in _nameable_suits(state):
        raise IllegalAction(Reason.NO_MARRIAGE)
    seat = state.deal.declarer
    assert seat is not None
    deal = replace(state.deal, trump=action.suit)
    return replace(state, deal=deal, phase=None), (TrumpNamed(seat, action.suit),)
