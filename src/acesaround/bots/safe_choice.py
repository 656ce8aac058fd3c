"""The safest action: what is done in the place of a bot that fails. It never raises.

Nothing is promised that need not be and nothing is given up.
"""

from __future__ import annotations

from acesaround.actions import PASS, Action, Bid, Bids, Play
from acesaround.game.state import Decision, Kind
from acesaround.game.view import View
from acesaround.rules.tricks import points_of


def fallback_action(view: View, decision: Decision) -> Action:
    """A pass, else the least bid; the cheapest card, trumps last; never a lay-down or giving up.

    Trump and the cards to part with are named by rules of thumb.
    """
    legal = decision.legal
    if isinstance(legal, Bids):
        return PASS if legal.may_pass else Bid(legal.least)
    if decision.kind is Kind.PLAY:
        cards = [action.card for action in legal if isinstance(action, Play)]
        if cards:
            points = points_of(view.rules.scoring.card_points)
            trump = view.trump
            return Play(min(cards, key=lambda c: (c.suit is trump, points[c], -c.rank, c)))
        return next(iter(legal))
    from acesaround.bots.heuristic import HeuristicBot

    try:
        action = HeuristicBot().choose(view, decision)
        if action in legal:
            return action
    except Exception:  # whatever is wrong with it, the game goes on
        pass
    return next(iter(legal))
