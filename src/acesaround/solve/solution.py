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
from acesaround.fast import Answer, Budget, Position, Solver, SolverSetup
from acesaround.fast.solver import legal
from acesaround.fast.solver.objective import (
    Goal,
    Known,
    Objective,
    Threshold,
    objectives,
    points_left,
    reached,
    reached_by,
)
from acesaround.game.state import GameState, Playing, tally
from acesaround.solve.locate import Place

Told: TypeAlias = Callable[[Mapping[Card, Answer], int], None]
"""A progress callback: gets the known bounds of the cards, and the number of nodes searched."""
_VALUES: Final = 0.75  # the largest part of the budget for the values of the cards


_LAST_LOOK: Final = 100_000  # nodes
_OTHERS: Final = 4  # the number of solvers in addition to the main one


class SolveBudget:
    """The limit of a solution in total nodes and in seconds from now on; None means no limit."""

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self._nodes, self._seconds = nodes, seconds
        self._start = time.monotonic()
        self._budget = Budget()
        self.spent = 0
        self.stopped = False

    def stop(self) -> None:
        """Stop the search now; safe to call from signal handlers and other threads."""
        self.stopped = True
        self._budget.stop()

    def grace_budget(self) -> Budget:
        """Return a budget of a few more nodes if the time is up, and none if nodes are limited."""
        return Budget(nodes=_LAST_LOOK if self._nodes is None else 0)

    @property
    def over(self) -> bool:
        """Whether the budget is spent or was stopped."""
        return self.budget().slice() == 0

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    def budget(self, part: float = 1) -> Budget:
        """Return a budget of a part of the remaining nodes and seconds."""
        nodes = None if self._nodes is None else int((self._nodes - self.spent) * part)
        seconds = None if self._seconds is None else (self._seconds - self.seconds) * part
        self._budget = Budget(nodes, seconds)
        if self.stopped:
            self._budget.stop()
        return self._budget


class CardAnswer(msgspec.Struct, frozen=True):
    """The result of a card: bounds on the points from here on, and the goals it reaches.

    `goals`: for each goal of the solution, None if the budget did not suffice.
    """

    low: int
    high: int
    nodes: int
    goals: tuple[bool | None, ...]


class Solution(msgspec.Struct, frozen=True):
    """The solution of a place. Points are those of `seats` together, from here on.

    `won`: the points that `seats` have already. `low`, `high`: bounds on the value of the position,
    equal if the value is exact. `goals`: the open and the settled goals. `reached`: for each goal,
    whether its seats reach it. `line`: seats and cards of the best line, as far as it was followed.
    """

    place: Place
    seats: tuple[int, ...]
    ours: bool
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
        return all(one.low == one.high for one in self.cards.values())

    def best(self, card: Card) -> bool | None:
        """Return whether no other card is better for the seat on turn, or None if unknown."""
        this = self.cards[card]
        others = [one for other, one in self.cards.items() if other != card]
        if self.ours:
            if all(this.low >= one.high for one in others):
                return True
            return False if any(this.high < one.low for one in others) else None
        if all(this.high <= one.low for one in others):
            return True
        return False if any(this.low > one.high for one in others) else None

    def loss(self, card: Card) -> int | None:
        """Return how many points a card is worse than the best, or None if unknown.

        The loss is that of the seat on turn.
        """
        this = self.cards[card]
        best = self.high if self.ours else self.low
        return abs(best - this.low) if self.low == self.high and this.low == this.high else None


def scoring_seats(state: GameState, wanted: str | None) -> tuple[int, ...]:
    """Return the seats whose points count: a seat's side, `declarer` or `defenders`.

    None means the side of the seat on turn. Raises NotationError.
    """
    rules, declarer = state.rules, state.deal.declarer
    seat: int | None = _turn(state)
    if wanted in ("declarer", "defenders"):
        seat = declarer
        if seat is None:
            raise NotationError(
                f"--for {wanted}: there is no bid in this deal, and so no declarer."
            )
    elif wanted is not None:
        seat = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 3 else None
        if seat not in state.players:
            seats = ", ".join(map(str, state.players))
            raise NotationError(
                f"--for cannot be {wanted!r}: expected a seat ({seats}), declarer or defenders."
            )
    assert seat is not None
    own = tuple(s for s in state.players if rules.side_of(s) == rules.side_of(seat))
    if wanted == "defenders":
        return tuple(s for s in state.players if s not in own)
    return own


