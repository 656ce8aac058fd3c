"""The dealer's last card, turned up: a nine of trump may take it. Source: classic/notes.md.

All other seats are asked in turn, from the dealer's left, until one takes the upcard. A seat
without a nine can only leave it. Leaving it therefore does not reveal whether a seat holds a nine,
unless holders must give it (`deal.nine_must_take`). If the upcard is itself a nine, no seat is
asked. Games stored before the rule `deal.all_asked` ask only seats that hold a nine.
"""

from __future__ import annotations

from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import Action, ActionList, Discard
from acesaround.cards import ONE, Card, Rank, card_of, count
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Event, Passed, UpcardExchanged
from acesaround.game.state import (
    Call,
    DealState,
    Decision,
    GameState,
    Kind,
    Turning,
    UpcardTaken,
    clockwise,
    with_hand,
)

KIND: Final = Kind.UPCARD
LEAVE: Final = Discard(())


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Ask all seats but the dealer, who owns the card; or only holders of a nine."""
    up = state.deal.taken[0].card
    asked = tuple(clockwise(state.players, state.dealer)[1:])
    if not state.rules.deal.all_asked:
        asked = tuple(seat for seat in asked if count(state.hands[seat], _nine(up)))
    return replace(state, phase=Turning(asked) if asked and up.rank is not Rank.NINE else None), ()


def _nine(up: Card) -> Card:
    return card_of(up.suit, Rank.NINE)


def turn_of(state: GameState) -> int:
    """Return the next seat that may take the upcard."""
    return cast(Turning, state.phase).queue[0]


def decision(state: GameState) -> Decision:
    """Return the decision on turn: discard the nine for the upcard, or discard nothing."""
    seat, nine = turn_of(state), _nine(state.deal.taken[0].card)
    if not count(state.hands[seat], nine):
        return Decision(seat, KIND, ActionList((LEAVE,)))
    take = Discard((nine,))
    must = state.rules.deal.nine_must_take
    return Decision(seat, KIND, ActionList((take,) if must else (take, LEAVE)))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Exchange the nine with the dealer's upcard, or leave it. Raises IllegalAction."""
    seat, *rest = cast(Turning, state.phase).queue
    deal, dealer = state.deal, state.dealer
    up = deal.taken[0].card
    nine = _nine(up)
    held = count(state.hands[seat], nine)
    must = held and state.rules.deal.nine_must_take
    if action == LEAVE and not must:
        deal = replace(deal, auction=(*deal.auction, Call(seat, None)))
        phase = Turning(tuple(rest)) if rest else None
        return replace(state, deal=deal, phase=phase), (Passed(seat),)
    if action != Discard((nine,)) or not held:
        given = nine.pretty if must else f"{nine.pretty} or nothing"
        raise IllegalAction(Reason.WRONG_KIND, expected=f"{given} is to be given for the upcard")
    hands = with_hand(state.hands, seat, state.hands[seat] - ONE[nine] + ONE[up])
    hands = with_hand(hands, dealer, hands[dealer] - ONE[up] + ONE[nine])
    deal = replace(deal, taken=(UpcardTaken(seat, up, nine, 0), UpcardTaken(dealer, nine, None, 0)))
    return replace(state, hands=hands, deal=deal, phase=None), (UpcardExchanged(seat, up, nine),)


def melding_hands(hands: tuple[int, ...], deal: DealState) -> tuple[int, ...]:
    """Return the hands for melding: a nine given for the upcard melds for its former holder."""
    for took, became in zip(deal.taken, deal.taken[1:], strict=False):
        if took.left is not None:
            hands = with_hand(hands, took.seat, hands[took.seat] + ONE[took.left])
            hands = with_hand(hands, became.seat, hands[became.seat] - ONE[became.card])
    return hands
