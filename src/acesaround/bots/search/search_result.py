"""The result of a search: the action, and the value of each action tried."""

from __future__ import annotations

from typing import NamedTuple

from acesaround.actions import Action
from acesaround.bots.search.rollout_statistics import RolloutStatistics


class EvaluatedAction(NamedTuple):
    """One action and its value, averaged over all worlds tried."""

    action: Action
    win_probability: float
    """The probability of winning the game."""
    points: float
    """The change of the own side's total in this deal."""
    bid_made_probability: float
    """How often the bid of this deal is made; 0 if there is none."""


class SearchResult(NamedTuple):
    """The action chosen, and the actions tried."""

    action: Action
    evaluated_actions: tuple[EvaluatedAction, ...]
    """The actions tried, best first."""
    worlds: int
    statistics: RolloutStatistics | None = None
    """How the rollouts ended, if the search was asked to record that."""
