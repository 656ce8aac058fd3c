"""Conceding before the lead, only if the play cannot be expected to make the bid."""

from __future__ import annotations

from acesaround.actions import CONCEDE, Action
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.hand_value import evaluate_hand
from acesaround.cards import pack
from acesaround.game.concession import concede_sentence
from acesaround.game.view import View, tally
from acesaround.heuristic_weights import HandWeights, average_trick_points
from acesaround.rules.scoring import max_play_points, points_to_make_bid


def concede_reason(view: View) -> Explanation:
    """Return why to concede: no play can make the bid, or hardly any. It says what that costs."""
    needed, points_left = _points_needed_and_left(view)
    is_hopeless = needed > points_left
    template = ReasonTemplate.ALL_TRICKS_NOT_ENOUGH
    return Explanation(
        template if is_hopeless else ReasonTemplate.BID_UNLIKELY_MADE,
        notes=(concede_sentence(view),),
    )


def _points_needed_and_left(view: View) -> tuple[int, int]:
    """Return the points in play that the declarer's side still needs, and those that are left."""
    assert view.declarer is not None and view.bid is not None
    side, current = view.rules.side_of(view.declarer), tally(view)
    needed = points_to_make_bid(view.rules, current, side, view.bid)
    return needed, max_play_points(view.rules, len(view.players)) - current.play[side]


def concede(view: View, weights: HandWeights | None = None) -> tuple[Action, Explanation] | None:
    """Concede and give the reason, or return None to play on.

    A declarer who is set loses the bid anyway, and the others then also score their tricks.
    """
    rules = view.rules
    assert view.declarer is not None and view.trump is not None
    side, current, players = rules.side_of(view.declarer), tally(view), len(view.players)
    needed, points_left = _points_needed_and_left(view)
    if needed > points_left:
        return CONCEDE, concede_reason(view)
    expected = evaluate_hand(view, pack(view.hand), view.trump, weights).play
    expected += 2.0 * average_trick_points(rules, players) + 0.1 * points_left
    if needed <= expected:
        return None
    winning_totals = [
        m
        for other_side, m in enumerate(current.meld)
        if other_side != side and view.scores[other_side] + m >= view.target
    ]
    if winning_totals and needed <= 0.9 * points_left:
        return None  # conceding would lose the game at once
    return CONCEDE, Explanation(ReasonTemplate.BID_FAR_ABOVE_HAND, notes=(concede_sentence(view),))
