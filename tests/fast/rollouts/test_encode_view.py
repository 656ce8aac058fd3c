"""An encoded view of the play equals the packed state, except for hidden cards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.errors import PositionError
from acesaround.fast.playouts.packed_deal import MAY_CONCEDE, MAY_MELD, STOCK_LEFT, pack
from acesaround.fast.rollouts.encode_view import encode_view
from acesaround.game.state import GameState, StockPlaying
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from tests.fast.rollouts.moments import moments
from tests.random_games import tables
from tests.stock_rules import STOCK_RULES


def compare_laid_melds(state: GameState) -> int:
    """Compare the accounts of melds on the table; return how many seats have laid some.

    A view shows the laid cards and since when, from which follows the class in which a card served.

    """
    assert isinstance(state.phase, StockPlaying)
    turn, true = state.phase.turn, pack(state)
    found = encode_view(view_for(state, turn), may_meld=bool(true.status[MAY_MELD]))
    assert np.array_equal(found.laid_melds, true.laid_melds)
    assert np.array_equal(found.growth_state, true.growth_state)
    return len({laid.seat for laid in state.deal.laid})


def compare(state: GameState, seat: int) -> None:
    """Compare field by field, as any seat sees it."""
    true = pack(state)
    found = encode_view(view_for(state, seat), may_meld=bool(true.status[MAY_MELD]))
    true.status[MAY_CONCEDE] = 0  # which no card depends on
    assert np.array_equal(found.status, true.status)
    assert not found.hands.any()
    assert not found.stock.any()
    assert len(found.stock) >= true.status[STOCK_LEFT]
    for name in ("trick", "points_won"):
        assert np.array_equal(getattr(found, name), getattr(true, name)), name
    assert np.array_equal(found.unplayed[0], true.unplayed[0])
    assert not found.unplayed[1:].any()  # it follows from the hands
    assert np.array_equal(found.won_counter != 0, true.won_counter != 0)
    rules = state.rules
    for shown in state.deal.laid:  # a side that shows nothing has too little to score
        player, side = state.players.index(shown.seat), rules.side_of(shown.seat)
        if shown.is_complete or shown.seat == seat:
            assert found.meld_points[player] == true.meld_points[player]
        else:
            assert found.meld_points[player] == 0
            hidden_points = [
                laid.points for laid in state.deal.laid if rules.side_of(laid.seat) == side
            ]
            assert sum(hidden_points) < rules.scoring.least_meld


def compare_states(rules: Rules, seed: int, number: int, well: bool) -> None:
    rng = random.Random(seed)
    for state in moments(rules, seed, number, well):
        compare(state, rng.choice(state.players))
        if isinstance(state.phase, StockPlaying):
            compare_laid_melds(state)


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_encoded_view_equals_state(variant: str) -> None:
    compare_states(variants.get(variant), 2, 60, True)


@settings(max_examples=60, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_encoded_view_equals_state_at_any_table(rules: Rules, seed: int, well: bool) -> None:
    compare_states(rules, seed, 10, well)


@settings(max_examples=25, deadline=None)
@given(tables("two-handed"), st.integers(0, 1 << 30), st.booleans())
def test_encoded_view_equals_state_with_laid_melds(rules: Rules, seed: int, well: bool) -> None:
    compare_states(rules, seed, 40, well)


@pytest.mark.parametrize("rules", STOCK_RULES.values(), ids=STOCK_RULES)
def test_encoded_view_equals_state_by_house_rules(rules: Rules) -> None:
    for seed in range(4):
        compare_states(rules, seed, 80, well=seed % 2 == 0)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("players", "deck"), [(2, "48"), (4, "24-each")])
def test_encoded_melds_equal_state(players: int, deck: str, whole: bool) -> None:
    """A grown meld scores the difference or, with `whole`, its whole value."""
    number = 0
    rules = variants.get("two-handed", players, {"deck": deck})
    rules = replace(rules, melds=replace(rules.melds, grown_scores_whole=whole))
    for seed in range(25):
        for state in moments(rules, 7 * seed, 25, seed % 2 == 0):
            if isinstance(state.phase, StockPlaying):
                number += compare_laid_melds(state)
    assert number > 300


@pytest.mark.soak
@settings(max_examples=2000, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_encoded_view_equals_state_at_many_tables(rules: Rules, seed: int, well: bool) -> None:
    compare_states(rules, seed, 40, well)


def test_encoding_refuses_states_outside_the_play() -> None:
    state = game.start(variants.get("partnership"), 0)
    with pytest.raises(PositionError, match="Only the play"):
        encode_view(view_for(state, 0))
