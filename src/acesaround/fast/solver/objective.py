"""Goals of a side in a deal besides points: to make the bid, to set it, to save its meld.

A goal becomes a number of points to win from here on, which the solver answers with one cheap
question (`Solver.reaches`). The number is found by trying every possible number of points with
`scoring`, so this module has no rules of its own about bids and meld.

If meld needs a counter or any card won in a trick, points alone may not decide. Then some
thresholds are sufficient and others are necessary. Between them `reached` tries every card.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import PLAYS, Play
from acesaround.cards import Card
from acesaround.errors import PositionError
from acesaround.fast.solver.solver import Position
from acesaround.game.state import GameState, Playing, tally
from acesaround.rules.scoring import Outcome, Tally, changes, score_after_losses
from acesaround.rules.support import MOST_ALIKE
from acesaround.rules.tricks import saving

Ask: TypeAlias = Callable[[Position, int], bool | None]
"""A callback: whether side 0 of a position wins that many points from here on; None if unknown."""


class Goal(enum.StrEnum):
    """The kinds of goal."""

    MAKE = "make"
    SET = "set"
    SAVE = "save meld"


def points_left(position: Position) -> int:
    """Return the points that are still to be won, including those of the last trick."""
    return sum(position.of.points[card.rank] for card in _cards(position)) + position.of.last


def _cards(position: Position) -> tuple[Card, ...]:
    return (*position.trick, *(card for hand in position.hands for card in hand))


class Threshold(msgspec.Struct, frozen=True):
    """A number of points, `need`, that side 0 of `position` must win from here on.

    `counters`: the card points of the position are changed, so that only counters have points.
    """

    position: Position
    need: int
    counters: bool = False

    @property
    def settled(self) -> bool | None:
        """Whether the threshold is reached, if that is clear without search; else None."""
        if self.need <= 0:
            return True
        return False if self.need > points_left(self.position) else None

    def complement(self) -> Threshold:
        """Return the threshold of the other side that is reached exactly if this one is missed."""
        of = self.position.of
        other = replace(of, sides=tuple(1 - s for s in of.sides))
        need = points_left(self.position) - self.need + 1
        return Threshold(replace(self.position, of=other), need, self.counters)


class Objective(msgspec.Struct, frozen=True):
    """A goal in a state of the play, as sufficient and necessary thresholds.

    `side`: the side with the bid or meld, an index into `Rules.sides`; `seats`: the seats that want
    the goal. Reaching any threshold of `enough` is sufficient. Missing any threshold of `needed` is
    failure.
    """

    goal: Goal
    side: int
    seats: tuple[int, ...]
    state: GameState
    enough: tuple[Threshold, ...]
    needed: tuple[Threshold, ...]

    @property
    def threshold(self) -> Threshold | None:
        """The single threshold that decides the goal, if there is one."""
        return self.enough[0] if self.enough == self.needed else None

    @property
    def settled(self) -> bool | None:
        """Whether the goal is reached, if that is clear without search; else None."""
        if any(one.settled is True for one in self.enough):
            return True
        return False if any(one.settled is False for one in self.needed) else None


def objectives(state: GameState) -> tuple[Objective, ...]:
    """Return every goal in a state of the play under the strict rules. Raises PositionError.

    With a bid there are the goals to make and to set. Each side with meld has the goal to save it,
    except the declarer's side, because its meld depends on the bid.
    """
    if not isinstance(state.phase, Playing):
        raise PositionError("Only the play of tricks under the strict law can be solved.")
    rules, found = state.rules, []
    declarer = None if state.deal.declarer is None else rules.side_of(state.deal.declarer)
    if declarer is not None:
        found += [objective(state, Goal.MAKE, declarer), objective(state, Goal.SET, declarer)]
    melds = tally(state).meld
    sides = sorted({rules.side_of(seat) for seat in state.players} - {declarer})
    return (*found, *(objective(state, Goal.SAVE, side) for side in sides if melds[side]))


def objective(state: GameState, goal: Goal, side: int) -> Objective:
    """Return a goal. `side`: the declarer's to make and to set, else the one that saves meld."""
    own = tuple(seat for seat in state.players if state.rules.side_of(seat) == side)
    if goal is not Goal.SET:
        enough, needed = _thresholds(state, goal, side)
        return Objective(goal, side, own, state, enough, needed)
    enough, needed = _thresholds(state, Goal.MAKE, side)
    others = tuple(seat for seat in state.players if seat not in own)
    return Objective(
        goal,
        side,
        others,
        state,
        tuple(one.complement() for one in needed),
        tuple(one.complement() for one in enough),
    )


class _GivenUp(Exception):  # noqa: N818 - no error: `reached` returns None
    """Raised when the search for a threshold was given up."""


Known: TypeAlias = dict[object, bool]
"""A cache of results for one goal in one deal; a caller may keep it between questions."""


def reached(wanted: Objective, ask: Ask, known: Known | None = None) -> bool | None:
    """Return whether the seats that want a goal can force it; None if the search was given up.

    `ask` answers a threshold, as `Solver.reaches` does for the setup of the position.
    """
    try:
        told = _told(wanted, ask)
        return _played_on(wanted, ask, {} if known is None else known) if told is None else told
    except _GivenUp:
        return None


def reached_by(wanted: Objective, card: Card, ask: Ask, known: Known | None = None) -> bool | None:
    """Return the result of `reached` after the seat on turn plays a legal card."""
    after = _after(wanted, card)
    return after if isinstance(after, bool) else reached(after, ask, known)


