"""Estimates and intervals, compared with numbers computed by hand and by simulation."""

from __future__ import annotations

import math
import random

import pytest

from acesaround.arena.statistics import Share, mean_ratio, student_t_quantile, wilson_interval


# Student's t at 97.5%, as tables have it.
@pytest.mark.parametrize(
    ("freedom", "table"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042)],
)
def test_student_t_equals_published_tables(freedom: int, table: float) -> None:
    assert student_t_quantile(freedom) == pytest.approx(table, rel=0.01)


def test_student_t_converges_to_the_normal_quantile() -> None:
    assert student_t_quantile(10**6) == pytest.approx(1.959964, abs=1e-5)


def test_interval_of_single_deals_is_that_of_a_mean() -> None:
    # 1, 2, 6: mean 3, variance (4 + 1 + 9) / 2 = 7, error of the mean sqrt(7 / 3).
    found = mean_ratio([[(x, 1)] for x in (1, 2, 6)])
    assert found.value == 3
    assert found.error == pytest.approx(student_t_quantile(2) * math.sqrt(7 / 3))


def test_error_of_a_ratio_is_linearized() -> None:
    # 12 in 4 deals: 3 a deal. Residuals 2 - 3, 4 - 3, 6 - 6 with mean number of deals 4 / 3:
    # errors -3/4, 3/4, 0; variance of the mean (9/16 + 9/16) / (3 * 2) = 3/16.
    found = mean_ratio([[(2, 1)], [(4, 1)], [(6, 2)]])
    assert found.value == 3
    assert found.error == pytest.approx(student_t_quantile(2) * math.sqrt(3 / 16))


def test_seatings_have_equal_weight() -> None:
    # In one seating 10 a deal, in the other 0 a deal over many more deals.
    found = mean_ratio([[(10, 1), (0, 9)], [(20, 2), (0, 7)]])
    assert found.value == 5
    assert found.error == pytest.approx(0)


def test_opposite_seatings_cancel() -> None:
    found = mean_ratio([[(5, 1), (-5, 1)], [(70, 1), (-70, 1)], [(-8, 1), (8, 1)]])
    assert (found.value, found.error) == (0, 0)


def test_one_board_has_no_error() -> None:
    assert mean_ratio([[(7, 2)]]).error is None
    assert wilson_interval([(1, 2)]) == Share(0.5, None, None)


def test_interval_contains_the_true_mean_in_95_percent() -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(1000):
        boards = []
        for _ in range(12):
            deals = rng.randint(1, 9)
            both = rng.gauss(0, 2)
            boards.append(
                [(sum(rng.gauss(3 + both, 4) for _ in range(deals)), deals) for _ in range(2)]
            )
        found = mean_ratio(boards)
        assert found.error is not None
        held += abs(found.value - 3) < found.error
    assert 0.91 < held / 1000 < 0.975


def test_share_of_independent_games_has_the_wilson_interval() -> None:
    # 80 of 100 by the normal 1.96: 0.711 to 0.867 (Wilson); Student's t for 99 is 1.984.
    found = wilson_interval([(1, 1)] * 80 + [(0, 1)] * 20)
    assert found.value == 0.8
    assert found.low == pytest.approx(0.711, abs=0.003)
    assert found.high == pytest.approx(0.867, abs=0.003)


def test_share_of_equal_boards_counts_boards_not_games() -> None:
    found = wilson_interval([(2, 2)] * 10)  # as if 10 of 10
    t = student_t_quantile(9)
    assert found.high == 1
    assert found.low == pytest.approx(10 / (10 + t**2))


def test_correlated_games_widen_the_interval() -> None:
    apart = wilson_interval([(1, 2)] * 20 + [(2, 2)] * 10 + [(0, 2)] * 10)
    together = wilson_interval([(2, 2)] * 20 + [(0, 2)] * 20)
    assert apart.value == together.value == 0.5
    assert None not in (apart.low, apart.high, together.low, together.high)
    assert (together.high or 0) - (together.low or 0) > (apart.high or 0) - (apart.low or 0)


def test_games_without_winner_do_not_count() -> None:
    assert wilson_interval([(1, 1), (0, 0), (0, 0)]).value == 1
    assert wilson_interval([(0, 0), (0, 0)]) == Share(0.0, None, None)
