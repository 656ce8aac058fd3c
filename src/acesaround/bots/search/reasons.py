"""Reasons for the actions of the `search` bot: each the one reason that a player would give.

A reason holds in every world (see `hard_constraints`), or is about the player's own hand. The
average value of each choice is in `Advice.tried`, and never part of a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import (
    CONCEDE,
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
from acesaround.bots.call_meanings import convention_clause
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import hand_reasons, upcard
from acesaround.bots.heuristic.bidding import highest_bidder, nameable_suits
from acesaround.bots.heuristic.conceding import concede_reason
from acesaround.bots.heuristic.hand_value import best_hand_value
from acesaround.bots.heuristic.meld_laying import nine_reason
from acesaround.bots.search.hard_constraints import CertainTrick, HardConstraints, why_own_card_wins
from acesaround.bots.search.reason_selection import select_reason
from acesaround.bots.search.search_result import SearchResult
from acesaround.cards import RANK_COUNT, SUITS, Card, Rank, pack
from acesaround.game.concession import concede_sentence
from acesaround.game.phases.exchange import pass_order
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View, passes_completed
from acesaround.rules.tricks import beats

_NEGLIGIBLE_POINTS: Final = 0.05  # points that make no difference
_WEAK_REASONS: Final = {
    ReasonTemplate.NO_SURE_WINNER_COSTS_LEAST,
    ReasonTemplate.SURE_TRICKS_WAIT,
    ReasonTemplate.MUST_BEAT_COSTS_LEAST,
    ReasonTemplate.CANNOT_BEAT_OTHERS_NEEDED,
    ReasonTemplate.CANNOT_BEAT_FEWEST_POINTS,
    ReasonTemplate.TRICK_NOT_WORTH_BETTER_CARD,
}
"""The reasons that are only given if the choices differ."""


def explain_choice(
    view: View, decision: Decision, result: SearchResult, *, is_natural: bool = False
) -> Explanation:
    """Return why an action was chosen.

    The reason is tested with the rollouts of the search, if the result holds them. `is_natural`:
    whether the bot plays without conventions.
    """
    explanation = select_reason(view, decision, result, describe_choice(view, decision, result))
    if result.action == CONCEDE:
        return replace(explanation, notes=(concede_sentence(view),))
    if isinstance(result.action, Bid):
        explanation = replace(
            explanation,
            notes=tuple(dict.fromkeys((*explanation.notes, *hand_reasons.marriage_warnings(view)))),
        )
    if is_natural or explanation.convention:
        return explanation
    return replace(explanation, convention=convention_clause(view, result.action))


def describe_choice(view: View, decision: Decision, result: SearchResult) -> Explanation:
    """Return a true statement about the action chosen, whether or not it decides."""
    match result.action:
        case Play(card):
            explanation = _card_reason(view, decision, card)
            option_points = [evaluated.points for evaluated in result.evaluated_actions]
            if (
                len(option_points) > 1
                and explanation.template in _WEAK_REASONS
                and max(option_points) - min(option_points) < _NEGLIGIBLE_POINTS
            ):
                return Explanation(ReasonTemplate.NO_DIFFERENCE)
            return explanation
        case Bid():
            return hand_reasons.bid_reason(
                view, best_hand_value(view, pack(view.hand), nameable_suits(view) or SUITS).trump
            )
        case Pass() if decision.kind is DecisionKind.PLAY:
            return Explanation(
                ReasonTemplate.NOTHING_TO_LAY
                if decision.is_forced
                else ReasonTemplate.LAY_MAY_BRING_MORE_LATER
            )
        case Pass():
            return _pass_reason(view)
        case NameTrump(suit):
            return hand_reasons.trump_reason(view, decision, suit)
        case Give(cards):
            assert view.declarer is not None
            _, taker = pass_order(view.rules, view.declarer)[passes_completed(view)]
            return hand_reasons.pass_reason(view, cards, taker)
        case Bury(cards):
            trump = best_hand_value(view, pack(view.hand)).trump
            return hand_reasons.bury_reason(view, cards, trump)
        case Discard() if decision.kind is DecisionKind.UPCARD:
            return upcard.choose_upcard(view)[1]
        case Discard(cards):
            return hand_reasons.discard_reason(view, cards)
        case LayMeld((Card(suit=suit, rank=Rank.NINE),)) if suit is view.trump:
            return nine_reason(view)
        case LayMeld():
            return Explanation(ReasonTemplate.LAY_IN_TIME)
        case Concede():
            return concede_reason(view)
        case other:
            raise AssertionError(other)


def to_advice(
    view: View, decision: Decision, result: SearchResult, *, is_natural: bool = False
) -> Advice:
    """Return a search result as advice: the action, the reason, and all actions tried.

    `is_natural`: whether the bot plays without conventions.
    """
    tried = tuple(
        ActionValue(
            evaluated.action,
            evaluated.points,
            evaluated.win_probability,
            evaluated.bid_made_probability,
        )
        for evaluated in result.evaluated_actions
    )
    reason = explain_choice(view, decision, result, is_natural=is_natural)
    return Advice(result.action, reason, tried)


def _pass_reason(view: View) -> Explanation:
    bidder = highest_bidder(view)
    if not nameable_suits(view):
        return Explanation(ReasonTemplate.PASS_NO_MARRIAGE)
    if bidder is not None and bidder in view.rules.partners_of(cast(int, view.seat)):
        return Explanation(ReasonTemplate.PASS_TO_PARTNER, seat=bidder)
    return Explanation(
        ReasonTemplate.PASS_NOT_WORTH_BID
        if bidder is None
        else ReasonTemplate.PASS_NOT_WORTH_HIGHER_BID
    )


def _card_reason(view: View, decision: Decision, card: Card) -> Explanation:
    if len(view.hand) == 1 and not view.stock:
        return Explanation(ReasonTemplate.LAST_CARD)
    if decision.is_forced:
        return Explanation(ReasonTemplate.ONLY_CARD)
    playable = [action.card for action in decision.legal if isinstance(action, Play)]
    return (_follow_reason if view.trick else _lead_reason)(HardConstraints(view), playable, card)


# --- a card that is led --------------------------------------------------------------------------


def _lead_reason(constraints: HardConstraints, playable: Sequence[Card], card: Card) -> Explanation:
    view, suit, trick = constraints.view, card.suit, constraints.trick_after(card)
    assert view.trump is not None
    if trick.is_decided:
        return why_own_card_wins(constraints, trick)
    if suit is view.trump:
        if all(other.suit is suit for other in playable):
            return Explanation(ReasonTemplate.ONLY_TRUMPS_TO_LEAD)
        own_trumps = sum(other.suit is suit for other in view.hand)
        if own_trumps > constraints.unseen_count(suit):
            return Explanation(ReasonTemplate.MORE_TRUMPS_THAN_OUT)
        if len(view.players) == 2:
            return Explanation(ReasonTemplate.DRAWS_OPPONENT_TRUMPS)
        return Explanation(ReasonTemplate.DRAWS_TRUMPS)
    if constraints.is_highest(card):
        return Explanation(ReasonTemplate.ONLY_TRUMP_BEATS)
    for partner in constraints.partners:
        ace = next(
            (c for c in range(suit * RANK_COUNT, card) if constraints.must_hold(partner, c)), None
        )
        if ace is not None and constraints.is_highest(ace):
            return Explanation(
                ReasonTemplate.PARTNER_HAS_RANK, seat=partner, rank=Rank(ace % RANK_COUNT)
            )
    lengths = {
        other_suit: sum(other.suit is other_suit for other in view.hand) for other_suit in SUITS
    }
    trumps = lengths.pop(view.trump)
    if lengths[suit] == 1 and trumps:
        return Explanation(ReasonTemplate.LAST_OF_SUIT_THEN_TRUMP, suit=suit)
    can_wait = any(constraints.trick_after(other).is_decided for other in playable)
    if not constraints.points[card]:
        return Explanation(
            ReasonTemplate.SURE_TRICKS_WAIT_GIVES_NOTHING
            if can_wait
            else ReasonTemplate.NO_SURE_WINNER_GIVES_NOTHING
        )
    if all(number < lengths[suit] for other_suit, number in lengths.items() if other_suit != suit):
        return Explanation(
            ReasonTemplate.SURE_TRICKS_WAIT_LONGEST_SUIT
            if can_wait
            else ReasonTemplate.NO_SURE_WINNER_LONGEST_SUIT
        )
    return Explanation(
        ReasonTemplate.SURE_TRICKS_WAIT if can_wait else ReasonTemplate.NO_SURE_WINNER_COSTS_LEAST
    )


# --- a card that follows -------------------------------------------------------------------------


def _follow_reason(
    constraints: HardConstraints, playable: Sequence[Card], card: Card
) -> Explanation:
    trick = constraints.trick_after(card)
    if trick.is_own_card_winning:
        return (
            why_own_card_wins(constraints, trick)
            if trick.is_decided
            else _winning_card_reason(constraints, trick, playable, card)
        )
    if trick.is_ours:
        return _partner_trick_reason(constraints, trick, card)
    winning_seat, rank = trick.winning_seat, trick.winning_card.rank
    can_beat = any(beats(other, trick.winning_card, constraints.trump) for other in playable)
    partners_behind = [seat for seat in trick.seats_to_come if constraints.is_partner(seat)]
    if partners_behind:
        only_partner = partners_behind[0] if len(partners_behind) == 1 else None
        if not trick.is_decided:
            template = (
                ReasonTemplate.PARTNERS_MAY_BEAT
                if only_partner is None
                else ReasonTemplate.PARTNER_MAY_BEAT
            )
        elif only_partner is None:
            template = ReasonTemplate.OWN_SIDE_CANNOT_BEAT
        else:
            template = (
                ReasonTemplate.PARTNER_CANNOT_BEAT
                if can_beat
                else ReasonTemplate.SELF_AND_PARTNER_CANNOT_BEAT
            )
        return Explanation(template, seat=only_partner, other=winning_seat, rank=rank)
    if can_beat:
        return Explanation(ReasonTemplate.TRICK_NOT_WORTH_BETTER_CARD)
    points = constraints.points
    if not points[card]:
        template = ReasonTemplate.CANNOT_BEAT_CARD_WORTHLESS
    elif points[card] == min(points[other] for other in playable):
        template = ReasonTemplate.CANNOT_BEAT_FEWEST_POINTS
    else:
        template = ReasonTemplate.CANNOT_BEAT_OTHERS_NEEDED
    return Explanation(template, seat=winning_seat, rank=rank)


def _winning_card_reason(
    constraints: HardConstraints, trick: CertainTrick, playable: Sequence[Card], card: Card
) -> Explanation:
    """Return the reason for a card that is winning the trick."""
    best = _winning_card_before(constraints)
    if all(beats(other, best, constraints.trump) for other in playable):
        is_lowest = not any(beats(card, other, constraints.trump) for other in playable)
        return Explanation(
            ReasonTemplate.MUST_BEAT_LOWEST if is_lowest else ReasonTemplate.MUST_BEAT_COSTS_LEAST,
            rank=best.rank,
        )
    threats = _threats(constraints, trick)
    if len(threats) == 1:
        return Explanation(ReasonTemplate.ONE_OPPONENT_MAY_BEAT, seat=threats[0])
    return Explanation(ReasonTemplate.WINNING_SO_FAR)


def _partner_trick_reason(
    constraints: HardConstraints, trick: CertainTrick, card: Card
) -> Explanation:
    """Return the reason for a card on a trick that a partner is winning."""
    seat, rank = trick.winning_seat, trick.winning_card.rank
    if trick.is_decided:
        scores_points = constraints.points[card]
        template = (
            ReasonTemplate.PARTNER_SURE_CARD_COUNTS
            if scores_points
            else ReasonTemplate.PARTNER_SURE_TO_WIN
        )
        return Explanation(template, seat=seat, rank=rank)
    threats = _threats(constraints, trick)
    if len(threats) == 1:
        return Explanation(
            ReasonTemplate.ONE_MAY_BEAT_PARTNER, seat=seat, other=threats[0], rank=rank
        )
    return Explanation(ReasonTemplate.PARTNER_WINNING_SO_FAR, seat=seat, rank=rank)


def _threats(constraints: HardConstraints, trick: CertainTrick) -> list[int]:
    """Return the seats that may still take the trick from the side that is winning it."""
    led = (
        constraints.view.trick[0] if constraints.view.trick else trick.winning_card
    ) // RANK_COUNT
    others = [
        seat for seat in trick.seats_to_come if constraints.is_partner(seat) is not trick.is_ours
    ]
    return [
        seat
        for seat in others
        if constraints.why_cannot_beat(seat, trick.winning_card, led) is None
    ]


def _winning_card_before(constraints: HardConstraints) -> Card:
    """Return the card that was winning the trick before the own card."""
    best = constraints.view.trick[0]
    for card in constraints.view.trick:
        if beats(card, best, constraints.trump):
            best = card
    return best
