"""The legal bids of an auction: the raises or steps of its rules, over the standing bid.

`legal_bids` makes them. They are `FixedBids` if only certain raises are allowed, or `EndlessBids`
if any jump is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import overload

from acesaround.actions import (
    MAX_BID,
    PASS,
    Action,
    Bid,
    LazyActions,
    Pass,
    SizedActions,
    why_invalid,
)
from acesaround.rules import Auction, bid_step


class Bids:
    """Legal bids, and a pass if that is legal. Made by `legal_bids`."""

    __slots__ = ("_auction", "_lowest_bid", "_may_pass")

    def __init__(self, auction: Auction, lowest_bid: int, may_pass: bool) -> None:
        self._auction, self._lowest_bid, self._may_pass = auction, lowest_bid, may_pass

    @property
    def is_unbounded(self) -> bool:
        """Whether any jump is allowed, so that the bids cannot be listed."""
        return not self._auction.raises

    @property
    def lowest_bid(self) -> int:
        """The lowest bid that may be made."""
        return self._lowest_bid

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Pairs (from, step): from there on, legal bids are `from` plus multiples of `step`."""
        return self._auction.steps

    @property
    def may_pass(self) -> bool:
        """Whether a pass is legal."""
        return self._may_pass

    def bids(self) -> Iterator[int]:
        """Yield the legal bids, lowest first; up to MAX_BID where any jump is allowed."""
        raises = self._auction.raises
        if raises:
            yield from (self._lowest_bid - raises[0] + r for r in raises)
            return
        bid = self._lowest_bid
        while bid <= MAX_BID:
            yield bid
            bid += bid_step(self._auction, bid)[1]

    def allows(self, bid: int) -> bool:
        """Return whether a bid of that height is legal."""
        if raises := self._auction.raises:
            return bid - self._lowest_bid + raises[0] in raises
        start, step = bid_step(self._auction, bid)
        return self._lowest_bid <= bid <= MAX_BID and (bid - start) % step == 0

    def __contains__(self, action: object) -> bool:
        if type(action) is Bid:
            return why_invalid(action) is None and self.allows(action.points)
        return type(action) is Pass and self._may_pass

    def __iter__(self) -> Iterator[Action]:
        if self._may_pass:
            yield PASS
        for bid in self.bids():
            yield Bid(bid)


class FixedBids(Bids, SizedActions):
    """Bids by fixed raises: first the pass, if it is legal, then the bids from the lowest."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self._auction.raises) + self._may_pass

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        return tuple(self)[index]


class EndlessBids(Bids, LazyActions):
    """Bids of any height: first the pass, if it is legal, then the bids from the lowest."""

    __slots__ = ()

    def sample(self, rng: random.Random) -> Action:
        """Return a random action: a pass half of the time, if legal, else a bid.

        The lowest bid comes half of the time, the next one half of the rest, and so on. So every
        bid is possible, and auctions between random bots are short.
        """
        if self._may_pass and rng.random() < 0.5:
            return PASS
        points = self._lowest_bid
        for bid in self.bids():
            points = bid
            if rng.random() < 0.5:
                break
        return Bid(points)


def legal_bids(
    auction: Auction, standing_bid: int | None, may_pass: bool
) -> FixedBids | EndlessBids:
    """Return the legal bids over the standing bid, which is None if there is none yet."""
    if standing_bid is None:
        lowest_bid = auction.lowest_bid
    elif auction.raises:
        lowest_bid = standing_bid + auction.raises[0]
    else:
        start, step = bid_step(auction, standing_bid)
        lowest_bid = start + ((standing_bid - start) // step + 1) * step
    return (FixedBids if auction.raises else EndlessBids)(auction, lowest_bid, may_pass)
