"""The `search` bot: it tries every choice in many worlds that agree with all it has seen.

One file a kind of decision: `bidding`, `trump`, `parting`, `playing`. `drawing` makes the worlds,
`effort` says how many, and `choice` is what comes back.
"""

from __future__ import annotations

import random

from acesaround.actions import Action
from acesaround.bots.search.choice import Choice
from acesaround.bots.search.effort import Effort, playouts
from acesaround.bots.search.playing import play
from acesaround.bots.thumb import ThumbBot
from acesaround.fast.sampler import ALL
from acesaround.state import Decision, Kind
from acesaround.view import View


class SearchBot:
    """Searches, and can say what it found."""

    name = "search"

    def __init__(
        self, rng: random.Random, time: float = 0.1, inference: str = "all", exact: int = 8
    ) -> None:
        """`time`: seconds that a decision takes about, on a machine of today."""
        self._rng, self._playouts = rng, playouts(time)
        self._sources = ALL if inference != "sizes" else frozenset()
        self._plays = inference == "all"
        self._exact = exact

    def choose(self, view: View, decision: Decision) -> Action:
        """The action that searching found best."""
        return self.consider(view, decision).action

    def consider(self, view: View, decision: Decision) -> Choice:
        """The action, and what each is expected to bring."""
        effort = Effort(
            self._playouts,
            self._rng.getrandbits(62),
            self._sources,
            plays=self._plays,
            exact=self._exact,
        )
        if decision.kind is Kind.PLAY:
            return play(view, decision, effort)
        return Choice(ThumbBot().choose(view, decision), (), 0)
