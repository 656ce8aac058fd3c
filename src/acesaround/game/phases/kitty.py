"""The kitty: shown to all, taken by the declarer, who buries as many cards.

Source: `variants/three-handed/notes.md`.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from acesaround.actions import Action, Bury, CardSelections
from acesaround.cards import pack, remove_cards
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Buried, Event, KittyShown
from acesaround.game.state import Burying, Decision, DecisionKind, GameState, with_hand

KIND: Final = DecisionKind.BURY


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Add the kitty to the declarer's hand."""
    seat = turn_of(state)
    hands = with_hand(state.hands, seat, state.hands[seat] + pack(state.deal.kitty))
    return replace(state, hands=hands, phase=Burying()), (KittyShown(seat, state.deal.kitty),)


def turn_of(state: GameState) -> int:
    """Return the declarer."""
    assert state.deal.declarer is not None
    return state.deal.declarer


def decision(state: GameState) -> Decision:
    """Return the declarer's decision: any cards, as many as the rules say."""
    seat = turn_of(state)
    return Decision(
        seat, KIND, CardSelections(state.hands[seat], (state.rules.exchange.bury,), Bury)
    )


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Bury cards, which score for the declarer and never meld. Raises IllegalAction."""
    seat, number = turn_of(state), state.rules.exchange.bury
    if not isinstance(action, Bury):
        raise IllegalAction(Reason.WRONG_KIND, expected=f"{number} cards are to be buried")
    hand = remove_exactly(state.hands[seat], action, number)
    deal = replace(state.deal, buried=action.cards)
    state = replace(state, hands=with_hand(state.hands, seat, hand), deal=deal, phase=None)
    return state, (Buried(seat, number, action.cards),)


def remove_exactly(hand: int, action: Bury, number: int) -> int:
    """Return the hand without the action's cards. Raises IllegalAction unless they are `number`."""
    if len(action.cards) != number:
        raise IllegalAction(Reason.WRONG_NUMBER, number=number, given=len(action.cards))
    return remove_cards(hand, action.cards)
