"""The `search` bot, a PIMC bot (perfect information Monte Carlo).

The bot samples worlds that agree with everything its seat has seen, rolls out each choice in each
world, and takes the choice with the best average. There is one module per kind of decision:
`bidding`, `trump`, `card_passing`, `playing`. Each is handed the `situation`, which is built once
per decision. `world_sampling` samples the worlds, `world_weights` weighs them, `resampling` selects
by weight, and `budget` limits their number. `search_result` defines what a search returns.
`reasons` explains a result afterwards.
"""

from __future__ import annotations

import random
from typing import Final

from acesaround.actions import Action
from acesaround.bots.advice import Advice
from acesaround.bots.explanations import Explanation
from acesaround.bots.heuristic import upcard
from acesaround.bots.search import trump
from acesaround.bots.search.bidding import search_bid
from acesaround.bots.search.budget import SearchBudget, playouts_within
from acesaround.bots.search.card_passing import search_bury, search_discard, search_give
from acesaround.bots.search.playing import search_play
from acesaround.bots.search.reasons import explain_choice, to_advice
from acesaround.bots.search.search_result import SearchResult
from acesaround.bots.search.situation import build_situation
from acesaround.fast.sampler import ALL_SOURCES, Source
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View

INFERENCES: Final = ("sizes", "voids", "melds", "calls", "all")
"""The names for what the bot infers from. Each includes all names before it.

* "sizes": how many cards are where.
* "voids": seats that could not follow or beat.
* "melds": melds shown and not shown, and everything else that is certain.
* "calls": bids and passes.
* "all": also the cards played.
"""
SOURCES_BY_INFERENCE: Final = (
    frozenset[Source](),
    frozenset({Source.VOIDS, Source.NOT_BEATEN}),
    ALL_SOURCES,
)


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
        natural: bool = False,
    ) -> None:
        """Create the bot.

        `time`: approximate seconds for a decision on a current machine. `inference`: one of
        `INFERENCES`. `exact`, `ahead`: see `SearchBudget`. `natural`: whether the bot plays without
        conventions.
        """
        self._is_natural = natural
        self._rng, self._playouts = rng, playouts_within(time)
        inference_level = INFERENCES.index(inference)
        self._sources = SOURCES_BY_INFERENCE[min(inference_level, len(SOURCES_BY_INFERENCE) - 1)]
        self._uses_calls, self._uses_plays = inference_level >= 3, inference_level >= 4
        self._exact_tricks, self._is_two_ply = exact, ahead == "yes"

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that the search found best."""
        return self.search(view, decision).action

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """Return the best action and the one reason for it."""
        result = self.search(view, decision, records_statistics=True)
        return result.action, explain_choice(view, decision, result, is_natural=self._is_natural)

    def advise(self, view: View, decision: Decision) -> Advice:
        """Return the best action, the reason, and the value of each action tried."""
        result = self.search(view, decision, records_statistics=True)
        return to_advice(view, decision, result, is_natural=self._is_natural)

    def search(
        self,
        view: View,
        decision: Decision,
        records_statistics: bool = False,
        also_try: tuple[Action, ...] = (),
    ) -> SearchResult:
        """Search, and return the best action with the value of each action tried.

        `records_statistics`: whether the result also holds the rollouts, for its explanation.
        `also_try`: actions to evaluate even if the search would leave them out. A bid that is far
        above the lowest one cannot be evaluated.
        """
        budget = SearchBudget(
            self._playouts,
            self._rng.getrandbits(62),
            self._sources,
            uses_calls=self._uses_calls,
            uses_plays=self._uses_plays,
            exact_tricks=self._exact_tricks,
            is_two_ply=self._is_two_ply,
            is_natural=self._is_natural,
            records_statistics=records_statistics,
        )
        if decision.kind is DecisionKind.UPCARD:  # two choices, and rarely close ones
            return SearchResult(upcard.choose_upcard(view)[0], (), 0)
        situation = build_situation(view, decision, budget, also_try)
        match decision.kind:
            case DecisionKind.BID:
                return search_bid(situation)
            case DecisionKind.TRUMP:
                return trump.search_trump(situation)
            case DecisionKind.GIVE:
                return search_give(situation)
            case DecisionKind.BURY:
                return search_bury(situation)
            case DecisionKind.DISCARD:
                return search_discard(situation)
            case _:
                return search_play(situation)
