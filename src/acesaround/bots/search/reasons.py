"""Reasons for the actions of the `search` bot: each the one reason that a player would give.

A reason holds in every world (see `certainties`), or is about the player's own hand. The average
value of each choice is in `Advice.tried`, and never part of a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from acesaround.actions import (
    Bid,
    Bury,
    Concede,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Pass,
    Play,
)
from acesaround.bots.advice import ActionValue, Advice
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import hand_reasons, upcard
from acesaround.bots.heuristic.bidding import standing, suits
from acesaround.bots.heuristic.hand_value import best_worth
from acesaround.bots.search.certainties import CertainKnowledge, Trick, why_mine_wins
from acesaround.bots.search.result import SearchResult
from acesaround.cards import RANKS, SUITS, Card, Rank, pack
from acesaround.game.phases.exchange import pass_order
from acesaround.game.state import Decision, Kind
from acesaround.game.view import View, passes_completed
from acesaround.rules.tricks import beats

_SAME: Final = 0.05  # points that make no difference
_WEAK: Final = {
    ReasonTemplate.NOTHING_SURE,
    ReasonTemplate.WAIT,
    ReasonTemplate.MUST_BEAT,
    ReasonTemplate.CANNOT_KEEP,
    ReasonTemplate.CANNOT_LEAST,
    ReasonTemplate.LET_GO,
}
"""The reasons that are only given if the choices differ."""


def reason(view: View, decision: Decision, choice: SearchResult) -> Explanation:
    """Return why an action was chosen."""
    match choice.action:
        case Play(card):
            found = _play(view, decision, card)
            brings = [one.points for one in choice.options]
            if len(brings) > 1 and found.saying in _WEAK and max(brings) - min(brings) < _SAME:
                return Explanation(ReasonTemplate.NO_DIFFERENCE)
            return found
        case Bid():
            return hand_reasons.bid_reason(
                view, best_worth(view, pack(view.hand), suits(view) or SUITS).trump
            )
        case Pass() if decision.kind is Kind.PLAY:
            return Explanation(
                ReasonTemplate.NOTHING_TO_LAY if decision.forced else ReasonTemplate.LAY_LATER
            )
        case Pass():
            return _pass(view)
        case NameTrump(suit):
            return hand_reasons.trump_reason(view, decision, suit)
        case Give(cards):
            assert view.declarer is not None
            _, taker = pass_order(view.rules, view.declarer)[passes_completed(view)]
            return hand_reasons.pass_reason(view, cards, taker)
        case Bury(cards):
            trump = best_worth(view, pack(view.hand)).trump
            return hand_reasons.bury_reason(view, cards, trump)
        case Discard() if decision.kind is Kind.UPCARD:
            return upcard.turn(view)[1]
        case Discard(cards):
            return hand_reasons.discard_reason(view, cards)
        case LayMeld():
            return Explanation(ReasonTemplate.LAY_IN_TIME)
        case Concede():
            return Explanation(ReasonTemplate.UNLIKELY)
        case other:
            raise AssertionError(other)


def advice(view: View, decision: Decision, choice: SearchResult) -> Advice:
    """Return a search result as advice: the action, the reason, and all actions tried."""
    tried = tuple(
        ActionValue(one.action, one.points, one.chance, one.made) for one in choice.options
    )
    return Advice(choice.action, reason(view, decision, choice), tried)


def _pass(view: View) -> Explanation:
    by = standing(view)
    if not suits(view):
        return Explanation(ReasonTemplate.PASS_NO_MARRIAGE)
    if by is not None and by in view.rules.partners_of(cast(int, view.seat)):
        return Explanation(ReasonTemplate.PASS_TO_PARTNER, seat=by)
    return Explanation(ReasonTemplate.PASS_LOW if by is None else ReasonTemplate.PASS_HIGHER)


def _play(view: View, decision: Decision, card: Card) -> Explanation:
    if len(view.hand) == 1 and not view.stock:
        return Explanation(ReasonTemplate.LAST_CARD)
    if decision.forced:
        return Explanation(ReasonTemplate.ONLY_CARD)
    playable = [action.card for action in decision.legal if isinstance(action, Play)]
    return (_follow if view.trick else _lead)(CertainKnowledge(view), playable, card)


# --- a card that is led --------------------------------------------------------------------------


def _lead(sure: CertainKnowledge, playable: Sequence[Card], card: Card) -> Explanation:
    view, suit, trick = sure.view, card.suit, sure.trick(card)
    assert view.trump is not None
    if trick.sure:
        return why_mine_wins(sure, trick)
    if suit is view.trump:
        if all(other.suit is suit for other in playable):
            return Explanation(ReasonTemplate.ONLY_TRUMPS)
        mine = sum(other.suit is suit for other in view.hand)
        return Explanation(
            ReasonTemplate.DRAWS_MOST if mine > sure.unseen(suit) else ReasonTemplate.DRAWS
        )
    if sure.highest(card):
        return Explanation(ReasonTemplate.ONLY_TRUMP_BEATS)
    for partner in sure.partners:
        ace = next((c for c in range(suit * RANKS, card) if sure.holds(partner, c)), None)
        if ace is not None and sure.highest(ace):
            return Explanation(ReasonTemplate.PARTNER_HAS, seat=partner, rank=Rank(ace % RANKS))
    lengths = {of: sum(other.suit is of for other in view.hand) for of in SUITS}
    trumps = lengths.pop(view.trump)
    if lengths[suit] == 1 and trumps:
        return Explanation(ReasonTemplate.LAST_OF_SUIT, suit=suit)
    wait = any(sure.trick(other).sure for other in playable)
    if not sure.points[card]:
        return Explanation(ReasonTemplate.WAIT_FREE if wait else ReasonTemplate.NOTHING_SURE_FREE)
    if all(number < lengths[suit] for of, number in lengths.items() if of != suit):
        return Explanation(ReasonTemplate.WAIT_LONG if wait else ReasonTemplate.NOTHING_SURE_LONG)
    return Explanation(ReasonTemplate.WAIT if wait else ReasonTemplate.NOTHING_SURE)


# --- a card that follows -------------------------------------------------------------------------


def _follow(sure: CertainKnowledge, playable: Sequence[Card], card: Card) -> Explanation:
    trick = sure.trick(card)
    if trick.takes:
        return why_mine_wins(sure, trick) if trick.sure else _takes(sure, trick, playable, card)
    if trick.ours:
        return _on_partners(sure, trick, card)
    holder, rank = trick.holder, trick.best.rank
    can = any(beats(other, trick.best, sure.trump) for other in playable)
    behind = [seat for seat in trick.to_come if sure.is_partner(seat)]
    if behind:
        one = behind[0] if len(behind) == 1 else None
        if not trick.sure:
            saying = (
                ReasonTemplate.PARTNERS_MAY_BEAT if one is None else ReasonTemplate.PARTNER_MAY_BEAT
            )
        elif one is None:
            saying = ReasonTemplate.PARTNERS_CANNOT
        else:
            saying = ReasonTemplate.PARTNER_CANNOT if can else ReasonTemplate.SIDE_CANNOT
        return Explanation(saying, seat=one, other=holder, rank=rank)
    if can:
        return Explanation(ReasonTemplate.LET_GO)
    points = sure.points
    if not points[card]:
        saying = ReasonTemplate.CANNOT_FREE
    elif points[card] == min(points[other] for other in playable):
        saying = ReasonTemplate.CANNOT_LEAST
    else:
        saying = ReasonTemplate.CANNOT_KEEP
    return Explanation(saying, seat=holder, rank=rank)


def _takes(
    sure: CertainKnowledge, trick: Trick, playable: Sequence[Card], card: Card
) -> Explanation:
    """Return the reason for a card that is winning the trick."""
    best = _before(sure)
    if all(beats(other, best, sure.trump) for other in playable):
        lowest = not any(beats(card, other, sure.trump) for other in playable)
        return Explanation(
            ReasonTemplate.MUST_BEAT_LOW if lowest else ReasonTemplate.MUST_BEAT, rank=best.rank
        )
    threats = _threats(sure, trick)
    if len(threats) == 1:
        return Explanation(ReasonTemplate.ONE_MAY_BEAT, seat=threats[0])
    return Explanation(ReasonTemplate.HAS_IT)


def _on_partners(sure: CertainKnowledge, trick: Trick, card: Card) -> Explanation:
    """Return the reason for a card on a trick that a partner is winning."""
    seat, rank = trick.holder, trick.best.rank
    if trick.sure:
        counts = sure.points[card]
        saying = ReasonTemplate.PARTNER_SURE_COUNTS if counts else ReasonTemplate.PARTNER_SURE
        return Explanation(saying, seat=seat, rank=rank)
    threats = _threats(sure, trick)
    if len(threats) == 1:
        return Explanation(ReasonTemplate.PARTNER_BUT_ONE, seat=seat, other=threats[0], rank=rank)
    return Explanation(ReasonTemplate.PARTNER_SO_FAR, seat=seat, rank=rank)


def _threats(sure: CertainKnowledge, trick: Trick) -> list[int]:
    """Return the seats that may still take the trick from the side that is winning it."""
    led = (sure.view.trick[0] if sure.view.trick else trick.best) // RANKS
    others = [seat for seat in trick.to_come if sure.is_partner(seat) is not trick.ours]
    return [seat for seat in others if sure.why_cannot_beat(seat, trick.best, led) is None]


def _before(sure: CertainKnowledge) -> Card:
    """Return the card that was winning the trick before the own card."""
    best = sure.view.trick[0]
    for card in sure.view.trick:
        if beats(card, best, sure.trump):
            best = card
    return best
