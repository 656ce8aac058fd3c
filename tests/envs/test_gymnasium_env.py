"""The games in Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from acesaround import variants
from acesaround.envs import gymnasium_env
from acesaround.errors import RulesError
from tests.variant_sample import sample_variants

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # advice of Gymnasium's own test


def make(**arguments: Any) -> gymnasium_env.PinochleEnv:
    made = gymnasium.make(gymnasium_env.ID, **arguments).unwrapped
    assert isinstance(made, gymnasium_env.PinochleEnv)
    return made


@pytest.mark.parametrize("variant", sample_variants(variants.VARIANTS))
def test_gymnasiums_own_test_passes(variant: str) -> None:
    check_env(make(variant=variant, opponents="thumb"), skip_render_check=True)


def play_episode(game: gymnasium_env.PinochleEnv, seed: int) -> tuple[float, list[int]]:
    """Play legal numbers at random. Return the reward, and the numbers."""
    game.reset(seed=seed)
    rng = np.random.default_rng(seed)
    numbers = []
    is_over, reward = False, 0.0
    while not is_over:
        numbers.append(int(rng.choice(np.flatnonzero(game.action_masks()))))
        _, reward, is_over, is_cut, info = game.step(numbers[-1])
        assert not is_cut
        assert "illegal" not in info
    return reward, numbers


def test_a_seed_repeats_an_episode_with_its_bots() -> None:
    game = make(opponents="easy", partner="thumb")
    assert play_episode(game, 3) == play_episode(game, 3)
    assert play_episode(game, 3)[1] != play_episode(game, 4)[1]
    game.close()


def test_the_learner_keeps_its_seat_and_is_paid_its_points() -> None:
    game = make(variant="three-handed", seat=1, reward_scale=10, deals=2, render_mode="ansi")
    for seed in range(3):
        reward, _ = play_episode(game, seed)
        assert game.seat == 1
        assert reward == game.position.returns()[1] / 10
        assert game.position.game.deals == 2
    assert "play" in (game.render() or "")


def test_an_illegal_number_ends_the_episode() -> None:
    game = make()
    game.reset(seed=1)
    wrong = int(np.flatnonzero(~game.action_masks())[0])
    _, reward, is_over, _, info = game.step(wrong)
    assert (reward, is_over, info["illegal"]) == (gymnasium_env.ILLEGAL_REWARD, True, True)
    assert game.render() is None


def test_bots_that_cannot_play_are_refused() -> None:
    with pytest.raises(RulesError, match="nobody"):
        make(opponents="nobody")
