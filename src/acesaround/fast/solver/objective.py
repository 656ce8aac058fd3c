"""Goals of a side in a deal besides points: to make the bid, to set it, to save its meld.

A goal becomes a number of points to win from here on, which the solver answers with one cheap
question (`Solver.can_win`). The module finds the number by trying every possible number of points
with `scoring`, so it repeats no rule about bids and meld.

If meld needs a counter or any card won in a trick, points alone may not decide. Then some
thresholds are sufficient and others are necessary. Between them `is_reachable` tries every card.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import PLAY_ACTIONS, Play
from acesaround.cards import Card
from acesaround.errors import PositionError
from acesaround.fast.solver.solver import Position
from acesaround.game.state import GameState, Playing, tally
from acesaround.rules.feature_support import MAX_EQUAL_RANKS
from acesaround.rules.scoring import Outcome, Tally, outcome_and_changes, score_after_losses
from acesaround.rules.tricks import meld_saving_kinds

TestThreshold: TypeAlias = Callable[[Position, int], bool | None]
"""A callback: whether side 0 of a position wins that many points from here on; None if unknown."""


class Goal(enum.StrEnum):
    """The kinds of goal."""

    MAKE = "make"
    SET = "set"
    SAVE_MELD = "save meld"


def points_left(position: Position) -> int:
    """Return the points that are still to be won, including those of the last trick."""
    return (
        sum(position.setup.points[card.rank] for card in _all_cards(position))
        + position.setup.last_trick_points
    )


def _all_cards(position: Position) -> tuple[Card, ...]:
    return (*position.trick, *(card for hand in position.hands for card in hand))


class Threshold(msgspec.Struct, frozen=True):
    """A number of points, `points_needed`, that side 0 of `position` must win from here on.

    `counters_only`: the card points of the position are changed, so that only counters have points.
    """

    position: Position
    points_needed: int
    counters_only: bool = False

    @property
    def known_result(self) -> bool | None:
        """Whether the threshold is reached, if that is clear without search; else None."""
        if self.points_needed <= 0:
            return True
        return False if self.points_needed > points_left(self.position) else None

    def complement(self) -> Threshold:
        """Return the threshold of the other side that is reached exactly if this one is missed."""
        setup = self.position.setup
        swapped = replace(setup, sides=tuple(1 - s for s in setup.sides))
        need = points_left(self.position) - self.points_needed + 1
        return Threshold(replace(self.position, setup=swapped), need, self.counters_only)


class Objective(msgspec.Struct, frozen=True):
    """A goal in a state of the play, as sufficient and necessary thresholds.

    `side`: the side with the bid or meld, an index into `Rules.sides`; `seats`: the seats that want
    the goal. Reaching any threshold of `sufficient` is sufficient. Missing any threshold of
    `necessary` is failure.
    """

    goal: Goal
    side: int
    seats: tuple[int, ...]
    state: GameState
    sufficient: tuple[Threshold, ...]
    necessary: tuple[Threshold, ...]

    @property
    def threshold(self) -> Threshold | None:
        """The single threshold that decides the goal, if there is one."""
        return self.sufficient[0] if self.sufficient == self.necessary else None

    @property
    def known_result(self) -> bool | None:
        """Whether the goal is reached, if that is clear without search; else None."""
        if any(threshold.known_result is True for threshold in self.sufficient):
            return True
        return (
            False if any(threshold.known_result is False for threshold in self.necessary) else None
        )


def all_objectives(state: GameState) -> tuple[Objective, ...]:
    """Return every goal in a state of the play under the strict rules. Raises PositionError.

    With a bid there are the goals to make and to set. Each side with meld has the goal to save it,
    except the declarer's side, because its meld depends on the bid.
    """
    if not isinstance(state.phase, Playing):
        raise PositionError("Only the play of tricks under the strict law can be solved.")
    rules, goals = state.rules, []
    declarer = None if state.deal.declarer is None else rules.side_of(state.deal.declarer)
    if declarer is not None:
        goals += [
            make_objective(state, Goal.MAKE, declarer),
            make_objective(state, Goal.SET, declarer),
        ]
    meld_points = tally(state).meld
    sides = sorted({rules.side_of(seat) for seat in state.players} - {declarer})
    return (
        *goals,
        *(make_objective(state, Goal.SAVE_MELD, side) for side in sides if meld_points[side]),
    )


def make_objective(state: GameState, goal: Goal, side: int) -> Objective:
    """Return a goal. `side`: the declarer's to make and to set, else the one that saves meld."""
    side_seats = tuple(seat for seat in state.players if state.rules.side_of(seat) == side)
    if goal is not Goal.SET:
        sufficient, necessary = _thresholds(state, goal, side)
        return Objective(goal, side, side_seats, state, sufficient, necessary)
    sufficient, necessary = _thresholds(state, Goal.MAKE, side)
    others = tuple(seat for seat in state.players if seat not in side_seats)
    return Objective(
        goal,
        side,
        others,
        state,
        tuple(threshold.complement() for threshold in necessary),
        tuple(threshold.complement() for threshold in sufficient),
    )


