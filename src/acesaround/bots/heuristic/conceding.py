"""Conceding before the lead, only where the play cannot be expected to make the bid."""

from __future__ import annotations

from acesaround.actions import CONCEDE, Action
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.hand_value import evaluate_hand
from acesaround.cards import pack
from acesaround.game.view import View, tally
from acesaround.heuristic_weights import HandWeights, trick_worth
from acesaround.rules.scoring import most_in_play, to_go


def concede(view: View, its: HandWeights | None = None) -> tuple[Action, Explanation] | None:
    """Concede and give the reason, or return None to play on.

    A declarer who is set loses the bid anyway, and the others then also score their tricks.
    """
    rules = view.rules
    assert view.declarer is not None and view.bid is not None and view.trump is not None
    side, now, players = rules.side_of(view.declarer), tally(view), len(view.players)
    need = to_go(rules, now, side, view.bid)
    most = most_in_play(rules, players) - now.play[side]
    if need > most:
        return CONCEDE, Explanation(ReasonTemplate.NOT_ALL_TRICKS)
    hoped = evaluate_hand(view, pack(view.hand), view.trump, its).play
    hoped += 2.0 * trick_worth(rules, players) + 0.1 * most
    if need <= hoped:
        return None
    given = [
        m for at, m in enumerate(now.meld) if at != side and view.scores[at] + m >= view.target
    ]
    if given and need <= 0.9 * most:
        return None  # conceding would lose the game at once
    return CONCEDE, Explanation(ReasonTemplate.TOO_FAR)
