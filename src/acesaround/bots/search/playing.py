"""The search of card play: each choice is rolled out in many worlds, and the best mean wins."""

from __future__ import annotations

import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import CONCEDE, Concede, LayMeld
from acesaround.bots.deal_outcomes import tally_from_solver, value_of_end
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.result import EvaluatedAction, SearchResult
from acesaround.bots.search.world_sampling import Worlds, draw, worlds_within_budget
from acesaround.cards import KINDS
from acesaround.fast.playouts.play_loop import RULES_OF_THUMB
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.card_play import (
    Deal,
    RolloutResults,
    Unseen,
    empty_results,
    encode_choices,
    try_cards,
)
from acesaround.fast.rollouts.encode_view import encode_view
from acesaround.fast.rollouts.solved import exact
from acesaround.fast.rollouts.two_ply import rollout_two_ply
from acesaround.fast.rollouts.win_probability import Standing, standing
from acesaround.fast.solver.setup import arrangement
from acesaround.game.state import Decision
from acesaround.game.view import View, strict, tally
from acesaround.rules.scoring import Outcome, card_points
from acesaround.rules.tricks import points_of

_FEW: Final = 8  # minimum number of worlds for the two-ply search
_LEAST_SOLVED: Final = 40  # minimum number of solved worlds, or the solver's result is dropped
_MOST_SOLVED: Final = 300  # maximum number of worlds that are solved
_AHEAD: Final = 0.3  # weight of the two-ply search: see docs/searching.md
_SOLVED: Final = 0.5  # weight of the solver's result against the rollouts
_CERTAIN: Final = 0.9  # the same with two sides and one world
_NODES: Final = 60  # nodes of the solver that take as long as a playout
_LAYING: Final = 5  # cost of a trick after which cards are drawn and melds laid, in other tricks


