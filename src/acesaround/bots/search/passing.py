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
from acesaround.bots.heuristic import passing
from acesaround.bots.heuristic.hand_value import best_hand_value
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.result import EvaluatedAction, SearchResult
from acesaround.bots.search.world_sampling import Worlds, draw_worlds
from acesaround.cards import ONE_OF_KIND, Card, counts, kinds, kinds_in_set, pack, unpack
from acesaround.fast.playouts.melding import build_meld_tables
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import rule_arrays
from acesaround.fast.rollouts.before_play import (
    BURY,
    GIVE,
    REDRAW,
    RETURN,
    DealStep,
    rollout_passing,
)
from acesaround.fast.rollouts.card_play import RolloutResults
from acesaround.fast.rollouts.win_probability import standing
from acesaround.game.state import Decision
from acesaround.game.view import View, passes_completed
from acesaround.rules.melds import count_marriages
from acesaround.rules.scoring import card_points

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


def search_give(view: View, decision: Decision, budget: SearchBudget) -> SearchResult:
    """Choose cards for the partner."""
    assert view.trump is not None
    step, trump = (RETURN if view.seat == view.declarer else GIVE), int(view.trump)
    heuristic_cards = cast(Give, passing.give(view)[0]).cards
    finalists = _find_finalists(view, step, [PassChoice(heuristic_cards, trump)], budget)
    return best_choice(view, step, {choice: Give(choice.cards) for choice in finalists}, budget)


def search_bury(view: View, decision: Decision, budget: SearchBudget) -> SearchResult:
    """Choose cards to bury, considering the trump to be named afterwards."""
    rules, hand = view.rules, pack(view.hand)
    assert rules.auction is not None
    held, best_suit = counts(hand), best_hand_value(view, hand).trump
    suits = [s for s in range(4) if not rules.auction.marriage_needed or count_marriages(held, s)]
    ordered_suits = sorted(suits or range(4), key=lambda suit: suit != best_suit)
    start_choices = [
        PassChoice(passing.cards_to_bury(view, suit).cards, suit) for suit in ordered_suits
    ]
    finalists = _find_finalists(view, BURY, start_choices, budget)
    best = best_choice(view, BURY, {choice: Bury(choice.cards) for choice in finalists}, budget)
    unique: dict[Action, EvaluatedAction] = {}
    for option in best.options:
        unique.setdefault(option.action, option)
    return SearchResult(best.action, tuple(unique.values()), best.worlds)


def search_discard(view: View, decision: Decision, budget: SearchBudget) -> SearchResult:
    """Choose cards to exchange for as many from the stock."""
    assert view.trump is not None
    trump, legal = int(view.trump), cast(CardSelections, decision.legal)
    heuristic_choice = PassChoice(
        cast(Discard, passing.discard(view, legal.sizes[-1])[0]).cards, trump
    )
    start_choices = [heuristic_choice]
    if len(legal) <= _MAX_EXHAUSTIVE_CHOICES:
        selections = {choice for size in legal.sizes for choice in combinations(view.hand, size)}
        start_choices += [
            choice
            for choice in (PassChoice(c, trump) for c in sorted(selections))
            if choice != heuristic_choice
        ]
    finalists = _find_finalists(view, REDRAW, start_choices, budget)
    return best_choice(
        view, REDRAW, {choice: Discard(choice.cards) for choice in finalists}, budget
    )


def best_choice(
    view: View, step: int, action_of_choice: Mapping[PassChoice, Action], budget: SearchBudget
) -> SearchResult:
    """Return the best of a few choices, all tried in new worlds.

    The first choice is the heuristic one. Another must be better by more than sampling noise.
    """
    if len(action_of_choice) == 1:
        return SearchResult(next(iter(action_of_choice.values())), (), 0)
    final_budget = budget._replace(
        playouts=int(budget.playouts * _FINAL_BUDGET_SHARE), seed=budget.seed ^ 1
    )
    world_count = final_budget.world_count(len(action_of_choice))
    results = _evaluate(
        view,
        step,
        list(action_of_choice),
        draw_worlds(view, world_count, final_budget),
        final_budget.seed,
    )
    means = [column.mean(0) for column in results]
    errors = (results.chance - results.chance[:, :1]).std(0) / sqrt(world_count)
    required_gain = dict(
        zip(action_of_choice.values(), (_MIN_GAIN_ERRORS * errors).tolist(), strict=True)
    )
    options = [
        EvaluatedAction(action, *(float(mean[index]) for mean in means))
        for index, action in enumerate(action_of_choice.values())
    ]
    options.sort(key=lambda o: (o.chance - required_gain[o.action], o.points), reverse=True)
    return SearchResult(options[0].action, tuple(options), world_count)


