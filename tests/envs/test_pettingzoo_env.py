"""The games in PettingZoo."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from acesaround import variants
from acesaround.envs.pettingzoo_env import env
from tests.variant_sample import sample_variants

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # advice of PettingZoo's own test


@pytest.mark.parametrize("variant", sample_variants(variants.VARIANTS))
def test_pettingzoos_own_tests_pass(variant: str, capfd: pytest.CaptureFixture[str]) -> None:
    api_test(env(variant=variant), num_cycles=100, verbose_progress=False)
    seed_test(lambda: env(variant=variant), num_cycles=20)
    assert "Passed API test" in capfd.readouterr().out


def test_rewards_come_at_the_end_and_add_up_to_nothing() -> None:
    game = env(variant="double-deck", reward_scale=1, render_mode="ansi")
    game.reset(seed=5)
    rng = np.random.default_rng(1)
    total = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        observation, reward, is_over, _, _ = game.last()
        total[agent] += reward
        mask = observation["action_mask"]
        assert mask.any() != is_over
        game.step(None if is_over else int(rng.choice(np.flatnonzero(mask))))
    assert sum(total.values()) == 0
    assert total["seat_0"] == total["seat_2"] == -total["seat_1"] != 0
    assert "play" in (game.render() or "")


def test_only_the_agent_on_turn_has_legal_actions() -> None:
    game = env()
    game.reset(seed=1)
    for agent in game.possible_agents:
        has_actions = game.observe(agent)["action_mask"].any()
        assert has_actions == (agent == game.agent_selection)


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    game = env()
    game.reset(seed=1)
    before = game.position
    with pytest.raises(ValueError, match="is not legal here"):
        game.step(8)
    with pytest.raises(ValueError, match="needs an action, not None"):
        game.step(None)
    assert game.position is before
    assert game.render() is None
