"""When a bot acts: at a moment that does not tell whether it had a choice.

A bot thinks from the moment its turn begins, and a step takes the time that is usual after what
happened before it. Where thinking takes longer, the bot acts at the next tick of a coarse grid. One
that has no choice does not think: it acts as if it had thought for as long as a bot like it did of
late where there was a choice.
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

_KEPT: Final = 32  # steps of each situation that are remembered
_SITUATIONS: Final = 4096


class Situation(NamedTuple):
    """What everybody knows of a step: thinking takes about as long in one as in another."""

    bot: str
    variant: str
    kind: Kind
    cards: int
    """How many the seat holds."""
    down: int
    """How many lie on the table in this trick."""


class Pacing:
    """How long bots have thought that had a choice, by what everybody knows of the step."""

    def __init__(self, rng: random.Random, tick: float) -> None:
        self._rng = rng
        self._tick = tick
        self._thought: dict[Situation, deque[float]] = {}

    def due(self, table: Table, usual: float, thought: float) -> float:
        """Seconds after the begin of its turn at which chance or a bot is to act.

        `thought`: how long it has thought by now.
        """
        state = table.game
        assert state is not None
        decision = game.decision(state)
        if decision.seat is None:
            return usual
        cards = len(state.hand(decision.seat))
        if decision.kind is Kind.PLAY and cards == 1:
            return usual  # that it has no choice is known to everybody
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
        """Of the situation that is most like this one; at the very first nothing is known."""
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