class _SearchGivenUp(Exception):  # noqa: N818 - no error: `is_reachable` returns None
    """Raised when the search for a threshold was given up."""


ResultCache: TypeAlias = dict[object, bool]
"""A cache of results for one goal in one deal; a caller may keep it between questions."""


def is_reachable(
    objective: Objective, test_threshold: TestThreshold, cache: ResultCache | None = None
) -> bool | None:
    """Return whether the seats that want a goal can force it; None if the search was given up.

    `test_threshold` answers a threshold, as `Solver.can_win` does for the setup of the position.
    """
    try:
        result = _result_by_thresholds(objective, test_threshold)
        return (
            _result_by_cards(objective, test_threshold, {} if cache is None else cache)
            if result is None
            else result
        )
    except _SearchGivenUp:
        return None


def is_reachable_by(
    objective: Objective,
    card: Card,
    test_threshold: TestThreshold,
    cache: ResultCache | None = None,
) -> bool | None:
    """Return the result of `is_reachable` after the seat on turn plays a legal card."""
    next_objective = _objective_after(objective, card)
    return (
        next_objective
        if isinstance(next_objective, bool)
        else is_reachable(next_objective, test_threshold, cache)
    )


def _objective_after(current: Objective, card: Card) -> Objective | bool:
    """Return the goal after a card or, if that card was the last, whether it is reached."""
    state = game.last_state_of_deal(current.state, PLAY_ACTIONS[card])
    if isinstance(state.phase, Playing):
        return make_objective(state, current.goal, current.side)
    goal = Goal.MAKE if current.goal is Goal.SET else current.goal
    return _is_goal_met(state, tally(state), goal, current.side) is not (current.goal is Goal.SET)


def _result_by_thresholds(objective: Objective, test_threshold: TestThreshold) -> bool | None:
    """Return whether a goal is reached if its thresholds decide that, else None."""

    def answer(threshold: Threshold) -> bool:
        result = (
            test_threshold(threshold.position, threshold.points_needed)
            if threshold.known_result is None
            else threshold.known_result
        )
        if result is None:
            raise _SearchGivenUp
        return result

    if any(answer(threshold) for threshold in objective.sufficient):
        return True
    if any(
        threshold in objective.sufficient or not answer(threshold)
        for threshold in objective.necessary
    ):
        return False
    return None


def _result_by_cards(
    objective: Objective, test_threshold: TestThreshold, cache: ResultCache
) -> bool:
    """Return whether a goal is reached, by trying every card if its thresholds do not decide."""
    state, side = objective.state, objective.side
    key = (state.hands, state.phase, state.deal.won[side], state.deal.has_counter[side])
    if key in cache:
        return cache[key]
    decision = game.decision(state)
    is_own_turn = decision.seat in objective.seats
    cache[key] = not is_own_turn
    unclear = []
    for action in decision.legal:
        if isinstance(action, Play):
            next_objective = _objective_after(objective, action.card)
            result = (
                next_objective
                if isinstance(next_objective, bool)
                else _result_by_thresholds(next_objective, test_threshold)
            )
            if result is is_own_turn:
                cache[key] = is_own_turn
                return is_own_turn
            if result is None:
                unclear.append(next_objective)
    for next_objective in unclear:
        assert isinstance(next_objective, Objective)
        if _result_by_cards(next_objective, test_threshold, cache) is is_own_turn:
            cache[key] = is_own_turn
            break
    return cache[key]