def solve(
    place: Place,
    seats: tuple[int, ...],
    effort: SolveBudget,
    *,
    megabytes: int = 256,
    to_the_end: bool = False,
    told: Told | None = None,
) -> Solution:
    """Solve a place for the points of `seats` against all others.

    `megabytes`: the total size of the solver's tables. `to_the_end`: follow the principal line to
    the last card, not only to the end of the trick. `told`: a progress callback.
    """
    state = place.state
    position = _for(state, seats)
    goals = tuple(one for one in objectives(state) if one.goal is not Goal.SET)
    open_ = [one for one in goals if one.settled is None]
    ask = _Solvers(position.of, open_, megabytes, effort)
    tell = None if told is None else lambda known: told(known, ask.nodes)
    values = ask.main.cards(position, effort.budget(_VALUES if open_ else 0.9), tell)
    effort.spent = ask.nodes
    whole = _value(position, values, ask.main, effort)
    answers = [_reached(goal, values, ask) for goal in goals]
    for goal, (_, by) in zip(goals, answers, strict=True):
        values = {card: _narrowed(goal, by[card], one, position.of) for card, one in values.items()}
    ours = _turn(state) in seats
    best = max if ours else min
    low = max(whole.low, best(one.low for one in values.values()))
    high = min(whole.high, best(one.high for one in values.values()))
    line = _line(position, low, ask, to_the_end) if low == high else ()
    return Solution(
        place=place,
        seats=seats,
        ours=ours,
        won=sum(tally(state).play[side] for side in {state.rules.side_of(s) for s in seats}),
        low=low,
        high=high,
        cards={
            card: CardAnswer(one.low, one.high, one.nodes, tuple(by[card] for _, by in answers))
            for card, one in values.items()
        },
        goals=goals,
        reached=tuple(sure for sure, _ in answers),
        line=tuple((state.players[player], card) for player, card in line),
        nodes=ask.nodes,
        seconds=effort.seconds,
        stopped=effort.stopped,
    )


def _for(state: GameState, seats: tuple[int, ...]) -> Position:
    """Return the position of a state for the points of these seats together."""
    position = Position.of_state(state, state.rules.side_of(seats[0]))
    sides = tuple(0 if seat in seats else 1 for seat in state.players)
    of = position.of
    return replace(position, of=replace(of, sides=sides))


def _turn(state: GameState) -> int:
    assert isinstance(state.phase, Playing)
    return state.phase.turn


def _value(
    position: Position, values: Mapping[Card, Answer], solver: Solver, effort: SolveBudget
) -> Answer:
    """Return bounds on the value of the position that may be tighter than those from its cards.

    The search of the cards has left most of the answer in the solver's transposition table. So a
    few nodes suffice to find it, even if the budget is spent.
    """
    if all(one.exact for one in values.values()):
        return Answer(0, points_left(position), 0)
    found = solver.value(position, effort.grace_budget() if effort.over else effort.budget(0.3))
    effort.spent += found.nodes
    return found


