"""What a side wants of a deal besides points: to make the bid, to set it, to save its meld.

Each is a number of points to be won from here on, which the solver answers with one cheap question
(`Solver.reaches`). The number is found by asking `scoring` for every number of points there can
be, so nothing here says when a bid is made or a meld kept.

Where meld needs a counter or any card won in a trick, points alone do not always tell: then there
are thresholds that are enough, others that are needed, and between them `reached` plays on.
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
"""Whether side 0 of a position wins that many points from here on; None: given up."""


class Goal(enum.StrEnum):
    """What is wanted."""

    MAKE = "make"
    SET = "set"
    SAVE = "save meld"


def points_left(position: Position) -> int:
    """The points that are still to be won, the last trick's included."""
    return sum(position.of.points[card.rank] for card in _cards(position)) + position.of.last


def _cards(position: Position) -> tuple[Card, ...]:
    return (*position.trick, *(card for hand in position.hands for card in hand))


class Threshold(msgspec.Struct, frozen=True):
    """Side 0 of `position` is to win `need` points or more from here on.

    `counters`: the position is one in which each counter has points and nothing else has.
    """

    position: Position
    need: int
    counters: bool = False

    @property
    def settled(self) -> bool | None:
        """Whether it is reached, where that needs no search."""
        if self.need <= 0:
            return True
        return False if self.need > points_left(self.position) else None

    def complement(self) -> Threshold:
        """The threshold of the other side that is reached just when this one is not."""
        of = self.position.of
        other = replace(of, sides=tuple(1 - s for s in of.sides))
        need = points_left(self.position) - self.need + 1
        return Threshold(replace(self.position, of=other), need, self.counters)


class Objective(msgspec.Struct, frozen=True):
    """A goal in a state of the play: one threshold, or several between which play decides.

    `side`: whose bid or meld, an index into `Rules.sides`; `seats`: who wants it, together.
    Reaching any of `enough` is enough; missing any of `needed` is failing.
    """

    goal: Goal
    side: int
    seats: tuple[int, ...]
    state: GameState
    enough: tuple[Threshold, ...]
    needed: tuple[Threshold, ...]

    @property
    def threshold(self) -> Threshold | None:
        """The one threshold that tells, if there is one."""
        return self.enough[0] if self.enough == self.needed else None

    @property
    def settled(self) -> bool | None:
        """Whether it is reached, where that needs no search."""
        if any(one.settled is True for one in self.enough):
            return True
        return False if any(one.settled is False for one in self.needed) else None


def objectives(state: GameState) -> tuple[Objective, ...]:
    """Every goal there is in a state of the play under the strict law. Raises PositionError.

    To make and to set where there is a bid; to save meld for each side that has any, but not the
    declarer's, whose meld stands or falls with the bid.
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
    """One goal. `side`: the declarer's to make and to set, else the one that saves its meld."""
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


class _GivenUp(Exception):  # noqa: N818 - it is no error: `reached` answers None
    """A threshold was given up."""


Known: TypeAlias = dict[object, bool]
"""What trying cards has shown of one goal in one deal; a caller may keep it between questions."""


def reached(wanted: Objective, ask: Ask, known: Known | None = None) -> bool | None:
    """Whether those who want it can reach it, whatever the others play; None: given up.

    `ask` answers a threshold: `Solver.reaches`, of a solver of that position's arrangement.
    """
    try:
        told = _told(wanted, ask)
        return _played_on(wanted, ask, {} if known is None else known) if told is None else told
    except _GivenUp:
        return None


def reached_by(wanted: Objective, card: Card, ask: Ask, known: Known | None = None) -> bool | None:
    """The same when the seat on turn plays that legal card."""
    after = _after(wanted, card)
    return after if isinstance(after, bool) else reached(after, ask, known)


def _after(wanted: Objective, card: Card) -> Objective | bool:
    """The goal after a card; whether it was reached, if that was the last."""
    state = game.last_state_of_deal(wanted.state, PLAYS[card])
    if isinstance(state.phase, Playing):
        return objective(state, wanted.goal, wanted.side)
    goal = Goal.MAKE if wanted.goal is Goal.SET else wanted.goal
    return _holds(state, tally(state), goal, wanted.side) is not (wanted.goal is Goal.SET)


def _told(wanted: Objective, ask: Ask) -> bool | None:
    """Whether a goal is reached, where its thresholds tell."""

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
    """Whether a goal is reached, by trying every card where its thresholds do not tell."""
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
    """What is enough for a side's goal, and what is needed."""
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
    # Reached with a counter and `with_one` points, or without one and `without`. No more than
    # `idle` can be won without a counter, and no less than `worth` with one.
    least = Threshold(position, with_one)
    any_counter = Threshold(_valued(position, _ticked(counts), 0), 1, counters=True)
    if with_one == without or with_one > idle:
        return (least,), (least,)
    if without <= worth:
        one = Threshold(position, without)
        return (one,), (one,)
    if with_one <= worth and without > idle:
        return (any_counter,), (any_counter,)
    # So many points that a counter is among them, or so many points of counters alone.
    of_counters = tuple(p * counter for p, counter in zip(points, counts, strict=True))
    enough = (
        Threshold(position, min(without, idle + 1)),
        Threshold(_valued(position, of_counters, 0), max(with_one, 1)),
    )
    if all(counts):
        return enough, (least, any_counter)  # no points without a trick
    # With a counter that much dearer, a win with one is worth as many points as a win without.
    dearer = min(without - with_one, _DEARER)
    raised = tuple(p + dearer * counter for p, counter in zip(points, counts, strict=True))
    needed = (
        least,
        Threshold(_valued(position, raised, position.of.last), with_one + dearer),
    )
    return enough, ((*needed, any_counter) if without > idle else needed)


def _ticked(counts: Sequence[bool]) -> tuple[int, ...]:
    """Points by which whoever has any has won a counter: 1 for each, and more where many rank.

    The solver takes few ranks in a row of one worth.
    """
    most = sum(counts)
    return tuple(
        1 + (most - 1 - rank) // MOST_ALIKE if counter else 0 for rank, counter in enumerate(counts)
    )


_DEARER: Final = 30  # points: the sum of all stays within what the solver can hold


def _valued(position: Position, points: tuple[int, ...], last: int) -> Position:
    """The position with other card points."""
    of = position.of
    return replace(position, of=replace(of, points=points, last=last))


def _least(state: GameState, now: Tally, goal: Goal, side: int, most: int, *, counter: bool) -> int:
    """The fewest more points with which a goal is reached, or more than there are.

    `counter`: whether that side will have won one in a trick.
    """
    counters = tuple(counter if s == side else c for s, c in enumerate(now.counter))
    for more in range(most + 1):
        play = tuple(p + more * (s == side) for s, p in enumerate(now.play))
        if _holds(state, replace(now, play=play, counter=counters), goal, side):
            return more
    return most + 1


def _holds(state: GameState, final: Tally, goal: Goal, side: int) -> bool:
    """Whether a side has made its bid or saved its meld, with a deal's final tally."""
    rules = state.rules
    if goal is Goal.SAVE:
        return score_after_losses(rules, final, side)[0] == final.meld[side]
    return changes(rules, final, None, side, state.deal.bid)[0] is Outcome.MADE
