"""What to play to a trick someone else has led: win it, feed it to the partner, or let it go."""

from __future__ import annotations

from acesaround.actions import Play
from acesaround.bots.thumb.sight import Sight
from acesaround.bots.thumb.tricks import keep, to_come_points, win_chance
from acesaround.cards import RANKS, Card, Rank
from acesaround.tricks import beats
from acesaround.view import View

Choice = tuple[float, Card]


def follow(view: View, sight: Sight, cards: list[Card], prize: float) -> tuple[Play, str]:
    """The card to play and why. `cards` are legal; `prize`: what winning brings beside points."""
    trick, players, trump = view.trick, view.players, sight.trump
    assert view.leader is not None
    at = players.index(view.leader)
    around = players[at:] + players[:at]
    to_come = around[len(trick) + 1 :]
    best, best_seat = trick[0], view.leader
    for seat, card in zip(around, trick, strict=False):
        if card is not best and beats(card, best, trump):
            best, best_seat = card, seat
    ours, led = sight.friend(best_seat), trick[0].suit
    on_table = sum([sight.points[card] for card in trick])
    loss = loss_weight(view)
    won_more = to_come_points(sight, to_come, True)
    lost_more = to_come_points(sight, to_come, False)
    without: float | None = None
    chosen: tuple[float, Card, float] | None = None
    for card in cards:
        if beats(card, best, trump):
            chance = win_chance(sight, card, True, led, to_come)
        else:
            if without is None:
                without = win_chance(sight, best, ours, led, to_come)
            chance = without
        points = on_table + sight.points[card]
        gain = chance * (points + won_more + prize)
        cost = (1.0 - chance) * (points + lost_more) * loss
        value = gain - cost - keep(sight, card)
        if chosen is None or value > chosen[0] + 1e-9:
            chosen = (value, card, chance)
    assert chosen is not None
    return Play(chosen[1]), "x."


def loss_weight(view: View) -> float:
    """How much a point for another side hurts: with several others each gains only a part."""
    return 1.0 if len(view.rules.sides) == 2 else 0.4
