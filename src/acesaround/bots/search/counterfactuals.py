"""Which part of the outcome decides between actions, tested by taking it away.

A part is what an action brings in meld, in the present trick, in later tricks, and so on. To take a
part away, every other action gets that part of the chosen one, world by world, and the deals are
scored again. If another action is then the better one, the part decides. This plays no deal again.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import Action
from acesaround.bots.search.rollout_statistics import (
    EVEN_CHANCE,
    EVEN_ERRORS,
    Floats,
    RolloutStatistics,
    choose_columns,
)
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.fast.rollouts.deal_ends import DealEnds
from acesaround.fast.rollouts.rescoring import rescore
from acesaround.fast.rollouts.win_probability import (
    COUNTER_COLUMN,
    DIX_COLUMN,
    MELD_COLUMN,
    PLAY_COLUMN,
)

MAX_EVEN_LOOK: Final = 0.02
"""The greatest difference of chances that people who see both would call even."""
TIE: Final = 1e-12
"""The difference of chances that is only rounding."""


class OutcomePart(enum.Enum):
    """A part of the outcome in which actions may differ."""

    MELD = enum.auto()
    PLAY = enum.auto()
    """The points in all tricks."""
    TRICK = enum.auto()
    """The points in the present trick."""
    LATER = enum.auto()
    """The points in later tricks."""


class Comparison(NamedTuple):
    """The actions tried, by how they compare with the chosen one."""

    chosen: EvaluatedAction
    equal: tuple[EvaluatedAction, ...]
    """The actions that are as good, as far as the rollouts can tell."""
    worse: tuple[EvaluatedAction, ...]
    better: tuple[EvaluatedAction, ...]
    """The actions that are better but were not chosen, because a bid must gain more."""

    def looks_even(self, actions: Collection[Action]) -> bool:
        """Return whether people who see the chances of these actions would call them even."""
        return all(
            abs(evaluated.win_probability - self.chosen.win_probability) <= MAX_EVEN_LOOK
            for evaluated in self.equal
            if evaluated.action in actions
        )


def compare_actions(result: SearchResult) -> Comparison:
    """Return the actions tried, by how they compare with the chosen one.

    In an auction, bids whose rollouts were not kept are left out.
    """
    statistics = result.statistics
    assert statistics is not None
    chosen = next(
        evaluated for evaluated in result.evaluated_actions if evaluated.action == result.action
    )
    groups: tuple[list[EvaluatedAction], ...] = [], [], []
    for evaluated in result.evaluated_actions:
        is_unknown = statistics.declarers is not None and evaluated.action not in statistics.actions
        if evaluated is chosen or is_unknown:
            continue
        margin = EVEN_CHANCE
        if evaluated.action in statistics.actions and chosen.action in statistics.actions:
            margin = max(margin, EVEN_ERRORS * statistics.error(chosen.action, evaluated.action))
        gap = chosen.win_probability - evaluated.win_probability
        groups[0 if abs(gap) <= margin else 1 if gap > 0 else 2].append(evaluated)
    even, worse, better = map(tuple, groups)
    return Comparison(chosen, even, worse, better)


def overtaking_action(
    statistics: RolloutStatistics,
    chosen: EvaluatedAction,
    others: Sequence[EvaluatedAction],
    parts: Sequence[OutcomePart],
) -> Action | None:
    """Return the best other action without some parts, or None if the choice stays."""
    others = [evaluated for evaluated in others if evaluated.action in statistics.actions]
    if chosen.action not in statistics.actions or not others:
        return None
    column = statistics.actions.index(chosen.action)
    columns = [statistics.actions.index(evaluated.action) for evaluated in others]
    ends = choose_columns(statistics.ends, columns)
    for part in parts:
        _take_part_of(statistics.ends, column, ends, part)
    rescored = rescore(statistics.scoring_state, ends, statistics.side).mean(0)
    values = (
        [evaluated.win_probability for evaluated in others]
        + rescored
        - statistics.win_probability[:, columns].mean(0)
    )
    best = int(values.argmax())
    return others[best].action if values[best] >= chosen.win_probability - TIE else None


def _take_part_of(ends: DealEnds, column: int, changed: DealEnds, part: OutcomePart) -> None:
    """Give all choices in `changed` a part of the outcome of the choice in a column of `ends`."""
    model, sides = choose_columns(ends, [column]), changed.sides
    match part:
        case OutcomePart.MELD:
            for field in (MELD_COLUMN, DIX_COLUMN):
                sides[..., field] = model.sides[..., field]
        case OutcomePart.PLAY:
            for field in (PLAY_COLUMN, COUNTER_COLUMN):
                sides[..., field] = model.sides[..., field]
        case OutcomePart.TRICK:
            sides[..., PLAY_COLUMN] += model.trick - changed.trick
            changed.trick[:] = model.trick
        case OutcomePart.LATER:
            sides[..., PLAY_COLUMN] = model.sides[..., PLAY_COLUMN] - model.trick + changed.trick
            sides[..., COUNTER_COLUMN] = model.sides[..., COUNTER_COLUMN]


def is_mostly_better(statistics: RolloutStatistics, action: Action, other: Action) -> bool:
    """Return whether an action does better than another in most worlds in which they differ."""
    first, second = (
        statistics.win_probability[:, statistics.actions.index(one)] for one in (action, other)
    )
    return bool((first > second).sum() > (first < second).sum())


class CallCounterfactuals:
    """Tests of what decides for a call in an auction against another one.

    Each test takes something away and returns whether the chosen call is then no better.
    """

    def __init__(
        self, statistics: RolloutStatistics, chosen: EvaluatedAction, other: EvaluatedAction
    ) -> None:
        """Prepare the tests. The better of the two calls is `chosen`."""
        assert statistics.declarers is not None
        columns = [statistics.actions.index(one.action) for one in (chosen, other)]
        self._statistics, self._gap = statistics, chosen.win_probability - other.win_probability
        self._ends, self._chance = (
            choose_columns(statistics.ends, columns),
            statistics.win_probability[:, columns],
        )
        self._is_own = statistics.declarers[:, columns] == statistics.player
        self._is_ours = self._ends.declarer == statistics.side

    def own_trump(self) -> int:
        """Return the suit that is mostly trump in the own contracts."""
        named = self._ends.trump[self._is_own[:, 0], 0]
        return int(np.bincount(named[named >= 0], minlength=4).argmax())

    def does_pushing_decide(self) -> bool:
        """Take away the worlds in which opponents declare, but at a higher bid."""
        return self._is_decided_in(self._is_pushed())

    def does_own_contract_decide(self) -> bool:
        """Take away the worlds in which this seat declares, and would not otherwise."""
        return self._is_decided_in(self._is_taken())

    def do_pushing_and_own_contract_decide(self) -> bool:
        """Take both away."""
        return self._is_decided_in(self._is_pushed() | self._is_taken())

    def _is_pushed(self) -> NDArray[np.bool_]:
        sides, bids = self._ends.declarer, self._ends.bid
        is_same = (sides[:, 0] >= 0) & (sides[:, 0] == sides[:, 1])
        is_pushed: NDArray[np.bool_] = is_same & ~self._is_ours[:, 0] & (bids[:, 0] > bids[:, 1])
        return is_pushed

    def _is_taken(self) -> NDArray[np.bool_]:
        is_taken: NDArray[np.bool_] = self._is_own[:, 0] & ~self._is_own[:, 1]
        return is_taken

    def does_partner_decide(self) -> bool:
        """Take away the worlds in which a partner declares instead of this seat."""
        partner_declares = self._is_ours[:, 0] & ~self._is_own[:, 0]
        return self._is_decided_in(partner_declares & self._is_own[:, 1])

    def does_meld_decide(self, points: int) -> bool:
        """Take away points of meld in the own contracts."""
        ends = choose_columns(self._ends, [0, 1])
        side, rows = self._statistics.side, self._is_own[:, 0]
        ends.sides[rows, 0, side, MELD_COLUMN] -= points
        return self._is_decided_by(ends)

    def do_tricks_decide(self) -> bool:
        """Give each side the same points in the tricks of the own contracts."""
        ends = choose_columns(self._ends, [0, 1])
        rows = self._is_own[:, 0]
        played = ends.sides[rows, 0, :, PLAY_COLUMN]
        playing = (
            self._statistics.scoring_state.scores > self._statistics.scoring_state.scores.min() // 2
        )
        shares = played.sum(1) // max(int(playing.sum()), 1)
        ends.sides[rows, 0, :, PLAY_COLUMN] = np.where(playing, shares[:, None], played)
        return self._is_decided_by(ends)

    def does_own_failure_decide(self) -> bool:
        """Let the other call's contracts of this seat be made."""
        return self._is_decided_without_bid(1, self._is_own[:, 1])

    def does_their_failure_decide(self) -> bool:
        """Let the opponents' contracts be made."""
        return self._is_decided_without_bid(0, ~self._is_ours[:, 0])

    def _is_decided_without_bid(self, column: int, rows: NDArray[np.bool_]) -> bool:
        ends = choose_columns(self._ends, [0, 1])
        ends.bid[rows, column] = 0
        return self._is_decided_by(ends)

    def _is_decided_by(self, ends: DealEnds) -> bool:
        return self._is_decided(
            rescore(self._statistics.scoring_state, ends, self._statistics.side)
        )

    def _is_decided_in(self, worlds: NDArray[np.bool_]) -> bool:
        """Return whether the call is no better if it changes nothing in these worlds."""
        chance = self._chance.copy()
        chance[worlds, 0] = chance[worlds, 1]
        return self._is_decided(chance)

    def _is_decided(self, chance: Floats) -> bool:
        change = (chance - self._chance).mean(0)
        return bool(self._gap + change[0] - change[1] <= TIE)
