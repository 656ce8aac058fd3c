"""Discard and draw: all seats decide, then all draw from the top.

Source: `variants/five-card/notes.md`. Seats are asked clockwise, the declarer first. No seat sees
what another has decided, or how many cards, before all have decided.
"""

from __future__ import annotations

from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import Action, CardSelections, Discard
from acesaround.cards import pack, remove_cards
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import DiscardChosen, Discarded, Drew, Event, Reneged
from acesaround.game.state import (
    Decision,
    DecisionKind,
    DiscardedCards,
    GameState,
    Redrawing,
    players_clockwise,
    with_drawn,
    with_hand,
)
from acesaround.rules import Renege
from acesaround.rules.scoring import Outcome

KIND: Final = DecisionKind.DISCARD


def _max_discards(state: GameState) -> int:
    return state.rules.max_redraw(len(state.players))


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Ask the declarer first; skip the phase if no card can be exchanged."""
    if _max_discards(state) == 0:
        return replace(state, phase=None), ()
    assert state.deal.declarer is not None
    return replace(
        state, phase=Redrawing(players_clockwise(state.players, state.deal.declarer))
    ), ()


def turn_of(state: GameState) -> int:
    """Return the first seat that has still to discard."""
    return cast(Redrawing, state.phase).queue[0]


def decision(state: GameState) -> Decision:
    """Return the decision on turn: any cards up to the limit, or none."""
    seat = turn_of(state)
    sizes = range(_max_discards(state) + 1)
    return Decision(seat, KIND, CardSelections(state.hands[seat], sizes, Discard))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Record the discard of the seat on turn; after the last seat all draw. Raises IllegalAction.

    Under the renege penalty a discard over the limit ends the deal at once. The remaining seats are
    not asked, no seat draws, and earlier decisions stay hidden.
    """
    phase = cast(Redrawing, state.phase)
    seat, *next_queue = phase.queue
    limit = _max_discards(state)
    if not isinstance(action, Discard):
        raise IllegalAction(Reason.WRONG_KIND, expected=f"up to {limit} cards are to be discarded")
    remove_cards(state.hands[seat], action.cards)  # raises if a card is not held
    number = len(action.cards)
    discard = DiscardedCards(seat, action.cards)
    if number > limit:
        error = IllegalAction(Reason.TOO_MANY_CARDS, limit=limit, given=number)
        if state.rules.play.renege is Renege.REFUSE:
            raise error
        deal = replace(
            state.deal,
            discarded=(discard,),
            outcome=Outcome.RENEGED,
            offender=seat,
            broken_rule=str(error),
            interrupted_phase=phase,
        )
        discarded = Discarded(seat, number, action.cards)
        return replace(state, deal=deal, phase=None), (discarded, Reneged(seat, str(error)))
    choice_event, chosen = DiscardChosen(seat, action.cards), (*phase.chosen, discard)
    if next_queue:
        return replace(state, phase=Redrawing(tuple(next_queue), chosen)), (choice_event,)
    state, draw_events = _draw_cards(state, chosen)
    return state, (choice_event, *draw_events)


def _draw_cards(
    state: GameState, chosen: tuple[DiscardedCards, ...]
) -> tuple[GameState, list[Event]]:
    """Remove all discards, then fill up each hand from the top of the stock, in the same order."""
    events: list[Event] = [
        Discarded(discard.seat, len(discard.cards), discard.cards) for discard in chosen
    ]
    hands, stock, drawn_by_seat = state.hands, state.deal.stock, state.deal.drawn
    for discard in chosen:
        number = len(discard.cards)
        drawn, stock = stock[:number], stock[number:]
        hand = remove_cards(hands[discard.seat], discard.cards) + pack(drawn)
        hands = with_hand(hands, discard.seat, hand)
        drawn_by_seat = with_drawn(drawn_by_seat, discard.seat, drawn)
        events.append(Drew(discard.seat, number, drawn))
    deal = replace(state.deal, stock=stock, discarded=chosen, drawn=drawn_by_seat)
    return replace(state, hands=hands, deal=deal, phase=None), events
