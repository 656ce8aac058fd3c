"""How far totals drift apart is found again where it is known; all variants have a drift."""

from __future__ import annotations

import random
from math import log
from statistics import mean

import numpy as np
import pytest

from acesaround import variants
from acesaround.fast.trials.score import chance, drifts, standing
from drift import DRIFTS, Before, befores, best, loss


def test_every_variant_has_its_drift() -> None:
    assert set(drifts()) == set(variants.VARIANTS)
    assert set(drifts().values()) <= set(DRIFTS)


@pytest.mark.parametrize("drift", [0.73, 2.31])
@pytest.mark.parametrize("variant", ["partnership", "five-card"])
def test_a_known_drift_is_found_again(variant: str, drift: float) -> None:
    """Winners drawn by the chance that a drift gives them."""
    rules, rng = variants.get(variant), random.Random(7)
    players, sides = tuple(range(rules.seats)), range(len(rules.sides))
    found = []
    for _ in range(3000):
        scores = tuple(rng.randrange(rules.ending.target) for _ in sides)
        its = standing(rules, players, scores, rules.ending.target, 1)
        its = its._replace(spread=its.spread * drift / drifts()[variant])
        likely = [chance(its, np.array(scores, np.int64), -1, side) for side in sides]
        found.append((Before(players, scores, 2), rng.choices(sides, likely)[0]))
    assert best(rules, found) == drift


def test_totals_foretell_the_winner() -> None:
    rules = variants.get("partnership")
    found = befores(rules, 30, 1)
    assert all(before.deals > 0 and len(before.scores) == 2 for before, _ in found)
    likely = mean(loss(rules, *at, drifts()["partnership"]) for at in found)
    assert 0.2 < likely < log(2)