def _find_finalists(
    view: View, step: int, start_choices: list[PassChoice], budget: SearchBudget
) -> list[PassChoice]:
    """Return the best few choices found, with the first heuristic choice ahead of them."""
    strategy = _successive_halving if len(start_choices) > _FINALIST_COUNT else _hill_climb
    search_budget = budget._replace(playouts=int(budget.playouts * (1.0 - _FINAL_BUDGET_SHARE)))
    ranked = strategy(view, step, start_choices, search_budget)
    return list(dict.fromkeys([start_choices[0], *ranked[:_FINALIST_COUNT]]))


def _successive_halving(
    view: View, step: int, choices: list[PassChoice], budget: SearchBudget
) -> list[PassChoice]:
    """Return all choices, best first, by successive halving.

    Each round tries the remaining choices in more worlds and drops half of them. So most playouts
    go to choices that are hard to tell apart.
    """
    rounds = max(1, ceil(log2(len(choices) / _FINALIST_COUNT)))
    share = budget.playouts // rounds
    sizes = [max(1, share // max(len(choices) >> round_index, 1)) for round_index in range(rounds)]
    worlds = draw_worlds(view, sum(sizes), budget)
    ranked, remaining, start = list(choices), list(choices), 0
    sums = dict.fromkeys(choices, 0.0)
    for round_index, size in enumerate(sizes):
        end = start + size
        sample = worlds.subset(start, end)
        chance_sums = _evaluate(
            view, step, remaining, sample, budget.seed ^ round_index
        ).chance.sum(0)
        for choice, chance_sum in zip(remaining, chance_sums.tolist(), strict=True):
            sums[choice] += chance_sum
        remaining.sort(key=lambda part: sums[part], reverse=True)
        ranked[: len(remaining)] = remaining
        remaining, start = remaining[: max(_FINALIST_COUNT, len(remaining) // 2)], end
    return ranked


def _hill_climb(
    view: View, step: int, start_choices: list[PassChoice], budget: SearchBudget
) -> list[PassChoice]:
    """Return the choices found by hill climbing from some choices, best first."""
    try_count = _CLIMB_STEPS * len(_neighbors(view, step, start_choices[0]))
    worlds = draw_worlds(
        view, max(_MIN_WORLDS, min(1000, budget.playouts // max(try_count, 1))), budget
    )
    chance_of_choice: dict[PassChoice, float] = {}
    frontier = start_choices
    for _ in range(_CLIMB_STEPS + 1):
        new_choices = [choice for choice in frontier if choice not in chance_of_choice]
        if new_choices:
            chances = _evaluate(view, step, new_choices, worlds, budget.seed).chance.mean(0)
            chance_of_choice.update(zip(new_choices, map(float, chances), strict=True))
        best = max(chance_of_choice, key=lambda part: chance_of_choice[part])
        frontier = _neighbors(view, step, best)
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
    view: View, step: int, choices: list[PassChoice], worlds: Worlds, seed: int
) -> RolloutResults:
    """Return the value of each choice in each world."""
    rules, players, copies = view.rules, view.players, view.rules.deck.copies
    assert view.declarer is not None and view.bid is not None and view.seat is not None
    return rollout_passing(
        rule_arrays(rules, players),
        build_meld_tables(rules),
        standing(rules, players, view.scores, view.target, view.deals),
        DealStep(
            step=step,
            player=players.index(view.seat),
            declarer=players.index(view.declarer),
            bid=view.bid,
            buried=card_points(rules, view.buried or ()),
            passings=passes_completed(view),
        ),
        worlds.hands,
        worlds.rest,
        np.array([sets_from_hand(pack(choice.cards), copies) for choice in choices], np.int64),
        np.array([choice.trump for choice in choices], np.int64),
        seed,
    )
