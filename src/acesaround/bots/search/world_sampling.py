"""Worlds to decide in: drawn from what is certain, kept as what was bid and played suggests."""

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

_FREELY: Final = 0.3  # how often a player is taken not to go by the rules of thumb
_MORE: Final = 4  # worlds drawn for each that is kept, times the hands that were changed
_WEIGHING: Final = 2  # what it takes to weigh a world by calls, in playouts of a whole deal,
_REPLAYING: Final = 5  # and by the play of a whole deal
_DIFFERENT: Final = 0.4  # of the worlds kept must be different ones, or weights are flattened
_FLATTER: Final = 0.8  # so far in a step,
_STEPS: Final = 20  # and in so many at most
_FEW: Final = 8  # worlds, at least
_TRIES: Final = 1000  # draws in vain of a world after which less is asked of it
_CELLS: Final = 60_000  # states of the sampler's table: what a bot has time for


class Worlds(NamedTuple):
    """Worlds, equally likely: where the unseen cards may be now."""

    hands: Integers
    """Rows of sets of kinds, players in turn: (worlds, players, copies)."""
    rest: Integers
    """Unseen cards in no hand, in random order: (worlds, cards)."""
    relaxed: Integers
    """1 where not all that is known could be made to agree in the time there is: (worlds,)."""

    def some(self, first: int, last: int) -> Worlds:
        """Those from `first` on, without `last`."""
        return Worlds(*(rows[first:last] for rows in self))


def worlds_within_budget(
    view: View, effort: SearchBudget, playouts: float, most: int = 1500
) -> int:
    """In how many worlds choices can be tried that take so many whole playouts in each world."""
    told = _told(view, effort)
    done = len(view.tricks) / view.rules.hand_size
    weighing = _WEIGHING * told.calls + _REPLAYING * done * told.plays
    return max(_FEW, min(most, int(effort.playouts / (playouts + told.more * weighing))))


class _Told(NamedTuple):
    """What makes worlds more or less likely."""

    calls: bool
    plays: bool
    changed: bool
    """Hands that were changed after the auction."""
    more: int
    """Worlds drawn for each that is kept."""


def _told(view: View, effort: SearchBudget) -> _Told:
    """What makes worlds more or less likely in this view, as far as it is to be heeded."""
    rules = view.rules
    plays = effort.plays and bool(view.tricks or view.trick)
    plays = plays and Phase.STOCK_PLAY not in rules.phases
    calls = effort.calls and rules.auction is not None and bool(view.auction)
    hands = changed_hand_count(view) if effort.calls else 0
    return _Told(calls, plays, hands > 0, _MORE * max(1, hands))


def draw(view: View, number: int, effort: SearchBudget) -> Worlds:
    """That many worlds."""
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
    """Weights that differ less, so that no few items stand for all; as they are where that is so.

    `weights`: logarithms. `least`: how many equal items they must be worth, by Kish's measure.
    """
    found = weights
    for _ in range(_STEPS):
        shares = np.exp(found - found.max())
        if shares.sum() ** 2 >= least * (shares**2).sum():
            break
        found = found * _FLATTER
    return found


def systematic_resample(weights: NDArray[np.float64], number: int) -> NDArray[np.int64]:
    """The places of `number` items, each as often as its weight says but for the rounding.

    `weights`: logarithms. The same weights give the same places.
    """
    shares = np.exp(weights - weights.max())
    ends = np.cumsum(shares)
    marks = (np.arange(number) + 0.5) * (ends[-1] / number)
    found: NDArray[np.int64] = np.minimum(np.searchsorted(ends, marks), len(ends) - 1)
    return found


def _plays(view: View, hands: Integers) -> NDArray[np.float64]:
    """How likely the play so far is in each world."""
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
