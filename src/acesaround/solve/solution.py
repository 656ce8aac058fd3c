"""Solutions of a place: the points of every card, their effect on the contract, and the best line.

Every answer is exact or marked as bounds. A `SolveBudget` limits the whole search and can be
stopped at any time. Then the result so far is the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import gcd
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from acesaround.cards import Card
from acesaround.errors import NotationError
from acesaround.fast import Budget, Position, Solver, SolverSetup, ValueInterval
from acesaround.fast.solver import legal_plays
from acesaround.fast.solver.objective import (
    Goal,
    Objective,
    ResultCache,
    Threshold,
    all_objectives,
    is_reachable,
    is_reachable_by,
    points_left,
)
from acesaround.game.state import GameState, Playing, tally
from acesaround.solve.position_source import LocatedPosition

ProgressCallback: TypeAlias = Callable[[Mapping[Card, ValueInterval], int], None]
"""A progress callback: gets the known bounds of the cards, and the number of nodes searched."""
_VALUES_BUDGET_SHARE: Final = 0.75  # the largest part of the budget for the values of the cards


_GRACE_NODES: Final = 100_000  # nodes
_MAX_EXTRA_SOLVERS: Final = 4  # the number of solvers in addition to the main one


class SolveBudget:
    """The limit of a solution in total nodes and in seconds from now on; None means no limit."""

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self._nodes, self._seconds = nodes, seconds
        self._start = time.monotonic()
        self._budget = Budget()
        self.spent_nodes = 0
        self.stopped: bool = False

    def stop(self) -> None:
        """Stop the search now; safe to call from signal handlers and other threads."""
        self.stopped = True
        self._budget.stop()

    def grace_budget(self) -> Budget:
        """Return a budget of a few more nodes if the time is up, and none if nodes are limited."""
        return Budget(nodes=_GRACE_NODES if self._nodes is None else 0)

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent or was stopped."""
        return self.remaining_budget().next_slice() == 0

    @property
    def elapsed_seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    def remaining_budget(self, share: float = 1) -> Budget:
        """Return a budget of a part of the remaining nodes and seconds."""
        nodes = None if self._nodes is None else int((self._nodes - self.spent_nodes) * share)
        seconds = None if self._seconds is None else (self._seconds - self.elapsed_seconds) * share
        self._budget = Budget(nodes, seconds)
        if self.stopped:
            self._budget.stop()
        return self._budget


class CardAnswer(msgspec.Struct, frozen=True):
    """The result of a card: bounds on the points from here on, and the goals it reaches.

    `goals_reached`: for each goal of the solution, None if the budget did not suffice.
    """

    low: int
    high: int
    nodes: int
    goals_reached: tuple[bool | None, ...]


class Solution(msgspec.Struct, frozen=True):
    """The solution of a place. Points are those of `seats` together, from here on.

    `won`: the points that `seats` have already. `low`, `high`: bounds on the value of the
    position, equal if the value is exact. `goals`: the open and the settled goals.
    `reached`: for each goal, whether its seats reach it. `line`: seats and cards of the best
    line, as far as it was followed.
    """

    position: LocatedPosition
    seats: tuple[int, ...]
    is_own_turn: bool
    """Whether the seat on turn is among `seats`."""
    won: int
    low: int
    high: int
    cards: dict[Card, CardAnswer]
    goals: tuple[Objective, ...]
    reached: tuple[bool | None, ...]
    line: tuple[tuple[int, Card], ...]
    nodes: int
    seconds: float
    stopped: bool

    @property
    def exact(self) -> bool:
        """Whether every value is exact."""
        return all(answer.low == answer.high for answer in self.cards.values())

    def is_best(self, card: Card) -> bool | None:
        """Return whether no other card is better for the seat on turn, or None if unknown."""
        answer = self.cards[card]
        others = [other_answer for other, other_answer in self.cards.items() if other != card]
        if self.is_own_turn:
            if all(answer.low >= other_answer.high for other_answer in others):
                return True
            return False if any(answer.high < other_answer.low for other_answer in others) else None
        if all(answer.high <= other_answer.low for other_answer in others):
            return True
        return False if any(answer.low > other_answer.high for other_answer in others) else None

    def points_lost(self, card: Card) -> int | None:
        """Return how many points a card is worse than the best, or None if unknown.

        The loss is that of the seat on turn.
        """
        answer = self.cards[card]
        best = self.high if self.is_own_turn else self.low
        return (
            abs(best - answer.low) if self.low == self.high and answer.low == answer.high else None
        )


