"""Games in step, beside the same games stepped one by one in Python."""

from __future__ import annotations

import os
import random
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from acesaround import variants
from acesaround.envs import ActionCodec
from acesaround.envs.action_codec import PASS_ID
from acesaround.envs.observations import ObservationEncoder
from acesaround.envs.vector_env import VectorEnv, VectorStep
from acesaround.errors import RulesError
from acesaround.game.events import DealScored
from acesaround.rules import HouseMeld, Phase, Rules
from tests.test_docs import blocks

STEPPABLE: Final = [
    pytest.param(
        name,
        players,
        marks=()
        if name in variants.distinct_variants() and players == rules.players[0]
        else pytest.mark.soak,
    )
    for name, rules in variants.VARIANTS.items()
    if Phase.STOCK_PLAY not in rules.phases
    for players in rules.players
]
"""The games that can be played in step; outside `make soak` one of each kind."""
NOT_STEPPABLE: Final = [
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
        passes = step.action_masks[:, PASS_ID] & (np.array([rng.random() for _ in actions]) < 0.5)
        actions[passes] = PASS_ID
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
    encoder: ObservationEncoder, found: npt.NDArray[Any], expected: npt.NDArray[Any]
) -> None:
    """Assert that two observations are equal bit for bit, and name the entries that differ."""
    different = np.flatnonzero(found != expected)
    assert not len(different), [
        (encoder.names[at], float(found[at]), float(expected[at])) for at in different[:10]
    ]


@pytest.mark.parametrize(("name", "players"), STEPPABLE)
def test_games_in_step_equal_positions(name: str, players: int) -> None:
    seen = compare_with_positions(variants.get(name, players), games=6, steps=150, seed=1)
    assert {"play", "set"} <= seen or "counted" in seen


def test_deals_that_nobody_plays_end_at_once() -> None:
    """Everybody passes, the declarer has no marriage, the declarer concedes."""
    seen = compare_with_positions(variants.get("three-handed"), games=12, steps=90, seed=2)
    assert {"thrown-in", "conceded"} <= seen
    rules = variants.get("double-deck-classic")
    assert "no-marriage" in compare_with_positions(rules, games=30, steps=25, seed=3)


@pytest.mark.parametrize("options", [{"renege": "penalty"}, {"concede": "always"}])
def test_house_options_hold(options: dict[str, object]) -> None:
    rules = variants.get("partnership", options=options)
    compare_with_positions(rules, games=6, steps=60, seed=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "players"), STEPPABLE)
def test_many_games_in_step_equal_positions(name: str, players: int, seed: int) -> None:
    compare_with_positions(variants.get(name, players), games=32, steps=500, seed=seed)


PRESETS: Final = [
    (name, preset)
    for name in variants.VARIANTS
    if name not in NOT_STEPPABLE
    for preset in variants.presets(name)
]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_presets_in_step_equal_positions(name: str, preset: str) -> None:
    rules = variants.get(name, options=variants.preset_options(name, preset))
    compare_with_positions(rules, games=16, steps=300, seed=5)


@pytest.mark.parametrize("name", NOT_STEPPABLE)
def test_a_game_that_cannot_be_stepped_is_refused(name: str) -> None:
    with pytest.raises(RulesError, match="possible is every game with an auction"):
        VectorEnv(2, name)


def test_a_game_with_house_melds_is_refused() -> None:
    rules = variants.get("partnership")
    meld = HouseMeld(name="round trip", cards="KS QS KH QH", points=50)
    melds = msgspec.structs.replace(rules.melds, others=(meld,))
    with pytest.raises(RulesError, match="round trip is a meld of your own"):
        VectorEnv(2, msgspec.structs.replace(rules, melds=melds))


def copied(step: VectorStep) -> list[list[object]]:
    """Return a step as lists, which the next step does not overwrite."""
    return [array.tolist() for array in step]


def test_a_seed_repeats_deals_and_draws() -> None:
    def play(env: VectorEnv, seed: int | None) -> list[list[list[object]]]:
        found = [copied(env.reset(seed))]
        for _ in range(70):
            actions = env.sample_actions()
            found += [[actions.tolist()], copied(env.step(actions))]
        return found

    env, other = VectorEnv(4), VectorEnv(4)
    first = play(env, 7)
    assert play(other, 7) == first
    assert play(env, 7) == first
    after = play(env, None)
    assert after != first
    assert play(other, None) == after
    assert play(env, 8) != first


