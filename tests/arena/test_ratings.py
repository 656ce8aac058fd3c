"""Ratings, compared with numbers computed by hand and with games drawn from known strengths."""

from __future__ import annotations

import itertools
import random

import pytest

from acesaround.arena.ratings import PairScore, rate_bots


def win_probability(a: float, b: float) -> float:
    return 1 / (1 + 10 ** ((b - a) / 400))


def test_two_bots_differ_by_the_odds_of_a_win() -> None:
    # Of 400 games and one drawn game 300.5 are won: 400 * log10(300.5 / 100.5) = 190.3.
    # The error of the log-odds is (401 * 0.7494 * 0.2506) ** -0.5 = 0.1152: 39.2 points at 95%.
    a, b = rate_bots(2, [PairScore(0, 1, 0.75, 400)])
    assert a.value - b.value == pytest.approx(190.27, abs=0.01)
    assert a.value + b.value == pytest.approx(0)
    assert a.error + b.error == pytest.approx(39.2, abs=0.1)


def test_shares_of_exact_strengths_give_them_back() -> None:
    strengths = [250.0, 60.0, -10.0, -300.0]
    scores = [
        PairScore(a, b, win_probability(strengths[a], strengths[b]), 1e9)
        for a, b in itertools.combinations(range(4), 2)
    ]
    assert [one.value for one in rate_bots(4, scores)] == pytest.approx(strengths, abs=0.01)


def test_bot_that_always_wins_has_a_rating() -> None:
    best, *others = rate_bots(4, [PairScore(0, other, 1.0, 10_000) for other in (1, 2, 3)])
    assert best.value > 1000
    assert best.value - best.error > max(one.value + one.error for one in others)


def test_bots_without_a_common_opponent_are_compared_through_others() -> None:
    first, _, last = rate_bots(3, [PairScore(0, 1, 0.9, 1000), PairScore(1, 2, 0.9, 1000)])
    assert first.value - last.value == pytest.approx(2 * 381.7, rel=0.02)


def test_interval_holds_the_strength_in_19_of_20_cases() -> None:
    rng, strengths, games = random.Random(5), [120.0, 0.0, -120.0], 60
    hits = 0
    for _ in range(400):
        scores = [
            PairScore(
                a,
                b,
                sum(
                    rng.random() < win_probability(strengths[a], strengths[b]) for _ in range(games)
                )
                / games,
                games,
            )
            for a, b in itertools.combinations(range(3), 2)
        ]
        for rating, strength in zip(rate_bots(3, scores), strengths, strict=True):
            hits += abs(rating.value - strength) <= rating.error
    assert 0.92 < hits / 1200 < 0.98
