"""The games in OpenSpiel."""

from __future__ import annotations

import random
import sys
from typing import Any

import absl.logging
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

from acesaround import variants
from acesaround.envs import openspiel
from acesaround.envs.observations import HistoryEncoder
from acesaround.errors import RulesError
from tests.variant_sample import sample_variants

# absl, which OpenSpiel's algorithms import, logs to the stream that pytest has put in the place of
# standard error for now, and would close it when logging is configured.
absl.logging.get_absl_handler().python_handler.setStream(sys.__stderr__)


def load(**parameters: Any) -> pyspiel.Game:
    return pyspiel.load_game(openspiel.SHORT_NAME, parameters)


def deal(game: pyspiel.Game, rng: random.Random) -> pyspiel.State:
    state = game.new_initial_state()
    while state.is_chance_node():
        kinds, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(kinds, weights)[0])
    return state


@pytest.mark.parametrize("variant", sample_variants(variants.VARIANTS))
def test_openspiels_own_test_passes(variant: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(variant=variant), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


def test_parameters_choose_players_options_deals_and_sheets(tmp_path: Any) -> None:
    game = load(variant="five-card", players=3, options="target=7", deals=2)
    assert game.num_players() == 3
    assert game.codec.rules.ending.target == 7
    assert game.new_initial_state().position.deals == 2
    sheet = tmp_path / "ours.toml"
    sheet.write_text('title = "Ours"\nbase = "partnership"\n[ending]\ntarget = 900\n')
    assert load(variant=str(sheet)).codec.rules.ending.target == 900


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"variant": "whist"}, "'whist' is not a variant"),
        ({"options": "target"}, "'target' is not an option: expected NAME=VALUE"),
        ({"players": 7}, "7"),
    ],
)
def test_parameters_that_cannot_work_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        openspiel.AcesAroundGame(parameters)


def test_returns_are_the_points_of_the_engine() -> None:
    state, rng = deal(load(variant="partnership"), random.Random(1)), random.Random(2)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert tuple(state.returns()) == state.position.returns()
    assert any(state.returns())


def test_observations_with_and_without_memory() -> None:
    game = load(variant="two-handed")
    state = deal(game, random.Random(1))
    present = make_observation(game)
    history = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    present.set_from(state, 0)
    history.set_from(state, 0)
    assert present.tensor.any()
    assert history.dict["history"].shape == HistoryEncoder(game.codec).shape
    assert history.string_from(state, 0) == state.information_state_string(0)
    assert np.array_equal(history.tensor, state.information_state_tensor(0))
    assert present.string_from(state, 0) != present.string_from(state, 1)
    public = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    with pytest.raises(ValueError, match="only what one player knows"):
        game.make_py_observer(public)
    with pytest.raises(ValueError, match="observations have no parameters"):
        game.make_py_observer(None, {"size": 3})


def test_a_resampled_state_has_a_history_of_its_own() -> None:
    game, rng = load(variant="partnership"), random.Random(3)
    state = deal(game, rng)
    for _ in range(8):
        state.apply_action(rng.choice(state.legal_actions()))
    player = state.current_player()
    other = state.resample_from_infostate(player, rng.random)
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.history() != state.history()
    again = game.deserialize_state(other.serialize())
    assert again.information_state_string(player) == state.information_state_string(player)


def test_information_set_mcts_of_openspiel_finds_a_legal_move() -> None:
    game = load(variant="two-handed")
    state = deal(game, random.Random(1))
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=50.0,
        max_simulations=5,
        max_world_samples=3,
        random_state=np.random.RandomState(2),
    )
    assert bot.step(state) in state.legal_actions()
