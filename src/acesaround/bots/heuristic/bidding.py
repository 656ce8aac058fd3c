"""The auction and naming trump: what the hand is worth, and how high to bid."""

from __future__ import annotations

from math import exp
from typing import Final, cast

from acesaround.actions import PASS, TRUMPS, Action, Bid, Bids, NameTrump
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import hand_reasons
from acesaround.bots.heuristic.bidding_conventions import (
    BidMeaning,
    meaning_of_first_bid,
    truthful_first_bids,
)
from acesaround.bots.heuristic.hand_value import HandValue, best_worth
from acesaround.cards import Suit, counts, pack
from acesaround.game.state import Call, Decision
from acesaround.game.view import View
from acesaround.heuristic_weights import (
    HOPE,
    OVERCALL,
    HandWeights,
    hand_weights,
    run_worth,
    trick_worth,
)
from acesaround.rules import bid_step
from acesaround.rules.melds import marriages

SHOW: Final = 0.75  # spreads by which a bid that tells the partner something may exceed the limit
LONG: Final = 40  # steps up to the limit that a bidder goes one by one
_SHOWS: Final = {
    BidMeaning.ACES: ReasonTemplate.BID_SHOWS_ACES,
    BidMeaning.TWENTY: ReasonTemplate.BID_SHOWS_TWENTY,
    BidMeaning.THIRTY: ReasonTemplate.BID_SHOWS_THIRTY,
}
HEARD: Final = {BidMeaning.THIRTY: 36.0, BidMeaning.TWENTY: 24.0, BidMeaning.ACES: 16.0}


def bid(view: View, legal: Bids, its: HandWeights | None = None) -> tuple[Action, Explanation]:
    """Choose a bid or a pass, with the reason. `its`: the hand weights, None for those in force."""
    hand = pack(view.hand)
    named = suits(view)
    if not named:
        if legal.may_pass:
            return PASS, Explanation(ReasonTemplate.PASS_NO_MARRIAGE)
        return Bid(legal.least), Explanation(ReasonTemplate.BID_FORCED)
    numbers, run = its or hand_weights(view.rules), run_worth(view.rules)
    best = best_worth(view, hand, named, numbers)
    spread = numbers.spread * run
    hoped = estimate(view, best)
    limit = hoped - numbers.caution * run + _by_score(view, hoped) * spread
    for say, said in truthful_first_bids(view):
        if Bid(say) in legal and limit + SHOW * spread >= say:
            return Bid(say), Explanation(_SHOWS[said], seat=_partner(view))
    least = legal.least
    by = standing(view)
    over_partner = by in view.rules.partners_of(cast(int, view.seat))
    if over_partner:
        limit -= OVERCALL * spread
    if limit < least:
        if not legal.may_pass:
            return Bid(least), Explanation(ReasonTemplate.BID_FORCED)
        if not hoped:
            return PASS, Explanation(ReasonTemplate.PASS_NO_MELD)
        if over_partner:
            return PASS, Explanation(ReasonTemplate.PASS_TO_PARTNER, seat=by)
        return PASS, Explanation(
            ReasonTemplate.PASS_LOW if by is None else ReasonTemplate.PASS_HIGHER
        )
    if asking := _asks(view, legal, best):
        return asking
    return Bid(_height(view, legal, limit)), hand_reasons.bid_reason(view, best.trump)


def name_trump(
    view: View, decision: Decision, its: HandWeights | None = None
) -> tuple[NameTrump, Explanation]:
    """Choose the suit that is worth most in meld and tricks together."""
    legal = [action.suit for action in decision.legal if isinstance(action, NameTrump)]
    best = best_worth(view, pack(view.hand), legal, its)
    suit = Suit(best.trump)
    return TRUMPS[suit], hand_reasons.trump_reason(view, decision, suit)


