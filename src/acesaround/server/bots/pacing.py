"""When a bot acts: the moment must not reveal whether the bot had a choice.

A bot starts to think when its turn begins. Each step has a usual delay, which depends on what
happened before. If thinking takes longer, the bot acts at the next tick of a coarse grid. A bot
with one legal action does not think. Its delay is drawn from recent thinking times in similar
situations with a choice.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from acesaround import game
from acesaround.game.state import Kind
from acesaround.table import Table

_KEPT: Final = 32  # thinking times remembered for each situation
_SITUATIONS: Final = 4096


class Situation(NamedTuple):
    """The public facts of a step, by which thinking times are grouped."""

    bot: str
    variant: str
    kind: Kind
    cards: int
    """The number of cards that the seat holds."""
    down: int
    """The number of cards on the table in this trick."""


class Pacing:
    """Recent thinking times of bots that had a choice, by situation."""

    def __init__(self, rng: random.Random, tick: float) -> None:
        self._rng = rng
        self._tick = tick
        self._thought: dict[Situation, deque[float]] = {}

    def due(self, table: Table, usual: float, thought: float) -> float:
        """Return the seconds from the start of the turn to the next automatic action.

        `usual`: the usual delay of this step. `thought`: how long the bot has thought.
        """
        state = table.game
        assert state is not None
        decision = game.decision(state)
        if decision.seat is None:
            return usual
        cards = len(state.hand(decision.seat))
        if decision.kind is Kind.PLAY and cards == 1:
            return usual  # everybody knows that it has no choice
        bot, down = table.seats[decision.seat].bot, len(getattr(state.phase, "cards", ()))
        here = Situation(bot, table.rules.variant, decision.kind, cards, down)
        if len(list(islice(decision.legal, 2))) > 1:
            self._note(here, thought)
        else:
            thought = self._rng.choice(self._like(here))
        if thought <= usual or not self._tick:
            return max(usual, thought)
        return usual + math.ceil((thought - usual) / self._tick) * self._tick

    def _note(self, here: Situation, thought: float) -> None:
        if here not in self._thought and len(self._thought) >= _SITUATIONS:
            del self._thought[next(iter(self._thought))]
        self._thought.setdefault(here, deque(maxlen=_KEPT)).append(thought)

    def _like(self, here: Situation) -> Sequence[float]:
        """Return the thinking times of the most similar situation, or zero if there are none."""
        if here in self._thought:
            return self._thought[here]
        others = [one for one in self._thought if one.bot == here.bot]
        if not others:
            return (0.0,)
        return self._thought[min(others, key=lambda one: _unlike(one, here))]


def _unlike(one: Situation, other: Situation) -> tuple[bool, bool, int, int]:
    return (
        one.kind is not other.kind,
        one.variant != other.variant,
        abs(one.cards - other.cards),
        abs(one.down - other.down),
    )
