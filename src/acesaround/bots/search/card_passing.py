"""The search for cards that leave the hand: given, given back, buried or discarded.

The heuristic choice is tried against the choices that differ from it in one card, then against the
choices that differ in one card from the best so far, in the same worlds. Where all choices can be
tried, half of them are dropped after each round. The best few are tried again in other worlds, so
that choices that only seemed better fall back. Another choice replaces the heuristic one only if it
is better by more than sampling noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import ceil, log2, sqrt
from typing import Final, NamedTuple, cast

import numpy as np

from acesaround.actions import Action, Bury, CardSelections, Discard, Give
from acesaround.bots.heuristic import card_passing
from acesaround.bots.heuristic.hand_value import best_hand_value
from acesaround.bots.search.rollout_statistics import (
    RolloutStatistics,
    ValuePart,
    choose_columns,
    world_numbers,
)
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.bots.search.situation import Situation
from acesaround.bots.search.world_sampling import sample_worlds
from acesaround.cards import ONE_OF_KIND, Card, counts, kinds, kinds_in_set, pack, unpack
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.rollouts.before_play import (
    BURY,
    GIVE,
    REDRAW,
    RETURN,
    DealStep,
    roll_out_passing,
)
from acesaround.fast.rollouts.card_play import RolloutResults
from acesaround.fast.rollouts.deal_ends import DealEnds, empty_deal_ends
from acesaround.fast.sampler import Worlds
from acesaround.game.view import View, passes_completed
from acesaround.rules.scoring import card_points
from acesaround.rules.trump import nameable_trumps

_CLIMB_STEPS: Final = 3  # number of hill-climbing steps
_FINAL_BUDGET_SHARE: Final = 0.4  # fraction of the budget for the best few
_FINALIST_COUNT: Final = 5
_MAX_EXHAUSTIVE_CHOICES: Final = 130  # number of choices up to which every choice is tried
_MIN_WORLDS: Final = 16
_MIN_GAIN_ERRORS: Final = (
    1.0  # standard errors by which another choice must be better than the heuristic one
)


class PassChoice(NamedTuple):
    """One choice: the cards to part with, sorted, and the trump (-1: not settled)."""

    cards: tuple[Card, ...]
    trump: int


def search_give(situation: Situation) -> SearchResult:
    """Choose cards for the partner."""
    view = situation.view
    assert view.trump is not None
    step, trump = (RETURN if view.seat == view.declarer else GIVE), int(view.trump)
    heuristic_cards = cast(Give, card_passing.give(view)[0]).cards
    finalists = _find_finalists(situation, step, [PassChoice(heuristic_cards, trump)])
    finalists = _with_also_tried(situation, finalists, [trump])
    return best_choice(situation, step, {choice: Give(choice.cards) for choice in finalists})


def search_bury(situation: Situation) -> SearchResult:
    """Choose cards to bury, considering the trump to be named afterwards."""
    view, hand = situation.view, pack(situation.view.hand)
    law = view.rules.auction
    assert law is not None
    held, best_suit = counts(hand), best_hand_value(view, hand).trump
    suits = [int(suit) for suit in nameable_trumps(law, held)]
    ordered_suits = sorted(suits or range(4), key=lambda suit: suit != best_suit)
    start_choices = [
        PassChoice(card_passing.cards_to_bury(view, suit).cards, suit) for suit in ordered_suits
    ]
    finalists = _find_finalists(situation, BURY, start_choices)
    finalists = _with_also_tried(situation, finalists, ordered_suits)
    best = best_choice(situation, BURY, {choice: Bury(choice.cards) for choice in finalists})
    unique: dict[Action, EvaluatedAction] = {}
    for evaluated in best.evaluated_actions:
        unique.setdefault(evaluated.action, evaluated)
    return best._replace(evaluated_actions=tuple(unique.values()))


def search_discard(situation: Situation) -> SearchResult:
    """Choose cards to exchange for as many from the stock."""
    view, legal = situation.view, cast(CardSelections, situation.decision.legal)
    assert view.trump is not None
    trump = int(view.trump)
    heuristic_choice = PassChoice(
        cast(Discard, card_passing.discard(view, legal.sizes[-1])[0]).cards, trump
    )
    start_choices = [heuristic_choice]
    if len(legal) <= _MAX_EXHAUSTIVE_CHOICES:
        selections = {choice for size in legal.sizes for choice in combinations(view.hand, size)}
        start_choices += [
            choice
            for choice in (PassChoice(c, trump) for c in sorted(selections))
            if choice != heuristic_choice
        ]
    finalists = _find_finalists(situation, REDRAW, start_choices)
    finalists = _with_also_tried(situation, finalists, [trump])
    return best_choice(situation, REDRAW, {choice: Discard(choice.cards) for choice in finalists})


def best_choice(
    situation: Situation, step: int, action_of_choice: Mapping[PassChoice, Action]
) -> SearchResult:
    """Return the best of a few choices, all tried in new worlds.

    The first choice is the heuristic one. Another must be better by more than sampling noise.
    """
    if len(action_of_choice) == 1:
        return SearchResult(next(iter(action_of_choice.values())), (), 0)
    budget, seed = situation.budget, situation.budget.seed ^ 1
    world_count = budget._replace(playouts=int(budget.playouts * _FINAL_BUDGET_SHARE)).world_count(
        len(action_of_choice)
    )
    worlds = sample_worlds(situation, world_count, seed)
    ends = None
    if budget.records_statistics:
        ends = empty_deal_ends(
            world_count, len(action_of_choice), len(situation.game_arrays.scoring_state.scores)
        )
    results = _evaluate(situation, step, list(action_of_choice), worlds, seed, ends)
    means = [column.mean(0) for column in results]
    errors = (results.win_probability - results.win_probability[:, :1]).std(0) / sqrt(world_count)
    required_gain = dict(
        zip(action_of_choice.values(), (_MIN_GAIN_ERRORS * errors).tolist(), strict=True)
    )
    evaluated_actions = [
        EvaluatedAction(action, *(float(mean[index]) for mean in means))
        for index, action in enumerate(action_of_choice.values())
    ]
    evaluated_actions.sort(
        key=lambda o: (o.win_probability - required_gain[o.action], o.points), reverse=True
    )
    actions = list(action_of_choice.values())
    columns: dict[Action, int] = {}  # of each action, the best choice
    for index in sorted(range(len(actions)), key=lambda index: -means[0][index]):
        columns.setdefault(actions[index], index)
    statistics = None
    if ends is not None:
        chance = results.win_probability[:, list(columns.values())]
        points = results.points[:, list(columns.values())]
        statistics = RolloutStatistics(
            scoring_state=situation.game_arrays.scoring_state,
            side=situation.side,
            player=situation.player,
            actions=tuple(columns),
            ends=choose_columns(ends, list(columns.values())),
            win_probability=chance,
            value_parts=(ValuePart(1.0, chance, points, world_numbers(worlds)),),
        )
    return SearchResult(
        evaluated_actions[0].action, tuple(evaluated_actions), world_count, statistics
    )


def _find_finalists(
    situation: Situation, step: int, start_choices: list[PassChoice]
) -> list[PassChoice]:
    """Return the best few choices found, with the first heuristic choice ahead of them."""
    find = _successive_halving if len(start_choices) > _FINALIST_COUNT else _hill_climb
    ranked = find(
        situation, step, start_choices, int(situation.budget.playouts * (1.0 - _FINAL_BUDGET_SHARE))
    )
    return list(dict.fromkeys([start_choices[0], *ranked[:_FINALIST_COUNT]]))


def _with_also_tried(
    situation: Situation, finalists: list[PassChoice], trumps: list[int]
) -> list[PassChoice]:
    """Return the finalists and the choices that the caller wants evaluated as well."""
    also_tried = [
        PassChoice(action.cards, trump)
        for action in situation.also_try
        if isinstance(action, Give | Bury | Discard)
        for trump in trumps
    ]
    return list(dict.fromkeys([*finalists, *also_tried]))


def _successive_halving(
    situation: Situation, step: int, choices: list[PassChoice], playouts: int
) -> list[PassChoice]:
    """Return all choices, best first, by successive halving.

    Each round tries the remaining choices in more worlds and drops half of them. So most playouts
    go to choices that are hard to tell apart.
    """
    seed = situation.budget.seed
    rounds = max(1, ceil(log2(len(choices) / _FINALIST_COUNT)))
    share = playouts // rounds
    sizes = [max(1, share // max(len(choices) >> round_index, 1)) for round_index in range(rounds)]
    worlds = sample_worlds(situation, sum(sizes), seed)
    ranked, remaining, start = list(choices), list(choices), 0
    sums = dict.fromkeys(choices, 0.0)
    for round_index, size in enumerate(sizes):
        end = start + size
        sample = worlds.select(slice(start, end))
        chance_sums = _evaluate(
            situation, step, remaining, sample, seed ^ round_index
        ).win_probability.sum(0)
        for choice, chance_sum in zip(remaining, chance_sums.tolist(), strict=True):
            sums[choice] += chance_sum
        remaining.sort(key=lambda part: sums[part], reverse=True)
        ranked[: len(remaining)] = remaining
        remaining, start = remaining[: max(_FINALIST_COUNT, len(remaining) // 2)], end
    return ranked


def _hill_climb(
    situation: Situation, step: int, start_choices: list[PassChoice], playouts: int
) -> list[PassChoice]:
    """Return the choices found by hill climbing from some choices, best first."""
    seed, try_count = (
        situation.budget.seed,
        _CLIMB_STEPS * len(_neighbors(situation.view, step, start_choices[0])),
    )
    number = max(_MIN_WORLDS, min(1000, playouts // max(try_count, 1)))
    worlds = sample_worlds(situation, number, seed)
    chance_of_choice: dict[PassChoice, float] = {}
    frontier = start_choices
    for _ in range(_CLIMB_STEPS + 1):
        new_choices = [choice for choice in frontier if choice not in chance_of_choice]
        if new_choices:
            chances = _evaluate(situation, step, new_choices, worlds, seed).win_probability.mean(0)
            chance_of_choice.update(zip(new_choices, map(float, chances), strict=True))
        best = max(chance_of_choice, key=lambda part: chance_of_choice[part])
        frontier = _neighbors(situation.view, step, best)
    return sorted(chance_of_choice, key=lambda part: chance_of_choice[part], reverse=True)


def _neighbors(view: View, step: int, choice: PassChoice) -> list[PassChoice]:
    """Return the choices that differ in one card. Only a redraw may change the number of cards."""
    leaving = pack(choice.cards)
    staying = pack(view.hand) - leaving
    staying_kinds, leaving_kinds = kinds_in_set(kinds(staying)), kinds_in_set(kinds(leaving))
    neighbors = [
        leaving - ONE_OF_KIND[card] + ONE_OF_KIND[other]
        for card in leaving_kinds
        for other in staying_kinds
        if other != card
    ]
    if step == REDRAW:
        neighbors += [leaving - ONE_OF_KIND[card] for card in leaving_kinds]
        if len(choice.cards) < view.rules.max_redraw(len(view.players)):
            neighbors += [leaving + ONE_OF_KIND[other] for other in staying_kinds]
    return [PassChoice(unpack(cards), choice.trump) for cards in neighbors]


def _evaluate(
    situation: Situation,
    step: int,
    choices: list[PassChoice],
    worlds: Worlds,
    seed: int,
    ends: DealEnds | None = None,
) -> RolloutResults:
    """Return the value of each choice in each world. `ends`: where to write how each ended."""
    view, copies = situation.view, situation.view.rules.deck.copies
    assert view.bid is not None
    return roll_out_passing(
        situation.game_arrays,
        DealStep(
            next_step=step,
            player=situation.player,
            declarer=situation.declarer,
            bid=view.bid,
            buried_points=card_points(view.rules, view.buried or ()),
            passes_made=passes_completed(view),
        ),
        worlds.hands,
        worlds.rest,
        np.array([sets_from_hand(pack(choice.cards), copies) for choice in choices], np.int64),
        np.array([choice.trump for choice in choices], np.int64),
        seed,
        ends,
    )
