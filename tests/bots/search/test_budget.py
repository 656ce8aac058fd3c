"""How many playouts a time limit allows, and how many worlds follow from that."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from acesaround import game
from acesaround.bots.search.budget import PLAYOUTS_PER_MS, SearchBudget, playouts_within
from acesaround.bots.search.world_sampling import worlds_within_budget
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import turn_of, view_for
from tests.bots.search.sample_decisions import sample_states, situation


def test_playouts_are_proportional_to_time() -> None:
    assert playouts_within(1.0) == 1000 * PLAYOUTS_PER_MS
    assert playouts_within(0.1) * 10 == playouts_within(1.0)
    assert playouts_within(0.0) == 16


@given(st.integers(1, 10**7), st.integers(0, 300), st.integers(8, 5000))
def test_world_count_spends_the_playouts(number: int, choices: int, most: int) -> None:
    worlds = SearchBudget(number, 1).world_count(choices, most)
    assert 8 <= worlds <= most
    if 8 < worlds < most:
        assert worlds * choices <= number < (worlds + 1) * max(choices, 1)


def test_weighing_worlds_leaves_fewer_worlds() -> None:
    for variant in ("partnership", "three-handed", "two-handed"):
        for state in sample_states(variant, 2):
            seen = view_for(state, turn_of(state))
            many = SearchBudget(8000, 1)

            def worlds(
                budget: SearchBudget, cost: float, most: int = 1500, state: GameState = state
            ) -> int:
                return worlds_within_budget(situation(state, budget), cost, most)

            assert worlds(SearchBudget(2000, 1), 3.0) <= worlds(many, 3.0)
            numbers = [worlds(many, cost) for cost in (0.5, 2.0, 8.0, 1e9)]
            assert all(less <= more for more, less in pairwise(numbers))
            assert numbers[-1] == 8
            assert worlds(SearchBudget(10**9, 1), 1.0, 700) == 700
            bare = worlds(many._replace(uses_calls=False, uses_plays=False), 8.0)
            assert bare == 8000 // 8
            is_weighed = bool(seen.auction)
            assert (worlds(many._replace(uses_plays=False), 8.0) < bare) == is_weighed
            is_weighed = game.decision(state).kind is DecisionKind.PLAY and bool(seen.tricks)
            is_weighed = is_weighed and not seen.rules.deal.upcard
            assert (worlds(many._replace(uses_calls=False), 8.0) < bare) == is_weighed
