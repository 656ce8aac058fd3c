"""The solver's rows: our solver and the C++ study on the same deals, and DDS on bridge deals.

Times are processor seconds in one thread for the question alone. Making the position and clearing
the last one are not timed. The transposition table holds nothing useful before a question, and its
memory has been written to before the first timing.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from statistics import mean
from types import ModuleType
from typing import Any, Final, Literal

from acesaround import variants
from acesaround.fast import Budget, Position, Solver, SolverSetup
from acesaround.fast.solver import solver_setup
from cpp_reference import Study
from fast_deals import DOUBLE, PARTNERS, THREE, TWO, DealKind, deals
from fast_table import Reference, Row, Target, Times, span

US: Final = "Aces Around"
DDS: Final = "DDS, bridge"
STUDY: Final = "the C++ study"
PLAIN: Final = "its plain search"
ONE: Final = "one solve"
LIMIT: Final = 1.0  # seconds for each full double-deck deal
LATE: Final = 0.1  # seconds by which an answer may be late on a shared machine


@dataclass(frozen=True)
class Conditions:
    """The measuring conditions: the study, or why it is missing, and the size of our tables."""

    study: Study | None = None
    no_study: str = "not at hand"
    megabytes: int = 256


@lru_cache(maxsize=1)
def dds() -> ModuleType | None:
    """Return the module that calls DDS; None if it is not installed."""
    try:
        return import_module("dds_reference")
    except ImportError:
        return None


def boards(
    dds_question: tuple[str, int] | None, number: int, seed: int
) -> Iterable[Callable[[], float] | None]:
    """Return calls of DDS that return their seconds, or as many None without a question."""
    bridge = None if dds_question is None else dds()
    if bridge is None or dds_question is None:
        return itertools.repeat(None, number)
    question, cards = dds_question
    return (partial(bridge.solve, board, question) for board in bridge.boards(number, seed, cards))


@lru_cache(maxsize=8)
def solver(of: SolverSetup, megabytes: int) -> Solver:
    """Return a solver that is compiled and whose table is in memory, so that neither is timed."""
    made = Solver(of, megabytes)
    made._tables.transposition_table.fill(0)
    made.value(next(deals(DealKind("", of, 4, 4), 1, 0)))
    return made


@dataclass(frozen=True)
class Question:
    """A question about some deals, with its references and its targets in seconds."""

    name: str
    what: str
    dealt: DealKind
    deals: int
    """The number of deals in all rounds together."""
    points: int | None = None
    """The points of a threshold question; None for the value."""
    cards: bool = False
    """Whether the values of all cards are asked. The value alone is then timed on the same
    deals."""
    dds: tuple[str, int] | None = None
    """The question for DDS, and its number of cards a hand."""
    study: str | None = ""
    """The question for the study; None if it cannot answer it."""
    plain: bool = False
    """Whether the study's plain search is the reference."""
    reach: float | None = None
    reach_p95: float | None = None
    reach_solves: float | None = None
    """The target as a multiple of the median of one solve."""
    aims: Sequence[float | Literal["study", "dds"]] = ()


