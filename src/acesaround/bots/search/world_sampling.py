"""The sampling of worlds: possible worlds are drawn, then resampled by their likelihood.

The view decides which worlds are possible. Bids, passes and plays make some of them likelier.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from acesaround.bots.search.resampling import systematic_resample, temper_weights
from acesaround.bots.search.situation import Situation
from acesaround.bots.search.world_weights import compute_world_log_weights
from acesaround.fast.sampler import Sampler, Worlds

_OVERSAMPLING: Final = 4  # worlds drawn for each world kept, times the number of changed hands
_CALL_WEIGHT_COST: Final = 2  # cost of weighting a world by calls, in playouts of a whole deal
_PLAY_WEIGHT_COST: Final = 5  # cost of weighting a world by the play of a whole deal
_MIN_DISTINCT_SHARE: Final = (
    0.4  # fraction of the kept worlds that must differ, or weights are flattened
)
_MIN_WORLDS: Final = 8  # minimum number of worlds
_MAX_DRAW_FAILURES: Final = 1000  # failed draws of a world after which its constraints are relaxed
_MIN_DRAWS: Final = 20_000  # draws of worlds that each decision may make, about 25 milliseconds
_DRAWS_PER_PLAYOUT: Final = 2  # draws of worlds that a budget allows, for each of its playouts
_MAX_SAMPLER_CELLS: Final = 60_000  # states of the sampler's table, limited by a bot's time


def worlds_within_budget(situation: Situation, playouts: float, max_worlds: int = 1500) -> int:
    """Return in how many worlds to try choices that take `playouts` whole playouts per world."""
    view = situation.view
    played_share = len(view.tricks) / view.rules.hand_size
    weight_cost = (
        _CALL_WEIGHT_COST * situation.weighs_calls
        + _PLAY_WEIGHT_COST * played_share * situation.weighs_plays
    )
    each = playouts + _draws_per_world(situation) * weight_cost
    return max(_MIN_WORLDS, min(max_worlds, int(situation.budget.playouts / each)))


def _draws_per_world(situation: Situation) -> int:
    """Return how many worlds are drawn for each world kept, if worlds are weighted."""
    return _OVERSAMPLING * max(1, situation.changed_hand_evidence.number)


def sample_worlds(situation: Situation, number: int, seed: int) -> Worlds:
    """Return that many equally likely worlds: possible ones, resampled by their likelihood.

    If most draws are rejected, fewer worlds are drawn than the budget of playouts has room for.
    Then some are returned several times.
    """
    sampler = Sampler(situation.constraints, cells=_MAX_SAMPLER_CELLS, tries=_MAX_DRAW_FAILURES)
    is_weighted = (
        situation.weighs_plays
        or situation.weighs_calls
        or situation.changed_hand_evidence.number > 0
    )
    drawn_number = number * _draws_per_world(situation) if is_weighted else number
    max_draws = max(_MIN_DRAWS, _DRAWS_PER_PLAYOUT * situation.budget.playouts)
    worlds = sampler.draw(drawn_number, seed, max_draws)
    distinct = len(worlds.relaxed)
    if not is_weighted:
        return worlds if distinct == number else worlds.select(np.arange(number) % distinct)
    weights = compute_world_log_weights(situation, worlds)
    min_sample_size = _MIN_DISTINCT_SHARE * min(number, distinct)
    return worlds.select(systematic_resample(temper_weights(weights, min_sample_size), number))
