"""Leading to a trick: sure winners first, trump when long in it, else the cheapest card."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.actions import PLAYS, Action
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.bots.heuristic.trick_value import (
    Stakes,
    loss_weight,
    to_come_points,
    value_of_keeping,
    win_chance,
)
from acesaround.cards import RANKS, Card, Rank
from acesaround.game.view import View


def lead(
    view: View,
    sight: CardTracker,
    cards: Sequence[Card],
    stakes: Stakes,
    meld_keep: Sequence[float] | None = None,
) -> tuple[Action, Explanation]:
    """Choose the card to lead, with the reason.

    `meld_keep`: the value of each kind for melds still to come.
    """
    players = view.players
    at = players.index(sight.seat)
    to_come = players[at + 1 :] + players[:at]
    loss = loss_weight(view, sight)
    won_more = to_come_points(sight, to_come, True)
    lost_more = to_come_points(sight, to_come, False)
    tempo = sight.play.tempo * sight.unit
    long = _long_in_trump(sight)
    drawing = _drawing(sight, cards) if long else 0.0
    top: float | None = None
    chosen, odds = cards[0], 0.0
    for card in cards:
        suit = card // RANKS
        chance = win_chance(sight, card, True, suit, to_come)
        points = sight.points[card]
        value = (
            chance * (stakes.gain(points + won_more, stakes.saves[card]) + tempo)
            - (1.0 - chance) * (points + lost_more) * loss
            - value_of_keeping(sight, card)
            + _beside(sight, card, long, drawing)
        )
        if meld_keep is not None:
            value -= meld_keep[card]
        if top is None or value > top + 1e-9:
            top, chosen, odds = value, card, chance
    return PLAYS[chosen], _why(view, sight, chosen, odds, long)


def _long_in_trump(sight: CardTracker) -> bool:
    """Return whether this seat has enough trumps to draw the others'."""
    out = sight.unseen_of_suit(sight.trump)
    return out > 0 and sight.length(sight.trump) >= sight.play.long * out


def _drawing(sight: CardTracker, cards: Sequence[Card]) -> float:
    """Return the extra value of leading trump if long in it, in units of an ace's points."""
    play, trump = sight.play, sight.trump
    winners = sum(card // RANKS != trump and not sight.unseen_above(card) for card in set(cards))
    return play.draws + play.draws_out * sight.unseen_of_suit(trump) + play.draws_winners * winners


def _beside(sight: CardTracker, card: Card, long: bool, drawing: float) -> float:
    """Return the extra value of leading a card, besides the trick.

    A trump lead draws the others' trumps if this seat is long in trump, else it spends a trump.
    """
    play, higher, out = sight.play, sight.unseen_above(card), sight.unseen_of_suit(sight.trump)
    if not out:
        return 0.0
    if card // RANKS != sight.trump:
        worth = 0.0
        if not higher:
            worth = play.cashes
        elif sight.points[card]:
            worth = -play.opens
    elif long:
        worth = drawing
        if higher and sight.length(sight.trump) < play.long_low * out:
            worth += play.draws_low
    else:
        worth = -play.spends - (0.0 if higher else play.spends_master)
    return worth * sight.unit


def _why(view: View, sight: CardTracker, card: Card, odds: float, long: bool) -> Explanation:
    suit, higher = card.suit, sight.unseen_above(card)
    if suit == sight.trump:
        if long:
            return Explanation(ReasonTemplate.DRAWS_LONG)
        if not higher:
            return Explanation(ReasonTemplate.NO_HIGHER_TRUMP)
        if all(other.suit is suit for other in view.hand):
            return Explanation(ReasonTemplate.ONLY_TRUMPS)
    elif not higher:
        if not sight.unseen_of_suit(sight.trump):
            return Explanation(ReasonTemplate.NOTHING_OUT, suit=suit)
        if card.rank is Rank.ACE:
            return Explanation(ReasonTemplate.CASH, suit=suit)
        return Explanation(ReasonTemplate.ONLY_TRUMP_BEATS)
    if sight.partners and odds >= 0.5:
        ace = suit * RANKS
        for partner in sight.partners:
            if ace in sight.certain[partner]:
                return Explanation(ReasonTemplate.PARTNER_HAS, seat=partner, rank=Rank.ACE)
        if len(sight.partners) == 1:
            return Explanation(ReasonTemplate.PARTNER_LIKELY, seat=sight.partners[0])
        return Explanation(ReasonTemplate.SIDE_LIKELY)
    if sight.length(suit) == 1 and suit != sight.trump and sight.length(sight.trump):
        return Explanation(ReasonTemplate.LAST_OF_SUIT, suit=suit)
    return Explanation(ReasonTemplate.NOTHING_SURE)