def test_games_of_a_batch_have_different_deals() -> None:
    env = VectorEnv(50)
    env.reset(seed=1)
    assert len({env.deal(game).hands for game in range(50)}) == 50
    assert set(env.dealers.tolist()) == {0, 1, 2, 3}


def test_an_illegal_number_is_refused_and_changes_nothing() -> None:
    env = VectorEnv(3)
    before = copied(env.reset(seed=1))
    for wrong in (9, -1, env.codec.action_count):
        with pytest.raises(ValueError, match=rf"^{wrong} is not legal in game 1: expected one of"):
            env.step([0, wrong, 0])
    for shape in ([0, 0], [[0, 0, 0]], [0.0, 0.0, 0.0]):
        with pytest.raises(ValueError, match="expected 3 whole numbers"):
            env.step(shape)
    assert copied(env.last_step) == before
    for seat in (4, -1, 1.5):
        with pytest.raises(ValueError, match="seats are numbered 0 to 3"):
            env.observe(seat)
    with pytest.raises(ValueError, match="expected one seat or 3"):
        env.observe([0, 1])
    with pytest.raises(ValueError, match="1 game or more"):
        VectorEnv(0)


def test_nothing_is_answered_before_the_first_reset() -> None:
    env = VectorEnv(3)
    questions = (
        lambda: env.step([0, 0, 0]),
        lambda: env.last_step,
        lambda: env.dealers,
        env.sample_actions,
        lambda: env.observe(0),
        lambda: env.deal(0),
        lambda: env.first_position(0),
    )
    for ask in questions:
        with pytest.raises(ValueError, match="call reset first"):
            ask()


def test_nobody_can_write_to_the_masks_of_the_games() -> None:
    step = VectorEnv(2).reset(seed=1)
    for array in step:
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 1


def test_a_batch_without_observations_plays_the_same_games() -> None:
    env, blind = VectorEnv(4), VectorEnv(4, observes=False)
    env.reset(seed=1)
    blind.reset(seed=1)
    for _ in range(70):
        step = env.step(env.sample_actions())
        found = blind.step(blind.sample_actions())
        assert found.observations.shape == (4, 0)
        assert copied(found)[1:] == copied(step)[1:]


def test_every_legal_number_is_drawn() -> None:
    env = VectorEnv(1)
    step = env.reset(seed=1)
    drawn = {int(env.sample_actions()[0]) for _ in range(200)}
    assert drawn == set(np.flatnonzero(step.action_masks[0]).tolist())


PROGRAM: Final = "from tests.envs.test_vector_env import answers; print(*answers(), sep='\\n')"


def answers() -> list[str]:
    """Return the results of some games as text."""
    found: list[str] = []
    for name in ("partnership", "auction", "classic", "five-card"):
        env = VectorEnv(3, name)
        env.reset(seed=1)
        for _ in range(60):
            step = env.step(env.sample_actions())
            found += [str([array.tolist() for array in step])]
    return found


def test_uncompiled_kernels_give_the_same_results() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "src:."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == answers()


@pytest.mark.parametrize("module", ["numba", "numpy"])
def test_a_missing_package_is_named_with_its_extra(module: str) -> None:
    program = (
        f"import sys\nsys.modules[{module!r}] = None\n"
        "from acesaround.errors import RulesError\n"
        "try:\n    import acesaround.envs.vector_env\n"
        "except RulesError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        f"VectorEnv needs {module}, which is not installed: pip install 'acesaround[fast]'.\n"
    )


def test_the_program_on_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = (one for one in blocks("docs/environments.md", "python") if "VectorEnv" in one)
    exec(compile(program, "docs/environments.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_example_learns_to_beat_random_players(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[2] / "examples/train_vector_env.py"
    program = runpy.run_path(str(path))
    words = ["--updates", "12", "--games", "64", "--hidden", "32", "--deals", "400"]
    before, after = program["main"](words)
    assert abs(before - 0.5) < 0.1
    assert after > 0.57
    assert capsys.readouterr().out.startswith("before: ")
