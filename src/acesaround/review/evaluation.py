"""Evaluation of one action: how much worse it is than the best one, from the seat's own view.

The best of many choices looks better than it is in the worlds that selected it. So one search
selects the best action, and another one with new worlds compares it with the action taken.
"""

from __future__ import annotations

import random
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


class ComparedAction(msgspec.Struct, frozen=True):
    """An action that the second search tried, compared with the best one.

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
    the second search tried, the best one of the first search included; empty without a second one.
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

    `seconds`: the approximate time for each of two searches on a current machine. Return None for a
    decision that the search does not try: a forced one, an upcard, or a bid far above the lowest.

    Hand weights are measured first if the rules lack them.
    """
    if decision.kind is DecisionKind.UPCARD or decision.is_forced:
        return None
    bots.measure_hand_weights(view.rules)
    first = _search(view, decision, (action,), seconds, seed)
    chosen = _find(first, action)
    if chosen is None:
        return None
    if first.action == action:
        return Evaluation(action, chosen.win_probability, chosen.win_probability)
    second = _search(view, decision, (action, first.action), seconds, seed ^ _SECOND_SEED)
    taken, best = _find(second, action), _find(second, first.action)
    if taken is None or best is None:
        return None
    statistics = second.statistics
    assert statistics is not None
    return Evaluation(
        best=first.action,
        chance=taken.win_probability,
        best_chance=best.win_probability,
        chance_error=EVEN_ERRORS * statistics.error(first.action, action),
        points_lost=best.points - taken.points,
        points_error=EVEN_ERRORS * statistics.points_error(first.action, action),
        reason=explain_choice(view, decision, second if second.action == first.action else first),
        tried=tuple([_compare(one, best, statistics) for one in second.evaluated_actions]),
    )


def _compare(
    one: EvaluatedAction, best: EvaluatedAction, statistics: RolloutStatistics
) -> ComparedAction:
    error = 0.0 if one.action == best.action else statistics.error(best.action, one.action)
    return ComparedAction(
        one.action,
        one.win_probability,
        best.win_probability - one.win_probability,
        EVEN_ERRORS * error,
        best.points - one.points,
    )


def _search(
    view: View, decision: Decision, actions: tuple[Action, ...], seconds: float, seed: int
) -> SearchResult:
    bot = SearchBot(random.Random(seed), time=seconds)
    return bot.search(view, decision, records_statistics=True, also_try=actions)


def _find(result: SearchResult, action: Action) -> EvaluatedAction | None:
    return next((option for option in result.evaluated_actions if option.action == action), None)
