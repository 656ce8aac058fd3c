"""Resampling by weights: weights are flattened until enough items share them, then items drawn."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_TEMPER_FACTOR: Final = 0.8  # factor on log weights in each step of flattening
_MAX_TEMPER_STEPS: Final = 20  # maximum number of these steps


def temper_weights(weights: NDArray[np.float64], min_sample_size: float) -> NDArray[np.float64]:
    """Flatten weights until enough items share them. Return them unchanged if enough already do.

    `weights`: logarithms. `min_sample_size`: the effective sample size to reach, by Kish's formula.
    """
    tempered = weights
    for _ in range(_MAX_TEMPER_STEPS):
        shares = np.exp(tempered - tempered.max())
        if shares.sum() ** 2 >= min_sample_size * (shares**2).sum():
            break
        tempered = tempered * _TEMPER_FACTOR
    return tempered


def systematic_resample(weights: NDArray[np.float64], sample_size: int) -> NDArray[np.int64]:
    """Return the indices of `sample_size` items, each as often as its weight says, up to rounding.

    `weights`: logarithms. The same weights give the same indices.
    """
    shares = np.exp(weights - weights.max())
    ends = np.cumsum(shares)
    positions = (np.arange(sample_size) + 0.5) * (ends[-1] / sample_size)
    indices: NDArray[np.int64] = np.minimum(np.searchsorted(ends, positions), len(ends) - 1)
    return indices
