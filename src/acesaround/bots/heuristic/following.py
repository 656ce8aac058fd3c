"""Following to a trick: win it, feed it to the partner, or let it go."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.actions import PLAY_ACTIONS, Action
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.ace_signals import SignalRules, can_signal
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
from acesaround.rules import KeepMeld
from acesaround.rules.tricks import beats


def follow(
    view: View,
    tracker: CardTracker,
    cards: Sequence[Card],
    stakes: TrickStakes,
    meld_values: Sequence[float] | None = None,
) -> tuple[Action, Explanation]:
    """Choose the card to play, with the reason.

    `meld_values`: the value of each kind for melds still to come.
    """
    trick, players, trump = view.trick, view.players, tracker.trump
    assert view.leader is not None
    start = players.index(view.leader)
    seats_in_order = players[start:] + players[:start]
    seats_to_come = seats_in_order[len(trick) + 1 :]
    winning_card, winning_seat = trick[0], view.leader
    for seat, card in zip(seats_in_order[1:], trick[1:], strict=False):
        if beats(card, winning_card, trump):
            winning_card, winning_seat = card, seat
    is_ours, led = tracker.is_partner(winning_seat), trick[0] // RANK_COUNT
    if signal := _ace_signal(view, tracker, cards, is_ours):
        return signal
    on_table = sum([tracker.points[card] for card in trick])
    has_counter = any(stakes.saves_meld[card] for card in trick)
    loss_factor = loss_weight(view, tracker)
    points_if_won = points_to_come(tracker, seats_to_come, True)
    points_if_lost = points_to_come(tracker, seats_to_come, False)
    lead_value = tracker.weights.lead_value * tracker.ace_points
    chance_without: float | None = None
    best_value: float | None = None
    chosen, best_chance = cards[0], 0.0
    for card in cards:
        wins = beats(card, winning_card, trump)
        if wins:
            chance = win_chance(tracker, card, True, led, seats_to_come)
        else:
            if chance_without is None:
                chance_without = win_chance(tracker, winning_card, is_ours, led, seats_to_come)
            chance = chance_without
        points = on_table + tracker.points[card]
        extra_value = lead_value * chance if wins else -_winner_keep_value(tracker, card)
        value = (
            chance * stakes.gain(points + points_if_won, has_counter or stakes.saves_meld[card])
            - (1.0 - chance) * (points + points_if_lost) * loss_factor
            - value_of_keeping(tracker, card)
            + extra_value
        )
        if meld_values is not None:
            value -= meld_values[card]
        if best_value is None or value > best_value + 1e-9:
            best_value, chosen, best_chance = value, card, chance
    return PLAY_ACTIONS[chosen], _explain_card(
        view, tracker, chosen, winning_card, winning_seat, seats_to_come, best_chance, stakes
    )


def _winner_keep_value(tracker: CardTracker, card: Card) -> float:
    """Return the extra value of keeping a sure winner when it does not win this trick."""
    return (
        0.0
        if tracker.unseen_above(card)
        else tracker.weights.winner_keep_value * tracker.ace_points
    )


def _ace_signal(
    view: View, tracker: CardTracker, cards: Sequence[Card], is_ours: bool
) -> tuple[Action, Explanation] | None:
    """Return a signal under an opponent's ace, or None.

    A queen shows the ace of the suit, a jack denies it.
    """
    ace = view.trick[0]
    assert view.leader is not None
    if tracker.signals is SignalRules.NONE:
        return None
    if tracker.signals is SignalRules.NOVEMBER_2026:  # under an ace that was trumped too
        if is_ours or tracker.is_partner(view.leader):
            return None
        if ace.rank is not Rank.ACE or ace.suit == tracker.trump:
            return None
    elif not can_signal(
        view.rules, view.players, view.leader, view.trick, tracker.trump, tracker.seat
    ):
        return None
    if any(card.suit is not ace.suit for card in cards):
        return None
    queen, jack = Card(ace + Rank.QUEEN), Card(ace + Rank.JACK)
    if tracker.held[ace] and queen in cards:
        return PLAY_ACTIONS[queen], Explanation(ReasonTemplate.SHOWS_ACE, seat=tracker.partners[0])
    if not tracker.held[ace] and jack in cards:
        return PLAY_ACTIONS[jack], Explanation(ReasonTemplate.DENIES_ACE, seat=tracker.partners[0])
    return None


def _explain_card(
    view: View,
    tracker: CardTracker,
    card: Card,
    winning_card: Card,
    winning_seat: int,
    seats_to_come: Sequence[int],
    chance: float,
    stakes: TrickStakes,
) -> Explanation:
    scores_points, is_ours, rank = (
        tracker.points[card] > 0,
        tracker.is_partner(winning_seat),
        winning_card.rank,
    )
    if beats(card, winning_card, tracker.trump):
        must_beat = tracker.must_beat(view.trick[0].suit)
        if is_ours and must_beat:
            return Explanation(
                ReasonTemplate.MUST_BEAT_PARTNER_COSTS_LEAST, seat=winning_seat, rank=rank
            )
        if (
            stakes.counter_gain
            and chance > 0.5
            and any(stakes.saves_meld[c] for c in (*view.trick, card))
        ):
            any_trick = view.rules.scoring.keep_meld is KeepMeld.TRICK
            return Explanation(
                ReasonTemplate.TRICK_SAVES_MELD if any_trick else ReasonTemplate.COUNTER_SAVES_MELD
            )
        if not seats_to_come:
            return Explanation(ReasonTemplate.PLAYS_LAST)
        if card.suit is not view.trick[0].suit:
            return Explanation(ReasonTemplate.TRUMPS_THE_TRICK)
        if chance >= 1.0:
            return Explanation(ReasonTemplate.NO_OPPONENT_BEATS)
        if chance >= 0.5:
            return Explanation(ReasonTemplate.SHOULD_WIN)
        return (
            Explanation(ReasonTemplate.MUST_BEAT_COSTS_LEAST, rank=rank)
            if must_beat
            else Explanation(ReasonTemplate.COSTS_LITTLE_IF_BEATEN)
        )
    if is_ours and chance >= 0.5:
        if chance >= 1.0:
            template = (
                ReasonTemplate.PARTNER_SURE_CARD_COUNTS
                if scores_points
                else ReasonTemplate.PARTNER_SURE_TO_WIN
            )
        else:
            template = (
                ReasonTemplate.PARTNER_SHOULD_WIN_CARD_COUNTS
                if scores_points
                else ReasonTemplate.PARTNER_SHOULD_WIN
            )
        return Explanation(template, seat=winning_seat, rank=rank)
    if is_ours:
        template = (
            ReasonTemplate.PARTNER_HARDLY_WINS_FEWEST_POINTS
            if scores_points
            else ReasonTemplate.PARTNER_HARDLY_WINS_CARD_WORTHLESS
        )
        return Explanation(template, seat=winning_seat, rank=rank)
    partners_behind = [seat for seat in seats_to_come if tracker.is_partner(seat)]
    if chance >= 0.5 and partners_behind:
        if len(partners_behind) == 1:
            return Explanation(ReasonTemplate.PARTNER_MAY_WIN, seat=partners_behind[0])
        return Explanation(ReasonTemplate.PARTNERS_MAY_WIN)
    return Explanation(
        ReasonTemplate.TRICK_LOST_FEWEST_POINTS
        if scores_points
        else ReasonTemplate.TRICK_LOST_CARD_WORTHLESS
    )
