"""Bounds on the value of a position, narrowed by one zero-window search after another."""

from __future__ import annotations

from typing import Final

import msgspec

from acesaround.fast.solver.budget import BudgetMonitor
from acesaround.fast.solver.kernel_position import KernelPosition
from acesaround.fast.solver.position import Position

_EASY_QUESTION_DIVISOR: Final = 8  # divisor of the node limit for questions away from the guess


class ValueInterval(msgspec.Struct, frozen=True):
    """Bounds on the points that side 0 wins from here on; equal if the answer is exact.

    `nodes`: cards tried to find them.
    """

    lower_bound: int
    upper_bound: int
    nodes: int

    @property
    def is_exact(self) -> bool:
        """Whether the bounds are equal."""
        return self.lower_bound == self.upper_bound


class ValueBounds:
    """Bounds on the value of a position, narrowed step by step.

    Each step is a zero-window search "at least `need`?" next to a guess. If one takes long, some
    nodes go to easier questions further from the guess. So the bounds are good whenever the budget
    is spent.
    """

    def __init__(self, position: KernelPosition, guess: int = 0) -> None:
        """Start with the bounds of the points left, and a guess in points."""
        self._position, self._points_won = position, position.points_won
        self.lower_bound: int = position.points_won
        self.upper_bound: int = position.points_won + position.points_left
        self._guess, self._was_reached = guess // position.tables.point_unit, False
        self._step, self._max_step = 1, max(1, (self.upper_bound - self.lower_bound) // 20)
        self.nodes: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the bounds still differ."""
        return self.lower_bound < self.upper_bound

    @property
    def answer(self) -> ValueInterval:
        """The bounds so far, in points."""
        unit = self._position.tables.point_unit
        return ValueInterval(self.lower_bound * unit, self.upper_bound * unit, self.nodes)

    def tighten(self, low: int, high: int) -> None:
        """Tighten the bounds by known ones, and guess next to the bound that changed."""
        if high < self.upper_bound:
            self.upper_bound = self._guess = max(high, self.lower_bound)
        if low > self.lower_bound:
            self.lower_bound = min(low, self.upper_bound)
            self._guess = low + 1

    def narrow(self, monitor: BudgetMonitor, node_limit: int) -> None:
        """Ask questions of at most `node_limit` nodes each, or fewer away from the guess.

        The next call continues an unfinished question next to the guess.
        """
        first, last = 1, 0  # the range of unfinished questions: empty
        while self.is_open and not monitor.is_over:
            first, last = max(first, self.lower_bound + 1), min(last, self.upper_bound)
            if first > last:
                need = min(max(self._guess, self.lower_bound + 1), self.upper_bound)
                is_reached = self._test(self._position, need, monitor, node_limit)
                if is_reached is not None:
                    self._step = (
                        1
                        if is_reached != self._was_reached
                        else min(2 * self._step, self._max_step)
                    )
                    self._guess = (
                        self.lower_bound + self._step
                        if is_reached
                        else self.upper_bound + 1 - self._step
                    )
                    self._was_reached = is_reached
                    continue
            else:
                below, above = first - 1 - self.lower_bound, self.upper_bound - last
                if below == above == 0:
                    return
                need = first - (below + 1) // 2 if below > above else last + (above + 1) // 2
                if (
                    self._test(
                        self._position.copy(), need, monitor, node_limit // _EASY_QUESTION_DIVISOR
                    )
                    is not None
                ):
                    continue
            first, last = (need, need) if first > last else (min(first, need), max(last, need))

    def _test(
        self, position: KernelPosition, need: int, monitor: BudgetMonitor, node_limit: int
    ) -> bool | None:
        nodes_before = position.nodes
        bound = position.search_bound(need - self._points_won, monitor, node_limit)
        self.nodes += position.nodes - nodes_before
        if bound is None:
            return None
        is_reached = bound + self._points_won >= need
        if is_reached:
            self.lower_bound = max(
                self.lower_bound, min(bound + self._points_won, self.upper_bound)
            )
        else:
            self.upper_bound = min(
                self.upper_bound, max(bound + self._points_won, self.lower_bound)
            )
        return is_reached


def initial_guess(position: Position) -> int:
    """Return a first guess at the points of side 0: a linear fit on some 1500 solved deals.

    The guess changes no answer. For two players it is half the points, which tested no worse.
    """
    setup, trump = position.setup, position.trump
    card_points, high_trumps, aces, longest_trumps, players = ([0, 0] for _ in range(5))
    for side, hand in zip(setup.sides, position.hands, strict=True):
        trumps = 0
        for card in hand:
            card_points[side] += setup.points[card.rank]
            if card.suit == trump:
                trumps += 1
                high_trumps[side] += card.rank <= 1
            elif card.rank == 0:
                aces[side] += 1
        longest_trumps[side] = max(longest_trumps[side], trumps)
        players[side] += 1
    points_left = (
        sum(card_points)
        + sum(setup.points[card.rank] for card in position.trick)
        + setup.last_trick_points
    )
    if setup.players == 2:
        return points_left // 2

    def lead(values: list[int]) -> float:
        return (values[0] - values[1]) / max(1, sum(values))

    advantage = (
        0.35 * lead(card_points) + 0.2 * lead(high_trumps) + 0.34 * lead(aces) + 0.7 * lead(players)
    )
    advantage += (longest_trumps[0] - longest_trumps[1]) / max(
        1, len(position.hands[position.turn])
    )
    return int(points_left * (0.54 + advantage / 2))
