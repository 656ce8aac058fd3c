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
from acesaround.bots.heuristic.hand_value import best_worth
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.result import EvaluatedAction, SearchResult
from acesaround.bots.search.world_sampling import Worlds, draw
from acesaround.cards import ONE, Card, counts, kinds, members, pack, unpack
from acesaround.fast.playouts.melding import melds
from acesaround.fast.playouts.packed_deal import sets
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
from acesaround.rules.melds import marriages
from acesaround.rules.scoring import card_points

_ROUNDS: Final = 3  # number of hill-climbing steps
_LAST: Final = 0.4  # fraction of the budget for the best few
_FEW: Final = 5
_ALL: Final = 130  # number of choices up to which every choice is tried
_LEAST_WORLDS: Final = 16
_DOUBT: Final = 1.0  # standard errors by which another choice must be better than the heuristic one


class PassChoice(NamedTuple):
    """One choice: the cards to part with, sorted, and the trump (-1: not settled)."""

    cards: tuple[Card, ...]
    trump: int


def give(view: View, decision: Decision, effort: SearchBudget) -> SearchResult:
    """Choose cards for the partner."""
    assert view.trump is not None
    step, trump = (RETURN if view.seat == view.declarer else GIVE), int(view.trump)
    thumb = cast(Give, passing.give(view)[0]).cards
    found = _searched(view, step, [PassChoice(thumb, trump)], effort)
    return best_of(view, step, {part: Give(part.cards) for part in found}, effort)


def bury(view: View, decision: Decision, effort: SearchBudget) -> SearchResult:
    """Choose cards to bury, considering the trump to be named afterwards."""
    rules, hand = view.rules, pack(view.hand)
    assert rules.auction is not None
    held, best_suit = counts(hand), best_worth(view, hand).trump
    suits = [s for s in range(4) if not rules.auction.marriage_needed or marriages(held, s)]
    ordered = sorted(suits or range(4), key=lambda suit: suit != best_suit)
    starts = [PassChoice(passing.buried(view, suit).cards, suit) for suit in ordered]
    found = _searched(view, BURY, starts, effort)
    best = best_of(view, BURY, {part: Bury(part.cards) for part in found}, effort)
    unique: dict[Action, EvaluatedAction] = {}
    for option in best.options:
        unique.setdefault(option.action, option)
    return SearchResult(best.action, tuple(unique.values()), best.worlds)


def discard(view: View, decision: Decision, effort: SearchBudget) -> SearchResult:
    """Choose cards to exchange for as many from the stock."""
    assert view.trump is not None
    trump, legal = int(view.trump), cast(CardSelections, decision.legal)
    thumb = PassChoice(cast(Discard, passing.discard(view, legal.sizes[-1])[0]).cards, trump)
    starts = [thumb]
    if len(legal) <= _ALL:
        every = {part for size in legal.sizes for part in combinations(view.hand, size)}
        starts += [part for part in (PassChoice(c, trump) for c in sorted(every)) if part != thumb]
    found = _searched(view, REDRAW, starts, effort)
    return best_of(view, REDRAW, {part: Discard(part.cards) for part in found}, effort)


def best_of(
    view: View, step: int, parts: Mapping[PassChoice, Action], effort: SearchBudget
) -> SearchResult:
    """Return the best of a few choices, all tried in new worlds.

    The first choice is the heuristic one. Another must be better by more than sampling noise.
    """
    if len(parts) == 1:
        return SearchResult(next(iter(parts.values())), (), 0)
    last = effort._replace(playouts=int(effort.playouts * _LAST), seed=effort.seed ^ 1)
    number = last.worlds(len(parts))
    tried = _tried(view, step, list(parts), draw(view, number, last), last.seed)
    means = [of.mean(0) for of in tried]
    errors = (tried.chance - tried.chance[:, :1]).std(0) / sqrt(number)
    asked = dict(zip(parts.values(), (_DOUBT * errors).tolist(), strict=True))
    options = [
        EvaluatedAction(action, *(float(mean[at]) for mean in means))
        for at, action in enumerate(parts.values())
    ]
    options.sort(key=lambda o: (o.chance - asked[o.action], o.points), reverse=True)
    return SearchResult(options[0].action, tuple(options), number)


