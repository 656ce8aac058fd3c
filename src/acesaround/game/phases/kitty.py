"""The kitty: shown to all, taken by the declarer, who buries as many cards. Source: seed 000."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from acesaround.actions import Action, Bury, CardSelections
from acesaround.cards import pack, take
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Buried, Event, KittyShown
from acesaround.game.state import Burying, Decision, GameState, Kind, with_hand

KIND: Final = Kind.BURY


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """The declarer takes the kitty into the hand."""
    seat = turn_of(state)
    hands = with_hand(state.hands, seat, state.hands[seat] + pack(state.deal.kitty))
    return replace(state, hands=hands, phase=Burying()), (KittyShown(seat, state.deal.kitty),)


def turn_of(state: GameState) -> int:
    """The declarer."""
    assert state.deal.declarer is not None
    return state.deal.declarer


def decision(state: GameState) -> Decision:
    """Any cards, as many as the rules say."""
    seat = turn_of(state)
    return Decision(
        seat, KIND, CardSelections(state.hands[seat], (state.rules.exchange.bury,), Bury)
    )


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Buried cards leave the hand, count for the declarer and never meld. Raises IllegalAction."""
    seat, number = turn_of(state), state.rules.exchange.bury
    if not isinstance(action, Bury):
        raise IllegalAction(Reason.WRONG_KIND, expected=f"{number} cards are to be buried")
    hand = remove_exactly(state.hands[seat], action, number)
    deal = replace(state.deal, buried=action.cards)
    state = replace(state, hands=with_hand(state.hands, seat, hand), deal=deal, phase=None)
    return state, (Buried(seat, number, action.cards),)


def remove_exactly(hand: int, action: Bury, number: int) -> int:
    """The hand without the cards of an action that takes exactly `number`. Raises IllegalAction."""
    if len(action.cards) != number:
        raise IllegalAction(Reason.WRONG_NUMBER, number=number, given=len(action.cards))
    return take(hand, action.cards)
