"""Statistics of the rollouts of a search: how the deal ended after each action in each world.

`counterfactuals` tests with them which part of the outcome decides between the actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import Action
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.deal_ends import DealEnds
from acesaround.fast.rollouts.win_probability import ScoringState
from acesaround.fast.sampler import Worlds

Floats: TypeAlias = NDArray[np.float64]

EVEN_ERRORS: Final = 1.96
"""The number of standard errors within which two actions count as even."""
EVEN_CHANCE: Final = 0.002
"""The difference of the chance to win the game that nobody would notice."""


class ValuePart(NamedTuple):
    """A part of the estimate of each action's value: its weight, and the value in each world."""

    weight: float
    win_probability: Floats
    """(worlds, actions)."""
    points: Integers
    """(worlds, actions)."""
    world_numbers: Integers
    """A number for each distinct world: (worlds,)."""


@dataclass(frozen=True, eq=False)
class RolloutStatistics:
    """How the deal ended after each action in each world. The actions are columns."""

    scoring_state: ScoringState
    side: int
    """The own side."""
    player: int
    """The own place in turn order."""
    actions: tuple[Action, ...]
    ends: DealEnds
    win_probability: Floats
    """The chance to win the game after each rollout: (worlds, actions)."""
    value_parts: tuple[ValuePart, ...]
    """The parts of which the value of each action is the sum."""
    declarers: Integers | None = None
    """The player who declares, in an auction: (worlds, actions)."""
    limits: tuple[int | None, ...] = ()
    """For each bid, the highest bid that the best plan makes later."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RolloutStatistics) and all(
            _is_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    def error(self, action: Action, other: Action) -> float:
        """Return the standard error of the difference in value of two actions.

        It comes from their paired differences in the same worlds. Copies of a world count as one.
        Conceding, which is not among the actions of the rollouts, has the same value in every
        world.
        """
        return self._error([part.win_probability for part in self.value_parts], action, other)

    def points_error(self, action: Action, other: Action) -> float:
        """Return the standard error of the difference in points of two actions."""
        return self._error([part.points for part in self.value_parts], action, other)

    def _error(self, values: Sequence[Floats | Integers], action: Action, other: Action) -> float:
        columns = [self.actions.index(one) for one in (action, other) if one in self.actions]
        variance = 0.0
        for part, value in zip(self.value_parts, values, strict=True):
            difference = value[:, columns[0]]
            if len(columns) == 2:
                difference = difference - value[:, columns[1]]
            sums = np.bincount(part.world_numbers, difference - difference.mean())
            variance += (part.weight / len(difference)) ** 2 * float((sums**2).sum())
        return sqrt(variance)


def _is_equal(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)  # type: ignore[arg-type]
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_equal, one, other))
    return one == other


def world_numbers(worlds: Worlds) -> Integers:
    """Return a number for each world, the same for adjacent copies of a world."""
    is_new = np.ones(len(worlds.hands), np.bool_)
    is_new[1:] = (worlds.hands[1:] != worlds.hands[:-1]).any((1, 2))
    is_new[1:] |= (worlds.rest[1:] != worlds.rest[:-1]).any(1)
    numbers: Integers = np.cumsum(is_new) - 1
    return numbers


def choose_columns(ends: DealEnds, columns: Sequence[int]) -> DealEnds:
    """Return the ends of some choices."""
    return DealEnds(*(rows[:, list(columns)] for rows in ends))
