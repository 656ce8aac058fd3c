"""Resampling draws items by their weights, after weights on too few items are flattened."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from acesaround.bots.search.resampling import systematic_resample, temper_weights

WEIGHTS = arrays(np.float64, st.integers(1, 60), elements=st.floats(-40, 40))


@given(WEIGHTS, st.integers(1, 200))
def test_resampling_is_proportional_to_weights(weights: NDArray[np.float64], number: int) -> None:
    """Counts differ from exact shares by less than one."""
    found = systematic_resample(weights, number)
    shares = np.exp(weights - weights.max())
    shares /= shares.sum()
    counted = np.bincount(found, minlength=len(weights))
    assert len(found) == number
    assert (np.abs(counted - number * shares) < 1 + 1e-9).all()
    assert np.array_equal(found, systematic_resample(weights.copy(), number))
    assert (
        np.array_equal(found, systematic_resample(weights + 700.0, number))
        or np.abs(
            np.bincount(systematic_resample(weights + 700.0, number), minlength=len(weights))
            - counted
        ).sum()
        <= 2
    )  # rounding may move one draw


def test_systematic_resample_of_equal_and_zero_weights() -> None:
    assert systematic_resample(np.zeros(5), 15).tolist() == [
        at for at in range(5) for _ in range(3)
    ]
    assert systematic_resample(np.zeros(40), 10).tolist() == list(range(1, 40, 4))
    assert systematic_resample(np.array([-np.inf, 0.0, -np.inf, 0.0, -np.inf]), 4).tolist() == [
        1,
        1,
        3,
        3,
    ]
    assert systematic_resample(np.array([-2000.0, -3000.0]), 3).tolist() == [0, 0, 0]


@given(arrays(np.float64, st.integers(20, 60), elements=st.floats(-40, 40)), st.integers(1, 10))
def test_tempered_weights_have_enough_effective_worlds_and_keep_order(
    weights: NDArray[np.float64], least: int
) -> None:
    def effective_count(log_weights: NDArray[np.float64]) -> float:
        shares = np.exp(log_weights - log_weights.max())
        return float(shares.sum() ** 2 / (shares**2).sum())

    found = temper_weights(weights, least)
    if effective_count(weights) >= least:
        assert np.array_equal(found, weights)
    else:
        assert effective_count(found) >= least - 1e-9
        order = np.argsort(weights, kind="stable")
        assert (np.diff(found[order]) >= -1e-9).all()
