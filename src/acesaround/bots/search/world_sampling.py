"""The sampling of worlds: drawn from what is certain, resampled by what bids and plays suggest."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.bots.search.bid_inference import at_first_lead, call_weights, play_sequence
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.exchange_inference import changed_hand_count, changed_weights
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.play_likelihood import play_weights
from acesaround.fast.sampler import Sampler, constraints
from acesaround.game.view import View
from acesaround.rules import Phase

_FREELY: Final = 0.3  # probability that a player does not follow the rules of thumb
_MORE: Final = 4  # worlds drawn for each world kept, times the number of changed hands
_WEIGHING: Final = 2  # cost of weighting a world by calls, in playouts of a whole deal
_REPLAYING: Final = 5  # cost of weighting a world by the play of a whole deal
_DIFFERENT: Final = 0.4  # fraction of the kept worlds that must differ, or weights are flattened
_FLATTER: Final = 0.8  # factor on log weights in each step of flattening
_STEPS: Final = 20  # maximum number of these steps
_FEW: Final = 8  # minimum number of worlds
_TRIES: Final = 1000  # failed draws of a world after which its constraints are relaxed
_CELLS: Final = 60_000  # states of the sampler's table, limited by a bot's time


class Worlds(NamedTuple):
    """Equally likely worlds: where the unseen cards may be now."""

    hands: Integers
    """The hands as rows of sets of kinds, players in turn: (worlds, players, copies)."""
    rest: Integers
    """The unseen cards that are in no hand, in random order: (worlds, cards)."""
    relaxed: Integers
    """1 for worlds that violate a constraint, because time ran out, else 0: (worlds,)."""

    def some(self, first: int, last: int) -> Worlds:
        """Return the worlds from `first` up to, but without, `last`."""
        return Worlds(*(rows[first:last] for rows in self))


def worlds_within_budget(
    view: View, effort: SearchBudget, playouts: float, most: int = 1500
) -> int:
    """Return in how many worlds to try choices that take `playouts` whole playouts per world."""
    told = _told(view, effort)
    done = len(view.tricks) / view.rules.hand_size
    weighing = _WEIGHING * told.calls + _REPLAYING * done * told.plays
    return max(_FEW, min(most, int(effort.playouts / (playouts + told.more * weighing))))


class _Told(NamedTuple):
    """The evidence that makes worlds more or less likely."""

    calls: bool
    plays: bool
    changed: bool
    """Whether hands were changed after the auction."""
    more: int
    """The number of worlds drawn for each world kept."""


def _told(view: View, effort: SearchBudget) -> _Told:
    """Return the evidence in this view, as far as the budget allows its use."""
    rules = view.rules
    plays = effort.plays and bool(view.tricks or view.trick)
    plays = plays and Phase.STOCK_PLAY not in rules.phases
    calls = effort.calls and rules.auction is not None and bool(view.auction)
    hands = changed_hand_count(view) if effort.calls else 0
    return _Told(calls, plays, hands > 0, _MORE * max(1, hands))


def draw(view: View, number: int, effort: SearchBudget) -> Worlds:
    """Draw that many worlds."""
    sampler = Sampler(constraints(view, effort.sources), cells=_CELLS, tries=_TRIES)
    told = _told(view, effort)
    if not (told.plays or told.calls or told.changed):
        worlds = sampler.draw(number, effort.seed)
        return Worlds(worlds.hands, worlds.rest, worlds.relaxed)
    worlds = sampler.draw(number * told.more, effort.seed)
    weights = np.zeros(len(worlds.hands))
    if told.calls:
        weights += call_weights(view, worlds.hands)
    if told.changed:
        weights += changed_weights(view, at_first_lead(view, worlds.hands))
    if told.plays:
        weights += _plays(view, worlds.hands)
    kept = systematic_resample(temper_weights(weights, _DIFFERENT * number), number)
    return Worlds(worlds.hands[kept], worlds.rest[kept], worlds.relaxed[kept])


def temper_weights(weights: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Flatten weights until enough items share them. Return them unchanged if enough already do.

    `weights`: logarithms. `least`: the effective sample size to reach, by Kish's formula.
    """
    found = weights
    for _ in range(_STEPS):
        shares = np.exp(found - found.max())
        if shares.sum() ** 2 >= least * (shares**2).sum():
            break
        found = found * _FLATTER
    return found


def systematic_resample(weights: NDArray[np.float64], number: int) -> NDArray[np.int64]:
    """Return the indices of `number` items, each as often as its weight says, up to rounding.

    `weights`: logarithms. The same weights give the same indices.
    """
    shares = np.exp(weights - weights.max())
    ends = np.cumsum(shares)
    marks = (np.arange(number) + 0.5) * (ends[-1] / number)
    found: NDArray[np.int64] = np.minimum(np.searchsorted(ends, marks), len(ends) - 1)
    return found


def _plays(view: View, hands: Integers) -> NDArray[np.float64]:
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
        _FREELY,
        -1 if view.declarer is None else players.index(view.declarer),
        [sum(s.points or 0 for s in view.melds if s.seat == seat) for seat in players],
    )
