"""The search of card play: each choice is rolled out in many worlds, and the best mean wins."""

from __future__ import annotations

import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import CONCEDE, Concede, LayMeld
from acesaround.bots.deal_outcomes import add_buried_points, evaluate_deal_end, tally_from_solver
from acesaround.bots.search.rollout_statistics import RolloutStatistics, ValuePart, world_numbers
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.bots.search.signals import with_true_signal
from acesaround.bots.search.situation import Situation
from acesaround.bots.search.world_sampling import sample_worlds, worlds_within_budget
from acesaround.cards import KIND_COUNT
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.card_play import (
    PlayFacts,
    RolloutResults,
    Unseen,
    empty_results,
    encode_choices,
    roll_out_cards,
)
from acesaround.fast.rollouts.deal_ends import empty_deal_ends
from acesaround.fast.rollouts.encode_view import encode_view
from acesaround.fast.rollouts.solver_rollouts import TrickSoFar, cached_solver
from acesaround.fast.rollouts.two_ply import roll_out_two_ply
from acesaround.fast.sampler import Worlds
from acesaround.fast.solver.setup import solver_setup
from acesaround.game.view import View, is_strict_play
from acesaround.rules.scoring import Outcome, card_points
from acesaround.rules.tricks import points_of

_MIN_TWO_PLY_WORLDS: Final = 8  # minimum number of worlds for the two-ply search
_MIN_SOLVED_WORLDS: Final = 40  # minimum number of solved worlds, or the solver's result is dropped
_MAX_SOLVED_WORLDS: Final = 300  # maximum number of worlds that are solved
_TWO_PLY_WEIGHT: Final = 0.3  # weight of the two-ply search: see docs/searching.md
_SOLVER_WEIGHT: Final = 0.5  # weight of the solver's result against the rollouts
_CERTAIN_SOLVER_WEIGHT: Final = 0.9  # the same with two sides and one world
_NODES_PER_PLAYOUT: Final = 60  # nodes of the solver that take as long as a playout
_STOCK_TRICK_COST: Final = (
    5  # cost of a trick after which cards are drawn and melds laid, in other tricks
)