class _Solvers:
    """The solver of the values, and up to `_OTHERS` solvers for goals with a different setup.

    A call answers whether a position reaches a number of points, within the remaining budget.
    """

    def __init__(
        self, of: SolverSetup, goals: Sequence[Objective], megabytes: int, effort: SolveBudget
    ) -> None:
        asked = (one for goal in goals for one in (*goal.enough, *goal.needed))
        alone = all(_same(one, of) is not None for one in asked)
        self._megabytes = megabytes // (2 * _OTHERS)
        self._effort = effort
        self.main = Solver(of, megabytes if alone else megabytes // 2)
        self._others: dict[SolverSetup, Solver] = {}
        self.part = 1.0  # the part of the remaining budget for the next question
        self._before = 0  # nodes of solvers that were dropped

    @property
    def nodes(self) -> int:
        """The nodes of all solvers together."""
        return self.main.nodes + self._before + sum(one.nodes for one in self._others.values())

    def __call__(self, position: Position, need: int) -> bool | None:
        one = Threshold(position, need)
        same = _same(one, self.main.of)
        if same is not None:
            answer = self._ask(self.main, same)
            return answer if answer is None or same is one else not answer
        solver = self._others.pop(position.of, None)
        if solver is None:
            if len(self._others) == _OTHERS:  # drop the least recently used solver
                self._before += self._others.pop(next(iter(self._others))).nodes
            solver = Solver(position.of, self._megabytes)
        self._others[position.of] = solver
        return self._ask(solver, one)

    def _ask(self, solver: Solver, one: Threshold) -> bool | None:
        answer = solver.reaches(one.position, one.need, self._effort.budget(self.part))
        self._effort.spent = self.nodes
        return answer


def _same(one: Threshold, of: SolverSetup) -> Threshold | None:
    """Return the threshold or its complement, whichever fits the setup; None if neither does."""
    if one.position.of == of:
        return one
    other = one.complement()
    return other if other.position.of == of else None


def _reached(
    goal: Objective, values: Mapping[Card, Answer], ask: _Solvers
) -> tuple[bool | None, dict[Card, bool | None]]:
    """Return whether a goal is reached, and whether it is reached after each card."""
    own = _turn(goal.state) in goal.seats
    by = {card: _told(goal, found, ask.main.of) for card, found in values.items()}
    unknown = [card for card, answer in by.items() if answer is None]
    sure = _over_all(by.values(), own)
    known: Known = {}
    if sure is None:
        ask.part = 0.5
        sure = reached(goal, ask, known)
        if sure is (not own):  # then the answer is the same after every card
            by = dict.fromkeys(by, sure)
            unknown = []
    for at, card in enumerate(unknown):
        ask.part = 1 / (len(unknown) - at)
        by[card] = reached_by(goal, card, ask, known)
    ask.part = 1
    return (_over_all(by.values(), own) if sure is None else sure), by


def _told(goal: Objective, found: Answer, of: SolverSetup) -> bool | None:
    """Return whether a goal is reached after a card, if the bounds on its points decide that."""
    if goal.settled is not None or goal.threshold is None:
        return goal.settled
    same = _same(goal.threshold, of)
    if same is None or found.low < same.need <= found.high:
        return None
    return (found.low >= same.need) is (same is goal.threshold)


def _narrowed(goal: Objective, answer: bool | None, found: Answer, of: SolverSetup) -> Answer:
    """Return tighter bounds on a card's points, given whether a goal is reached after it."""
    one = goal.threshold
    same = None if one is None or goal.settled is not None else _same(one, of)
    if same is None or answer is None:
        return found
    unit = gcd(*of.points, of.last)
    if answer is (same is one):
        return replace(found, low=max(found.low, -(-same.need // unit) * unit))
    return replace(found, high=min(found.high, (same.need - 1) // unit * unit))


def _over_all(answers: Iterable[bool | None], own: bool) -> bool | None:
    """Combine the answers of all cards into one. `own`: whether the seat on turn wants the goal."""
    given = set(answers)
    if own in given:
        return own
    return None if None in given else not own


def _line(
    position: Position, value: int, ask: _Solvers, to_the_end: bool
) -> tuple[tuple[int, Card], ...]:
    """Return seats and cards of the best play by both sides, until the budget is spent.

    `value`: the exact value of the position. Among equally good cards the first in written order is
    played.
    """
    played: list[tuple[int, Card]] = []
    while any(position.hands) and (to_the_end or not played or position.trick):
        ours = position.of.sides[position.turn] == 0
        cards = legal(position)
        for card in cards:
            after, won = position.after(card)
            keeps: bool | None = True
            if card != cards[-1]:
                one = Threshold(after, value - won + (not ours))
                keeps = one.settled if one.settled is not None else ask(after, one.need)
                if keeps is None:
                    return tuple(played)
                keeps = keeps is ours
            if keeps:
                played.append((position.turn, card))
                position, value = after, value - won
                break
    return tuple(played)
