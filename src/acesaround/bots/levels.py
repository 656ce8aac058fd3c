"""The levels above `easy`: `medium`, `hard` and `expert`, handicapped forms of the `search` bot.

One table holds all their differences. A level that misjudges sees the value of each choice with
random noise. So it errs where choices are close, as people do, and makes no wild errors.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final, NamedTuple, cast

from acesaround.actions import Action, LayMeld
from acesaround.bots.advice import Advice, ask_for_advice
from acesaround.bots.explanations import ActionReason
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.player import Player
from acesaround.bots.search import SearchBot, reasons
from acesaround.bots.search.search_result import SearchResult
from acesaround.bots.search.signals import with_true_signal
from acesaround.fast.rollouts.win_probability import make_scoring_state, win_probability
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View
from acesaround.heuristic_weights import average_trick_points
from acesaround.rules.scoring import max_play_points


class Level(NamedTuple):
    """The handicap of a level."""

    seconds: float
    """The approximate number of seconds for a decision."""
    inference: str = "all"
    """The facts from which the search infers in card play (see `INFERENCES`)."""
    exact_tricks: int = 8
    """The number of tricks before the end from which the solver is used."""
    is_two_ply: bool = True
    """Whether the bot also searches its next card (see `SearchBudget`)."""
    searches_before_play: bool = True
    """Whether the bot also searches before the play, instead of using rules of thumb there."""
    noise_tricks: float = 0.0
    """The standard deviation of the noise on the value of a card, in tricks."""


LEVELS: Final[Mapping[str, Level]] = {
    "medium": Level(
        0.02,
        inference="sizes",
        exact_tricks=3,
        is_two_ply=False,
        searches_before_play=False,
        noise_tricks=1.5,
    ),
    "hard": Level(0.4, inference="sizes", exact_tricks=3, is_two_ply=False, noise_tricks=0.75),
    "expert": Level(3.0),
}
"""The levels by name, weakest first."""


class LevelBot:
    """The `search` bot at one level.

    `time`: seconds for a decision, None for the level's own. `share`: the fraction of that time
    to use. `natural`: whether the bot plays without conventions.
    """

    def __init__(
        self,
        name: str,
        rng: random.Random,
        time: float | None = None,
        share: float = 1.0,
        natural: bool = False,
    ) -> None:
        self.name: str = name
        self._rng = rng
        self._level, self._is_natural = LEVELS[name], natural
        seconds = (self._level.seconds if time is None else time) * share
        self._before_play_bot: Player = HeuristicBot(natural=natural)
        if self._level.searches_before_play:
            self._before_play_bot = SearchBot(
                rng, time=seconds, natural=natural
            )  # it uses all inferences
        self._search = SearchBot(
            rng,
            time=seconds,
            inference=self._level.inference,
            exact=self._level.exact_tricks,
            ahead="yes" if self._level.is_two_ply else "no",
            natural=natural,
        )

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that this level considers best."""
        if decision.kind is not DecisionKind.PLAY:
            return self._before_play_bot.choose(view, decision)
        return self._search_play(view, decision).action

    def explain(self, view: View, decision: Decision) -> tuple[Action, ActionReason]:
        """Return the action and the one reason for it."""
        result = self.advise(view, decision)
        return result.action, result.why

    def advise(self, view: View, decision: Decision) -> Advice:
        """Return the action, the reason, and the value that the level expects of each action."""
        if decision.kind is not DecisionKind.PLAY:
            return ask_for_advice(self._before_play_bot, view, decision)
        result = self._search_play(view, decision, records_statistics=True)
        return reasons.to_advice(view, decision, result, is_natural=self._is_natural)

    def _search_play(
        self, view: View, decision: Decision, records_statistics: bool = False
    ) -> SearchResult:
        result = self._search.search(view, decision, records_statistics)
        if self._level.noise_tricks and result.evaluated_actions:
            result = add_noise(view, result, self._rng, self._level.noise_tricks)
            if not self._is_natural:
                result = with_true_signal(view, result)
        return result


def add_noise(
    view: View, result: SearchResult, rng: random.Random, noise_tricks: float
) -> SearchResult:
    """Add noise to the value of each option, and choose again.

    `noise_tricks`: the standard deviation of the noise, in tricks. Melds can be counted, so a meld
    that is best to lay is laid.
    """
    if isinstance(result.action, LayMeld):
        return result
    deviation = noise_tricks * average_trick_points(view.rules, len(view.players))
    chance_per_point = win_probability_per_point(view)
    noisy_options = []
    for option in result.evaluated_actions:
        noise = rng.gauss(0.0, deviation)
        noisy_options.append(
            option._replace(
                points=option.points + noise,
                win_probability=option.win_probability + noise * chance_per_point,
            )
        )
    noisy_options.sort(key=lambda option: (option.win_probability, option.points), reverse=True)
    return SearchResult(noisy_options[0].action, tuple(noisy_options), result.worlds)


def win_probability_per_point(view: View) -> float:
    """Return by how much one more point raises the win probability at the present score."""
    rules, players = view.rules, view.players
    side = rules.side_of(cast(int, view.seat))
    scoring_state = make_scoring_state(rules, players, view.scores, view.target, view.deals)
    step = max(1, max_play_points(rules, len(players)) // 10)
    low, high = scoring_state.scores.copy(), scoring_state.scores.copy()
    low[side] -= step
    high[side] += step
    return max(
        win_probability(scoring_state, high, -1, side)
        - win_probability(scoring_state, low, -1, side),
        0.0,
    ) / (2 * step)
