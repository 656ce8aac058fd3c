from __future__ import annotations

from acesaround.actions import Play
from acesaround.bots.thumb.following import loss_weight
from acesaround.bots.thumb.sight import Sight
from acesaround.bots.thumb.tricks import keep, to_come_points, win_chance
from acesaround.cards import RANKS, Card, Rank
from acesaround.view import View


def lead(view: View, sight: Sight, cards: list[Card], prize: float) -> tuple[Play, str]:
    players = view.players
    at = players.index(sight.seat)
    to_come = players[at + 1 :] + players[:at]
    loss = loss_weight(view)
    won_more = to_come_points(sight, to_come, True)
    lost_more = to_come_points(sight, to_come, False)
    declaring = view.declarer is not None and sight.friend(view.declarer)
    pull = _pull(sight, declaring)
    chosen = None
    for card in cards:
        suit = card // RANKS
        chance = win_chance(sight, card, True, suit, to_come)
        points = sight.points[card]
        value = chance * (points + won_more + prize) - (1 - chance) * (points + lost_more) * loss
        value -= keep(sight, card)
        if suit == sight.trump:
            value += pull
        if chosen is None or value > chosen[0] + 1e-9:
            chosen = (value, card, chance)
    assert chosen is not None
    return Play(chosen[1]), "x."


def _pull(sight: Sight, declaring: bool) -> float:
    own, out = sight.length(sight.trump), sight.out(sight.trump)
    if not out:
        return 0.0
    if declaring and own >= 0.6 * out:
        return 0.8 * sight.unit
    return -0.3 * sight.unit
