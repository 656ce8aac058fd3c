"""Sampler: draws worlds, full deals that agree with everything a seat knows, and counts them.

A `Sampler` prepares once for its `Constraints` and then draws any number of `Worlds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import factorial
from typing import Final

import numpy as np

from acesaround.errors import PositionError
from acesaround.fast.sampler.constraints import Constraints
from acesaround.fast.sampler.counting_tables import (
    MAX_NODES,
    OPTION_BITS,
    build_tables,
    count_exactly,
    ways_of_played_kinds,
)
from acesaround.fast.sampler.draw import (
    DrawBuffers,
    Worlds,
    draw_worlds,
    keep_weight_scale,
    make_checks,
)
from acesaround.fast.sampler.meld_constraints import ScarceKindCondition
from acesaround.fast.sampler.plan import (
    PlaceGroups,
    candidate_layouts,
    make_plan,
    tighten_conditions,
)
from acesaround.rules.feature_support import Feature, require_support

CELLS: Final = 1 << 17
TRIES: Final = 5000
NO_LIMIT: Final = 1 << 62
_MAX_LOG_COST: Final = (
    5.0  # logarithm of the draws a world may take; above it larger tables are tried first
)
_LARGER_FACTOR: Final = 16  # the factor by which these tables may be larger
_TRIAL: Final = 4000  # worlds from which the share of accepted draws is estimated


class Sampler:
    """A sampler of worlds, uniform over the deals of distinct cards that `Constraints` allow.

    `cells`: the size limit of the tables, in entries of 8 bytes. Constraints that do not fit into
    the tables are met by rejection, which is as exact but slower. `tries`: the number of rejections
    after which constraints of a world are dropped. Raises PositionError if no deal can agree, and
    RulesError for rules that the sampler does not support.
    """

    def __init__(self, known: Constraints, *, cells: int = CELLS, tries: int = TRIES) -> None:
        require_support(known.rules, Feature.SEARCH, "drawing unseen cards")
        self.known: Constraints = known
        self.tries: int = tries
        high, undecided = tighten_conditions(known)
        for choice, most in _layouts_to_try(known, high, undecided, cells):
            planned = make_plan(known, high, choice)
            made = None if planned is None else build_tables(planned, most)
            if planned is not None and made is not None:
                break
        if planned is None or made is None or not made.ways_to_end[0]:
            raise PositionError("No deal agrees with all of that.")
        self.choice: PlaceGroups = choice
        self._tables = made
        self._checks = make_checks(known, high, choice, planned.kinds)
        self._more = [
            known.place_sizes[place] - sum(known.low[place]) for place in choice.shared_places
        ]
        loose = (
            choice.checked_conditions
            or known.meld_ceilings
            or known.joint_minimums
            or known.marriage_condition
        )
        self.exact: bool = choice.are_shared_places_unconstrained and not loose
        """True if the tables cover all constraints, so that no draw is rejected."""

    @cached_property
    def count(self) -> int | float:
        """The number of deals of distinct cards that agree; estimated by draws unless `exact`."""
        splits = factorial(sum(self._more)) * ways_of_played_kinds(self.known)
        for more in self._more:
            splits //= factorial(more)
        if self.exact:
            return splits * count_exactly(self._tables)
        share = _TRIAL / max(self._draw(_TRIAL, 0)[1], _TRIAL)
        return (
            splits
            * float(self._tables.ways_to_end[0])
            * share
            * keep_weight_scale(self.known, self.choice)
        )

    def draw(self, number: int, seed: int = 0, max_draws: int = NO_LIMIT) -> Worlds:
        """Return `number` worlds; world i depends only on the seed and on i.

        Return fewer, but at least one, if these take more than `max_draws` draws, rejected ones
        included.
        """
        return self._draw(number, seed, max_draws)[0]

    def _draw(self, number: int, seed: int, max_draws: int = NO_LIMIT) -> tuple[Worlds, int]:
        known = self.known
        copies, places = known.rules.deck.copies, len(known.place_sizes)
        worlds = Worlds(
            np.zeros((number, len(known.players), copies), np.int64),
            np.zeros((number, known.place_sizes[-1]), np.int64),
            np.zeros(number, np.int64),
        )
        buffers = DrawBuffers(
            np.zeros((places, copies), np.int64),
            np.zeros((1, copies), np.int64),
            np.zeros(sum(self._more), np.int64),
        )
        with np.errstate(over="ignore"):  # streams wrap; numpy warns about it in uncompiled code
            filled, draws = draw_worlds(
                self._tables, self._checks, seed, self.tries, max_draws, worlds, buffers
            )
        return worlds.select(slice(filled)), draws


def _layouts_to_try(
    known: Constraints, high: list[list[int]], undecided: list[ScarceKindCondition], cells: int
) -> Iterator[tuple[PlaceGroups, int]]:
    """Yield layouts of the tables with their size limits, the best first."""
    for most in (cells, _LARGER_FACTOR * cells):
        for choice in candidate_layouts(known, high, undecided, most):
            if choice.log_cost < _MAX_LOG_COST:
                yield choice, most
    left = list(candidate_layouts(known, high, undecided, _LARGER_FACTOR * cells))
    for choice in sorted(left, key=lambda choice: choice.log_cost):
        yield choice, _LARGER_FACTOR * cells
    yield left[-1], MAX_NODES << OPTION_BITS  # the last resort: the largest tables that can exist
