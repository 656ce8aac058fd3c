"""The heights of bids that the rules of an auction allow."""

from __future__ import annotations

from acesaround.rules.stage_rules import Auction


def dealer_forced_bid(auction: Auction) -> int:
    """Return the bid that the dealer must play if everybody passes."""
    return auction.lowest_bid if auction.stuck_bid is None else auction.stuck_bid


def bid_step(auction: Auction, bid: int) -> tuple[int, int]:
    """Return the (start, step) pair that applies to a bid of this height."""
    applicable = auction.steps[0]
    for start, step in auction.steps:
        if start <= bid:
            applicable = (start, step)
    return applicable


def is_legal_height(auction: Auction, bid: int) -> bool:
    """Return whether the steps allow a bid of this height; the current bid is not considered."""
    start, step = bid_step(auction, bid)
    return bid >= start and (bid - start) % step == 0
