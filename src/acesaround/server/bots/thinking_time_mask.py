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
from acesaround.game.state import DecisionKind
from acesaround.table import Table

_MAX_TIMES_PER_STEP_KIND: Final = 32  # thinking times remembered for each situation
_MAX_STEP_KINDS: Final = 4096


class StepFacts(NamedTuple):
    """The public facts of a step, by which thinking times are grouped."""

    bot: str
    variant: str
    kind: DecisionKind
    hand_size: int
    """The number of cards that the seat holds."""
    trick_size: int
    """The number of cards on the table in this trick."""


class ThinkingTimeMask:
    """Chooses when a bot acts, by recent thinking times of bots that had a choice."""

    def __init__(self, rng: random.Random, tick_seconds: float) -> None:
        self._rng = rng
        self._tick_seconds = tick_seconds
        self._thinking_times: dict[StepFacts, deque[float]] = {}

    def seconds_until_action(
        self, table: Table, usual_seconds: float, thinking_seconds: float
    ) -> float:
        """Return the seconds from the start of the turn to the next automatic action.

        `usual_seconds`: the usual delay of this step. `thinking_seconds`: how long the bot has
        thought.
        """
        state = table.game
        assert state is not None
        decision = game.decision(state)
        if decision.seat is None:
            return usual_seconds
        hand_size = len(state.hand(decision.seat))
        if decision.kind is DecisionKind.PLAY and hand_size == 1:
            return usual_seconds  # everybody knows that it has no choice
        bot, trick_size = table.seats[decision.seat].bot, len(getattr(state.phase, "cards", ()))
        facts = StepFacts(bot, table.rules.variant, decision.kind, hand_size, trick_size)
        if len(list(islice(decision.legal, 2))) > 1:
            self._record_time(facts, thinking_seconds)
        else:
            thinking_seconds = self._rng.choice(self._similar_times(facts))
        if thinking_seconds <= usual_seconds or not self._tick_seconds:
            return max(usual_seconds, thinking_seconds)
        return (
            usual_seconds
            + math.ceil((thinking_seconds - usual_seconds) / self._tick_seconds)
            * self._tick_seconds
        )

    def _record_time(self, facts: StepFacts, thinking_seconds: float) -> None:
        if facts not in self._thinking_times and len(self._thinking_times) >= _MAX_STEP_KINDS:
            del self._thinking_times[next(iter(self._thinking_times))]
        self._thinking_times.setdefault(facts, deque(maxlen=_MAX_TIMES_PER_STEP_KIND)).append(
            thinking_seconds
        )

    def _similar_times(self, facts: StepFacts) -> Sequence[float]:
        """Return the thinking times of the most similar situation, or zero if there are none."""
        if facts in self._thinking_times:
            return self._thinking_times[facts]
        same_bot = [candidate for candidate in self._thinking_times if candidate.bot == facts.bot]
        if not same_bot:
            return (0.0,)
        return self._thinking_times[min(same_bot, key=lambda one: _dissimilarity(one, facts))]


def _dissimilarity(first: StepFacts, second: StepFacts) -> tuple[bool, bool, int, int]:
    return (
        first.kind is not second.kind,
        first.variant != second.variant,
        abs(first.hand_size - second.hand_size),
        abs(first.trick_size - second.trick_size),
    )
