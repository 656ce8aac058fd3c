"""Cards tried in a kernel: what each brings is what the engine says it brings."""

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
from acesaround.fast.rollouts.card_play import RolloutResults, Unseen, try_cards
from acesaround.fast.rollouts.encode_view import encode_view
from acesaround.fast.rollouts.win_probability import win_probability
from acesaround.game.state import GameState
from acesaround.game.view import turn_of, view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from acesaround.rules.support import Feature
from tests.fast.playouts.test_packed_deal import offered
from tests.fast.rollouts.moments import Truth, moments, scored, truth
from tests.fast.rollouts.moments import end as engine_end
from tests.random_games import tables


def tried(its: Truth, choices: list[int]) -> RolloutResults:
    return try_cards(
        its.arrays,
        its.deal,
        its.packed,
        Unseen(its.hands, its.stock, its.buried),
        np.array(choices, np.int64),
    )


def as_in_the_engine(state: GameState) -> int:
    """Compare each choice; how many there were."""
    its, actions = truth(state), offered(state)
    found = tried(its, list(actions))
    for at, action in enumerate(actions.values()):
        ended = engine_end(state, action)
        assert found.points[0, at] == ended.change[its.deal.mine]
        assert found.made[0, at] == (ended.outcome is not Outcome.SET)
        totals = its.game.scores + np.array(ended.change)
        wins = win_probability(its.game, totals, its.deal.declarer, its.deal.mine)
        assert found.chance[0, at] == pytest.approx(wins)
    if not its.packed.status[STOCK_LEFT]:
        may_meld = any(isinstance(action, LayMeld) for action in actions.values())
        its = its._replace(packed=encode_view(view_for(state, turn_of(state)), may_meld=may_meld))
        for one, other in zip(tried(its, list(actions)), found, strict=True):
            assert np.array_equal(one, other)
    return len(actions)


def look(rules: Rules, seed: int, number: int, well: bool) -> int:
    """Compare at some moments of a game that stands somewhere."""
    rng = random.Random(seed)
    return sum(as_in_the_engine(scored(its, rng)) for its in moments(rules, seed, number, well))


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_in_the_true_world_a_choice_ends_as_in_the_engine(variant: str) -> None:
    assert look(variants.get(variant), 5, 30, True) > 40


def test_melds_below_the_floor_are_no_stake_whoever_sees_them() -> None:
    """Who plays by rules of thumb saves what can be saved, and a hidden meld cannot."""
    law = replace(variants.SEVEN_CARD.scoring, least_meld=10, nines_apart=False)
    for seed in (10, 21, 49, 54):
        assert look(replace(variants.SEVEN_CARD, scoring=law), seed, 20, True)


@settings(max_examples=60, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_it_does_at_any_table(rules: Rules, seed: int, well: bool) -> None:
    look(rules, seed, 6, well)


@pytest.mark.soak
@settings(max_examples=1500, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_it_does_at_very_many_tables(rules: Rules, seed: int, well: bool) -> None:
    look(rules, seed, 20, well)


@pytest.mark.parametrize("variant", ["three-handed", "two-handed", "double-deck"])
def test_worlds_do_not_mix(variant: str) -> None:
    """Each row is what its world brings when it is asked about alone, buried points included."""
    rules, rng = variants.get(variant), random.Random(3)
    state = max(moments(rules, 5, 30, True), key=lambda its: len(offered(its)))
    its, choices = truth(state), list(offered(state))
    others = [player for player in range(rules.seats) if state.players[player] != turn_of(state)]
    worlds = []
    for _ in range(6):
        hands = its.hands.copy()
        for one, other in zip(others, rng.sample(others, len(others)), strict=True):
            hands[:, other] = its.hands[:, one]
        stock = its.stock.copy()
        stock[:, :-1] = rng.sample(list(stock[0, :-1]), stock.shape[1] - 1) if stock.size else 0
        buried = np.array([rng.choice([0, 10, 30])])
        worlds.append(its._replace(hands=hands, stock=stock, buried=buried))
    at_once = its._replace(
        hands=np.concatenate([its.hands for its in worlds]),
        stock=np.concatenate([its.stock for its in worlds]),
        buried=np.concatenate([its.buried for its in worlds]),
    )
    whole = tried(at_once, choices)
    for number, world in enumerate(worlds):
        for alone, row in zip(tried(world, choices), whole, strict=True):
            assert np.array_equal(alone[0], row[number])
    backwards = tried(at_once, choices[::-1])
    assert np.array_equal(backwards.points[:, ::-1], whole.points)
    assert len({tuple(row) for row in whole.points.tolist()}) > 1