def _searched(
    view: View, step: int, starts: list[PassChoice], effort: SearchBudget
) -> list[PassChoice]:
    """Return the best few choices found, with the first heuristic choice ahead of them."""
    found = _halved if len(starts) > _FEW else _climbed
    first = effort._replace(playouts=int(effort.playouts * (1.0 - _LAST)))
    ranked = found(view, step, starts, first)
    return list(dict.fromkeys([starts[0], *ranked[:_FEW]]))


def _halved(
    view: View, step: int, parts: list[PassChoice], effort: SearchBudget
) -> list[PassChoice]:
    """Return all choices, best first, by successive halving.

    Each round tries the remaining choices in more worlds and drops half of them. So most playouts
    go to choices that are hard to tell apart.
    """
    rounds = max(1, ceil(log2(len(parts) / _FEW)))
    share = effort.playouts // rounds
    sizes = [max(1, share // max(len(parts) >> at, 1)) for at in range(rounds)]
    worlds = draw(view, sum(sizes), effort)
    ranked, left, begin = list(parts), list(parts), 0
    sums = dict.fromkeys(parts, 0.0)
    for at, size in enumerate(sizes):
        end = begin + size
        some = worlds.some(begin, end)
        tried = _tried(view, step, left, some, effort.seed ^ at).chance.sum(0)
        for part, more in zip(left, tried.tolist(), strict=True):
            sums[part] += more
        left.sort(key=lambda part: sums[part], reverse=True)
        ranked[: len(left)] = left
        left, begin = left[: max(_FEW, len(left) // 2)], end
    return ranked


def _climbed(
    view: View, step: int, starts: list[PassChoice], effort: SearchBudget
) -> list[PassChoice]:
    """Return the choices found by hill climbing from some choices, best first."""
    tries = _ROUNDS * len(_next(view, step, starts[0]))
    worlds = draw(view, max(_LEAST_WORLDS, min(1000, effort.playouts // max(tries, 1))), effort)
    seen: dict[PassChoice, float] = {}
    wave = starts
    for _ in range(_ROUNDS + 1):
        fresh = [part for part in wave if part not in seen]
        if fresh:
            chances = _tried(view, step, fresh, worlds, effort.seed).chance.mean(0)
            seen.update(zip(fresh, map(float, chances), strict=True))
        best = max(seen, key=lambda part: seen[part])
        wave = _next(view, step, best)
    return sorted(seen, key=lambda part: seen[part], reverse=True)


def _next(view: View, step: int, part: PassChoice) -> list[PassChoice]:
    """Return the choices that differ in one card. Only a redraw may change the number of cards."""
    gone = pack(part.cards)
    kept = pack(view.hand) - gone
    others, own = members(kinds(kept)), members(kinds(gone))
    found = [gone - ONE[card] + ONE[other] for card in own for other in others if other != card]
    if step == REDRAW:
        found += [gone - ONE[card] for card in own]
        if len(part.cards) < view.rules.most_redrawn(len(view.players)):
            found += [gone + ONE[other] for other in others]
    return [PassChoice(unpack(cards), part.trump) for cards in found]


def _tried(
    view: View, step: int, parts: list[PassChoice], worlds: Worlds, seed: int
) -> RolloutResults:
    """Return the value of each choice in each world."""
    rules, players, copies = view.rules, view.players, view.rules.deck.copies
    assert view.declarer is not None and view.bid is not None and view.seat is not None
    return rollout_passing(
        rule_arrays(rules, players),
        melds(rules),
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
        np.array([sets(pack(part.cards), copies) for part in parts], np.int64),
        np.array([part.trump for part in parts], np.int64),
        seed,
    )
