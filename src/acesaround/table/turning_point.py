"""The turning point of a deal: the moment in which its bid was made, or could be made no longer."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.game.state import GameState, tally
from acesaround.rules.scoring import Outcome, max_play_points, points_to_make_bid
from acesaround.table.messages import TurningPoint


def find_turning_point(states: Sequence[GameState], outcome: Outcome) -> TurningPoint | None:
    """Return when the cards played so far decided about the bid of a deal that is over.

    `states`: the state after each step of the deal; the last one before its cards are cleared.
    Return None if there was no bid, or if the bid was neither made nor set by playing.
    """
    if outcome not in (Outcome.MADE, Outcome.SET):
        return None
    for step, state in enumerate(states):
        deal, rules = state.deal, state.rules
        if not deal.tricks or deal.declarer is None or deal.bid is None:
            continue
        current, side = tally(state), rules.side_of(deal.declarer)
        needed = points_to_make_bid(rules, current, side, deal.bid)
        left = max_play_points(rules, len(state.players)) - sum(current.play)
        if needed == 0 or needed > left or step == len(states) - 1:
            return TurningPoint(step, len(deal.tricks), outcome is Outcome.MADE)
    return None
