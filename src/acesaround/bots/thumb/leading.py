"""What to lead: sure winners first, trump when long in it, else what costs least."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.actions import PLAYS, Action
from acesaround.bots.thumb.sight import Sight
from acesaround.bots.thumb.tricks import Stakes, keep, loss_weight, to_come_points, win_chance
from acesaround.cards import RANKS, Card, Rank, Suit
from acesaround.tricks import COUNTER
from acesaround.view import View
from acesaround.weights import DRAWS, LONG, SPENDS


def lead(
    view: View,
    sight: Sight,
    cards: Sequence[Card],
    stakes: Stakes,
    meld_keep: Sequence[float] | None = None,
) -> tuple[Action, str]:
    """The card to lead, and why. `meld_keep`: what each kind is worth for melds still to come."""
    players = view.players
    at = players.index(sight.seat)
    to_come = players[at + 1 :] + players[:at]
    loss = loss_weight(view)
    won_more = to_come_points(sight, to_come, True)
    lost_more = to_come_points(sight, to_come, False)
    long = _long_in_trump(view, sight)
    drawing = _drawing(sight, long)
    top: float | None = None
    chosen, odds = cards[0], 0.0
    for card in cards:
        suit = card // RANKS
        chance = win_chance(sight, card, True, suit, to_come)
        points = sight.points[card]
        value = (
            chance * stakes.gain(points + won_more, COUNTER[card])
            - (1.0 - chance) * (points + lost_more) * loss
            - keep(sight, card)
        )
        if suit == sight.trump:
            value += drawing
        if meld_keep is not None:
            value -= meld_keep[card]
        if top is None or value > top + 1e-9:
            top, chosen, odds = value, card, chance
    return PLAYS[chosen], _why(view, sight, chosen, odds, long)


def _long_in_trump(view: View, sight: Sight) -> bool:
    """Whether this seat, on the declarer's side, has trumps enough to draw the others'."""
    if view.declarer is None or not sight.friend(view.declarer):
        return False
    out = sight.out(sight.trump)
    return out > 0 and sight.length(sight.trump) >= LONG * out


def _drawing(sight: Sight, long: bool) -> float:
    """What leading trump is worth beside the trick: good when long, else it spends one's own."""
    if not sight.out(sight.trump):
        return 0.0
    return (DRAWS if long else -SPENDS) * sight.unit


def _why(view: View, sight: Sight, card: Card, odds: float, long: bool) -> str:
    name, suit, higher = card.rank.word, card.suit, sight.higher(card)
    if suit == sight.trump:
        if long:
            return f"You are long in {suit.word}, so the {name} draws the others' trumps."
        if not higher:
            return f"No higher trump is out, so the {name} of {suit.word} wins the trick."
        if all(other.suit is suit for other in view.hand):
            return f"There is only trump to lead, and the {name} costs least."
    elif not higher:
        if not sight.out(sight.trump):
            return f"No trump is out, so the {name} of {suit.word} is sure to win."
        if card.rank is Rank.ACE:
            return f"Cash the ace of {suit.word} before somebody is void in the suit."
        return f"No higher card of {suit.word} is out, so the {name} should win the trick."
    if sight.partners and odds >= 0.5:
        ace = suit * RANKS
        if any(ace in sight.certain[partner] for partner in sight.partners):
            return f"Your partner has shown the ace of {suit.word}, so lead that suit."
        return f"Your partner is likely to win a trick in {suit.word}."
    if sight.length(suit) == 1 and suit != sight.trump and sight.length(sight.trump):
        return f"With nothing sure to win, your only {_one(suit)} leaves you free to trump later."
    return f"With nothing sure to win, the {name} of {suit.word} costs least."


def _one(suit: Suit) -> str:
    return suit.word[:-1]