def estimate(view: View, best: HandValue) -> float:
    """Return what the side may expect to score as declarer, given its partners' bids."""
    rules, growth, play = view.rules, best.growth, best.play
    known = 0.0
    for partner in rules.partners_of(cast(int, view.seat)):
        said = meaning_of_first_bid(rules, view.auction, partner)
        if said in HEARD:
            known += HEARD[said]
            growth = max(growth, known)
            if said is BidMeaning.ACES:
                play += 1.5 * trick_worth(rules, len(view.players))
        elif any(call.seat == partner and call.bid is None for call in view.auction):
            growth *= 0.9
    need = rules.scoring.least_meld - best.meld
    if need <= max(known, 0.0) or growth <= 0.0:
        return best.meld + growth + play
    kept = exp(-(need - known) / growth)  # the probability that a partner has the rest
    if kept < HOPE:
        return 0.0
    return kept * (best.meld + need + growth) + play


def suits(view: View) -> list[int]:
    """Return the suits that may be named after the auction, as far as is known now."""
    assert view.rules.auction is not None
    if not view.rules.auction.marriage_needed or view.rules.deal.kitty:
        return [0, 1, 2, 3]
    held = counts(pack(view.hand))
    return [suit for suit in range(4) if marriages(held, suit)]


def standing(view: View) -> int | None:
    """Return the seat that has the highest bid, or None."""
    for call in reversed(view.auction):
        if call.bid is not None:
            return call.seat
    return None


def _by_score(view: View, hoped: float) -> float:
    """Return by how many spreads the score raises the limit.

    The limit rises if the bid would win the game, and if another side may win the game otherwise.
    """
    if view.rules.ending.hands is not None:
        return 0.0
    side = view.rules.side_of(cast(int, view.seat))
    others = [total for at, total in enumerate(view.scores) if at != side]
    usual = trick_worth(view.rules, len(view.players)) * view.rules.hand_size
    bolder = 0.15 if view.scores[side] + hoped >= view.target else 0.0
    if max(others) + usual >= view.target:
        bolder += 0.3  # the bid alone may keep them from the game
    return bolder


def _asks(view: View, legal: Bids, best: HandValue) -> tuple[Action, Explanation] | None:
    """Return a bid that asks the partner for meld, or None.

    A raise of one over a raise of one asks. The hand asks if it is strong in play and short of
    meld.
    """
    least = legal.least
    seat = cast(int, view.seat)
    if best.meld >= max(view.rules.scoring.least_meld, 20):
        return None
    if (
        meaning_of_first_bid(view.rules, (*view.auction, Call(seat, least)), seat)
        is not BidMeaning.ASKS
    ):
        return None
    return Bid(least), Explanation(ReasonTemplate.BID_ASKS, seat=_partner(view))


def _plain(view: View, legal: Bids) -> int:
    """Return the lowest bid that tells the partner nothing, so that no first bid is untrue."""
    least, seat = legal.least, cast(int, view.seat)
    for more in range(3):
        silent = (
            meaning_of_first_bid(view.rules, (*view.auction, Call(seat, least + more)), seat)
            is None
        )
        if silent and legal.allows(least + more):
            return least + more
    return least


def _height(view: View, legal: Bids, limit: float) -> int:
    """Return how high to bid: as low as possible, except in two cases.

    In an auction of one round, the bid is one that the seats behind do not lightly beat. Where
    hands are so rich that two bidders would raise each other for long, the bid jumps half of the
    way.
    """
    law = view.rules.auction
    assert law is not None
    least, last = _plain(view, legal), len(view.auction) + 1 == len(view.players)
    (_, step), wanted = bid_step(law, least), least + int((limit - least) / 2)
    if law.one_round:
        return wanted if not last and legal.allows(wanted) else least
    if limit - least <= LONG * step:
        return least
    if law.raises:
        return least + law.raises[-1] - law.raises[0]
    wanted -= (wanted - law.lowest_bid) % step
    return wanted if legal.allows(wanted) else least


def _partner(view: View) -> int:
    """Return the partner that a first bid informs: the next partner in turn."""
    me, number = view.players.index(cast(int, view.seat)), len(view.players)
    partners = view.rules.partners_of(cast(int, view.seat))
    around = [view.players[(me + away) % number] for away in range(1, number)]
    return next(seat for seat in around if seat in partners)
