"""Ratings of several bots from the games that each pair of them played: the Bradley-Terry model.

The model says that a bot of rating r wins 1 / (1 + 10 ** ((s - r) / 400)) of its games against a
bot of rating s, as Elo ratings do. The mean of all ratings is 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import msgspec

from acesaround.arena.statistics import CONFIDENCE

_PRIOR_GAMES: Final = 1.0
"""Drawn games that are added to each pair, so that a bot that always wins has a rating."""
_ELO: Final = 400 / math.log(10)
"""Points of rating for a factor of e in the odds to win."""
_TOLERANCE: Final = 1e-9
_MAX_STEPS: Final = 100


class PairScore(msgspec.Struct, frozen=True):
    """The games of two bots, by their indices. `share`: those that `a` won, from 0 to 1.

    `effective_games`: the number of independent games with the same variance as the games played.
    """

    a: int
    b: int
    share: float
    effective_games: float


class Rating(msgspec.Struct, frozen=True):
    """The rating of a bot, and half of its 95% interval."""

    value: float
    error: float


def rate_bots(bots: int, scores: Sequence[PairScore]) -> tuple[Rating, ...]:
    """Return the ratings of so many bots with the highest likelihood.

    The pairs must connect all bots. One drawn game is added to each pair. The intervals are those
    of the normal distribution with the Fisher information of the games.
    """
    strengths = [0.0] * bots
    for _ in range(_MAX_STEPS):  # Newton's method; the likelihood is concave
        gradient, information = _derivatives(strengths, scores)
        inverse = _inverse(information)
        step = [sum(x * y for x, y in zip(row, gradient, strict=True)) for row in inverse]
        scale = 1 / max(1.0, max(abs(x) for x in step))  # a long step could leave the concave part
        strengths = [old + scale * x for old, x in zip(strengths, step, strict=True)]
        if max(abs(x) for x in step) < _TOLERANCE:
            break
    mean = sum(strengths) / bots
    _, information = _derivatives(strengths, scores)
    variances = [row[index] - 1 / bots**2 for index, row in enumerate(_inverse(information))]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return tuple(
        [
            Rating(_ELO * (strength - mean), _ELO * z * math.sqrt(max(0.0, variance)))
            for strength, variance in zip(strengths, variances, strict=True)
        ]
    )


def _derivatives(
    strengths: Sequence[float], scores: Sequence[PairScore]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the log-likelihood and the information matrix.

    1 is added to each entry of the matrix, because the matrix is singular without it: games
    determine only differences of strengths. The 1 leaves these differences unchanged.
    """
    bots = len(strengths)
    gradient = [0.0] * bots
    information = [[1.0] * bots for _ in range(bots)]
    for score in scores:
        games = score.effective_games + _PRIOR_GAMES
        won = score.share * score.effective_games + _PRIOR_GAMES / 2
        expected = 1 / (1 + math.exp(strengths[score.b] - strengths[score.a]))
        gradient[score.a] += won - games * expected
        gradient[score.b] -= won - games * expected
        weight = games * expected * (1 - expected)
        for row, column, sign in (
            (score.a, score.a, 1),
            (score.b, score.b, 1),
            (score.a, score.b, -1),
            (score.b, score.a, -1),
        ):
            information[row][column] += sign * weight
    return gradient, information


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a symmetric positive definite matrix, by Gauss-Jordan elimination."""
    size = len(matrix)
    rows = [
        [*row, *(1.0 if column == index else 0.0 for column in range(size))]
        for index, row in enumerate(matrix)
    ]
    for pivot in range(size):
        divisor = rows[pivot][pivot]
        rows[pivot] = [x / divisor for x in rows[pivot]]
        for index in range(size):
            if index != pivot:
                factor = rows[index][pivot]
                rows[index] = [
                    x - factor * y for x, y in zip(rows[index], rows[pivot], strict=True)
                ]
    return [row[size:] for row in rows]
