"""The cost of giving up a deal for the declarer's side, and what the others score, by the rules."""

from __future__ import annotations

from acesaround.game.narration import pluralize
from acesaround.game.view import View, tally
from acesaround.rules.scoring import Outcome, outcome_and_changes


def concede_result(view: View) -> tuple[int, ...]:
    """Return what each side's total changes by if the declarer gives up now.

    Raises ValueError if there is no declarer.
    """
    if view.declarer is None or view.bid is None:
        raise ValueError("nobody has a bid to give up")
    rules = view.rules
    _, changes = outcome_and_changes(
        rules,
        tally(view),
        Outcome.CONCEDED,
        rules.side_of(view.declarer),
        view.bid,
        trump=view.trump,
    )
    return changes


def concede_sentence(view: View) -> str:
    """Return `concede_result` as a sentence for the declarer, who may give up."""
    changes, rules = concede_result(view), view.rules
    assert view.declarer is not None
    own_side = rules.side_of(view.declarer)
    playing = {rules.side_of(seat) for seat in view.players}
    order = [(own_side + distance) % len(changes) for distance in range(1, len(changes))]
    others = [changes[side] for side in order if side in playing]
    own = changes[own_side]
    points = pluralize(abs(own), "point")
    if rules.has_partners:
        return (
            f"Your side {'scores' if own > 0 else 'loses'} {points}, and "
            f"{_others_clause(others, 'side', 'the sides after yours')}."
        )
    return (
        f"You {'score' if own > 0 else 'lose'} {points}, and "
        f"{_others_clause(others, 'player', 'the players after you')}."
    )


def _others_clause(others: list[int], noun: str, in_turn: str) -> str:
    """Return what the other sides score. `in_turn`: all of them, in the order of their turns."""
    if len(others) == 1:
        return f"the other {noun} scores {others[0] or 'nothing'}"
    if not any(others):
        return f"the other {noun}s score nothing"
    if len(set(others)) == 1:
        return f"each other {noun} scores {others[0]}"
    *first, last = [str(points) for points in others]
    return f"{in_turn} score {', '.join(first)} and {last}"
