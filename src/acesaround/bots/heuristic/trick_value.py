"""The value of a trick to this side, and who will win it: the arithmetic of card play.

Values are in card points of the table. They are rough on purpose, because a player at the table
computes no better.
"""

from __future__ import annotations

from collections.abc import Sequence

from acesaround import heuristic_weights
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.cards import RANK_COUNT, Rank
from acesaround.game.view import View
from acesaround.rules import KeepMeld
from acesaround.rules.tricks import meld_saving_kinds


def win_chance(
    tracker: CardTracker, winning_card: int, is_ours: bool, led: int, seats_to_come: Sequence[int]
) -> float:
    """Return the probability that this side wins a trick, with some seats still to play.

    `winning_card`: the card that is winning. `is_ours`: whether it is this side's. `led`: the suit
    led.
    """
    chance = 1.0 if is_ours else 0.0
    partner_factor = tracker.weights.partner_beat_factor if is_ours else 1.0
    for seat in seats_to_come:
        beat_chance = tracker.chance_to_beat(seat, winning_card, led)
        if tracker.is_partner(seat):
            chance += (1.0 - chance) * beat_chance * partner_factor
        else:
            chance *= 1.0 - beat_chance
    return chance


def points_to_come(tracker: CardTracker, seats_to_come: Sequence[int], is_won: bool) -> float:
    """Return roughly the points that the seats still to play add to a trick.

    `is_won`: whether this side wins the trick.
    """
    total = 0.0
    for seat in seats_to_come:
        total += (
            tracker.weights.points_added_if_won
            if tracker.is_partner(seat) is is_won
            else tracker.weights.points_added_if_lost
        )
    return total * tracker.ace_points * _richness_factor(tracker)


def _richness_factor(tracker: CardTracker) -> float:
    """Return the factor on the points that other players add to a trick.

    They add more points if the unseen cards are worth more than usual (half an ace each).
    """
    if not tracker.weights.rich_hand_growth:
        return 1.0
    points = sum(
        number * value for number, value in zip(tracker.unseen, tracker.points, strict=True)
    )
    mean = points / max(sum(tracker.unseen), 1)
    return 1.0 + tracker.weights.rich_hand_growth * (2.0 * mean / tracker.ace_points - 1.0)


def value_of_keeping(tracker: CardTracker, card: int) -> float:
    """Return the value of keeping a card for later tricks, beyond its own points."""
    return (
        _keep_value(tracker, card)
        * tracker.ace_points
        * (1.0 - tracker.weights.hand_size_discount / tracker.hand_size)
    )


def _keep_value(tracker: CardTracker, card: int) -> float:
    """Return the value of keeping a card, in units of an ace's points.

    `value_of_keeping` corrects this value for the size of the hand.
    """
    suit, weights, is_counter = card // RANK_COUNT, tracker.weights, card % RANK_COUNT <= Rank.KING
    higher, suit_out = tracker.unseen_above(card), tracker.unseen_of_suit(suit)
    is_last = tracker.suit_length(suit) == 1
    if suit == tracker.trump:
        value = weights.master_trump
        if higher:
            value = weights.low_trump + weights.high_trump * (suit_out - higher) / suit_out
            value += weights.trump_counter if is_counter else 0.0
        return value + weights.last_trump_bonus if is_last else value
    trumps_out = tracker.unseen_of_suit(tracker.trump) > 0
    if not suit_out:
        return weights.last_of_suit if trumps_out else weights.last_trumps_gone
    if not higher:
        return weights.master if trumps_out else weights.master_trumps_gone
    value = (weights.counter if is_counter else weights.other_card) * (1.0 - higher / suit_out)
    return value - weights.void_value if is_last and tracker.suit_length(tracker.trump) else value


def loss_weight(view: View, tracker: CardTracker) -> float:
    """Return the weight of a point for another side.

    The weight is below 1 with several other sides, because each of them gains only a part.
    """
    return 1.0 if len(view.rules.sides) == 2 else tracker.weights.many_sides_factor


class TrickStakes:
    """The gains from winning a trick besides its points: the meld that it saves."""

    def __init__(self, view: View, tracker: CardTracker, base_gain: float = 0.0) -> None:
        scoring = view.rules.scoring
        side = view.rules.side_of(tracker.seat)
        self.saves_meld = saves_meld = meld_saving_kinds(scoring.keep_meld)
        """For each kind, whether a trick that contains it saves meld."""
        side_meld = 0
        for shown in view.melds:
            if view.rules.side_of(shown.seat) == side:
                side_meld += shown.points or 0
        if side_meld < scoring.least_meld:
            side_meld = 0  # it is already lost, unless more can be laid
        self.base_gain = base_gain
        """The value of winning any trick."""
        self.counter_gain = 0.0
        """The value of winning a trick with a counter, or any trick if that saves meld."""
        self.point_factor = 1.0
        """The factor on points while the side is short of the least play points."""
        if scoring.keep_meld is not KeepMeld.ALWAYS and side_meld:
            is_meld_saved = view.won[side] > 0
            if scoring.keep_meld is not KeepMeld.POINT:
                is_meld_saved = any(
                    view.rules.side_of(trick.winner) == side
                    and any(saves_meld[c] for c in trick.cards)
                    for trick in view.tricks
                )
            if not is_meld_saved:
                self.counter_gain = side_meld / min(
                    heuristic_weights.MAX_MELD_SAVING_TRICKS, len(view.hand) + 1
                )
        if scoring.least_play and view.won[side] < scoring.least_play:
            self.point_factor += min(1.0, side_meld / heuristic_weights.MELD_NEED_POINTS)

    def gain(self, points: float, has_counter: bool) -> float:
        """Return what winning a trick with those points is worth.

        `has_counter`: whether the trick contains a counter, or any card where any trick saves meld.
        """
        return (
            points * self.point_factor
            + self.base_gain
            + (self.counter_gain if has_counter else 0.5 * self.counter_gain)
        )
