"""The auction and naming trump: what the hand is worth, and how high to bid.

The *limit* is the highest bid that the hand is worth. Corrections of the limit are in *spreads*: a
spread is how far results usually differ from the estimate (`HandWeights.spread`), in points.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf
from typing import Final, cast

from acesaround.actions import PASS, TRUMP_ACTIONS, Action, Bid, NameTrump
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import hand_reasons
from acesaround.bots.heuristic.bidding_conventions import (
    BidMeaning,
    meaning_of_first_bid,
    truthful_first_bids,
)
from acesaround.bots.heuristic.hand_value import HandValue, best_hand_value
from acesaround.cards import Suit, counts, pack
from acesaround.game.state import Call, Decision
from acesaround.game.view import View
from acesaround.heuristic_weights import (
    MIN_MELD_CHANCE,
    OVERCALL_SPREADS,
    HandWeights,
    average_trick_points,
    hand_weights,
    run_points,
)
from acesaround.legal_bids import Bids, legal_bids
from acesaround.rules import AllPass, bid_step
from acesaround.rules.trump import nameable_trumps

CONVENTION_BID_SPREADS: Final = (
    0.75  # spreads by which a bid that tells the partner something may exceed the limit
)
_WINNING_BID_SPREADS: Final = 0.15  # spreads that the limit rises if the bid would win the game
MAX_SINGLE_STEPS: Final = 40  # steps up to the limit that a bidder goes one by one
_REASON_OF_MEANING: Final = {
    BidMeaning.ACES: ReasonTemplate.BID_SHOWS_ACES,
    BidMeaning.TWENTY: ReasonTemplate.BID_SHOWS_TWENTY,
    BidMeaning.THIRTY: ReasonTemplate.BID_SHOWS_THIRTY,
}
MELD_POINTS_OF_MEANING: Final = {
    BidMeaning.THIRTY: 36.0,
    BidMeaning.TWENTY: 24.0,
    BidMeaning.ACES: 16.0,
}


def choose_bid(
    view: View, legal: Bids, weights: HandWeights | None = None, *, is_natural: bool = False
) -> tuple[Action, Explanation]:
    """Choose a bid or a pass, with the reason.

    `weights`: the hand weights, None for those in force. `is_natural`: whether to bid without
    conventions.
    """
    hand = pack(view.hand)
    possible_suits = nameable_suits(view)
    if not possible_suits:
        if legal.may_pass:
            return PASS, Explanation(ReasonTemplate.PASS_NO_MARRIAGE)
        return Bid(legal.lowest_bid), Explanation(
            ReasonTemplate.BID_FORCED, notes=hand_reasons.marriage_warnings(view)
        )
    active_weights, points_per_run = weights or hand_weights(view.rules), run_points(view.rules)
    best = best_hand_value(view, hand, possible_suits, active_weights)
    spread = active_weights.spread * points_per_run
    expected = expected_score(view, best, is_natural=is_natural)
    extra_spreads = _spreads_for_score(view, cast(int, view.seat), expected)
    limit = expected - active_weights.caution * points_per_run + extra_spreads * spread
    for points, meaning in () if is_natural else truthful_first_bids(view):
        if Bid(points) in legal and limit + CONVENTION_BID_SPREADS * spread >= points:
            return Bid(points), Explanation(
                _REASON_OF_MEANING[meaning],
                seat=_informed_partner(view),
                notes=hand_reasons.marriage_warnings(view),
            )
    lowest = legal.lowest_bid
    bidder = highest_bidder(view)
    is_over_partner = bidder in view.rules.partners_of(cast(int, view.seat))
    if is_over_partner:
        limit -= OVERCALL_SPREADS * spread
    if limit < lowest:
        if not legal.may_pass:
            return Bid(lowest), Explanation(
                ReasonTemplate.BID_FORCED, notes=hand_reasons.marriage_warnings(view)
            )
        if not expected:
            return PASS, Explanation(ReasonTemplate.PASS_NO_MELD)
        if is_over_partner:
            return PASS, Explanation(ReasonTemplate.PASS_TO_PARTNER, seat=bidder)
        return PASS, Explanation(
            ReasonTemplate.PASS_NOT_WORTH_BID
            if bidder is None
            else ReasonTemplate.PASS_NOT_WORTH_HIGHER_BID
        )
    lowest_to_bid = lowest
    if not is_natural:
        if bid_asking_for_meld := _bid_asking_for_meld(view, legal, best):
            return bid_asking_for_meld
        lowest_to_bid = _lowest_bid_without_meaning(view, legal)
    return Bid(_bid_height(view, legal, limit, lowest_to_bid)), hand_reasons.bid_reason(
        view, best.trump
    )


def name_trump(
    view: View, decision: Decision, weights: HandWeights | None = None
) -> tuple[NameTrump, Explanation]:
    """Choose the suit that is worth most in meld and tricks together."""
    legal = [action.suit for action in decision.legal if isinstance(action, NameTrump)]
    best = best_hand_value(view, pack(view.hand), legal, weights)
    suit = Suit(best.trump)
    return TRUMP_ACTIONS[suit], hand_reasons.trump_reason(view, decision, suit)


def expected_score(view: View, best: HandValue, *, is_natural: bool = False) -> float:
    """Return what the side may expect to score as declarer, given its partners' bids.

    `is_natural`: whether bids are read without conventions.
    """
    rules, meld_to_come, play = view.rules, best.meld_to_come, best.play
    shown_meld = 0.0
    for partner in rules.partners_of(cast(int, view.seat)):
        meaning = None if is_natural else meaning_of_first_bid(rules, view.auction, partner)
        if meaning in MELD_POINTS_OF_MEANING:
            shown_meld += MELD_POINTS_OF_MEANING[meaning]
            meld_to_come = max(meld_to_come, shown_meld)
            if meaning is BidMeaning.ACES:
                play += 1.5 * average_trick_points(rules, len(view.players))
        elif any(call.seat == partner and call.bid is None for call in view.auction):
            meld_to_come *= 0.9
    missing_meld = rules.scoring.least_meld - best.meld
    if missing_meld <= max(shown_meld, 0.0) or meld_to_come <= 0.0:
        return best.meld + meld_to_come + play
    keep_chance = exp(
        -(missing_meld - shown_meld) / meld_to_come
    )  # the probability that a partner has the rest
    if keep_chance < MIN_MELD_CHANCE:
        return 0.0
    return keep_chance * (best.meld + missing_meld + meld_to_come) + play


def nameable_suits(view: View) -> list[int]:
    """Return the suits that may be named after the auction, as far as is known now."""
    assert view.rules.auction is not None
    if view.rules.deal.kitty:
        return [0, 1, 2, 3]
    return [int(suit) for suit in nameable_trumps(view.rules.auction, counts(pack(view.hand)))]


def highest_bidder(view: View) -> int | None:
    """Return the seat that has the highest bid, or None."""
    for call in reversed(view.auction):
        if call.bid is not None:
            return call.seat
    return None


def expected_range(
    view: View, auction: Sequence[Call], call: Call, *, is_natural: bool = False
) -> tuple[float, float]:
    """Return between which values `expected_score` lies for a bot that makes a call.

    This is `choose_bid` read backwards. It uses what is public: the rules, the scores and the calls
    before, `auction`. The range does not cover a player who passes because they hold no marriage.
    """
    rules, auction_rules = view.rules, view.rules.auction
    assert auction_rules is not None
    highest_call = next((c for c in reversed(auction) if c.bid is not None), None)
    lowest = legal_bids(
        auction_rules, None if highest_call is None else highest_call.bid, may_pass=True
    ).lowest_bid
    spread = hand_weights(rules).spread * run_points(rules)
    is_over_partner = highest_call is not None and highest_call.seat in rules.partners_of(call.seat)
    overcall = OVERCALL_SPREADS * spread * is_over_partner
    if call.bid is None:
        return -inf, _expected_at_limit(view, call.seat, lowest + overcall)
    if is_forced_bid(view, auction, call):
        return -inf, inf
    limit = float(lowest)
    if not is_natural:
        is_first = all(c.seat != call.seat for c in auction)
        meaning = meaning_of_first_bid(rules, (*auction, call), call.seat) if is_first else None
        if meaning in MELD_POINTS_OF_MEANING:
            limit = call.bid - CONVENTION_BID_SPREADS * spread
            return _expected_at_limit(view, call.seat, limit), inf
        while lowest < call.bid and is_first and bid_step(auction_rules, lowest)[1] == 1:
            if meaning_of_first_bid(rules, (*auction, Call(call.seat, lowest)), call.seat) is None:
                break
            lowest += 1
    if not auction_rules.raises and not (
        auction_rules.one_round and len(auction) + 1 == len(view.players)
    ):
        limit += 2 * (call.bid - lowest)
    return _expected_at_limit(view, call.seat, limit + overcall), inf


def is_forced_bid(view: View, auction: Sequence[Call], call: Call) -> bool:
    """Return whether a call is the lowest bid, made by a seat that could not pass."""
    auction_rules = view.rules.auction
    assert auction_rules is not None
    is_last = auction_rules.all_pass is AllPass.DEALER_BIDS and len(auction) + 1 >= len(
        view.players
    )
    return (
        call.bid == auction_rules.lowest_bid
        and all(c.bid is None for c in auction)
        and (is_last or auction_rules.all_pass is AllPass.FIRST_BIDS)
    )


def _expected_at_limit(view: View, seat: int, limit: float) -> float:
    """Return the lowest expected score at which a seat would bid up to a limit."""
    weights, points_per_run = hand_weights(view.rules), run_points(view.rules)
    spread = weights.spread * points_per_run
    without_win = (
        limit + weights.caution * points_per_run - _spreads_for_score(view, seat, -inf) * spread
    )
    if view.rules.ending.hands is not None:
        return without_win
    points_to_win = float(view.target - view.scores[view.rules.side_of(seat)])
    with_win = max(points_to_win, without_win - _WINNING_BID_SPREADS * spread)
    return min(without_win, with_win)


def _spreads_for_score(view: View, seat: int, expected: float) -> float:
    """Return how many spreads the score adds to the limit.

    The limit rises if the bid would win the game, and if another side may win the game otherwise.
    """
    if view.rules.ending.hands is not None:
        return 0.0
    side = view.rules.side_of(seat)
    other_totals = [total for other_side, total in enumerate(view.scores) if other_side != side]
    usual_play = average_trick_points(view.rules, len(view.players)) * view.rules.hand_size
    extra_spreads = _WINNING_BID_SPREADS if view.scores[side] + expected >= view.target else 0.0
    if max(other_totals) + usual_play >= view.target:
        extra_spreads += 0.3  # the bid alone may keep them from the game
    return extra_spreads


def _bid_asking_for_meld(
    view: View, legal: Bids, best: HandValue
) -> tuple[Action, Explanation] | None:
    """Return a bid that asks the partner for meld, or None.

    A raise of one over a raise of one asks. The hand asks if it is strong in play and short of
    meld.
    """
    lowest = legal.lowest_bid
    seat = cast(int, view.seat)
    if best.meld >= max(view.rules.scoring.least_meld, 20):
        return None
    if (
        meaning_of_first_bid(view.rules, (*view.auction, Call(seat, lowest)), seat)
        is not BidMeaning.ASKS
    ):
        return None
    return Bid(lowest), Explanation(ReasonTemplate.BID_ASKS_FOR_MELD, seat=_informed_partner(view))


def _lowest_bid_without_meaning(view: View, legal: Bids) -> int:
    """Return the lowest bid without a meaning, so that no first bid misleads the partner."""
    lowest, seat = legal.lowest_bid, cast(int, view.seat)
    for extra in range(3):
        is_without_meaning = (
            meaning_of_first_bid(view.rules, (*view.auction, Call(seat, lowest + extra)), seat)
            is None
        )
        if is_without_meaning and legal.allows(lowest + extra):
            return lowest + extra
    return lowest


def _bid_height(view: View, legal: Bids, limit: float, lowest: int) -> int:
    """Return how high to bid: `lowest`, except in two cases.

    Before the last call of a one-round auction, or if more than `MAX_SINGLE_STEPS` steps remain,
    bid about halfway to the limit. With fixed raises, the second case bids the largest raise.
    """
    auction = view.rules.auction
    assert auction is not None
    is_last = len(view.auction) + 1 == len(view.players)
    (_, step), target = bid_step(auction, lowest), lowest + int((limit - lowest) / 2)
    if auction.one_round:
        return target if not is_last and legal.allows(target) else lowest
    if limit - lowest <= MAX_SINGLE_STEPS * step:
        return lowest
    if auction.raises:
        return lowest + auction.raises[-1] - auction.raises[0]
    target -= (target - auction.lowest_bid) % step
    return target if legal.allows(target) else lowest


def _informed_partner(view: View) -> int:
    """Return the partner that a first bid informs: the next partner in turn."""
    own_index, player_count = view.players.index(cast(int, view.seat)), len(view.players)
    partners = view.rules.partners_of(cast(int, view.seat))
    seats_in_order = [
        view.players[(own_index + distance) % player_count] for distance in range(1, player_count)
    ]
    return next(seat for seat in seats_in_order if seat in partners)
