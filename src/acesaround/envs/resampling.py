"""Draws another position that a seat cannot tell from the present one. Needs the extra `fast`."""

from __future__ import annotations

import random

from acesaround.actions import Action, Deal
from acesaround.envs.position import Position
from acesaround.fast.sampler import draw_states
from acesaround.game import GameState
from acesaround.game.events import Event


def resample(position: Position, seat: int, rng: random.Random) -> Position:
    """Return a random position in which a seat knows exactly what it knows here.

    Cards that another seat is choosing are put back. Raises PositionError if none is found, and
    RulesError for rules that the sampler does not support.
    """
    if position.seat is None:
        return position
    known, replayed = position.information_state(seat), _ReplayedPosition(position)
    for _ in draw_states(position.view(seat), rng, replayed.apply):
        other = replayed.position
        if position.seat == seat:
            other.chosen, other.is_laying = position.chosen, position.is_laying
        if other.information_state(seat) == known:
            return other
    raise AssertionError("there is no end of the states")


class _ReplayedPosition:
    """A position that follows the actions of a deal."""

    def __init__(self, present: Position) -> None:
        self._before_deal = Position(present.codec, present.steps[0].state, present.deals)
        self.position = self._before_deal

    def apply(self, _: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
        """Apply the next action; a deal is applied to the position before it."""
        before = self._before_deal if isinstance(action, Deal) else self.position
        self.position = before.act(action)
        return self.position.game, self.position.steps[-1].events
