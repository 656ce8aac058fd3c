"""Discard and draw: the declarer first, clockwise, new cards off the top. Source: seed 001."""

from __future__ import annotations

from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import Action, Choices, Discard
from acesaround.cards import pack, take
from acesaround.errors import IllegalAction, Reason
from acesaround.events import Discarded, Drew, Event, Reneged
from acesaround.rules import Renege
from acesaround.scoring import Outcome
from acesaround.state import (
    Decision,
    GameState,
    Kind,
    Redrawing,
    Throw,
    clockwise,
    with_hand,
)

KIND: Final = Kind.DISCARD


def _limit(state: GameState) -> int:
    return state.rules.most_redrawn(len(state.players))


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Nobody is asked where no card can be exchanged."""
    if _limit(state) == 0:
        return replace(state, phase=None), ()
    assert state.deal.declarer is not None
    return replace(state, phase=Redrawing(clockwise(state.players, state.deal.declarer))), ()


def turn_of(state: GameState) -> int:
    """The first seat that has still to discard."""
    return cast(Redrawing, state.phase).queue[0]


def decision(state: GameState) -> Decision:
    """Any cards up to the limit, or none."""
    seat = turn_of(state)
    sizes = range(_limit(state) + 1)
    return Decision(seat, KIND, Choices(state.hands[seat], sizes, Discard))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Discards leave the game and as many cards are drawn at once. Raises IllegalAction.

    Under the renege penalty a discard over the limit ends the deal before anybody has melded.
    """
    seat, *rest = cast(Redrawing, state.phase).queue
    most = _limit(state)
    if not isinstance(action, Discard):
        raise IllegalAction(Reason.WRONG_KIND, expected=f"up to {most} cards are to be discarded")
    kept = take(state.hands[seat], action.cards)
    number = len(action.cards)
    discarded = Discarded(seat, number, action.cards)
    thrown = (*state.deal.discarded, Throw(seat, action.cards))
    if number > most:
        refusal = IllegalAction(Reason.TOO_MANY_CARDS, limit=most, given=number)
        if state.rules.play.renege is Renege.REFUSE:
            raise refusal
        deal = replace(state.deal, discarded=thrown, outcome=Outcome.RENEGED, offender=seat)
        return replace(state, deal=deal, phase=None), (discarded, Reneged(seat, str(refusal)))
    drawn, stock = state.deal.stock[:number], state.deal.stock[number:]
    hand = kept + pack(drawn)
    deal = replace(state.deal, stock=stock, discarded=thrown)
    phase = Redrawing(tuple(rest)) if rest else None
    state = replace(state, hands=with_hand(state.hands, seat, hand), deal=deal, phase=phase)
    return state, (discarded, Drew(seat, number, drawn))
