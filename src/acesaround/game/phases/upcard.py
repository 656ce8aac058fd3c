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
from acesaround.cards import ONE_OF_KIND, Card, Rank, card_of, count
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Event, Passed, UpcardExchanged
from acesaround.game.state import (
    Call,
    DealState,
    Decision,
    DecisionKind,
    GameState,
    TakingUpcard,
    UpcardTaken,
    players_clockwise,
    with_hand,
)

KIND: Final = DecisionKind.UPCARD
LEAVE_UPCARD: Final = Discard(())


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Ask all seats but the dealer, who owns the card; or only holders of a nine."""
    upcard = state.deal.upcards_taken[0].card
    queue = tuple(players_clockwise(state.players, state.dealer)[1:])
    if not state.rules.deal.all_asked:
        queue = tuple(seat for seat in queue if count(state.hands[seat], _nine_of_trump(upcard)))
    return replace(
        state, phase=TakingUpcard(queue) if queue and upcard.rank is not Rank.NINE else None
    ), ()


def _nine_of_trump(upcard: Card) -> Card:
    return card_of(upcard.suit, Rank.NINE)


def turn_of(state: GameState) -> int:
    """Return the next seat that may take the upcard."""
    return cast(TakingUpcard, state.phase).queue[0]


def decision(state: GameState) -> Decision:
    """Return the decision on turn: discard the nine for the upcard, or discard nothing."""
    seat, nine = turn_of(state), _nine_of_trump(state.deal.upcards_taken[0].card)
    if not count(state.hands[seat], nine):
        return Decision(seat, KIND, ActionList((LEAVE_UPCARD,)))
    exchange = Discard((nine,))
    must_take = state.rules.deal.nine_must_take
    return Decision(seat, KIND, ActionList((exchange,) if must_take else (exchange, LEAVE_UPCARD)))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Exchange the nine with the dealer's upcard, or leave it. Raises IllegalAction."""
    seat, *next_queue = cast(TakingUpcard, state.phase).queue
    deal, dealer = state.deal, state.dealer
    upcard = deal.upcards_taken[0].card
    nine = _nine_of_trump(upcard)
    held = count(state.hands[seat], nine)
    must_take = held and state.rules.deal.nine_must_take
    if action == LEAVE_UPCARD and not must_take:
        deal = replace(deal, auction=(*deal.auction, Call(seat, None)))
        phase = TakingUpcard(tuple(next_queue)) if next_queue else None
        return replace(state, deal=deal, phase=phase), (Passed(seat),)
    if action != Discard((nine,)) or not held:
        expected = nine.pretty if must_take else f"{nine.pretty} or nothing"
        raise IllegalAction(Reason.WRONG_KIND, expected=f"{expected} is to be given for the upcard")
    hands = with_hand(
        state.hands, seat, state.hands[seat] - ONE_OF_KIND[nine] + ONE_OF_KIND[upcard]
    )
    hands = with_hand(hands, dealer, hands[dealer] - ONE_OF_KIND[upcard] + ONE_OF_KIND[nine])
    deal = replace(
        deal, upcards_taken=(UpcardTaken(seat, upcard, nine, 0), UpcardTaken(dealer, nine, None, 0))
    )
    return replace(state, hands=hands, deal=deal, phase=None), (
        UpcardExchanged(seat, upcard, nine),
    )


def melding_hands(hands: tuple[int, ...], deal: DealState) -> tuple[int, ...]:
    """Return the hands for melding: a nine given for the upcard melds for its former holder."""
    for exchange, returned in zip(deal.upcards_taken, deal.upcards_taken[1:], strict=False):
        if exchange.left is not None:
            hands = with_hand(
                hands, exchange.seat, hands[exchange.seat] + ONE_OF_KIND[exchange.left]
            )
            hands = with_hand(
                hands, returned.seat, hands[returned.seat] - ONE_OF_KIND[returned.card]
            )
    return hands