class QuestionMeasure:
    """The measurement of a question in rounds."""

    def __init__(self, question: Question, rounds: int, conditions: Conditions) -> None:
        self.name = question.name
        self._question, self._conditions = question, conditions
        self._number = max(1, question.deals // rounds)
        self._ours, self._one, self._dds = Times(US), Times(ONE), Times(DDS)
        self._study = Times(PLAIN if question.plain else STUDY)
        self._differ = 0

    def round(self, number: int) -> None:
        """Measure ours and DDS alternately, deal by deal; then the study on the deals of ours."""
        question, size = self._question, self._number
        mine = solver(question.dealt.of, self._conditions.megabytes)
        bridge = boards(question.dds, size, number)
        found = []
        for position, board in zip(deals(question.dealt, size, number), bridge, strict=True):
            if question.cards:
                self._timed(self._one, mine, partial(mine.value, position))
            found.append(self._timed(self._ours, mine, partial(self._ask, mine, position)))
            if board is not None:
                self._dds.add(board())
        if self._conditions.study is None or question.study is None:
            return
        solved = self._conditions.study.solve(
            question.dealt, size, number, question.study, plain=question.plain
        )
        for ours, theirs in zip(found, solved, strict=True):
            self._study.add(theirs.seconds, theirs.nodes)
            points = question.points
            self._differ += ours != (theirs.value if points is None else theirs.value >= points)

    def _ask(self, mine: Solver, position: Position) -> int | bool | None:
        if self._question.cards:
            return max(answer.lower_bound for answer in mine.card_values(position).values())
        if self._question.points is not None:
            return mine.can_win(position, self._question.points)
        return mine.value(position).lower_bound

    def _timed(self, times: Times, mine: Solver, ask: Callable[[], Any]) -> Any:
        mine.start_new_deal()
        before, started = mine.nodes, time.thread_time()
        found = ask()
        times.add(time.thread_time() - started, mine.nodes - before)
        return found

    def row(self) -> Row:
        """Return the row that compares the medians."""
        question, ours = self._question, self._ours
        measured = [t for t in (self._one, self._study, self._dds) if t.seconds]
        references = [times.as_reference(ours) for times in measured]
        if not self._study.seconds and question.study is not None:
            references.append(Reference(self._study.who, self._conditions.no_study))
        if not self._dds.seconds and question.dds:
            references.append(Reference(DDS, "not installed"))
        reach = []
        if question.reach is not None:
            reach.append(_median(ours, question.reach))
        if question.reach_p95 is not None:
            reach.append(Target(f"p95 {span(question.reach_p95)}", ours.p95 <= question.reach_p95))
        if question.reach_solves is not None:
            solves = ours.median / self._one.median
            text = f"{question.reach_solves} x one solve"
            reach.append(Target(text, solves <= question.reach_solves))
        named = {"study": self._study, "dds": self._dds}
        aims = []
        for aim in question.aims:
            if isinstance(aim, float):
                aims.append(_median(ours, aim))
            else:
                times = named[aim]
                met = ours.median <= times.median if times.seconds else None
                aims.append(Target(f"as {times.who}", met))
        here = [str(ours)] + [f"{self._differ} ANSWERS DIFFER"] * bool(self._differ)
        if self._one.seconds:
            here.append(f"{ours.cpu / self._one.cpu:.2f} x one solve, all deals together")
        return Row(
            name=self.name,
            what=question.what,
            here=here,
            cpu=ours.cpu,
            references=references,
            reach=reach,
            aim=aims,
            figures={times.who: times.figures() for times in (ours, *measured)}
            | {"answers that differ": self._differ},
        )


def _median(times: Times, wanted: float) -> Target:
    return Target(span(wanted), times.median <= wanted)


class WholeDealMeasure:
    """The measurement of full double-deck deals, one second each: wall time and bounds."""

    name = "double20"

    def __init__(self, number: int, rounds: int, conditions: Conditions) -> None:
        self._conditions = conditions
        self._number = max(1, number // rounds)
        self._dealt = DealKind("d", DOUBLE, 20, 20)
        self._walls: list[float] = []
        self._times = Times(US)
        self._widths: list[int] = []
        self._most = 0

    def round(self, number: int) -> None:
        """Measure wall time, because the limit is a promise to a waiting person."""
        mine = solver(DOUBLE, self._conditions.megabytes)
        for position in deals(self._dealt, self._number, number):
            mine.start_new_deal()
            self._most = sum(DOUBLE.points[c.rank] for hand in position.hands for c in hand)
            self._most += DOUBLE.last_trick_points
            started, cpu = time.perf_counter(), time.thread_time()
            answer = mine.value(position, Budget(seconds=LIMIT))
            self._times.add(time.thread_time() - cpu, answer.nodes)
            self._walls.append(time.perf_counter() - started)
            self._widths.append(answer.upper_bound - answer.lower_bound)

    def row(self) -> Row:
        """Return the longest wall time, the number of exact answers and the width of the bounds."""
        longest, exact = max(self._walls), self._widths.count(0)
        number, width = len(self._walls), mean(self._widths)
        return Row(
            name=self.name,
            what="double deck, all 20 tricks, 1 s each",
            here=[
                f"longest {span(longest)} (wall)",
                f"{exact} of {number} exact",
                f"bounds {width:.1f} of {self._most} points apart",
            ],
            cpu=self._times.cpu,
            references=[Reference("nobody", "")],
            reach=[Target(f"bounds within {LIMIT + LATE:g} s", longest <= LIMIT + LATE)],
            aim=[Target("all exact in 1 s", exact == number)],
            figures={
                US: self._times.figures(),
                "longest wall": longest,
                "exact": exact,
                "mean width": width,
                "widths": self._widths,
                "points": self._most,
            },
        )


def _two_handed() -> SolverSetup:
    """Return the setup of the two-handed play-off with its own card points."""
    rules = variants.get("two-handed")
    return solver_setup(rules, (0, 1), 0)


QUESTIONS: Final = (
    Question(
        "four",
        "4 hands, 12 tricks",
        DealKind("4", PARTNERS, 12, 12),
        100,
        dds=("value", 12),
        reach=0.1,
        reach_p95=1.0,
        aims=("study", "dds"),
    ),
    Question(
        "threshold",
        "4 hands, 12 tricks: 13 points?",
        DealKind("4", PARTNERS, 12, 12),
        200,
        points=13,
        study="T13",
        dds=("reaches", 12),
        reach=0.005,
        reach_p95=0.1,
        aims=(0.002,),
    ),
    Question(
        "threshold-mean",
        "4 hands, 12 tricks: 15, the mean?",
        DealKind("4", PARTNERS, 12, 12),
        100,
        points=15,
        study="T15",
    ),
    Question(
        "cards",
        "4 hands, 12 tricks: all root cards",
        DealKind("4", PARTNERS, 12, 12),
        50,
        cards=True,
        study="R1",
        dds=("cards", 12),
        reach_solves=2.2,
    ),
    Question(
        "nine",
        "4 hands, 9 tricks",
        DealKind("4", PARTNERS, 12, 9),
        200,
        dds=("value", 9),
        reach=0.002,
        aims=(0.001,),
    ),
    Question(
        "three",
        "three-handed, 15 tricks",
        DealKind("3", THREE, 15, 15),
        50,
        reach=0.3,
        aims=("study",),
    ),
    Question(
        "three-threshold",
        "three-handed, 15 tricks: 12 points?",
        DealKind("3", THREE, 15, 15),
        200,
        points=12,
        study="T12",
        reach=0.003,
        aims=("study",),
    ),
    Question(
        "three-mean",
        "three-handed, 15 tricks: 8?",
        DealKind("3", THREE, 15, 15),
        100,
        points=8,
        study="T8",
    ),
    Question(
        "two",
        "two hands, 12 tricks",
        DealKind("2", TWO, 12, 12),
        200,
        plain=True,
        reach=0.001,
        aims=(0.0005,),
    ),
    Question(
        "two-own",
        "two hands, 12 tricks: own points",
        DealKind("2", _two_handed(), 12, 12),
        200,
        study=None,
        reach=0.001,
        aims=(0.0005,),
    ),
    Question(
        "double10",
        "double deck, 10 tricks to go",
        DealKind("d", DOUBLE, 20, 10),
        200,
        reach=0.01,
        aims=("study",),
    ),
    Question(
        "double12",
        "double deck, 12 tricks to go",
        DealKind("d", DOUBLE, 20, 12),
        100,
        reach=0.1,
        aims=("study",),
    ),
)
