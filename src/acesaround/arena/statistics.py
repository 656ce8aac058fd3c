"""Estimates with 95% intervals from clustered data, in which each board is a cluster.

Boards are independent of each other. The legs of one board are not, and neither are the deals of a
game. So an interval is computed from the spread between boards. For ratios in which numerator and
denominator both vary, the interval is by linearization (the delta method).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, TypeAlias

import msgspec

CONFIDENCE: Final = 0.95

SumAndCount: TypeAlias = tuple[float, float]
"""A sum and the number of trials."""


class PointsEstimate(msgspec.Struct, frozen=True):
    """A value and half of its 95% interval, None if there is only one board."""

    value: float
    error: float | None

    def scaled(self, factor: float) -> PointsEstimate:
        """Return the estimate in another unit."""
        return PointsEstimate(
            self.value * factor, None if self.error is None else self.error * abs(factor)
        )


class Share(msgspec.Struct, frozen=True):
    """A share of 1 and the ends of its 95% interval, None if there is only one board."""

    value: float
    low: float | None
    high: float | None


def student_t_quantile(degrees_of_freedom: int) -> float:
    """Return the two-sided 95% quantile of Student's t: exact for 1 and 2, else to within 1%."""
    if degrees_of_freedom == 1:
        return math.tan(math.pi * CONFIDENCE / 2)
    if degrees_of_freedom == 2:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    z, n = _normal_quantile(), degrees_of_freedom
    # The first terms of the Cornish-Fisher expansion.
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def _normal_quantile() -> float:
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def mean_ratio(boards: Sequence[Sequence[SumAndCount]]) -> PointsEstimate:
    """Return the mean over seatings of the ratio of sums: all counts divided by all trials.

    `boards`: for each board a part for every seating.
    """
    value, deviation = _ratio_and_error(boards)
    board_count = len(boards)
    if board_count < 2:
        return PointsEstimate(value, None)
    return PointsEstimate(value, student_t_quantile(board_count - 1) * deviation)


def _ratio_and_error(boards: Sequence[Sequence[SumAndCount]]) -> tuple[float, float]:
    """Return the mean of the ratios and its standard error between boards (0 for one board)."""
    board_count, seatings = len(boards), len(boards[0])
    sums = [math.fsum(board[s][0] for board in boards) for s in range(seatings)]
    counts = [math.fsum(board[s][1] for board in boards) for s in range(seatings)]
    ratios = [c / m if m else 0.0 for c, m in zip(sums, counts, strict=True)]
    value = math.fsum(ratios) / seatings
    if board_count < 2:
        return value, 0.0
    squares = math.fsum(
        (
            math.fsum(
                (board[s][0] - ratios[s] * board[s][1]) * board_count / counts[s]
                for s in range(seatings)
                if counts[s]
            )
            / seatings
        )
        ** 2
        for board in boards
    )
    return value, math.sqrt(squares / (board_count * (board_count - 1)))


def effective_trials(boards: Sequence[SumAndCount]) -> float:
    """Return the number of independent trials that have the variance of the boards.

    It is at most the number of trials. It is at least the number of boards, because boards that all
    agree show no spread.
    """
    trials = math.fsum(board[1] for board in boards)
    value, deviation = _ratio_and_error([[board] for board in boards])
    effective_size = value * (1 - value) / deviation**2 if deviation and 0 < value < 1 else 0.0
    return min(max(effective_size, float(len(boards))), trials)


def wilson_interval(boards: Sequence[SumAndCount]) -> Share:
    """Return the share of successes with the Wilson interval of `effective_trials`."""
    trials = math.fsum(board[1] for board in boards)
    value, _ = _ratio_and_error([[board] for board in boards])
    if len(boards) < 2 or not trials:
        return Share(value, None, None)
    n = effective_trials(boards)
    t = student_t_quantile(len(boards) - 1)
    center = (value + t**2 / (2 * n)) / (1 + t**2 / n)
    half_width = t / (1 + t**2 / n) * math.sqrt(value * (1 - value) / n + t**2 / (4 * n**2))
    return Share(value, max(0.0, center - half_width), min(1.0, center + half_width))
