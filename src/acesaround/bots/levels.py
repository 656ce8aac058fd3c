"""The levels above `easy`: `medium`, `hard` and `expert`, handicapped forms of the `search` bot.

One table holds all their differences. A level that misjudges sees the value of each choice with
random noise. So it errs where choices are close, as people do, and makes no wild errors.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final, NamedTuple, cast

from acesaround.actions import Action, LayMeld
from acesaround.bots.advice import Advice, advice
from acesaround.bots.explanations import Reason
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.player import Player
from acesaround.bots.search import SearchBot, reasons
from acesaround.bots.search.result import SearchResult
from acesaround.fast.rollouts.win_probability import standing, win_probability
from acesaround.game.state import Decision, Kind
from acesaround.game.view import View
from acesaround.heuristic_weights import trick_worth
from acesaround.rules.scoring import most_in_play


class Level(NamedTuple):
    """The handicap of a level."""

    time: float
    """The approximate number of seconds for a decision."""
    inference: str = "all"
    """What the search infers from in card play (see `INFERENCES`)."""
    exact: int = 8
    """The number of tricks before the end from which the solver is used."""
    ahead: bool = True
    """Whether the bot also searches its next card (see `SearchBudget`)."""
    plans: bool = True
    """Whether the bot also searches before the play, instead of using rules of thumb there."""
    misjudges: float = 0.0
    """The standard deviation of the noise on the value of a card, in tricks."""


LEVELS: Final[Mapping[str, Level]] = {
    "medium": Level(0.02, inference="sizes", exact=3, ahead=False, plans=False, misjudges=1.5),
    "hard": Level(0.4, inference="sizes", exact=3, ahead=False, misjudges=0.75),
    "expert": Level(3.0),
}
"""The levels by name, weakest first."""


class LevelBot:
    """The `search` bot at one level.

    `time`: seconds for a decision, None for the level's own. `share`: the fraction of that time to
    use.
    """

    def __init__(
        self, name: str, rng: random.Random, time: float | None = None, share: float = 1.0
    ) -> None:
        self.name, self._rng = name, rng
        self._level = LEVELS[name]
        seconds = (self._level.time if time is None else time) * share
        self._before: Player = HeuristicBot()
        if self._level.plans:
            self._before = SearchBot(rng, time=seconds)  # it uses all inferences
        self._search = SearchBot(
            rng,
            time=seconds,
            inference=self._level.inference,
            exact=self._level.exact,
            ahead="yes" if self._level.ahead else "no",
        )

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that this level considers best."""
        return self.advise(view, decision).action

    def explain(self, view: View, decision: Decision) -> tuple[Action, Reason]:
        """Return the action and the one reason for it."""
        found = self.advise(view, decision)
        return found.action, found.why

    def advise(self, view: View, decision: Decision) -> Advice:
        """Return the action, the reason, and the value that the level expects of each action."""
        if decision.kind is not Kind.PLAY:
            return advice(self._before, view, decision)
        choice = self._search.search(view, decision)
        if self._level.misjudges and choice.options:
            choice = add_noise(view, choice, self._rng, self._level.misjudges)
        return reasons.advice(view, decision, choice)


def add_noise(view: View, choice: SearchResult, rng: random.Random, tricks: float) -> SearchResult:
    """Add noise to the value of each option, and choose again.

    `tricks`: the standard deviation of the noise, in tricks. Melds can be counted, so a meld that
    is best to lay is laid.
    """
    if isinstance(choice.action, LayMeld):
        return choice
    strays = tricks * trick_worth(view.rules, len(view.players))
    worth = win_probability_per_point(view)
    seen = []
    for option in choice.options:
        off = rng.gauss(0.0, strays)
        seen.append(option._replace(points=option.points + off, chance=option.chance + off * worth))
    seen.sort(key=lambda option: (option.chance, option.points), reverse=True)
    return SearchResult(seen[0].action, tuple(seen), choice.worlds)


def win_probability_per_point(view: View) -> float:
    """Return by how much one more point raises the win probability at the present score."""
    rules, players = view.rules, view.players
    side = rules.side_of(cast(int, view.seat))
    game = standing(rules, players, view.scores, view.target, view.deals)
    step = max(1, most_in_play(rules, len(players)) // 10)
    low, high = game.scores.copy(), game.scores.copy()
    low[side] -= step
    high[side] += step
    return max(
        win_probability(game, high, -1, side) - win_probability(game, low, -1, side), 0.0
    ) / (2 * step)
