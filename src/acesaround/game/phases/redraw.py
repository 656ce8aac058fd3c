"""Discard and draw: all seats decide, then all draw from the top. Source: seed 001.

Seats are asked clockwise, the declarer first. No seat sees what another has decided, or how many
cards, before all have decided.
"""

from __future__ import annotations

from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import Action, CardSelections, Discard
from acesaround.cards import pack, take
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import DiscardChosen, Discarded, Drew, Event, Reneged
from acesaround.game.state import (
    Decision,
    DiscardedCards,
    GameState,
    Kind,
    Redrawing,
    clockwise,
    with_drawn,
    with_hand,
)
from acesaround.rules import Renege
from acesaround.rules.scoring import Outcome

KIND: Final = Kind.DISCARD


def _limit(state: GameState) -> int:
    return state.rules.most_redrawn(len(state.players))


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Ask the declarer first; skip the phase if no card can be exchanged."""
    if _limit(state) == 0:
        return replace(state, phase=None), ()
    assert state.deal.declarer is not None
    return replace(state, phase=Redrawing(clockwise(state.players, state.deal.declarer))), ()


def turn_of(state: GameState) -> int:
    """Return the first seat that has still to discard."""
    return cast(Redrawing, state.phase).queue[0]


def decision(state: GameState) -> Decision:
    """Return the decision on turn: any cards up to the limit, or none."""
    seat = turn_of(state)
    sizes = range(_limit(state) + 1)
    return Decision(seat, KIND, CardSelections(state.hands[seat], sizes, Discard))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Record the discard of the seat on turn; after the last seat all draw. Raises IllegalAction.

    Under the renege penalty a discard over the limit ends the deal at once. The remaining seats are
    not asked, no seat draws, and earlier decisions stay hidden.
    """
    phase = cast(Redrawing, state.phase)
    seat, *rest = phase.queue
    most = _limit(state)
    if not isinstance(action, Discard):
        raise IllegalAction(Reason.WRONG_KIND, expected=f"up to {most} cards are to be discarded")
    take(state.hands[seat], action.cards)  # raises if a card is not held
    number = len(action.cards)
    throw = DiscardedCards(seat, action.cards)
    if number > most:
        refusal = IllegalAction(Reason.TOO_MANY_CARDS, limit=most, given=number)
        if state.rules.play.renege is Renege.REFUSE:
            raise refusal
        deal = replace(
            state.deal,
            discarded=(throw,),
            outcome=Outcome.RENEGED,
            offender=seat,
            rule=str(refusal),
            cut=phase,
        )
        discarded = Discarded(seat, number, action.cards)
        return replace(state, deal=deal, phase=None), (discarded, Reneged(seat, str(refusal)))
    decided, chosen = DiscardChosen(seat, action.cards), (*phase.chosen, throw)
    if rest:
        return replace(state, phase=Redrawing(tuple(rest), chosen)), (decided,)
    state, shown = _drawn(state, chosen)
    return state, (decided, *shown)


def _drawn(state: GameState, chosen: tuple[DiscardedCards, ...]) -> tuple[GameState, list[Event]]:
    """Remove all discards, then fill up each hand from the top of the stock, in the same order."""
    events: list[Event] = [Discarded(throw.seat, len(throw.cards), throw.cards) for throw in chosen]
    hands, stock, drew = state.hands, state.deal.stock, state.deal.drawn
    for throw in chosen:
        number = len(throw.cards)
        drawn, stock = stock[:number], stock[number:]
        hand = take(hands[throw.seat], throw.cards) + pack(drawn)
        hands = with_hand(hands, throw.seat, hand)
        drew = with_drawn(drew, throw.seat, drawn)
        events.append(Drew(throw.seat, number, drawn))
    deal = replace(state.deal, stock=stock, discarded=chosen, drawn=drew)
    return replace(state, hands=hands, deal=deal, phase=None), events
