"""What to play to a trick that another seat led: win it, feed it to the partner, or let it go."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.actions import PLAYS, Action
from acesaround.bots.thumb.sight import Sight, shows_aces
from acesaround.bots.thumb.tricks import Stakes, keep, loss_weight, to_come_points, win_chance
from acesaround.cards import RANKS, Card, Rank, Suit
from acesaround.tricks import COUNTER, beats
from acesaround.view import View


def follow(
    view: View,
    sight: Sight,
    cards: Sequence[Card],
    stakes: Stakes,
    meld_keep: Sequence[float] | None = None,
) -> tuple[Action, str]:
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
    counter = any(COUNTER[card] for card in trick)
    loss = loss_weight(view)
    won_more = to_come_points(sight, to_come, True)
    lost_more = to_come_points(sight, to_come, False)
    without: float | None = None
    top: float | None = None
    chosen, odds = cards[0], 0.0
    for card in cards:
        if beats(card, best, trump):
            chance = win_chance(sight, card, True, led, to_come)
        else:
            if without is None:
                without = win_chance(sight, best, ours, led, to_come)
            chance = without
        points = on_table + sight.points[card]
        value = (
            chance * stakes.gain(points + won_more, counter or COUNTER[card])
            - (1.0 - chance) * (points + lost_more) * loss
            - keep(sight, card)
        )
        if meld_keep is not None:
            value -= meld_keep[card]
        if top is None or value > top + 1e-9:
            top, chosen, odds = value, card, chance
    takes = beats(chosen, best, trump)
    return PLAYS[chosen], _why(view, sight, chosen, best, ours, takes, odds, stakes)


def _show_ace(
    view: View, sight: Sight, cards: Sequence[Card], ours: bool
) -> tuple[Action, str] | None:
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
        return PLAYS[queen], f"The queen under the ace shows your partner an ace of {suit.word}."
    if not sight.held[ace] and jack in cards:
        return PLAYS[jack], f"The jack under the ace denies the ace of {suit.word}."
    return None


def _why(
    view: View,
    sight: Sight,
    card: Card,
    best: Card,
    ours: bool,
    takes: bool,
    odds: float,
    stakes: Stakes,
) -> str:
    name, counts = card.rank.word, sight.points[card] > 0
    if takes and ours:
        return f"You must beat your partner's card, and the {name} is the one to spend."
    if takes:
        if stakes.counter and odds > 0.5:
            return f"The {name} should win the trick, and a counter saves your meld."
        if card.suit is not view.trick[0].suit:
            suit = Suit(sight.trump).word
            return f"The {name} of {suit} trumps the trick."
        if odds > 0.97:
            return f"The {name} wins the trick, and nobody behind you can beat it."
        if odds >= 0.5:
            return f"The {name} should win the trick."
        if not sight.strict:
            return f"The {name} takes the trick for now, and costs little if it is beaten."
        return f"You must beat the {best.rank.word}, and the {name} loses least if it is beaten."
    if ours and counts:
        if odds > 0.97:
            return f"The {name} is safe: your partner's {best.rank.word} is winning the trick."
        if odds >= 0.5:
            return f"Your partner's {best.rank.word} should hold, so the {name} goes along."
    if ours and not counts and odds >= 0.5:
        return f"Your partner has the trick, and the {name} is the card you need least."
    if odds >= 0.5:
        return f"Your partner can still win the trick, so the {name} goes along."
    if counts:
        return f"The trick looks lost, and the {name} is the least you can give up."
    return f"The trick looks lost, so it gets the {name}, which counts nothing."
