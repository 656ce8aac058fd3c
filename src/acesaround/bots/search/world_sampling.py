"""The sampling of worlds: drawn from what is certain, resampled by what bids and plays suggest."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.bots.search.bid_inference import call_weights, hands_at_first_lead, play_sequence
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.exchange_inference import changed_hand_count, changed_hand_weights
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.play_likelihood import play_weights
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.game.view import View
from acesaround.rules import Phase

_FREE_PLAY_CHANCE: Final = 0.3  # probability that a player does not follow the rules of thumb
_OVERSAMPLING: Final = 4  # worlds drawn for each world kept, times the number of changed hands
_CALL_WEIGHT_COST: Final = 2  # cost of weighting a world by calls, in playouts of a whole deal
_PLAY_WEIGHT_COST: Final = 5  # cost of weighting a world by the play of a whole deal
_MIN_DISTINCT_SHARE: Final = (
    0.4  # fraction of the kept worlds that must differ, or weights are flattened
)
_TEMPER_FACTOR: Final = 0.8  # factor on log weights in each step of flattening
_MAX_TEMPER_STEPS: Final = 20  # maximum number of these steps
_MIN_WORLDS: Final = 8  # minimum number of worlds
_MAX_DRAW_FAILURES: Final = 1000  # failed draws of a world after which its constraints are relaxed
_MAX_SAMPLER_CELLS: Final = 60_000  # states of the sampler's table, limited by a bot's time


class Worlds(NamedTuple):
    """Equally likely worlds: where the unseen cards may be now."""

    hands: Integers
    """The hands as rows of sets of kinds, players in turn: (worlds, players, copies)."""
    rest: Integers
    """The unseen cards that are in no hand, in random order: (worlds, cards)."""
    relaxed: Integers
    """1 for worlds that violate a constraint, because time ran out, else 0: (worlds,)."""

    def subset(self, first: int, last: int) -> Worlds:
        """Return the worlds from `first` up to, but without, `last`."""
        return Worlds(*(rows[first:last] for rows in self))


def worlds_within_budget(
    view: View, budget: SearchBudget, playouts: float, max_worlds: int = 1500
) -> int:
    """Return in how many worlds to try choices that take `playouts` whole playouts per world."""
    evidence = _find_evidence(view, budget)
    played_share = len(view.tricks) / view.rules.hand_size
    weight_cost = (
        _CALL_WEIGHT_COST * evidence.uses_calls
        + _PLAY_WEIGHT_COST * played_share * evidence.uses_plays
    )
    return max(
        _MIN_WORLDS,
        min(max_worlds, int(budget.playouts / (playouts + evidence.oversampling * weight_cost))),
    )


class _Evidence(NamedTuple):
    """The evidence that makes worlds more or less likely."""

    uses_calls: bool
    uses_plays: bool
    has_changed_hands: bool
    """Whether hands were changed after the auction."""
    oversampling: int
    """The number of worlds drawn for each world kept."""


def _find_evidence(view: View, budget: SearchBudget) -> _Evidence:
    """Return the evidence in this view, as far as the budget allows its use."""
    rules = view.rules
    uses_plays = budget.uses_plays and bool(view.tricks or view.trick)
    uses_plays = uses_plays and Phase.STOCK_PLAY not in rules.phases
    uses_calls = budget.uses_calls and rules.auction is not None and bool(view.auction)
    changed_hands = changed_hand_count(view) if budget.uses_calls else 0
    return _Evidence(
        uses_calls, uses_plays, changed_hands > 0, _OVERSAMPLING * max(1, changed_hands)
    )


def draw_worlds(view: View, world_count: int, budget: SearchBudget) -> Worlds:
    """Draw that many worlds."""
    sampler = Sampler(
        read_constraints(view, budget.sources), cells=_MAX_SAMPLER_CELLS, tries=_MAX_DRAW_FAILURES
    )
    evidence = _find_evidence(view, budget)
    if not (evidence.uses_plays or evidence.uses_calls or evidence.has_changed_hands):
        worlds = sampler.draw(world_count, budget.seed)
        return Worlds(worlds.hands, worlds.rest, worlds.relaxed)
    worlds = sampler.draw(world_count * evidence.oversampling, budget.seed)
    weights = np.zeros(len(worlds.hands))
    if evidence.uses_calls:
        weights += call_weights(view, worlds.hands)
    if evidence.has_changed_hands:
        weights += changed_hand_weights(view, hands_at_first_lead(view, worlds.hands))
    if evidence.uses_plays:
        weights += _play_log_likelihood(view, worlds.hands)
    indices = systematic_resample(
        temper_weights(weights, _MIN_DISTINCT_SHARE * world_count), world_count
    )
    return Worlds(worlds.hands[indices], worlds.rest[indices], worlds.relaxed[indices])


def temper_weights(weights: NDArray[np.float64], min_sample_size: float) -> NDArray[np.float64]:
    """Flatten weights until enough items share them. Return them unchanged if enough already do.

    `weights`: logarithms. `min_sample_size`: the effective sample size to reach, by Kish's formula.
    """
    tempered = weights
    for _ in range(_MAX_TEMPER_STEPS):
        shares = np.exp(tempered - tempered.max())
        if shares.sum() ** 2 >= min_sample_size * (shares**2).sum():
            break
        tempered = tempered * _TEMPER_FACTOR
    return tempered


def systematic_resample(weights: NDArray[np.float64], sample_size: int) -> NDArray[np.int64]:
    """Return the indices of `sample_size` items, each as often as its weight says, up to rounding.

    `weights`: logarithms. The same weights give the same indices.
    """
    shares = np.exp(weights - weights.max())
    ends = np.cumsum(shares)
    positions = (np.arange(sample_size) + 0.5) * (ends[-1] / sample_size)
    indices: NDArray[np.int64] = np.minimum(np.searchsorted(ends, positions), len(ends) - 1)
    return indices


def _play_log_likelihood(view: View, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of the play so far in each world."""
    rules, players = view.rules, view.players
    cards = play_sequence(view)
    assert view.trump is not None and view.seat is not None
    return play_weights(
        rule_arrays(rules, players),
        hands,
        np.array([kind for _, kind in cards], np.int64),
        cards[0][0],
        view.trump,
        not rules.play.trump_must_be_broken,
        players.index(view.seat),
        _FREE_PLAY_CHANCE,
        -1 if view.declarer is None else players.index(view.declarer),
        [sum(s.points or 0 for s in view.melds if s.seat == seat) for seat in players],
    )
