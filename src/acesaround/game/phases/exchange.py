"""The exchange: each partner gives the declarer cards, and gets as many back.

Source: `variants/partnership/notes.md`. With several partners all give first, clockwise from the
declarer. Then the declarer returns cards to each, in the same order.
"""

from __future__ import annotations

from functools import cache
from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import Action, CardSelections, Give, packed_cards
from acesaround.cards import remove_cards
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Event, Given
from acesaround.game.state import (
    Decision,
    DecisionKind,
    Exchanging,
    GameState,
    Transfer,
    players_clockwise,
    with_hand,
)
from acesaround.rules import Rules

KIND: Final = DecisionKind.GIVE


def pass_order(rules: Rules, declarer: int) -> tuple[tuple[int, int], ...]:
    """Return the passes in order, each as (giver, taker); empty if nothing is exchanged."""
    return _pass_order(rules.sides, declarer) if rules.exchange.exchange else ()


@cache
def _pass_order(sides: tuple[tuple[int, ...], ...], declarer: int) -> tuple[tuple[int, int], ...]:
    side = next(side for side in sides if declarer in side)
    partners = players_clockwise(side, declarer)[1:]
    return tuple((p, declarer) for p in partners) + tuple((declarer, p) for p in partners)


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Ask the declarer's partners first; skip the phase if no cards are passed."""
    return replace(state, phase=_next_pass(state, 0)), ()


def _next_pass(state: GameState, passes_done: int) -> Exchanging | None:
    """Return the phase state for the next pass after `passes_done` passes, None after the last."""
    assert state.deal.declarer is not None
    order = pass_order(state.rules, state.deal.declarer)
    return Exchanging(*order[passes_done]) if passes_done < len(order) else None


def turn_of(state: GameState) -> int:
    """Return the seat that is to pass cards."""
    return cast(Exchanging, state.phase).seat


def decision(state: GameState) -> Decision:
    """Return the decision on turn: any cards, as many as the rules say, even those received."""
    seat, number = turn_of(state), state.rules.exchange.exchange
    return Decision(seat, KIND, CardSelections(state.hands[seat], (number,), Give))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Move the cards to the partner; the other side does not see them. Raises IllegalAction."""
    phase, number = cast(Exchanging, state.phase), state.rules.exchange.exchange
    seat, taker = phase.seat, phase.to
    if not isinstance(action, Give):
        raise IllegalAction(Reason.WRONG_KIND, expected=f"{number} cards are to be given")
    if len(action.cards) != number:
        raise IllegalAction(Reason.WRONG_NUMBER, number=number, given=len(action.cards))
    remaining = remove_cards(state.hands[seat], action.cards)
    hands = with_hand(state.hands, seat, remaining)
    hands = with_hand(hands, taker, hands[taker] + packed_cards(action))
    deal = replace(
        state.deal, passed_cards=(*state.deal.passed_cards, Transfer(seat, taker, action.cards))
    )
    return replace(
        state, hands=hands, deal=deal, phase=_next_pass(state, len(deal.passed_cards))
    ), (Given(seat, number, action.cards, taker),)
