"""Bidding conventions: what first bids between partners mean, encoded and decoded.

51 or a raise of one shows aces around, 52 shows 20 meld, 53 or a raise of three shows 30 meld. A
raise of one over an opponent's raise of one asks the partner to show meld. Source:
`variants/double-deck/notes.md`. The conventions need a table where raises of one are possible.
Opening bids count from the lowest bid.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from acesaround.cards import Rank, counts, pack
from acesaround.game.state import Call
from acesaround.game.view import View
from acesaround.rules import Auction, Rules, bid_step
from acesaround.rules.melds import count_arounds, find_melds, total_points


class BidMeaning(enum.Enum):
    """The meaning of a first bid for the partner."""

    ACES = "aces around"
    TWENTY = "20 meld"
    THIRTY = "30 meld"
    ASKS = "the question what meld there is"


class BidPromise(NamedTuple):
    """The content of a hand for which a bid is true. Meld is counted without trump."""

    least_meld: int = 0
    has_aces_around: bool = False


PROMISES: Final[Mapping[BidMeaning, BidPromise]] = {
    BidMeaning.THIRTY: BidPromise(least_meld=30),
    BidMeaning.TWENTY: BidPromise(least_meld=20),
    BidMeaning.ACES: BidPromise(has_aces_around=True),
    BidMeaning.ASKS: BidPromise(),
}
"""The promise of each meaning, the strongest first. A question promises nothing."""


def is_promise_kept(rules: Rules, promise: BidPromise, hand: int) -> bool:
    """Return whether a packed hand holds what a bid promises."""
    if promise.has_aces_around and not count_arounds(counts(hand), Rank.ACE):
        return False
    meld = total_points(find_melds(rules.melds, hand, None)) if promise.least_meld else 0
    return meld >= promise.least_meld


def uses_conventions(rules: Rules) -> bool:
    """Return whether partners can use the conventions at this table."""
    auction = rules.auction
    if auction is None or not rules.has_partners or auction.raises or auction.one_round:
        return False
    return all(
        bid_step(auction, auction.lowest_bid + extra) == (auction.steps[0][0], 1)
        for extra in range(4)
    )


def meaning_of_first_bid(rules: Rules, auction: Sequence[Call], seat: int) -> BidMeaning | None:
    """Return the meaning of a seat's first bid, or None if it has none."""
    if rules.auction is None or not uses_conventions(rules):
        return None
    standing_call: Call | None = None
    was_raise_of_one = False  # whether the standing bid was itself a first bid and a raise of one
    seen: set[int] = set()
    for call in auction:
        is_first = call.seat not in seen
        seen.add(call.seat)
        if call.bid is None:
            if call.seat == seat:
                return None
            continue
        is_over_one = (
            was_raise_of_one
            and standing_call is not None
            and not _are_partners(rules, standing_call.seat, seat)
        )
        if call.seat == seat:
            return decode_bid(
                rules.auction, standing_call.bid if standing_call else None, call.bid, is_over_one
            )
        raise_by = (
            call.bid - (standing_call.bid or 0)
            if standing_call
            else call.bid - rules.auction.lowest_bid
        )
        was_raise_of_one = is_first and raise_by == 1 and _steps_by_one(rules.auction, call.bid)
        standing_call = call
    return None


def decode_bid(
    auction: Auction, standing_bid: int | None, bid: int, is_over_one: bool
) -> BidMeaning | None:
    """Return the meaning of a first bid over the standing bid, or None.

    `is_over_one`: whether the standing bid was an opponent's raise of one.
    """
    if not _steps_by_one(auction, bid):
        return None
    if standing_bid is None:
        return {1: BidMeaning.ACES, 2: BidMeaning.TWENTY, 3: BidMeaning.THIRTY}.get(
            bid - auction.lowest_bid
        )
    if bid == standing_bid + 1:
        return BidMeaning.ASKS if is_over_one else BidMeaning.ACES
    return BidMeaning.THIRTY if bid == standing_bid + 3 else None


def truthful_first_bids(view: View) -> list[tuple[int, BidMeaning]]:
    """Return the first bids that are true of this hand, the strongest meaning first.

    Meld is counted without trump, because the partner may name another suit.
    """
    rules, auction = view.rules, view.rules.auction
    if (
        auction is None
        or not uses_conventions(rules)
        or any(c.seat == view.seat for c in view.auction)
    ):
        return []
    hand = pack(view.hand)
    true_meanings = [
        meaning
        for meaning, promise in PROMISES.items()
        if promise != BidPromise() and is_promise_kept(rules, promise, hand)
    ]
    standing_bid = None
    for call in view.auction:
        standing_bid = call.bid or standing_bid
    first_bids = []
    for meaning in true_meanings:
        for bid in (
            (auction.lowest_bid if standing_bid is None else standing_bid) + raise_by
            for raise_by in (1, 2, 3)
        ):
            calls = (*view.auction, Call(view.seat or 0, bid))
            if meaning_of_first_bid(rules, calls, view.seat or 0) is meaning:
                first_bids.append((bid, meaning))
    return first_bids


def _steps_by_one(auction: Auction, bid: int) -> bool:
    return bid_step(auction, bid)[1] == 1


def _are_partners(rules: Rules, seat: int, other: int) -> bool:
    return rules.side_of(seat) == rules.side_of(other)
