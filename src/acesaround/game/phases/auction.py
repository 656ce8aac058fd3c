"""The auction: who may bid what, when it ends, and what happens when everybody passes."""

from __future__ import annotations

from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import Action, Bid, Pass
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import BidMade, Declared, Event, Passed, ThrownIn
from acesaround.game.state import (
    Bidding,
    Call,
    Decision,
    DecisionKind,
    GameState,
    next_player,
    players_clockwise,
)
from acesaround.legal_bids import EndlessBids, FixedBids, legal_bids
from acesaround.rules import AllPass, Auction, dealer_forced_bid
from acesaround.rules.scoring import Outcome

KIND: Final = DecisionKind.BID


def _auction_rules(state: GameState) -> Auction:
    assert state.rules.auction is not None  # `Rules` allows this phase only with an auction
    return state.rules.auction


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Start the auction; the seat left of the dealer speaks first."""
    queue = players_clockwise(state.players, next_player(state.players, state.dealer))
    return replace(state, phase=Bidding(queue, None, None)), ()


def _legal_bids(state: GameState) -> FixedBids | EndlessBids:
    phase = cast(Bidding, state.phase)
    auction = _auction_rules(state)
    must_bid = phase.highest_bid is None and (
        (auction.all_pass is AllPass.DEALER_BIDS and phase.queue == (state.dealer,))
        or auction.all_pass is AllPass.FIRST_BIDS  # the first seat must bid
    )
    return legal_bids(auction, phase.highest_bid, may_pass=not must_bid)


def turn_of(state: GameState) -> int:
    """Return the first seat in the queue of the auction."""
    return cast(Bidding, state.phase).queue[0]


def decision(state: GameState) -> Decision:
    """Return the decision of the seat on turn: a bid or a pass."""
    return Decision(turn_of(state), KIND, _legal_bids(state))


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Apply a bid or a pass. Raises IllegalAction.

    A bid must be higher than the current one, by the steps of the rules; a pass is final. With
    `one_round` each seat speaks once; otherwise the auction lasts until all but one have passed.
    """
    phase = cast(Bidding, state.phase)
    auction = _auction_rules(state)
    legal = _legal_bids(state)
    seat, next_queue = phase.queue[0], phase.queue[1:]
    standing, bidder = phase.highest_bid, phase.bidder
    event: Event
    if isinstance(action, Bid):
        _check_bid(legal, auction, action.points)
        standing, bidder = action.points, seat
        event = BidMade(seat, standing)
        call = Call(seat, standing)
        if not auction.one_round:
            next_queue = (*next_queue, seat)
    elif isinstance(action, Pass):
        if not legal.may_pass:
            raise IllegalAction(Reason.MUST_BID)
        event = Passed(seat)
        call = Call(seat, None)
    else:
        raise IllegalAction(Reason.WRONG_KIND, expected="a bid or a pass is expected")
    deal = replace(state.deal, auction=(*state.deal.auction, call))
    state = replace(state, deal=deal, phase=Bidding(next_queue, standing, bidder))
    if not next_queue or (bidder is not None and next_queue == (bidder,)):
        state, end_event = _end_auction(state, auction, bidder, standing)
    else:
        return state, (event,)
    return state, (event, end_event)


def _end_auction(
    state: GameState, auction: Auction, bidder: int | None, standing: int | None
) -> tuple[GameState, Event]:
    if bidder is None or standing is None:
        if auction.all_pass is AllPass.REDEAL:
            deal = replace(state.deal, outcome=Outcome.THROWN_IN)
            return replace(state, deal=deal, phase=None), ThrownIn()
        bid = dealer_forced_bid(auction)
        deal = replace(state.deal, declarer=state.dealer, bid=bid)
        declared = Declared(state.dealer, bid, forced=True)
        return replace(state, deal=deal, phase=None), declared
    deal = replace(state.deal, declarer=bidder, bid=standing)
    return replace(state, deal=deal, phase=None), Declared(bidder, standing, forced=False)


def _check_bid(legal: FixedBids | EndlessBids, auction: Auction, bid: int) -> None:
    if legal.allows(bid):
        return
    if bid < legal.lowest_bid:
        raise IllegalAction(Reason.BID_TOO_LOW, least=legal.lowest_bid)
    if auction.raises:
        allowed = "it must be " + " or ".join(str(b) for b in legal.bids())
    else:
        lowest_bids = [b for b, _ in zip(legal.bids(), range(3), strict=False)]
        allowed = f"possible bids are {', '.join(map(str, lowest_bids))} and so on"
    raise IllegalAction(Reason.BID_NOT_ALLOWED, bid=bid, allowed=allowed)
