"""The value of the end of a deal: as the engine scores it, with points found by the solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.actions import Concede
from acesaround.bots.deal_outcomes import add_buried_points, evaluate_deal_end, tally_from_solver
from acesaround.fast.rollouts.card_play import PlayFacts
from acesaround.fast.rollouts.win_probability import make_scoring_state
from acesaround.game.events import DealScored
from acesaround.game.state import DecisionKind, tally
from acesaround.game.view import tally as view_tally
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome, Tally
from tests.random_games import Turn, tables, turns


def ends_deal(turn: Turn) -> bool:
    return turn.decision.kind is DecisionKind.PLAY and turn.after.deals > turn.before.deals


def compare_with_score(turn: Turn) -> None:
    """Compare the value after the last turn of a deal with the engine."""
    before, rules = turn.before, turn.before.rules
    score = next(event.score for event in turn.events if isinstance(event, DealScored))
    now = make_scoring_state(rules, before.players, before.scores, before.target, before.deals)
    if score.outcome is Outcome.RENEGED:
        return
    outcome = Outcome.CONCEDED if isinstance(turn.action, Concede) else None
    declarer = before.deal.declarer
    for mine in {rules.side_of(seat) for seat in before.players}:
        deal = PlayFacts(
            declarer=-1 if declarer is None else rules.side_of(declarer),
            bid=before.deal.bid or 0,
            own_side=mine,
            dix_points=np.zeros(len(rules.sides), np.int64),
        )
        final = tally(game.last_state_of_deal(before, turn.action))
        value = evaluate_deal_end(rules, now, deal, final, outcome, before.deal.trump)
        assert value.points == score.change[mine]
        assert value.bid_made == (score.outcome in (Outcome.MADE, Outcome.NO_BID))
        assert 0.0 <= value.win_probability <= 1.0 + 1e-12


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(0, 1 << 30))
def test_evaluate_deal_end_equals_the_score(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed):
        if ends_deal(turn):
            compare_with_score(turn)


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_evaluate_deal_end_equals_the_score_in_every_variant(variant: str) -> None:
    ends = [turn for turn in turns(variants.get(variant), 5, deals=6) if ends_deal(turn)]
    assert ends
    for turn in ends:
        compare_with_score(turn)


@pytest.mark.parametrize(
    ("won", "shares"), [(0, (0, 21, 21)), (10, (10, 16, 16)), (42, (42, 0, 0))]
)
def test_other_sides_share_the_remaining_points(won: int, shares: tuple[int, int, int]) -> None:
    rules = variants.get("three-handed")
    before = Tally((1, 2, 3), (0, 0, 1), (100, 50, 60), (False, False, True))
    found = tally_from_solver(rules, before, {0, 1, 2}, 0, won, 42)
    assert (found.meld, found.dix_points) == (before.meld, before.dix_points)
    assert found.play == tuple(had + more for had, more in zip(before.play, shares, strict=True))
    # The last trick counts 10, so only more than 10 points prove a counter.
    assert found.has_counter == (shares[0] > 10, shares[1] > 10, True)


def test_absent_sides_win_no_points() -> None:
    rules = variants.get("three-handed")
    before = Tally((0,) * 3, (0,) * 3, (0,) * 3, (False,) * 3)
    assert tally_from_solver(rules, before, {0, 2}, 2, 40, 100).play == (60, 0, 40)


def test_buried_points_count_for_the_declarer() -> None:
    compared = 0
    for turn in turns(variants.get("three-handed"), 5, deals=1):
        if turn.decision.kind is DecisionKind.PLAY and turn.before.deal.declarer is not None:
            seen = view_for(turn.before, turn.decision.seat)
            side = turn.before.rules.side_of(turn.before.deal.declarer)
            assert add_buried_points(view_tally(seen, 0), side, 30) == view_tally(seen, 30)
            compared += 1
    assert compared
    empty = Tally((0,) * 3, (0,) * 3, (0,) * 3, (False,) * 3)
    assert add_buried_points(empty, -1, 30) == empty
