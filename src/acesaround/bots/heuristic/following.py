"""Following to a trick: win it, feed it to the partner, or let it go."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.actions import PLAYS, Action
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.card_tracking import CardTracker, shows_aces
from acesaround.bots.heuristic.trick_value import (
    Stakes,
    loss_weight,
    to_come_points,
    value_of_keeping,
    win_chance,
)
from acesaround.cards import RANKS, Card, Rank
from acesaround.game.view import View
from acesaround.rules import KeepMeld
from acesaround.rules.tricks import beats


def follow(
    view: View,
    sight: CardTracker,
    cards: Sequence[Card],
    stakes: Stakes,
    meld_keep: Sequence[float] | None = None,
) -> tuple[Action, Explanation]:
    """Choose the card to play, with the reason.

    `meld_keep`: the value of each kind for melds still to come.
    """
    trick, players, trump = view.trick, view.players, sight.trump
    assert view.leader is not None
    at = players.index(view.leader)
    around = players[at:] + players[:at]
    to_come = around[len(trick) + 1 :]
    best, best_seat = trick[0], view.leader
    for seat, card in zip(around[1:], trick[1:], strict=False):
        if beats(card, best, trump):
            best, best_seat = card, seat
    ours, led = sight.is_partner(best_seat), trick[0] // RANKS
    if spoken := _show_ace(view, sight, cards, ours):
        return spoken
    on_table = sum([sight.points[card] for card in trick])
    counter = any(stakes.saves[card] for card in trick)
    loss = loss_weight(view, sight)
    won_more = to_come_points(sight, to_come, True)
    lost_more = to_come_points(sight, to_come, False)
    tempo = sight.play.tempo * sight.unit
    without: float | None = None
    top: float | None = None
    chosen, odds = cards[0], 0.0
    for card in cards:
        wins = beats(card, best, trump)
        if wins:
            chance = win_chance(sight, card, True, led, to_come)
        else:
            if without is None:
                without = win_chance(sight, best, ours, led, to_come)
            chance = without
        points = on_table + sight.points[card]
        beside = tempo * chance if wins else -_saved(sight, card)
        value = (
            chance * stakes.gain(points + won_more, counter or stakes.saves[card])
            - (1.0 - chance) * (points + lost_more) * loss
            - value_of_keeping(sight, card)
            + beside
        )
        if meld_keep is not None:
            value -= meld_keep[card]
        if top is None or value > top + 1e-9:
            top, chosen, odds = value, card, chance
    return PLAYS[chosen], _why(view, sight, chosen, best, best_seat, to_come, odds, stakes)


def _saved(sight: CardTracker, card: Card) -> float:
    """Return the extra value of keeping a sure winner when it does not win this trick."""
    return 0.0 if sight.unseen_above(card) else sight.play.saves * sight.unit


def _show_ace(
    view: View, sight: CardTracker, cards: Sequence[Card], ours: bool
) -> tuple[Action, Explanation] | None:
    """Return a signal under an opponent's ace, or None.

    A queen shows the ace of the suit, a jack denies it.
    """
    ace = view.trick[0]
    assert view.leader is not None
    if not shows_aces(view.rules) or ours or ace.rank is not Rank.ACE:
        return None
    if sight.is_partner(view.leader):
        return None
    suit = ace.suit
    if suit == sight.trump or any(card.suit is not suit for card in cards):
        return None
    queen, jack = Card(ace + Rank.QUEEN), Card(ace + Rank.JACK)
    if sight.held[ace] and queen in cards:
        return PLAYS[queen], Explanation(ReasonTemplate.SHOWS_ACE, seat=sight.partners[0])
    if not sight.held[ace] and jack in cards:
        return PLAYS[jack], Explanation(ReasonTemplate.DENIES_ACE, seat=sight.partners[0])
    return None


def _why(
    view: View,
    sight: CardTracker,
    card: Card,
    best: Card,
    best_seat: int,
    to_come: Sequence[int],
    odds: float,
    stakes: Stakes,
) -> Explanation:
    counts, ours, rank = sight.points[card] > 0, sight.is_partner(best_seat), best.rank
    if beats(card, best, sight.trump):
        forced = sight.must_beat(view.trick[0].suit)
        if ours and forced:
            return Explanation(ReasonTemplate.MUST_BEAT_PARTNER, seat=best_seat, rank=rank)
        if stakes.counter and odds > 0.5 and any(stakes.saves[c] for c in (*view.trick, card)):
            any_trick = view.rules.scoring.keep_meld is KeepMeld.TRICK
            return Explanation(
                ReasonTemplate.TRICK_SAVES_MELD if any_trick else ReasonTemplate.SAVES_MELD
            )
        if not to_come:
            return Explanation(ReasonTemplate.PLAYS_LAST)
        if card.suit is not view.trick[0].suit:
            return Explanation(ReasonTemplate.TRUMPS_IT)
        if odds >= 1.0:
            return Explanation(ReasonTemplate.NOBODY_BEATS)
        if odds >= 0.5:
            return Explanation(ReasonTemplate.SHOULD_WIN)
        return (
            Explanation(ReasonTemplate.MUST_BEAT, rank=rank)
            if forced
            else Explanation(ReasonTemplate.CHEAP_TRY)
        )
    if ours and odds >= 0.5:
        if odds >= 1.0:
            saying = ReasonTemplate.PARTNER_SURE_COUNTS if counts else ReasonTemplate.PARTNER_SURE
        else:
            saying = (
                ReasonTemplate.PARTNER_SHOULD_COUNTS if counts else ReasonTemplate.PARTNER_SHOULD
            )
        return Explanation(saying, seat=best_seat, rank=rank)
    if ours:
        saying = ReasonTemplate.PARTNER_HARDLY_LEAST if counts else ReasonTemplate.PARTNER_HARDLY
        return Explanation(saying, seat=best_seat, rank=rank)
    behind = [seat for seat in to_come if sight.is_partner(seat)]
    if odds >= 0.5 and behind:
        if len(behind) == 1:
            return Explanation(ReasonTemplate.PARTNER_MAY_WIN, seat=behind[0])
        return Explanation(ReasonTemplate.PARTNERS_MAY_WIN)
    return Explanation(ReasonTemplate.LOST_LEAST if counts else ReasonTemplate.LOST_FREE)
