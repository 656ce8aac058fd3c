"""Giving up before the lead: only where play can no longer be expected to make the bid."""

from __future__ import annotations

from acesaround.actions import CONCEDE, Action
from acesaround.bots.thumb.worth import trick_worth, worth
from acesaround.cards import pack
from acesaround.scoring import most_in_play
from acesaround.tricks import POINTS
from acesaround.view import View


def concede(view: View) -> tuple[Action, str] | None:
    """Concede and why, or None to play on.

    A set declarer loses the bid all the same, and the others then score their tricks besides.
    """
    rules, law = view.rules, view.rules.scoring
    assert view.declarer is not None and view.bid is not None and view.trump is not None
    side = rules.side_of(view.declarer)
    melds = [0] * len(rules.sides)
    for shown in view.melds:
        melds[rules.side_of(shown.seat)] += shown.points or 0
    meld = melds[side] if melds[side] >= law.least_meld else 0
    value = POINTS[law.card_points]
    buried = sum(value[card] for card in view.buried or ())
    need = view.bid - meld - buried
    players = len(view.players)
    most = most_in_play(rules, players) - buried
    if need > most:
        return CONCEDE, f"Winning every trick would not be enough: {need} points are missing."
    hoped = worth(view, pack(view.hand), view.trump).play
    hoped += 2.0 * trick_worth(rules, players) + 0.1 * most
    if need <= hoped:
        return None
    given = [m for at, m in enumerate(melds) if at != side and view.scores[at] + m >= view.target]
    if given and need <= 0.9 * most:
        return None  # conceding would lose the game at once
    return CONCEDE, f"Play would have to bring {need} points, far more than this hand can win."
