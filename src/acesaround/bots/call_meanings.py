"""The meaning of bids and passes for people: what a convention says, or what they usually say.

Everything here is computed from what is public: the rules, the scores and the calls so far. So an
alert never tells more than the call itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil, floor, inf
from typing import Final

import msgspec

from acesaround.actions import Action, Bid, Play
from acesaround.bots.heuristic.ace_signals import SignalMeaning, can_signal, meaning_of_card
from acesaround.bots.heuristic.bidding import expected_range, is_forced_bid
from acesaround.bots.heuristic.bidding_conventions import (
    PROMISES,
    BidMeaning,
    BidPromise,
    is_promise_kept,
    meaning_of_first_bid,
    uses_conventions,
)
from acesaround.cards import Rank, pack
from acesaround.game.narration import pluralize
from acesaround.game.state import Call
from acesaround.game.view import View
from acesaround.rules import Rules

_MISLEADS: Final = ", which is not true of your hand and may mislead your partner"


class CallMeaning(msgspec.Struct, frozen=True):
    """The meaning of a call. `short` is a few words, `sentence` a whole sentence.

    `is_convention`: whether partners have agreed on it; otherwise it is what the call usually says.
    `promise`: what the hand must hold by the convention. `least`, `most`: between which points the
    side usually expects to score with this hand.
    """

    short: str
    sentence: str
    is_convention: bool = False
    promise: BidPromise = BidPromise()
    least: float = -inf
    most: float = inf


SHORT_TEXTS: Final = {
    BidMeaning.ACES: "aces around",
    BidMeaning.TWENTY: "20 meld or more",
    BidMeaning.THIRTY: "30 meld or more",
    BidMeaning.ASKS: "asks for meld",
}
CONVENTION_CLAUSES: Final = {
    BidMeaning.ACES: "shows aces around, an ace of each suit",
    BidMeaning.TWENTY: "shows 20 meld or more, counted without trump",
    BidMeaning.THIRTY: "shows 30 meld or more, counted without trump",
    BidMeaning.ASKS: "asks the partner to show meld",
}
"""What a first bid does by the convention, to continue \"52\"."""


def meaning_of_call(
    view: View, auction: Sequence[Call], call: Call, *, is_natural: bool = False
) -> CallMeaning | None:
    """Return what a call says after the calls `auction`; None in a game without an auction.

    `view`: any view of the game; only public parts are read. `is_natural`: whether the seat bids
    without conventions.
    """
    rules = view.rules
    if rules.auction is None:
        return None
    if call.bid is not None and is_forced_bid(view, auction, call):
        return CallMeaning("had to bid", "This seat had to bid, so the bid says nothing.")
    is_first = all(other.seat != call.seat for other in auction)
    if call.bid is not None and is_first and not is_natural:
        meaning = meaning_of_first_bid(rules, (*auction, call), call.seat)
        if meaning is not None:
            return CallMeaning(
                SHORT_TEXTS[meaning],
                f"By convention, {call.bid} here {CONVENTION_CLAUSES[meaning]}.",
                True,
                PROMISES[meaning],
            )
    return _usual_meaning(view, auction, call, is_natural)


def meanings_of_auction(
    view: View, natural_seats: Collection[int] = ()
) -> tuple[CallMeaning | None, ...]:
    """Return what each call of an auction says.

    `natural_seats`: the seats that bid without conventions.
    """
    if view.rules.auction is None:
        return ()
    return tuple(
        [
            meaning_of_call(
                view, view.auction[:number], call, is_natural=call.seat in natural_seats
            )
            for number, call in enumerate(view.auction)
        ]
    )


def convention_clause(view: View, action: Action) -> str:
    """Return what an action says by a convention, as a clause with "it"; "" for nothing."""
    seat = view.seat
    if isinstance(action, Bid) and seat is not None:
        if all(call.seat != seat for call in view.auction):
            calls = (*view.auction, Call(seat, action.points))
            meaning = meaning_of_first_bid(view.rules, calls, seat)
            if meaning is BidMeaning.ASKS:
                return f"it {SHORT_TEXTS[meaning]}"
            if meaning is None:
                return ""
            is_true = is_promise_kept(view.rules, PROMISES[meaning], pack(view.hand))
            return f"it shows {SHORT_TEXTS[meaning]}{'' if is_true else _MISLEADS}"
    elif isinstance(action, Play) and seat is not None and view.leader is not None and view.trick:
        signal = meaning_of_card(action.card, view.trick[0].suit)
        if signal and can_signal(
            view.rules, view.players, view.leader, view.trick, view.trump, seat
        ):
            has_ace = any(
                card.suit is action.card.suit and card.rank is Rank.ACE for card in view.hand
            )
            is_true = has_ace is (signal is SignalMeaning.HAS_ACE)
            return f"it shows {signal.value}{'' if is_true else _MISLEADS}"
    return ""


def is_meaning_true(view: View, meaning: CallMeaning, expected: float) -> bool:
    """Return whether a hand is as a call says.

    `view`: the view of the seat before it called. `expected`: what it expected to score then.
    """
    return (
        is_promise_kept(view.rules, meaning.promise, pack(view.hand))
        and meaning.least <= expected <= meaning.most
    )


def has_conventions(rules: Rules) -> bool:
    """Return whether partners have a bidding convention by these rules."""
    return uses_conventions(rules)


def _usual_meaning(
    view: View, auction: Sequence[Call], call: Call, is_natural: bool
) -> CallMeaning | None:
    rules = view.rules
    assert rules.auction is not None
    step = rules.auction.steps[0][1]
    least, most = expected_range(view, auction, call, is_natural=is_natural)
    parts = "meld and tricks together"
    if rules.has_partners:
        parts = "meld and tricks, and what the partner adds"
        if rules.side_size > 2:
            parts = "meld and tricks, and what the partners add"
    elif rules.deal.kitty:
        parts = "meld and tricks, and what the kitty adds"
    if call.bid is not None:
        points = max(0, floor(least / step) * step)
        return CallMeaning(
            f"usually good for {points}",
            f"Whoever bids {call.bid} here can usually make {pluralize(points, 'point')} or more "
            f"with the best trump: {parts}.",
            least=min(least, points),
        )
    points = max(0, ceil(most / step) * step)
    no_trump = (
        " Or it holds no marriage, and could not name trump."
        if rules.auction.marriage_needed and not rules.deal.kitty
        else ""
    )
    return CallMeaning(
        f"usually under {points}",
        "A pass usually means that the hand is worth less than "
        f"{pluralize(points, 'point')} with its best trump: {parts}.{no_trump}",
        most=max(most, points),
    )