def _thresholds(
    state: GameState, goal: Goal, side: int
) -> tuple[tuple[Threshold, ...], tuple[Threshold, ...]]:
    """Return the sufficient and the necessary thresholds of a side's goal."""
    position = Position.from_state(state, side)
    current_tally = tally(state)
    max_points = points_left(position)
    need_with_counter = _min_points_needed(
        state, current_tally, goal, side, max_points, has_counter=True
    )
    if current_tally.has_counter[side]:
        threshold = Threshold(position, need_with_counter)
        return (threshold,), (threshold,)
    need_without_counter = _min_points_needed(
        state, current_tally, goal, side, max_points, has_counter=False
    )
    points = position.setup.points
    saves_meld = meld_saving_kinds(state.rules.scoring.keep_meld)
    rank_saves = saves_meld[: len(points)]
    idle_points = (
        sum(points[c.rank] for c in _all_cards(position) if not saves_meld[c])
        + position.setup.last_trick_points
    )
    min_counter_points = min(p for p, counter in zip(points, rank_saves, strict=True) if counter)
    # A side with a counter reaches the goal with `need_with_counter` points, a side without one
    # with `need_without_counter`. A side without a counter wins at most `idle_points` points, and a
    # counter is worth at least `min_counter_points`.
    lowest = Threshold(position, need_with_counter)
    any_counter = Threshold(
        _with_card_points(position, _counter_marks(rank_saves), 0), 1, counters_only=True
    )
    if need_with_counter == need_without_counter or need_with_counter > idle_points:
        return (lowest,), (lowest,)
    if need_without_counter <= min_counter_points:
        threshold = Threshold(position, need_without_counter)
        return (threshold,), (threshold,)
    if need_with_counter <= min_counter_points and need_without_counter > idle_points:
        return (any_counter,), (any_counter,)
    # Sufficient: so many points that a counter is among them, or enough points of counters alone.
    counter_points = tuple(p * counter for p, counter in zip(points, rank_saves, strict=True))
    sufficient = (
        Threshold(position, min(need_without_counter, idle_points + 1)),
        Threshold(_with_card_points(position, counter_points, 0), max(need_with_counter, 1)),
    )
    if all(rank_saves):
        return sufficient, (lowest, any_counter)  # every point comes with a counter
    # If counters are worth `extra_points` more, both ways to the goal take `with_one + dearer`
    # points.
    extra_points = min(need_without_counter - need_with_counter, _MAX_EXTRA_POINTS)
    raised_points = tuple(
        p + extra_points * counter for p, counter in zip(points, rank_saves, strict=True)
    )
    necessary = (
        lowest,
        Threshold(
            _with_card_points(position, raised_points, position.setup.last_trick_points),
            need_with_counter + extra_points,
        ),
    )
    return sufficient, (
        (*necessary, any_counter) if need_without_counter > idle_points else necessary
    )


def _counter_marks(rank_saves: Sequence[bool]) -> tuple[int, ...]:
    """Return card points with which a side has points exactly if it has won a counter.

    A counter has 1 point. Higher ranks have more if there are many counters, because the solver
    takes at most MAX_EQUAL_RANKS ranks of equal worth.
    """
    counter_count = sum(rank_saves)
    return tuple(
        1 + (counter_count - 1 - rank) // MAX_EQUAL_RANKS if counter else 0
        for rank, counter in enumerate(rank_saves)
    )


_MAX_EXTRA_POINTS: Final = 30  # points: keeps the sum of all points within the solver's limit


def _with_card_points(
    position: Position, points: tuple[int, ...], last_trick_points: int
) -> Position:
    """Return the position with other card points."""
    setup = position.setup
    return replace(
        position, setup=replace(setup, points=points, last_trick_points=last_trick_points)
    )


def _min_points_needed(
    state: GameState,
    current_tally: Tally,
    goal: Goal,
    side: int,
    max_points: int,
    *,
    has_counter: bool,
) -> int:
    """Return the fewest further points that reach a goal, or `most + 1` if none do.

    `has_counter`: whether that side will have won a counter in a trick.
    """
    new_counters = tuple(
        has_counter if s == side else c for s, c in enumerate(current_tally.has_counter)
    )
    for extra_points in range(max_points + 1):
        play_points = tuple(
            p + extra_points * (s == side) for s, p in enumerate(current_tally.play)
        )
        if _is_goal_met(
            state, replace(current_tally, play=play_points, has_counter=new_counters), goal, side
        ):
            return extra_points
    return max_points + 1


def _is_goal_met(state: GameState, final_tally: Tally, goal: Goal, side: int) -> bool:
    """Return whether a side has made its bid or saved its meld, given a deal's final tally."""
    rules = state.rules
    if goal is Goal.SAVE_MELD:
        return score_after_losses(rules, final_tally, side)[0] == final_tally.meld[side]
    return outcome_and_changes(rules, final_tally, None, side, state.deal.bid)[0] is Outcome.MADE
