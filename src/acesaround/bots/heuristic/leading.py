"""Leading to a trick: sure winners first, trump when long in it, else the cheapest card."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.actions import PLAY_ACTIONS, Action
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.bots.heuristic.trick_value import (
    TrickStakes,
    loss_weight,
    points_to_come,
    value_of_keeping,
    win_chance,
)
from acesaround.cards import RANK_COUNT, Card, Rank
from acesaround.game.view import View


def lead(
    view: View,
    tracker: CardTracker,
    cards: Sequence[Card],
    stakes: TrickStakes,
    meld_values: Sequence[float] | None = None,
) -> tuple[Action, Explanation]:
    """Choose the card to lead, with the reason.

    `meld_values`: the value of each kind for melds still to come.
    """
    players = view.players
    start = players.index(tracker.seat)
    seats_to_come = players[start + 1 :] + players[:start]
    loss_factor = loss_weight(view, tracker)
    points_if_won = points_to_come(tracker, seats_to_come, True)
    points_if_lost = points_to_come(tracker, seats_to_come, False)
    lead_value = tracker.weights.lead_value * tracker.ace_points
    is_long = _is_long_in_trump(tracker)
    draw_value = _trump_lead_value(tracker, cards) if is_long else 0.0
    best_value: float | None = None
    chosen, best_chance = cards[0], 0.0
    for card in cards:
        suit = card // RANK_COUNT
        chance = win_chance(tracker, card, True, suit, seats_to_come)
        points = tracker.points[card]
        value = (
            chance * (stakes.gain(points + points_if_won, stakes.saves_meld[card]) + lead_value)
            - (1.0 - chance) * (points + points_if_lost) * loss_factor
            - value_of_keeping(tracker, card)
            + _extra_lead_value(tracker, card, is_long, draw_value)
        )
        if meld_values is not None:
            value -= meld_values[card]
        if best_value is None or value > best_value + 1e-9:
            best_value, chosen, best_chance = value, card, chance
    return PLAY_ACTIONS[chosen], _explain_card(view, tracker, chosen, best_chance, is_long)


def _is_long_in_trump(tracker: CardTracker) -> bool:
    """Return whether this seat has enough trumps to draw the others'."""
    trumps_out = tracker.unseen_of_suit(tracker.trump)
    return (
        trumps_out > 0
        and tracker.suit_length(tracker.trump) >= tracker.weights.long_trump_ratio * trumps_out
    )


def _trump_lead_value(tracker: CardTracker, cards: Sequence[Card]) -> float:
    """Return the extra value of leading trump if long in it, in units of an ace's points."""
    weights, trump = tracker.weights, tracker.trump
    winners = sum(
        card // RANK_COUNT != trump and not tracker.unseen_above(card) for card in set(cards)
    )
    return (
        weights.trump_lead_value
        + weights.trump_out_lead_bonus * tracker.unseen_of_suit(trump)
        + weights.winner_lead_bonus * winners
    )


def _extra_lead_value(tracker: CardTracker, card: Card, is_long: bool, draw_value: float) -> float:
    """Return the extra value of leading a card, besides the trick.

    A trump lead draws the others' trumps if this seat is long in trump, else it spends a trump.
    """
    weights, higher, trumps_out = (
        tracker.weights,
        tracker.unseen_above(card),
        tracker.unseen_of_suit(tracker.trump),
    )
    if not trumps_out:
        return 0.0
    if card // RANK_COUNT != tracker.trump:
        value = 0.0
        if not higher:
            value = weights.cash_value
        elif tracker.points[card]:
            value = -weights.counter_lead_cost
    elif is_long:
        value = draw_value
        if (
            higher
            and tracker.suit_length(tracker.trump) < weights.low_lead_length_ratio * trumps_out
        ):
            value += weights.low_trump_lead_bonus
    else:
        value = -weights.short_trump_lead_cost - (0.0 if higher else weights.master_trump_lead_cost)
    return value * tracker.ace_points


def _explain_card(
    view: View, tracker: CardTracker, card: Card, chance: float, is_long: bool
) -> Explanation:
    suit, higher = card.suit, tracker.unseen_above(card)
    if suit == tracker.trump:
        if is_long:
            return Explanation(ReasonTemplate.LONG_IN_TRUMPS)
        if not higher:
            return Explanation(ReasonTemplate.NO_HIGHER_TRUMP)
        if all(other.suit is suit for other in view.hand):
            return Explanation(ReasonTemplate.ONLY_TRUMPS_TO_LEAD)
    elif not higher:
        if not tracker.unseen_of_suit(tracker.trump):
            return Explanation(ReasonTemplate.NO_HIGHER_CARD_OR_TRUMP, suit=suit)
        if card.rank is Rank.ACE:
            return Explanation(ReasonTemplate.CASH_BEFORE_VOID, suit=suit)
        return Explanation(ReasonTemplate.ONLY_TRUMP_BEATS)
    if tracker.partners and chance >= 0.5:
        ace = suit * RANK_COUNT
        for partner in tracker.partners:
            if ace in tracker.certain[partner]:
                if ace in tracker.shown_aces[partner]:
                    return Explanation(ReasonTemplate.PARTNER_SHOWED_ACE, seat=partner)
                return Explanation(ReasonTemplate.PARTNER_HAS_RANK, seat=partner, rank=Rank.ACE)
        if len(tracker.partners) == 1:
            return Explanation(ReasonTemplate.PARTNER_LIKELY_WINS, seat=tracker.partners[0])
        return Explanation(ReasonTemplate.SOME_PARTNER_LIKELY_WINS)
    if (
        tracker.suit_length(suit) == 1
        and suit != tracker.trump
        and tracker.suit_length(tracker.trump)
    ):
        return Explanation(ReasonTemplate.LAST_OF_SUIT_THEN_TRUMP, suit=suit)
    return Explanation(ReasonTemplate.NO_SURE_WINNER_COSTS_LEAST)
