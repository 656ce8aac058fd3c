"""The `search` bot, a PIMC bot (perfect information Monte Carlo).

The bot samples worlds that agree with everything its seat has seen, rolls out each choice in each
world, and takes the choice with the best average. There is one module per kind of decision:
`bidding`, `trump`, `passing`, `playing`. `world_sampling` samples the worlds, `budget` limits their
number, and `result` defines what a search returns.
"""

from __future__ import annotations

import random
from typing import Final

from acesaround.actions import Action
from acesaround.bots.advice import Advice
from acesaround.bots.explanations import Explanation
from acesaround.bots.heuristic import upcard
from acesaround.bots.search import trump
from acesaround.bots.search.bidding import bid
from acesaround.bots.search.budget import SearchBudget, playouts
from acesaround.bots.search.passing import bury, discard, give
from acesaround.bots.search.playing import play
from acesaround.bots.search.reasons import advice, reason
from acesaround.bots.search.result import SearchResult
from acesaround.fast.sampler import ALL, Source
from acesaround.game.state import Decision, Kind
from acesaround.game.view import View

INFERENCES: Final = ("sizes", "voids", "melds", "calls", "all")
"""The names for what the bot infers from. Each includes all names before it.

* "sizes": how many cards are where.
* "voids": seats that could not follow or beat.
* "melds": melds shown and not shown, and everything else that is certain.
* "calls": bids and passes.
* "all": also the cards played.
"""
SOURCES: Final = (frozenset[Source](), frozenset({Source.VOIDS, Source.BEATEN}), ALL)


class SearchBot:
    """A PIMC bot that can also tell what it found."""

    name = "search"

    def __init__(
        self,
        rng: random.Random,
        time: float = 0.1,
        inference: str = "all",
        exact: int = 8,
        ahead: str = "yes",
    ) -> None:
        """Create the bot.

        `time`: approximate seconds for a decision on a current machine. `inference`: one of
        `INFERENCES`. `exact`, `ahead`: see `SearchBudget`.
        """
        self._rng, self._playouts = rng, playouts(time)
        known = INFERENCES.index(inference)
        self._sources = SOURCES[min(known, len(SOURCES) - 1)]
        self._calls, self._plays = known >= 3, known >= 4
        self._exact, self._ahead = exact, ahead == "yes"

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that the search found best."""
        return self.search(view, decision).action

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """Return the best action and the one reason for it."""
        choice = self.search(view, decision)
        return choice.action, reason(view, decision, choice)

    def advise(self, view: View, decision: Decision) -> Advice:
        """Return the best action, the reason, and the value of each action tried."""
        return advice(view, decision, self.search(view, decision))

    def search(self, view: View, decision: Decision) -> SearchResult:
        """Search, and return the best action with the value of each action tried."""
        effort = SearchBudget(
            self._playouts,
            self._rng.getrandbits(62),
            self._sources,
            calls=self._calls,
            plays=self._plays,
            exact=self._exact,
            ahead=self._ahead,
        )
        match decision.kind:
            case Kind.BID:
                return bid(view, decision, effort)
            case Kind.TRUMP:
                return trump.name(view, decision, effort)
            case Kind.GIVE:
                return give(view, decision, effort)
            case Kind.BURY:
                return bury(view, decision, effort)
            case Kind.DISCARD:
                return discard(view, decision, effort)
            case Kind.UPCARD:  # two choices, and rarely close ones
                return SearchResult(upcard.turn(view)[0], (), 0)
            case _:
                return play(view, decision, effort)
