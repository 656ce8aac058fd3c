"""What to play to a trick that another seat led: win it, feed it to the partner, or let it go."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.actions import PLAYS, Action
from acesaround.bots.because import Because, Saying
from acesaround.bots.thumb.sight import Sight, shows_aces
from acesaround.bots.thumb.tricks import Stakes, keep, loss_weight, to_come_points, win_chance
from acesaround.cards import RANKS, Card, Rank
from acesaround.rules import KeepMeld
from acesaround.tricks import beats
from acesaround.view import View


def follow(
    view: View,
    sight: Sight,
    cards: Sequence[Card],
    stakes: Stakes,
    meld_keep: Sequence[float] | None = None,
) -> tuple[Action, Because]:
    """The card to play, and why. `meld_keep`: what each kind is worth for melds still to come."""
    trick, players, trump = view.trick, view.players, sight.trump
    assert view.leader is not None
    at = players.index(view.leader)
    around = players[at:] + players[:at]
    to_come = around[len(trick) + 1 :]
    best, best_seat = trick[0], view.leader
    for seat, card in zip(around[1:], trick[1:], strict=False):
        if beats(card, best, trump):
            best, best_seat = card, seat
    ours, led = sight.friend(best_seat), trick[0] // RANKS
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
            - keep(sight, card)
            + beside
        )
        if meld_keep is not None:
            value -= meld_keep[card]
        if top is None or value > top + 1e-9:
            top, chosen, odds = value, card, chance
    return PLAYS[chosen], _why(view, sight, chosen, best, best_seat, to_come, odds, stakes)


def _saved(sight: Sight, card: Card) -> float:
    """What a card is worth in hand besides, where it does not win the trick: as a sure winner."""
    return 0.0 if sight.higher(card) else sight.play.saves * sight.unit


def _show_ace(
    view: View, sight: Sight, cards: Sequence[Card], ours: bool
) -> tuple[Action, Because] | None:
    """A queen under an opponent's ace shows the ace of the suit, a jack denies it."""
    ace = view.trick[0]
    assert view.leader is not None
    if not shows_aces(view.rules) or ours or ace.rank is not Rank.ACE:
        return None
    if sight.friend(view.leader):
        return None
    suit = ace.suit
    if suit == sight.trump or any(card.suit is not suit for card in cards):
        return None
    queen, jack = Card(ace + Rank.QUEEN), Card(ace + Rank.JACK)
    if sight.held[ace] and queen in cards:
        return PLAYS[queen], Because(Saying.SHOWS_ACE, seat=sight.partners[0])
    if not sight.held[ace] and jack in cards:
        return PLAYS[jack], Because(Saying.DENIES_ACE, seat=sight.partners[0])
    return None


def _why(
    view: View,
    sight: Sight,
    card: Card,
    best: Card,
    best_seat: int,
    to_come: Sequence[int],
    odds: float,
    stakes: Stakes,
) -> Because:
    counts, ours, rank = sight.points[card] > 0, sight.friend(best_seat), best.rank
    if beats(card, best, sight.trump):
        forced = sight.must_beat(view.trick[0].suit)
        if ours and forced:
            return Because(Saying.MUST_BEAT_PARTNER, seat=best_seat, rank=rank)
        if stakes.counter and odds > 0.5 and any(stakes.saves[c] for c in (*view.trick, card)):
            any_trick = view.rules.scoring.keep_meld is KeepMeld.TRICK
            return Because(Saying.TRICK_SAVES_MELD if any_trick else Saying.SAVES_MELD)
        if not to_come:
            return Because(Saying.PLAYS_LAST)
        if card.suit is not view.trick[0].suit:
            return Because(Saying.TRUMPS_IT)
        if odds >= 1.0:
            return Because(Saying.NOBODY_BEATS)
        if odds >= 0.5:
            return Because(Saying.SHOULD_WIN)
        return Because(Saying.MUST_BEAT, rank=rank) if forced else Because(Saying.CHEAP_TRY)
    if ours and odds >= 0.5:
        if odds >= 1.0:
            saying = Saying.PARTNER_SURE_COUNTS if counts else Saying.PARTNER_SURE
        else:
            saying = Saying.PARTNER_SHOULD_COUNTS if counts else Saying.PARTNER_SHOULD
        return Because(saying, seat=best_seat, rank=rank)
    if ours:
        saying = Saying.PARTNER_HARDLY_LEAST if counts else Saying.PARTNER_HARDLY
        return Because(saying, seat=best_seat, rank=rank)
    behind = [seat for seat in to_come if sight.friend(seat)]
    if odds >= 0.5 and behind:
        if len(behind) == 1:
            return Because(Saying.PARTNER_MAY_WIN, seat=behind[0])
        return Because(Saying.PARTNERS_MAY_WIN)
    return Because(Saying.LOST_LEAST if counts else Saying.LOST_FREE)
