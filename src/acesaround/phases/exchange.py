"""The exchange: partner to declarer, then declarer to partner. Source: seed 001."""

from __future__ import annotations

from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import Action, Choices, Give, packed
from acesaround.cards import take
from acesaround.errors import IllegalAction, Reason
from acesaround.events import Event, Given
from acesaround.state import Decision, Exchanging, GameState, Kind, Transfer, with_hand

KIND: Final = Kind.GIVE


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """The declarer's partner gives first; nobody is asked where nothing is passed."""
    assert state.deal.declarer is not None
    partner = state.rules.partner_of(state.deal.declarer)
    if not state.rules.exchange.exchange or partner is None:
        return replace(state, phase=None), ()
    return replace(state, phase=Exchanging(partner)), ()


def turn_of(state: GameState) -> int:
    """The seat that is to pass cards."""
    return cast(Exchanging, state.phase).seat


def decision(state: GameState) -> Decision:
    """Any cards, as many as the rules say; returning the very cards received is allowed."""
    seat, number = turn_of(state), state.rules.exchange.exchange
    return Decision(seat, KIND, Choices(state.hands[seat], (number,), Give))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """The cards change hands, unseen by the other side. Raises IllegalAction."""
    seat, number = turn_of(state), state.rules.exchange.exchange
    if not isinstance(action, Give):
        raise IllegalAction(Reason.WRONG_KIND, expected=f"{number} cards are to be given")
    if len(action.cards) != number:
        raise IllegalAction(Reason.WRONG_NUMBER, number=number, given=len(action.cards))
    kept = take(state.hands[seat], action.cards)
    to = state.rules.partner_of(seat)
    assert to is not None
    hands = with_hand(state.hands, seat, kept)
    hands = with_hand(hands, to, hands[to] + packed(action))
    deal = replace(state.deal, given=(*state.deal.given, Transfer(seat, to, action.cards)))
    phase = None if seat == deal.declarer else Exchanging(to)
    return replace(state, hands=hands, deal=deal, phase=phase), (
        Given(seat, number, action.cards, to),
    )
