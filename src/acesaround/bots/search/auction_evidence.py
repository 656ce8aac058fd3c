"""Evidence of an auction: what the calls so far say about the hands of the bidders.

A seat is assumed to bid up to about what its hand promises, and to tell the truth where partners
use bidding conventions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.bots.heuristic.bidding import CONVENTION_BID_SPREADS, MELD_POINTS_OF_MEANING
from acesaround.bots.heuristic.bidding_conventions import BidMeaning, meaning_of_first_bid
from acesaround.game.view import View
from acesaround.heuristic_weights import hand_weights, run_points
from acesaround.legal_bids import legal_bids
from acesaround.rules import AllPass

_PARTNER_PASS_SPREADS: Final = 1.2
"""If the partner has the bid, a player who passes may have a limit this many spreads above it."""


class AuctionEvidence(NamedTuple):
    """Bounds on each player's limit that follow from the calls: (players,), in turn order."""

    highest_bids: NDArray[np.float64]
    """The highest bid that each player has made."""
    declined_bids: NDArray[np.float64]
    """The bid that each player has declined, infinite if none."""
    partner_melds: NDArray[np.float64]
    """The meld that each player's partners have shown."""
    meanings: tuple[BidMeaning | None, ...]
    """The meaning of each player's first bid, or None."""


def auction_evidence(view: View, is_natural: bool = False) -> AuctionEvidence:
    """Return the bounds that follow from the calls so far.

    `is_natural`: whether the calls are read without conventions.
    """
    rules, players, auction_rules = view.rules, view.players, view.rules.auction
    assert auction_rules is not None
    spread = hand_weights(rules).spread * run_points(rules)
    highest_bids = np.full(len(players), -np.inf)
    declined_bids = np.full(len(players), np.inf)
    highest_bid, highest_bidder = None, -1
    for at, call in enumerate(view.auction):
        player, legal = (
            players.index(call.seat),
            legal_bids(auction_rules, highest_bid, may_pass=True),
        )
        if call.bid is None:
            declined_bids[player] = legal.lowest_bid
            if highest_bidder >= 0 and highest_bidder in rules.partners_of(call.seat):
                declined_bids[player] += _PARTNER_PASS_SPREADS * spread
            continue
        last = auction_rules.all_pass is AllPass.DEALER_BIDS and at + 1 >= len(players)
        forced = highest_bid is None and (last or auction_rules.all_pass is AllPass.FIRST_BIDS)
        if not forced or call.bid > legal.lowest_bid:
            meaning = meaning_of_first_bid(rules, view.auction[: at + 1], call.seat)
            shows_it = (
                not is_natural
                and meaning is not None
                and all(c.seat != call.seat for c in view.auction[:at])
            )
            highest_bids[player] = call.bid - CONVENTION_BID_SPREADS * spread * shows_it
        highest_bid, highest_bidder = call.bid, call.seat
    meanings = {
        seat: None if is_natural else meaning_of_first_bid(rules, view.auction, seat)
        for seat in players
    }
    known = [
        sum(
            MELD_POINTS_OF_MEANING.get(meaning, 0.0)
            for s in rules.partners_of(seat)
            if (meaning := meanings[s])
        )
        for seat in players
    ]
    return AuctionEvidence(
        highest_bids, declined_bids, np.array(known, np.float64), tuple(meanings.values())
    )
