"""Evaluation of one action: how much worse it is than the best one, from the seat's own view.

The best of many choices looks better than it is in the worlds that selected it. So one search
selects the best action, and another one with new worlds compares it with the action taken. If that
leaves it open whether the action is a mistake, more searches follow, and their mean counts.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import hypot
from statistics import fmean
from typing import Final

import msgspec

from acesaround import bots
from acesaround.actions import Action
from acesaround.bots.explanations import ActionReason
from acesaround.bots.search import SearchBot
from acesaround.bots.search.reasons import explain_choice
from acesaround.bots.search.rollout_statistics import EVEN_CHANCE, EVEN_ERRORS, RolloutStatistics
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View

_SECOND_SEED: Final = 0x5EED
_MAX_COMPARISONS: Final = 6
"""The number of searches that compare an action with the best one at most."""
_OPEN_ERRORS: Final = 1.5
"""It is open whether an action is a mistake while so many standard errors would decide it."""


class ComparedAction(msgspec.Struct, frozen=True):
    """An action that all comparing searches tried, compared with the best one.

    `chance`: the probability of winning the game after it. `chance_lost`, `points_lost`: what it
    costs. `chance_error`: half of the 95% interval of `chance_lost`.
    """

    action: Action
    chance: float
    chance_lost: float = 0.0
    chance_error: float = 0.0
    points_lost: float = 0.0

    @property
    def is_mistake(self) -> bool:
        """Whether the action costs more than anybody would notice, in the whole interval."""
        return self.chance_lost - self.chance_error > EVEN_CHANCE


class Evaluation(msgspec.Struct, frozen=True):
    """How an action compares with the best one.

    `best`: the action that the search prefers. `chance`: the probability of winning the game after
    the action, and `best_chance` after the best one. `points_lost`: how many points of the own
    side's total the action costs in this deal. `chance_error` and `points_error`: half of the 95%
    intervals of the differences. `reason`: why the best action is better. `tried`: all actions that
    the searches after the first one tried, `best` included; empty if `best` was taken.
    """

    best: Action
    chance: float
    best_chance: float
    chance_error: float = 0.0
    points_lost: float = 0.0
    points_error: float = 0.0
    reason: ActionReason = ""
    tried: tuple[ComparedAction, ...] = ()

    @property
    def chance_lost(self) -> float:
        """The probability of winning that the action costs; negative if it seems the better one."""
        return self.best_chance - self.chance

    @property
    def is_mistake(self) -> bool:
        """Whether the action costs more than anybody would notice, in the whole interval."""
        return self.chance_lost - self.chance_error > EVEN_CHANCE


def evaluate_action(
    view: View, decision: Decision, action: Action, seconds: float, seed: int
) -> Evaluation | None:
    """Return how an action compares with the best one. The same seed gives the same evaluation.

    `seconds`: the approximate time of a search on a current machine. There is one search if the
    action is the best one, and mostly two otherwise. Return None for a decision that the search
    does not try: a forced one, an upcard, or a bid far above the lowest.

    Hand weights are measured first if the rules lack them.
    """
    if decision.kind is DecisionKind.UPCARD or decision.is_forced:
        return None
    bots.measure_hand_weights(view.rules)
    first = _search(view, decision, (action,), seconds, seed)
    chosen, best = _find(first, action), first.action
    if chosen is None:
        return None
    if best == action:
        return Evaluation(action, chosen.win_probability, chosen.win_probability)
    searches = list[SearchResult]()
    while len(searches) < _MAX_COMPARISONS:
        search_seed = seed ^ (_SECOND_SEED + len(searches))
        search = _search(view, decision, (action, best), seconds, search_seed)
        if _find(search, action) is None or _find(search, best) is None:
            return None
        searches.append(search)
        compared = _compare(searches, action, best)
        if not _is_open(compared):
            break
    second = searches[0]
    return Evaluation(
        best=best,
        chance=compared.chance,
        best_chance=compared.chance + compared.chance_lost,
        chance_error=compared.chance_error,
        points_lost=compared.points_lost,
        points_error=_error([_statistics(one).points_error(best, action) for one in searches]),
        reason=explain_choice(view, decision, second if second.action == best else first),
        tried=tuple(
            [
                _compare(searches, tried.action, best)
                for tried in second.evaluated_actions
                if all(_find(search, tried.action) for search in searches)
            ]
        ),
    )


def _compare(searches: Sequence[SearchResult], action: Action, best: Action) -> ComparedAction:
    """Return the mean of what some searches, each with its own worlds, say of two actions."""
    taken = [_get(search, action) for search in searches]
    better = [_get(search, best) for search in searches]
    chance = fmean(one.win_probability for one in taken)
    errors = [0.0 if action == best else _statistics(one).error(best, action) for one in searches]
    return ComparedAction(
        action,
        chance,
        fmean(one.win_probability for one in better) - chance,
        _error(errors),
        fmean(one.points for one in better) - fmean(one.points for one in taken),
    )


def _error(errors: Sequence[float]) -> float:
    """Return half of the 95% interval of a mean, from the standard errors of its summands."""
    return EVEN_ERRORS * hypot(*errors) / len(errors)


def _is_open(compared: ComparedAction) -> bool:
    """Return whether more worlds could well change whether an action is a mistake."""
    distance = compared.chance_lost - compared.chance_error - EVEN_CHANCE
    return abs(distance) < _OPEN_ERRORS * compared.chance_error / EVEN_ERRORS


def _search(
    view: View, decision: Decision, actions: tuple[Action, ...], seconds: float, seed: int
) -> SearchResult:
    bot = SearchBot(random.Random(seed), time=seconds)
    return bot.search(view, decision, records_statistics=True, also_try=actions)


def _statistics(search: SearchResult) -> RolloutStatistics:
    assert search.statistics is not None
    return search.statistics


def _find(search: SearchResult, action: Action) -> EvaluatedAction | None:
    return next((option for option in search.evaluated_actions if option.action == action), None)


def _get(search: SearchResult, action: Action) -> EvaluatedAction:
    found = _find(search, action)
    assert found is not None
    return found
