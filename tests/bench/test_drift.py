"""How far totals drift apart is found again where it is known; all variants have a drift."""

from __future__ import annotations

import random
from math import log
from statistics import mean

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.fast.rollouts.win_probability import DRIFT, drift
from fit_score_drift import DRIFTS, Before, befores, best, likely, loss


def test_what_was_fitted_is_one_of_those_that_were_tried() -> None:
    fitted = [variants.fitted_numbers(rules).get("drift") for rules in variants.VARIANTS.values()]
    assert any(fitted)
    assert {found for found in fitted if found is not None} <= set(DRIFTS)


def test_a_sheet_goes_by_what_was_fitted_for_its_base_and_else_by_what_is_usual() -> None:
    base = variants.get("partnership")
    assert drift(replace(base, variant="ours", base="partnership")) == drift(base) != DRIFT
    assert drift(replace(base, variant="ours")) == DRIFT


@pytest.mark.parametrize("known", [0.73, 2.31])
@pytest.mark.parametrize("variant", ["partnership", "five-card"])
def test_a_known_drift_is_found_again(variant: str, known: float) -> None:
    """Winners drawn by the chance that a drift gives them."""
    rules, rng = variants.get(variant), random.Random(7)
    players, sides = tuple(range(rules.seats)), range(len(rules.sides))
    found = []
    for _ in range(3000):
        scores = tuple(rng.randrange(rules.ending.target) for _ in sides)
        before = Before(players, scores, 2)
        chances = [likely(rules, before, side, known) for side in sides]
        found.append((before, rng.choices(sides, chances)[0]))
    assert best(rules, found) == known


def test_totals_foretell_the_winner() -> None:
    rules = variants.get("partnership")
    found = befores(rules, 30, 1)
    assert all(before.deals > 0 and len(before.scores) == 2 for before, _ in found)
    mean_loss = mean(loss(rules, *at, drift(rules)) for at in found)
    assert 0.2 < mean_loss < log(2)