def scoring_seats(state: GameState, selector: str | None) -> tuple[int, ...]:
    """Return the seats whose points count: a seat's side, `declarer` or `defenders`.

    None means the side of the seat on turn. Raises NotationError.
    """
    rules, declarer = state.rules, state.deal.declarer
    seat: int | None = _seat_on_turn(state)
    if selector in ("declarer", "defenders"):
        seat = declarer
        if seat is None:
            raise NotationError(
                f"--for {selector}: there is no bid in this deal, and so no declarer."
            )
    elif selector is not None:
        seat = (
            int(selector)
            if selector.isascii() and selector.isdigit() and len(selector) < 3
            else None
        )
        if seat not in state.players:
            seats = ", ".join(map(str, state.players))
            raise NotationError(
                f"--for cannot be {selector!r}: expected a seat ({seats}), declarer or defenders."
            )
    assert seat is not None
    own_side = tuple(s for s in state.players if rules.side_of(s) == rules.side_of(seat))
    if selector == "defenders":
        return tuple(s for s in state.players if s not in own_side)
    return own_side


def solve(
    located: LocatedPosition,
    seats: tuple[int, ...],
    budget: SolveBudget,
    *,
    megabytes: int = 256,
    is_full_line: bool = False,
    on_progress: ProgressCallback | None = None,
) -> Solution:
    """Solve a place for the points of `seats` against all others.

    `megabytes`: the total size of the solver's tables. `is_full_line`: follow the principal line to
    the last card, not only to the end of the trick. `on_progress`: a progress callback.
    """
    state = located.state
    position = _position_for(state, seats)
    goals = tuple(item for item in all_objectives(state) if item.goal is not Goal.SET)
    open_goals = [item for item in goals if item.known_result is None]
    solvers = _Solvers(position.setup, open_goals, megabytes, budget)
    report_bounds = None if on_progress is None else lambda known: on_progress(known, solvers.nodes)
    values = solvers.main.card_values(
        position,
        budget.remaining_budget(_VALUES_BUDGET_SHARE if open_goals else 0.9),
        report_bounds,
    )
    budget.spent_nodes = solvers.nodes
    value_bounds = _value_bounds(position, values, solvers.main, budget)
    answers = [_goal_reached(goal, values, solvers) for goal in goals]
    for goal, (_, by_card) in zip(goals, answers, strict=True):
        values = {
            card: _tighten_bounds(goal, by_card[card], item, position.setup)
            for card, item in values.items()
        }
    ours = _seat_on_turn(state) in seats
    better = max if ours else min
    low = max(value_bounds.lower_bound, better(item.lower_bound for item in values.values()))
    high = min(value_bounds.upper_bound, better(item.upper_bound for item in values.values()))
    line = _best_line(position, low, solvers, is_full_line) if low == high else ()
    return Solution(
        position=located,
        seats=seats,
        is_own_turn=ours,
        won=sum(tally(state).play[side] for side in {state.rules.side_of(s) for s in seats}),
        low=low,
        high=high,
        cards={
            card: CardAnswer(
                item.lower_bound,
                item.upper_bound,
                item.nodes,
                tuple(by_card[card] for _, by_card in answers),
            )
            for card, item in values.items()
        },
        goals=goals,
        reached=tuple(is_reached for is_reached, _ in answers),
        line=tuple((state.players[player], card) for player, card in line),
        nodes=solvers.nodes,
        seconds=budget.elapsed_seconds,
        stopped=budget.stopped,
    )


