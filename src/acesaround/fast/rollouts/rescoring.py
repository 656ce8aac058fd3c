"""Scores rollouts again, after a caller has changed a part of how they ended."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.rollouts.before_play import score_deal
from acesaround.fast.rollouts.deal_ends import THROWN_IN, DealEnds
from acesaround.fast.rollouts.win_probability import (
    EndBuffer,
    ScoringState,
    load_end,
    new_end_buffer,
    score,
    win_probability,
)

Array: TypeAlias = Any  # numba infers it


def rescore(scoring_state: ScoringState, ends: DealEnds, own_side: int) -> NDArray[np.float64]:
    """Return the probability that side `own_side` wins the game, by the ends: (worlds, choices)."""
    chances = np.zeros(ends.trump.shape)
    _rescore(scoring_state, ends, own_side, new_end_buffer(ends.sides.shape[2]), chances)
    return chances


@arrayless_kernel
def _rescore(
    scoring_state: ScoringState,
    ends: DealEnds,
    own_side: int,
    end_buffer: EndBuffer,
    chances: Array,
) -> None:
    for world in range(chances.shape[0]):
        for choice in range(chances.shape[1]):
            trump, declarer = ends.trump[world, choice], ends.declarer[world, choice]
            if trump == THROWN_IN:
                chances[world, choice] = win_probability(
                    scoring_state, scoring_state.scores, -1, own_side
                )
                continue
            load_end(ends.sides[world, choice], end_buffer)
            if declarer < 0:
                score(scoring_state, end_buffer, trump, declarer, ends.bid[world, choice])
            else:
                score_deal(scoring_state, end_buffer, trump, declarer, ends.bid[world, choice])
            chances[world, choice] = win_probability(
                scoring_state, end_buffer.totals, declarer, own_side
            )