def play(view: View, decision: Decision, effort: SearchBudget) -> SearchResult:
    """Choose a card, a meld to lay first, or conceding."""
    seat, trump = decision.seat, view.trump
    assert seat is not None and trump is not None
    tried = [action for action in decision.legal if not isinstance(action, Concede)]
    may_concede = CONCEDE in decision.legal
    if len(tried) == 1 and not may_concede:
        return SearchResult(tried[0], (), 0)
    rules, players = view.rules, view.players
    choices = encode_choices(rules.melds, trump, tried)
    drawn = 0 if view.upcard is None else _LAYING * view.stock / len(players)
    share = (len(view.hand) + drawn) / rules.hand_size
    lays = any(isinstance(action, LayMeld) for action in tried)
    ahead = effort.ahead and strict(view) and not lays and len(view.hand) > 2
    number = worlds_within_budget(view, effort, (1 + ahead) * share * len(choices))
    worlds = draw(view, number, effort)
    certain = len(rules.sides) == 2 and _certain(worlds)
    if certain:
        number, worlds = 1, worlds.some(0, 1)
    game = standing(rules, players, view.scores, view.target, view.deals)
    before = tally(view, 0)
    deal = Deal(
        declarer=-1 if view.declarer is None else rules.side_of(view.declarer),
        bid=view.bid or 0,
        mine=rules.side_of(seat),
        nines=np.array(before.nines, np.int64),
    )
    buried = _buried(view, worlds)
    asked = (
        rule_arrays(rules, players),
        game,
        deal,
        encode_view(view, may_meld=lays),
    )
    goes_on = choices, np.full(len(players), RULES_OF_THUMB, np.int64), effort.seed
    unseen = Unseen(worlds.hands, _stock(view, worlds), buried)
    found = try_cards(*asked, unseen, *goes_on)
    means = [of.mean(0) for of in found]
    if ahead and not certain:
        few = slice(None, None, max(1, min(len(view.hand) // 2, number // _FEW)))
        deeper = rollout_two_ply(*asked, Unseen(*(its[few] for its in unseen)), *goes_on)
        means = _deepened(found, deeper, few)
    deep = effort.exact * 3 // 2 if certain else effort.exact  # a single world is solved sooner
    if len(view.hand) <= deep and strict(view) and not lays:
        nodes = effort.playouts * _NODES
        solved = _solved(view, game, deal, worlds, buried, choices, nodes)
        if solved is not None:
            part = _CERTAIN if certain else _SOLVED
            means = [
                (1 - part) * one + part * other.mean(0)
                for one, other in zip(means, solved, strict=True)
            ]
    options = [
        EvaluatedAction(action, float(c), float(p), float(m))
        for action, c, p, m in zip(tried, *means, strict=True)
    ]
    if may_concede:
        given_up = value_of_end(rules, game, deal, before, Outcome.CONCEDED)
        options.append(EvaluatedAction(CONCEDE, given_up.chance, given_up.points, 0.0))
    options.sort(key=lambda option: (option.chance, option.points), reverse=True)
    return SearchResult(options[0].action, tuple(options), number)


def _deepened(
    found: RolloutResults, deeper: RolloutResults, few: slice
) -> list[NDArray[np.float64]]:
    """Return the means over all worlds, shifted by what a deeper search of a few changed."""
    chance, points, made = (
        plain.mean(0) + _AHEAD * (further.mean(0) - plain[few].mean(0))
        for plain, further in zip(found, deeper, strict=True)
    )
    return [chance.clip(0.0, 1.0), points, made.clip(0.0, 1.0)]


def _certain(worlds: Worlds) -> bool:
    """Return whether all sampled worlds are equal, as always in a two-handed play-off."""
    return not worlds.rest.shape[1] and bool((worlds.hands == worlds.hands[:1]).all())


def _solved(
    view: View,
    game: Standing,
    deal: Deal,
    worlds: Worlds,
    buried: Integers,
    choices: Integers,
    nodes: int,
) -> RolloutResults | None:
    """Return the value of each choice with best play by all, or None if too few worlds were solved.

    With more than two sides, all play against the declarer, or against the own side if there is no
    declarer. The others share what they win.
    """
    rules, players = view.rules, view.players
    assert view.trump is not None and view.leader is not None
    one = deal.mine if deal.declarer < 0 or len(rules.sides) == 2 else deal.declarer
    solver = exact(arrangement(rules, players, one), threading.get_ident())
    values, number = solver.values(
        worlds.hands[:_MOST_SOLVED],
        view.trump,
        players.index(view.leader),
        view.trick,
        view.broken,
        choices,
        nodes,
    )
    if number < min(_LEAST_SOLVED, len(worlds.hands)):
        return None
    left = _left(view, worlds.hands[:number])
    return _ended(view, game, deal, one, values[:number], left, buried[:number])


def _ended(
    view: View,
    game: Standing,
    deal: Deal,
    one: int,
    values: Integers,
    left: Integers,
    buried: Integers,
) -> RolloutResults:
    """Return the values of the ends at which the side `one` wins that many points.

    `values`: the points won from here on, (worlds, choices). `left`, `buried`: the points still to
    be won and the points buried, (worlds,). Equal ends are scored once.
    """
    rules = view.rules
    sides = {rules.side_of(seat) for seat in view.players}
    tried = empty_results(*values.shape)
    for rest, laid in set(zip(left.tolist(), buried.tolist(), strict=True)):
        alike = (left == rest) & (buried == laid)
        before = tally(view, laid)
        for value in np.unique(values[alike]).tolist():
            final = tally_from_solver(rules, before, sides, one, value, rest)
            its = value_of_end(rules, game, deal, final, trump=view.trump)
            here = alike[:, None] & (values == value)
            tried.chance[here], tried.points[here], tried.made[here] = its
    return tried


def _left(view: View, hands: Integers) -> Integers:
    """Return the points that can still be won in each world, including the last-trick bonus."""
    law = view.rules.scoring
    points = np.array(points_of(law.card_points), np.int64)
    left = np.full(len(hands), law.last_trick + points[list(view.trick)].sum())
    for kind in range(KINDS):
        left += points[kind] * (hands >> kind & 1).sum((1, 2))
    return left


def _stock(view: View, worlds: Worlds) -> Integers:
    """Return the cards to be drawn in each world, the upcard last."""
    if view.upcard is None:
        return np.zeros((len(worlds.hands), 0), np.int64)
    last = np.full((len(worlds.hands), 1), int(view.upcard), np.int64)
    return np.concatenate([worlds.rest, last], axis=1)


def _buried(view: View, worlds: Worlds) -> Integers:
    """Return the points of the declarer's buried cards in each world."""
    worth = np.array(points_of(view.rules.scoring.card_points), np.int64)
    number = view.rules.exchange.bury if view.rules.deal.kitty else 0
    if view.buried is not None:
        return np.full(len(worlds.hands), card_points(view.rules, view.buried), np.int64)
    if not number or view.declarer is None:
        return np.zeros(len(worlds.hands), np.int64)
    points: NDArray[np.int64] = worth[worlds.rest[:, :number]].sum(1)
    return points