def _position_for(state: GameState, seats: tuple[int, ...]) -> Position:
    """Return the position of a state for the points of these seats together."""
    position = Position.from_state(state, state.rules.side_of(seats[0]))
    sides = tuple(0 if seat in seats else 1 for seat in state.players)
    setup = position.setup
    return replace(position, setup=replace(setup, sides=sides))


def _seat_on_turn(state: GameState) -> int:
    assert isinstance(state.phase, Playing)
    return state.phase.turn


def _value_bounds(
    position: Position, values: Mapping[Card, ValueInterval], solver: Solver, budget: SolveBudget
) -> ValueInterval:
    """Return bounds on the value of the position that may be tighter than those from its cards.

    The search of the cards has left most of the answer in the solver's transposition table. So a
    few nodes suffice to find it, even if the budget is spent.
    """
    if all(answer.is_exact for answer in values.values()):
        return ValueInterval(0, points_left(position), 0)
    value_bounds = solver.value(
        position, budget.grace_budget() if budget.is_over else budget.remaining_budget(0.3)
    )
    budget.spent_nodes += value_bounds.nodes
    return value_bounds


class _Solvers:
    """The solver of the values, and up to `_MAX_EXTRA_SOLVERS` others for goals of another setup.

    A call answers whether a position reaches a number of points, within the remaining budget.
    """

    def __init__(
        self, setup: SolverSetup, goals: Sequence[Objective], megabytes: int, budget: SolveBudget
    ) -> None:
        thresholds = (
            threshold for goal in goals for threshold in (*goal.sufficient, *goal.necessary)
        )
        needs_one_solver = all(
            _fit_threshold(threshold, setup) is not None for threshold in thresholds
        )
        self._megabytes = megabytes // (2 * _MAX_EXTRA_SOLVERS)
        self._budget = budget
        self.main = Solver(setup, megabytes if needs_one_solver else megabytes // 2)
        self._extra_solvers: dict[SolverSetup, Solver] = {}
        self.budget_share = 1.0  # the part of the remaining budget for the next question
        self._dropped_nodes = 0  # nodes of solvers that were dropped

    @property
    def nodes(self) -> int:
        """The nodes of all solvers together."""
        return (
            self.main.nodes
            + self._dropped_nodes
            + sum(solver.nodes for solver in self._extra_solvers.values())
        )

    def __call__(self, position: Position, need: int) -> bool | None:
        threshold = Threshold(position, need)
        fitting = _fit_threshold(threshold, self.main.setup)
        if fitting is not None:
            answer = self._is_reached(self.main, fitting)
            return answer if answer is None or fitting is threshold else not answer
        solver = self._extra_solvers.pop(position.setup, None)
        if solver is None:
            if (
                len(self._extra_solvers) == _MAX_EXTRA_SOLVERS
            ):  # drop the least recently used solver
                self._dropped_nodes += self._extra_solvers.pop(
                    next(iter(self._extra_solvers))
                ).nodes
            solver = Solver(position.setup, self._megabytes)
        self._extra_solvers[position.setup] = solver
        return self._is_reached(solver, threshold)

    def _is_reached(self, solver: Solver, threshold: Threshold) -> bool | None:
        answer = solver.can_win(
            threshold.position,
            threshold.points_needed,
            self._budget.remaining_budget(self.budget_share),
        )
        self._budget.spent_nodes = self.nodes
        return answer


def _fit_threshold(threshold: Threshold, setup: SolverSetup) -> Threshold | None:
    """Return the threshold or its complement, whichever fits the setup; None if neither does."""
    if threshold.position.setup == setup:
        return threshold
    complement = threshold.complement()
    return complement if complement.position.setup == setup else None


def _goal_reached(
    goal: Objective, values: Mapping[Card, ValueInterval], solvers: _Solvers
) -> tuple[bool | None, dict[Card, bool | None]]:
    """Return whether a goal is reached, and whether it is reached after each card."""
    is_wanted = _seat_on_turn(goal.state) in goal.seats
    by_card = {
        card: _reached_by_bounds(goal, answer_bounds, solvers.main.setup)
        for card, answer_bounds in values.items()
    }
    unknown = [card for card, answer in by_card.items() if answer is None]
    is_reached = _combine_answers(by_card.values(), is_wanted)
    known_results: ResultCache = {}
    if is_reached is None:
        solvers.budget_share = 0.5
        is_reached = is_reachable(goal, solvers, known_results)
        if is_reached is (not is_wanted):  # then the answer is the same after every card
            by_card = dict.fromkeys(by_card, is_reached)
            unknown = []
    for index, card in enumerate(unknown):
        solvers.budget_share = 1 / (len(unknown) - index)
        by_card[card] = is_reachable_by(goal, card, solvers, known_results)
    solvers.budget_share = 1
    return (
        _combine_answers(by_card.values(), is_wanted) if is_reached is None else is_reached
    ), by_card


def _reached_by_bounds(
    goal: Objective, answer_bounds: ValueInterval, setup: SolverSetup
) -> bool | None:
    """Return whether a goal is reached after a card, if the bounds on its points decide that."""
    if goal.known_result is not None or goal.threshold is None:
        return goal.known_result
    fitting = _fit_threshold(goal.threshold, setup)
    if (
        fitting is None
        or answer_bounds.lower_bound < fitting.points_needed <= answer_bounds.upper_bound
    ):
        return None
    return (answer_bounds.lower_bound >= fitting.points_needed) is (fitting is goal.threshold)


def _tighten_bounds(
    goal: Objective, answer: bool | None, answer_bounds: ValueInterval, setup: SolverSetup
) -> ValueInterval:
    """Return tighter bounds on a card's points, given whether a goal is reached after it."""
    threshold = goal.threshold
    fitting = (
        None
        if threshold is None or goal.known_result is not None
        else _fit_threshold(threshold, setup)
    )
    if fitting is None or answer is None:
        return answer_bounds
    unit = gcd(*setup.points, setup.last_trick_points)
    if answer is (fitting is threshold):
        return replace(
            answer_bounds,
            lower_bound=max(answer_bounds.lower_bound, -(-fitting.points_needed // unit) * unit),
        )
    return replace(
        answer_bounds,
        upper_bound=min(answer_bounds.upper_bound, (fitting.points_needed - 1) // unit * unit),
    )


def _combine_answers(answers: Iterable[bool | None], is_wanted: bool) -> bool | None:
    """Combine the answers of all cards into one.

    `is_wanted`: whether the seat on turn wants the goal.
    """
    distinct = set(answers)
    if is_wanted in distinct:
        return is_wanted
    return None if None in distinct else not is_wanted


def _best_line(
    position: Position, value: int, solvers: _Solvers, is_full_line: bool
) -> tuple[tuple[int, Card], ...]:
    """Return seats and cards of the best play by both sides, until the budget is spent.

    `value`: the exact value of the position. Among equally good cards the first in written order is
    played.
    """
    played: list[tuple[int, Card]] = []
    while any(position.hands) and (is_full_line or not played or position.trick):
        is_own_turn = position.setup.sides[position.turn] == 0
        cards = legal_plays(position)
        for card in cards:
            next_position, points_won = position.after_playing(card)
            keeps_value: bool | None = True
            if card != cards[-1]:
                threshold = Threshold(next_position, value - points_won + (not is_own_turn))
                keeps_value = (
                    threshold.known_result
                    if threshold.known_result is not None
                    else solvers(next_position, threshold.points_needed)
                )
                if keeps_value is None:
                    return tuple(played)
                keeps_value = keeps_value is is_own_turn
            if keeps_value:
                played.append((position.turn, card))
                position, value = next_position, value - points_won
                break
    return tuple(played)
