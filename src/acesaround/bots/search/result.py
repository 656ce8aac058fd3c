"""What a decision of the `search` bot came to: the action, and what was expected of each."""

from __future__ import annotations

from typing import NamedTuple

from acesaround.actions import Action


class EvaluatedAction(NamedTuple):
    """One action and what it brings, in the mean of all worlds tried."""

    action: Action
    chance: float
    """The chance of winning the game."""
    points: float
    """What the own total changes by in this deal."""
    made: float
    """How often the bid of this deal is made; 0 where there is none."""


class SearchResult(NamedTuple):
    """The action chosen, and what was tried."""

    action: Action
    options: tuple[EvaluatedAction, ...]
    """Best first."""
    worlds: int
