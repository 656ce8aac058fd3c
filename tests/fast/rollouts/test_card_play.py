"""Rollouts of cards: each choice ends as in the engine."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import variants
from acesaround.actions import LayMeld
from acesaround.fast.playouts.packed_deal import STOCK_LEFT
from acesaround.fast.rollouts.card_play import RolloutResults, Unseen, roll_out_cards
from acesaround.fast.rollouts.encode_view import encode_view
from acesaround.fast.rollouts.win_probability import win_probability
from acesaround.game.state import GameState
from acesaround.game.view import turn_of, view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.scoring import Outcome
from tests.fast.playouts.test_packed_deal import offered
from tests.fast.rollouts.moments import Truth, moments, scored, truth
from tests.fast.rollouts.moments import end as engine_end
from tests.random_games import tables


def roll_out(world: Truth, choices: list[int]) -> RolloutResults:
    return roll_out_cards(
        world.arrays,
        world.deal,
        world.packed,
        Unseen(world.hands, world.stock, world.buried),
        np.array(choices, np.int64),
    )


def compare_choices(state: GameState) -> int:
    """Assert that each choice ends as in the engine; return the number of choices."""
    world, actions = truth(state), offered(state)
    found = roll_out(world, list(actions))
    for column, action in enumerate(actions.values()):
        expected = engine_end(state, action)
        assert found.points[0, column] == expected.change[world.deal.own_side]
        assert found.bid_made[0, column] == (expected.outcome is not Outcome.SET)
        totals = world.game.scores + np.array(expected.change)
        wins = win_probability(world.game, totals, world.deal.declarer, world.deal.own_side)
        assert found.win_probability[0, column] == pytest.approx(wins)
    if not world.packed.status[STOCK_LEFT]:
        may_meld = any(isinstance(action, LayMeld) for action in actions.values())
        world = world._replace(
            packed=encode_view(view_for(state, turn_of(state)), may_meld=may_meld)
        )
        for encoded, true in zip(roll_out(world, list(actions)), found, strict=True):
            assert np.array_equal(encoded, true)
    return len(actions)


def compare_random_states(rules: Rules, seed: int, number: int, well: bool) -> int:
    """Compare at some states of a game with random scores; return the number of choices."""
    rng = random.Random(seed)
    return sum(compare_choices(scored(state, rng)) for state in moments(rules, seed, number, well))


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_choice_ends_as_in_the_engine(variant: str) -> None:
    assert compare_random_states(variants.get(variant), 5, 30, True) > 40


def test_melds_below_the_floor_are_not_at_stake() -> None:
    """A player by rules of thumb saves what can be saved, and a hidden meld cannot."""
    law = replace(variants.SEVEN_CARD.scoring, least_meld=10, nines_apart=False)
    for seed in (10, 21, 49, 54):
        assert compare_random_states(replace(variants.SEVEN_CARD, scoring=law), seed, 20, True)


@settings(max_examples=60, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_choice_ends_as_in_the_engine_at_any_table(rules: Rules, seed: int, well: bool) -> None:
    compare_random_states(rules, seed, 6, well)


@pytest.mark.soak
@settings(max_examples=1500, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_choice_ends_as_in_the_engine_at_many_tables(rules: Rules, seed: int, well: bool) -> None:
    compare_random_states(rules, seed, 20, well)


@pytest.mark.parametrize("variant", ["three-handed", "two-handed", "double-deck"])
def test_results_of_worlds_are_independent(variant: str) -> None:
    """Each row equals the result of its world alone, buried points included."""
    rules, rng = variants.get(variant), random.Random(3)
    state = max(moments(rules, 5, 30, True), key=lambda state: len(offered(state)))
    world, choices = truth(state), list(offered(state))
    others = [player for player in range(rules.seats) if state.players[player] != turn_of(state)]
    worlds = []
    for _ in range(6):
        hands = world.hands.copy()
        for seat, new_seat in zip(others, rng.sample(others, len(others)), strict=True):
            hands[:, new_seat] = world.hands[:, seat]
        stock = world.stock.copy()
        stock[:, :-1] = rng.sample(list(stock[0, :-1]), stock.shape[1] - 1) if stock.size else 0
        buried = np.array([rng.choice([0, 10, 30])])
        worlds.append(world._replace(hands=hands, stock=stock, buried=buried))
    at_once = world._replace(
        hands=np.concatenate([world.hands for world in worlds]),
        stock=np.concatenate([world.stock for world in worlds]),
        buried=np.concatenate([world.buried for world in worlds]),
    )
    whole = roll_out(at_once, choices)
    for number, single in enumerate(worlds):
        for alone, row in zip(roll_out(single, choices), whole, strict=True):
            assert np.array_equal(alone[0], row[number])
    backwards = roll_out(at_once, choices[::-1])
    assert np.array_equal(backwards.points[:, ::-1], whole.points)
    assert len({tuple(row) for row in whole.points.tolist()}) > 1
