"""Bidding conventions: what first bids between partners mean, encoded and decoded.

51 or a raise of one shows aces around, 52 shows 20 meld, 53 or a raise of three shows 30 meld. A
raise of one over an opponent's raise of one asks the partner to show meld. Source: seed 003 (double
deck). The conventions need a table where raises of one are possible. Opening bids count from the
lowest bid.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from acesaround.cards import Rank, counts, pack
from acesaround.game.state import Call
from acesaround.game.view import View
from acesaround.rules import Auction, Rules, bid_step
from acesaround.rules.melds import arounds, find, points


class BidMeaning(enum.Enum):
    """The meaning of a first bid for the partner."""

    ACES = "aces around"
    TWENTY = "20 meld"
    THIRTY = "30 meld"
    ASKS = "the question what meld there is"


def uses_conventions(rules: Rules) -> bool:
    """Return whether partners can use the conventions at this table."""
    law = rules.auction
    if law is None or not rules.partners or law.raises or law.one_round:
        return False
    return all(bid_step(law, law.lowest_bid + more) == (law.steps[0][0], 1) for more in range(4))


def meaning_of_first_bid(rules: Rules, auction: Sequence[Call], seat: int) -> BidMeaning | None:
    """Return the meaning of a seat's first bid, or None if it has none."""
    if rules.auction is None or not uses_conventions(rules):
        return None
    standing: Call | None = None
    one = False  # whether the standing bid was itself a first bid and a raise of one
    seen: set[int] = set()
    for call in auction:
        first = call.seat not in seen
        seen.add(call.seat)
        if call.bid is None:
            if call.seat == seat:
                return None
            continue
        asked = one and standing is not None and not _partners(rules, standing.seat, seat)
        if call.seat == seat:
            return decode_bid(rules.auction, standing.bid if standing else None, call.bid, asked)
        more = call.bid - (standing.bid or 0) if standing else call.bid - rules.auction.lowest_bid
        one = first and more == 1 and _in_ones(rules.auction, call.bid)
        standing = call
    return None


def decode_bid(law: Auction, standing: int | None, bid: int, over_one: bool) -> BidMeaning | None:
    """Return the meaning of a first bid over the standing bid, or None.

    `over_one`: whether the standing bid was an opponent's raise of one.
    """
    if not _in_ones(law, bid):
        return None
    if standing is None:
        return {1: BidMeaning.ACES, 2: BidMeaning.TWENTY, 3: BidMeaning.THIRTY}.get(
            bid - law.lowest_bid
        )
    if bid == standing + 1:
        return BidMeaning.ASKS if over_one else BidMeaning.ACES
    return BidMeaning.THIRTY if bid == standing + 3 else None


def truthful_first_bids(view: View) -> list[tuple[int, BidMeaning]]:
    """Return the first bids that are true of this hand, the strongest meaning first.

    Meld is counted without trump, because the partner may name another suit.
    """
    rules, law = view.rules, view.rules.auction
    if law is None or not uses_conventions(rules) or any(c.seat == view.seat for c in view.auction):
        return []
    hand = pack(view.hand)
    meld = points(find(rules.melds, hand, None))
    true = [BidMeaning.THIRTY] * (meld >= 30) + [BidMeaning.TWENTY] * (meld >= 20)
    if arounds(counts(hand), Rank.ACE):
        true.append(BidMeaning.ACES)
    standing = None
    for call in view.auction:
        standing = call.bid or standing
    found = []
    for said in true:
        for bid in (
            (law.lowest_bid if standing is None else standing) + more for more in (1, 2, 3)
        ):
            calls = (*view.auction, Call(view.seat or 0, bid))
            if meaning_of_first_bid(rules, calls, view.seat or 0) is said:
                found.append((bid, said))
    return found


def _in_ones(law: Auction, bid: int) -> bool:
    return bid_step(law, bid)[1] == 1


def _partners(rules: Rules, one: int, other: int) -> bool:
    return rules.side_of(one) == rules.side_of(other)