def _after(wanted: Objective, card: Card) -> Objective | bool:
    """Return the goal after a card or, if that card was the last, whether it is reached."""
    state = game.last_state_of_deal(wanted.state, PLAYS[card])
    if isinstance(state.phase, Playing):
        return objective(state, wanted.goal, wanted.side)
    goal = Goal.MAKE if wanted.goal is Goal.SET else wanted.goal
    return _holds(state, tally(state), goal, wanted.side) is not (wanted.goal is Goal.SET)


def _told(wanted: Objective, ask: Ask) -> bool | None:
    """Return whether a goal is reached if its thresholds decide that, else None."""

    def answer(one: Threshold) -> bool:
        found = ask(one.position, one.need) if one.settled is None else one.settled
        if found is None:
            raise _GivenUp
        return found

    if any(answer(one) for one in wanted.enough):
        return True
    if any(one in wanted.enough or not answer(one) for one in wanted.needed):
        return False
    return None


def _played_on(wanted: Objective, ask: Ask, known: Known) -> bool:
    """Return whether a goal is reached, by trying every card if its thresholds do not decide."""
    state, side = wanted.state, wanted.side
    key = (state.hands, state.phase, state.deal.won[side], state.deal.counter[side])
    if key in known:
        return known[key]
    decision = game.decision(state)
    own = decision.seat in wanted.seats
    known[key] = not own
    unclear = []
    for action in decision.legal:
        if isinstance(action, Play):
            after = _after(wanted, action.card)
            told = after if isinstance(after, bool) else _told(after, ask)
            if told is own:
                known[key] = own
                return own
            if told is None:
                unclear.append(after)
    for after in unclear:
        assert isinstance(after, Objective)
        if _played_on(after, ask, known) is own:
            known[key] = own
            break
    return known[key]


def _thresholds(
    state: GameState, goal: Goal, side: int
) -> tuple[tuple[Threshold, ...], tuple[Threshold, ...]]:
    """Return the sufficient and the necessary thresholds of a side's goal."""
    position = Position.of_state(state, side)
    now = tally(state)
    most = points_left(position)
    with_one = _least(state, now, goal, side, most, counter=True)
    if now.counter[side]:
        one = Threshold(position, with_one)
        return (one,), (one,)
    without = _least(state, now, goal, side, most, counter=False)
    points = position.of.points
    saves = saving(state.rules.scoring.keep_meld)
    counts = saves[: len(points)]
    idle = sum(points[c.rank] for c in _cards(position) if not saves[c]) + position.of.last
    worth = min(p for p, counter in zip(points, counts, strict=True) if counter)
    # A side with a counter reaches the goal with `with_one` points, a side without one with
    # `without`. A side without a counter wins at most `idle` points, and a counter is worth at
    # least `worth`.
    least = Threshold(position, with_one)
    any_counter = Threshold(_valued(position, _ticked(counts), 0), 1, counters=True)
    if with_one == without or with_one > idle:
        return (least,), (least,)
    if without <= worth:
        one = Threshold(position, without)
        return (one,), (one,)
    if with_one <= worth and without > idle:
        return (any_counter,), (any_counter,)
    # Sufficient: so many points that a counter is among them, or enough points of counters alone.
    of_counters = tuple(p * counter for p, counter in zip(points, counts, strict=True))
    enough = (
        Threshold(position, min(without, idle + 1)),
        Threshold(_valued(position, of_counters, 0), max(with_one, 1)),
    )
    if all(counts):
        return enough, (least, any_counter)  # every point comes with a counter
    # If counters are worth `dearer` more, both ways to the goal take `with_one + dearer` points.
    dearer = min(without - with_one, _DEARER)
    raised = tuple(p + dearer * counter for p, counter in zip(points, counts, strict=True))
    needed = (
        least,
        Threshold(_valued(position, raised, position.of.last), with_one + dearer),
    )
    return enough, ((*needed, any_counter) if without > idle else needed)


def _ticked(counts: Sequence[bool]) -> tuple[int, ...]:
    """Return card points with which a side has points exactly if it has won a counter.

    A counter has 1 point. Higher ranks have more if there are many counters, because the solver
    takes at most MOST_ALIKE ranks of equal worth.
    """
    most = sum(counts)
    return tuple(
        1 + (most - 1 - rank) // MOST_ALIKE if counter else 0 for rank, counter in enumerate(counts)
    )


_DEARER: Final = 30  # points: keeps the sum of all points within the solver's limit


def _valued(position: Position, points: tuple[int, ...], last: int) -> Position:
    """Return the position with other card points."""
    of = position.of
    return replace(position, of=replace(of, points=points, last=last))


def _least(state: GameState, now: Tally, goal: Goal, side: int, most: int, *, counter: bool) -> int:
    """Return the fewest further points that reach a goal, or `most + 1` if none do.

    `counter`: whether that side will have won a counter in a trick.
    """
    counters = tuple(counter if s == side else c for s, c in enumerate(now.counter))
    for more in range(most + 1):
        play = tuple(p + more * (s == side) for s, p in enumerate(now.play))
        if _holds(state, replace(now, play=play, counter=counters), goal, side):
            return more
    return most + 1


def _holds(state: GameState, final: Tally, goal: Goal, side: int) -> bool:
    """Return whether a side has made its bid or saved its meld, given a deal's final tally."""
    rules = state.rules
    if goal is Goal.SAVE:
        return score_after_losses(rules, final, side)[0] == final.meld[side]
    return changes(rules, final, None, side, state.deal.bid)[0] is Outcome.MADE
