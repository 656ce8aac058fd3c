"""The `search` bot: it tries every choice in many worlds that agree with all it has seen.

One file a kind of decision: `bidding`, `trump`, `parting`, `playing`. `drawing` makes the worlds,
`effort` says how many, and `choice` is what comes back.
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
"""What may be inferred from, each with all before it: how many cards lie where; who could not
follow or beat; melds shown and not shown, and all else that is certain; bids; cards played."""
SOURCES: Final = (frozenset[Source](), frozenset({Source.VOIDS, Source.BEATEN}), ALL)


class SearchBot:
    """Searches, and can say what it found."""

    name = "search"

    def __init__(
        self,
        rng: random.Random,
        time: float = 0.1,
        inference: str = "all",
        exact: int = 8,
        ahead: str = "yes",
    ) -> None:
        """`time`: seconds that a decision takes about, on a machine of today."""
        self._rng, self._playouts = rng, playouts(time)
        known = INFERENCES.index(inference)
        self._sources = SOURCES[min(known, len(SOURCES) - 1)]
        self._calls, self._plays = known >= 3, known >= 4
        self._exact, self._ahead = exact, ahead == "yes"

    def choose(self, view: View, decision: Decision) -> Action:
        """The action that searching found best."""
        return self.search(view, decision).action

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """The same action, and the one reason for it."""
        choice = self.search(view, decision)
        return choice.action, reason(view, decision, choice)

    def advise(self, view: View, decision: Decision) -> Advice:
        """The same action, why, and what was expected of each."""
        return advice(view, decision, self.search(view, decision))

    def search(self, view: View, decision: Decision) -> SearchResult:
        """The action, and what each is expected to bring."""
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
            case Kind.UPCARD:  # two choices, and hardly ever a doubt
                return SearchResult(upcard.turn(view)[0], (), 0)
            case _:
                return play(view, decision, effort)
