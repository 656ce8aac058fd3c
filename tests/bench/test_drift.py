"""Fitting the score drift: a known drift is found, and all variants have one."""

from __future__ import annotations

import random
from math import log
from statistics import mean

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.fast.rollouts.win_probability import DRIFT, score_drift
from fit_score_drift import DRIFTS, GameBeforeDeal, best_drift, games_before_deals, loss, win_chance


def test_fitted_drifts_are_among_those_tried() -> None:
    fitted = [variants.fitted_numbers(rules).get("drift") for rules in variants.VARIANTS.values()]
    assert any(fitted)
    assert {games for games in fitted if games is not None} <= set(DRIFTS)


def test_sheet_has_the_drift_of_its_base_or_the_default() -> None:
    base = variants.get("partnership")
    assert (
        score_drift(replace(base, variant="ours", base="partnership")) == score_drift(base) != DRIFT
    )
    assert score_drift(replace(base, variant="ours")) == DRIFT


@pytest.mark.parametrize("known", [0.73, 2.31])
@pytest.mark.parametrize(
    "variant", ["partnership", pytest.param("five-card", marks=pytest.mark.soak)]
)
def test_fit_finds_a_known_drift(variant: str, known: float) -> None:
    """Winners are drawn with the chances that the drift gives them."""
    rules, rng = variants.get(variant), random.Random(7)
    players, sides = tuple(range(rules.seats)), range(len(rules.sides))
    games = []
    for _ in range(3000):
        scores = tuple(rng.randrange(rules.ending.target) for _ in sides)
        before = GameBeforeDeal(players, scores, 2)
        chances = [win_chance(rules, before, side, known) for side in sides]
        games.append((before, rng.choices(sides, chances)[0]))
    assert best_drift(rules, games) == known


def test_totals_predict_the_winner_better_than_chance() -> None:
    rules = variants.get("partnership")
    games = games_before_deals(rules, 30, 1)
    assert all(before.deals > 0 and len(before.scores) == 2 for before, _ in games)
    mean_loss = mean(loss(rules, *game, score_drift(rules)) for game in games)
    assert 0.2 < mean_loss < log(2)