def search_play(situation: Situation) -> SearchResult:
    """Choose a card, a meld to lay first, or conceding."""
    view, decision, budget = situation.view, situation.decision, situation.budget
    assert view.trump is not None
    actions = [action for action in decision.legal if not isinstance(action, Concede)]
    can_concede = CONCEDE in decision.legal
    if len(actions) == 1 and not can_concede:
        return SearchResult(actions[0], (), 0)
    rules, players = view.rules, view.players
    choices = encode_choices(rules.melds, view.trump, actions)
    draw_cost = 0 if view.upcard is None else _STOCK_TRICK_COST * view.stock / len(players)
    share = (len(view.hand) + draw_cost) / rules.hand_size
    can_lay_meld = any(isinstance(action, LayMeld) for action in actions)
    is_two_ply = (
        budget.is_two_ply and is_strict_play(view) and not can_lay_meld and len(view.hand) > 2
    )
    world_count = worlds_within_budget(situation, (1 + is_two_ply) * share * len(choices))
    worlds = sample_worlds(situation, world_count, budget.seed)
    is_certain = len(rules.sides) == 2 and _are_worlds_equal(worlds)
    if is_certain:
        world_count, worlds = 1, worlds.select(slice(1))
    play_facts = _play_facts(situation)
    unseen = Unseen(worlds.hands, _draw_pile(view, worlds), _buried_points(view, worlds))
    asked = situation.game_arrays, play_facts, encode_view(view, may_meld=can_lay_meld)
    ends = None
    if budget.records_statistics:
        ends = empty_deal_ends(
            world_count, len(choices), len(situation.game_arrays.scoring_state.scores)
        )
    results = roll_out_cards(*asked, unseen, choices, budget.seed, ends)
    means = [column.mean(0) for column in results]
    numbers = world_numbers(worlds)
    estimates = [ValuePart(1.0, results.win_probability, results.points, numbers)]
    if is_two_ply and not is_certain:
        sample = slice(
            None, None, max(1, min(len(view.hand) // 2, world_count // _MIN_TWO_PLY_WORLDS))
        )
        some = Unseen(*(rows[sample] for rows in unseen))
        two_ply_results = roll_out_two_ply(*asked, some, choices, budget.seed)
        means = _blend_two_ply(results, two_ply_results, sample)
        change = two_ply_results.win_probability - results.win_probability[sample]
        points_change: Integers = two_ply_results.points - results.points[sample]
        estimates.append(ValuePart(_TWO_PLY_WEIGHT, change, points_change, numbers[sample]))
    exact_tricks = (
        budget.exact_tricks * 3 // 2 if is_certain else budget.exact_tricks
    )  # a single world is solved sooner
    if len(view.hand) <= exact_tricks and is_strict_play(view) and not can_lay_meld:
        solved = _solve_worlds(situation, play_facts, unseen, choices)
        if solved is not None:
            solver_weight = _CERTAIN_SOLVER_WEIGHT if is_certain else _SOLVER_WEIGHT
            means = [
                (1 - solver_weight) * mean + solver_weight * solver_column.mean(0)
                for mean, solver_column in zip(means, solved, strict=True)
            ]
            estimates = [e._replace(weight=(1 - solver_weight) * e.weight) for e in estimates]
            solved_numbers = numbers[: len(solved.win_probability)]
            estimates.append(
                ValuePart(solver_weight, solved.win_probability, solved.points, solved_numbers)
            )
    evaluated_actions = [
        EvaluatedAction(action, float(c), float(p), float(m))
        for action, c, p, m in zip(actions, *means, strict=True)
    ]
    if can_concede:
        concession = evaluate_deal_end(
            rules,
            situation.game_arrays.scoring_state,
            play_facts,
            situation.tally,
            Outcome.CONCEDED,
        )
        evaluated_actions.append(
            EvaluatedAction(CONCEDE, concession.win_probability, concession.points, 0.0)
        )
    evaluated_actions.sort(
        key=lambda evaluated: (evaluated.win_probability, evaluated.points), reverse=True
    )
    statistics = None
    if ends is not None:
        statistics = RolloutStatistics(
            scoring_state=situation.game_arrays.scoring_state,
            side=situation.side,
            player=situation.player,
            actions=tuple(actions),
            ends=ends,
            win_probability=results.win_probability,
            value_parts=tuple(estimates),
        )
    result = SearchResult(
        evaluated_actions[0].action, tuple(evaluated_actions), world_count, statistics
    )
    return result if budget.is_natural else with_true_signal(view, result)


def _play_facts(situation: Situation) -> PlayFacts:
    """Return the facts settled before the play."""
    view = situation.view
    return PlayFacts(
        declarer=-1 if view.declarer is None else view.rules.side_of(view.declarer),
        bid=view.bid or 0,
        own_side=situation.side,
        dix_points=np.array(situation.tally.dix_points, np.int64),
    )


def _blend_two_ply(
    results: RolloutResults, two_ply_results: RolloutResults, sample: slice
) -> list[NDArray[np.float64]]:
    """Return the means over all worlds, shifted by what a deeper search of a few changed."""
    chance, points, made = (
        one_ply.mean(0) + _TWO_PLY_WEIGHT * (two_ply.mean(0) - one_ply[sample].mean(0))
        for one_ply, two_ply in zip(results, two_ply_results, strict=True)
    )
    return [chance.clip(0.0, 1.0), points, made.clip(0.0, 1.0)]


def _are_worlds_equal(worlds: Worlds) -> bool:
    """Return whether all sampled worlds are equal, as always in a two-handed play-off."""
    return not worlds.rest.shape[1] and bool((worlds.hands == worlds.hands[:1]).all())


def _solve_worlds(
    situation: Situation, play_facts: PlayFacts, unseen: Unseen, choices: Integers
) -> RolloutResults | None:
    """Return the value of each choice with best play by all, or None if too few worlds were solved.

    With more than two sides, all play against the declarer, or against the own side if there is no
    declarer. The others share what they win.
    """
    view, players = situation.view, situation.view.players
    assert view.trump is not None and view.leader is not None
    solved_side = (
        play_facts.own_side
        if play_facts.declarer < 0 or len(view.rules.sides) == 2
        else play_facts.declarer
    )
    solver = cached_solver(solver_setup(view.rules, players, solved_side), threading.get_ident())
    values, solved_count = solver.solve_worlds(
        unseen.hands[:_MAX_SOLVED_WORLDS],
        TrickSoFar(view.trump, players.index(view.leader), view.trick, view.broken),
        choices,
        situation.budget.playouts * _NODES_PER_PLAYOUT,
    )
    if solved_count < min(_MIN_SOLVED_WORLDS, len(unseen.hands)):
        return None
    solved = Unseen(*(rows[:solved_count] for rows in unseen))
    return _results_of_ends(situation, play_facts, solved_side, values[:solved_count], solved)


def _results_of_ends(
    situation: Situation, play_facts: PlayFacts, solved_side: int, values: Integers, unseen: Unseen
) -> RolloutResults:
    """Return the values of the ends at which the side `solved_side` wins that many points.

    `values`: the points won from here on, (worlds, choices). Equal ends are scored once.
    """
    view, rules = situation.view, situation.view.rules
    points_left, buried = _points_left(view, unseen.hands), unseen.buried_points
    sides = {rules.side_of(seat) for seat in view.players}
    results = empty_results(*values.shape)
    for points_left_here, buried_here in set(
        zip(points_left.tolist(), buried.tolist(), strict=True)
    ):
        has_these_points = (points_left == points_left_here) & (buried == buried_here)
        tally_before = add_buried_points(situation.tally, play_facts.declarer, buried_here)
        for value in np.unique(values[has_these_points]).tolist():
            final_tally = tally_from_solver(
                rules, tally_before, sides, solved_side, value, points_left_here
            )
            end_value = evaluate_deal_end(
                rules,
                situation.game_arrays.scoring_state,
                play_facts,
                final_tally,
                trump=view.trump,
            )
            cells = has_these_points[:, None] & (values == value)
            results.win_probability[cells], results.points[cells], results.bid_made[cells] = (
                end_value
            )
    return results


def _points_left(view: View, hands: Integers) -> Integers:
    """Return the points that can still be won in each world, including the last-trick bonus."""
    scoring = view.rules.scoring
    points = np.array(points_of(scoring.card_points), np.int64)
    points_left = np.full(len(hands), scoring.last_trick + points[list(view.trick)].sum())
    for kind in range(KIND_COUNT):
        points_left += points[kind] * (hands >> kind & 1).sum((1, 2))
    return points_left


def _draw_pile(view: View, worlds: Worlds) -> Integers:
    """Return the cards to be drawn in each world, the upcard last."""
    if view.upcard is None:
        return np.zeros((len(worlds.hands), 0), np.int64)
    upcard_column = np.full((len(worlds.hands), 1), int(view.upcard), np.int64)
    return np.concatenate([worlds.rest, upcard_column], axis=1)


def _buried_points(view: View, worlds: Worlds) -> Integers:
    """Return the points of the declarer's buried cards in each world."""
    kind_points = np.array(points_of(view.rules.scoring.card_points), np.int64)
    buried_count = view.rules.exchange.bury if view.rules.deal.kitty else 0
    if view.buried is not None:
        return np.full(len(worlds.hands), card_points(view.rules, view.buried), np.int64)
    if not buried_count or view.declarer is None:
        return np.zeros(len(worlds.hands), np.int64)
    points: NDArray[np.int64] = kind_points[worlds.rest[:, :buried_count]].sum(1)
    return points
