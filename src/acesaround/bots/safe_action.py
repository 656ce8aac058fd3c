"""The safest action, done in place of a bot that fails. Choosing it never raises.

The action never bids more than required, and never concedes.
"""

from __future__ import annotations

from collections.abc import Iterable

from acesaround.actions import PASS, Action, Bid, Play
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View
from acesaround.legal_bids import Bids
from acesaround.rules.tricks import points_of


def fallback_action(view: View, decision: Decision) -> Action:
    """Return the safest legal action.

    In the auction: a pass, else the lowest bid. In the play: the card with the fewest points,
    trumps last; never a lay-down or conceding. All other decisions are those of the heuristic bot.
    """
    legal = decision.legal
    if isinstance(legal, Bids):
        return PASS if legal.may_pass else Bid(legal.lowest_bid)
    if decision.kind is DecisionKind.PLAY:
        cards = [action.card for action in legal if isinstance(action, Play)]
        if cards:
            points = points_of(view.rules.scoring.card_points)
            trump = view.trump
            return Play(min(cards, key=lambda c: (c.suit is trump, points[c], -c.rank, c)))
        return _first_action(legal)
    from acesaround.bots.heuristic import HeuristicBot

    try:
        action = HeuristicBot().choose(view, decision)
        if action in legal:
            return action
    except Exception:  # the game must go on, even if the heuristic bot fails
        pass
    return _first_action(legal)


def _first_action(legal: Iterable[Action]) -> Action:
    """Return the first legal action.

    A StopIteration would never reach the coroutine that waits for a thread, so it is not raised.
    """
    for action in legal:
        return action
    raise AssertionError("no action is legal")
