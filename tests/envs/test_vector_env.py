"""Games in step, beside the same games stepped one by one in Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from acesaround import variants
from acesaround.envs import ActionCodec
from acesaround.envs.action_codec import PASS_NUMBER
from acesaround.envs.observations import ObservationEncoder
from acesaround.envs.vector_env import VectorEnv
from acesaround.errors import RulesError
from acesaround.game.events import DealScored
from acesaround.rules import Phase, Rules

STEPPABLE = [
    (name, players)
    for name, rules in variants.VARIANTS.items()
    if Phase.STOCK_PLAY not in rules.phases
    for players in rules.players[:3]
]
"""The games that can be played in step, with up to three numbers of players."""
NOT_STEPPABLE = [
    name for name, rules in variants.VARIANTS.items() if Phase.STOCK_PLAY in rules.phases
]


def compare_with_positions(rules: Rules, games: int, steps: int, seed: int) -> set[str]:
    """Step games beside Python positions; return the kinds of decisions and ends that came up.

    Each step compares the seat, the mask, what a random seat sees, and the results.
    """
    env, rng, seen = VectorEnv(games, rules), random.Random(seed), set[str]()
    encoder = ObservationEncoder(ActionCodec(rules))
    step = env.reset(seed=seed)
    positions = [env.first_position(game) for game in range(games)]
    for _ in range(steps):
        watchers = [rng.randrange(rules.seats) for _ in range(games)]
        watched = env.observe(watchers)
        for game, position in enumerate(positions):
            assert position.seat == step.seats[game]
            assert position.legal == tuple(np.flatnonzero(step.action_masks[game]))
            seat, watcher = int(step.seats[game]), watchers[game]
            assert_same_numbers(encoder, step.observations[game], encoder.encode(position, seat))
            assert_same_numbers(encoder, watched[game], encoder.encode(position, watcher))
            seen.add(position.decision.kind)
        actions = env.sample_actions()
        passes = step.action_masks[:, PASS_NUMBER] & (
            np.array([rng.random() for _ in actions]) < 0.5
        )
        actions[passes] = PASS_NUMBER
        step = env.step(actions)
        for game, position in enumerate(positions):
            after = position.apply(int(actions[game]))
            assert after.is_over == step.terminations[game]
            scores = after.game.scores if after.is_over else (0,) * len(rules.sides)
            returns = after.returns() if after.is_over else (0,) * rules.seats
            assert tuple(step.scores[game]) == scores
            assert np.array_equal(
                step.rewards[game], np.array([points / 100 for points in returns], np.float32)
            )
            if after.is_over:
                seen |= {
                    event.score.outcome
                    for event in after.steps[-1].events
                    if isinstance(event, DealScored)
                }
                after = env.first_position(game)
            positions[game] = after
    return seen


def assert_same_numbers(
    encoder: ObservationEncoder, found: np.ndarray, expected: np.ndarray
) -> None:
    """Assert that two observations are equal bit for bit, and name the entries that differ."""
    different = np.flatnonzero(found != expected)
    assert not len(different), [
        (encoder.names[at], float(found[at]), float(expected[at])) for at in different[:10]
    ]


@pytest.mark.parametrize("game", STEPPABLE, ids=str)
def test_games_in_step_equal_positions(game: tuple[str, int]) -> None:
    rules = variants.get(*game)
    seen = compare_with_positions(rules, games=8, steps=150, seed=1)
    assert "play" in seen


@pytest.mark.parametrize("name", NOT_STEPPABLE)
def test_a_game_that_cannot_be_stepped_is_refused(name: str) -> None:
    with pytest.raises(RulesError, match="possible is every game with an auction"):
        VectorEnv(2, name)
