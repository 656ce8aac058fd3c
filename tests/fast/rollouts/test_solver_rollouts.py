"""Values of cards in many worlds at once equal those of the solver in each world."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from acesaround import variants
from acesaround.cards import SUITS, Card, Suit
from acesaround.cards import pack as packed_hand
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.solver_rollouts import TrickSoFar, WorldSolver, cached_solver
from acesaround.fast.solver import Position, Solver, legal_plays
from acesaround.fast.solver.setup import SolverSetup, solver_setup
from acesaround.rules import Rules

UNLIMITED_NODES = 10**9
TABLES: list[tuple[Rules, int, int]] = [  # the maximizing side, the most cards in a hand
    (variants.get("partnership"), 0, 5),
    (variants.get("partnership", None, {"card_points": "traditional"}), 1, 4),
    (variants.get("double-deck"), 1, 5),
    (variants.get("double-deck-classic"), 0, 4),
    (variants.get("three-handed"), 2, 5),
    (variants.get("three-handed", None, {"card_points": "kings-fives"}), 0, 5),
    (variants.get("five-card"), 3, 4),
    (variants.get("five-card", 9), 5, 2),
    (variants.get("seven-card", 2), 1, 7),
    (variants.get("seven-card", 6), 0, 3),
    (variants.get("two-handed"), 0, 7),
    (variants.get("two-handed", 4, {"deck": "24-each"}), 2, 3),
]
EACH_TABLE = pytest.mark.parametrize(
    ("rules", "side", "most"), TABLES, ids=lambda its: getattr(its, "variant", str(its))
)


class Problem(NamedTuple):
    """Worlds of a seat that knows its own hand and the trick."""

    setup: SolverSetup
    positions: list[Position]

    def choices(self) -> tuple[Card, ...]:
        return legal_plays(self.positions[0])

    def solve_worlds(
        self, solver: WorldSolver, nodes: int = UNLIMITED_NODES
    ) -> tuple[NDArray[np.int64], int]:
        first = self.positions[0]
        hands = [
            [sets_from_hand(packed_hand(hand), self.setup.copies) for hand in position.hands]
            for position in self.positions
        ]
        choices: Integers = np.array(self.choices(), np.int64)
        worlds = np.array(hands, np.int64)
        trick = TrickSoFar(first.trump, first.leader, first.trick, first.is_trump_broken)
        return solver.solve_worlds(worlds, trick, choices, nodes)

    def solver_values(self, solver: Solver) -> list[list[int]]:
        rows = []
        for position in self.positions:
            answers = solver.card_values(position)
            assert all(answer.lower_bound == answer.upper_bound for answer in answers.values())
            rows.append([answers[card].lower_bound for card in self.choices()])
        return rows


def random_problem(
    rules: Rules,
    side: int,
    rng: random.Random,
    cards: int,
    worlds: int,
    in_trick: int | None = None,
) -> Problem:
    """Return random worlds, with cards in the trick or none; trump is broken or not."""
    setup = solver_setup(rules, tuple(range(rules.seats)), side)
    deck, trump = list(rules.deck.cards), rng.choice(SUITS)
    rng.shuffle(deck)
    number = rng.randrange(setup.players) if in_trick is None else in_trick
    leader = rng.randrange(setup.players)
    trick, own, unknown = deck[:number], deck[number : number + cards], deck[number + cards :]
    turn = (leader + number) % setup.players
    broken = rng.random() < 0.5 or any(card.suit == trump for card in trick)
    positions = []
    for _ in range(worlds):
        rng.shuffle(unknown)
        remaining, hands = iter(unknown), list[tuple[Card, ...]]()
        for player in range(setup.players):
            held = cards - ((player - leader) % setup.players < number)
            hands.append(
                tuple(own) if player == turn else tuple(next(remaining) for _ in range(held))
            )
        positions.append(Position(setup, Suit(trump), tuple(hands), leader, tuple(trick), broken))
    return Problem(setup, positions)


@EACH_TABLE
def test_values_are_those_of_the_solver(rules: Rules, side: int, most: int) -> None:
    """At the lead and within a trick, with trump broken or not, two cards a hand or more."""
    rng = random.Random(7)
    exact_solver, solver, differ = None, None, set[int]()
    for number in range(12):
        problem = random_problem(
            rules, side, rng, 2 + number % (most - 1), 4, 0 if number < 4 else None
        )
        exact_solver, solver = (
            exact_solver or WorldSolver(problem.setup),
            solver or Solver(problem.setup, 8),
        )
        values, solved = problem.solve_worlds(exact_solver)
        assert solved == len(problem.positions)
        assert values.tolist() == problem.solver_values(solver)
        differ.update(len(set(row)) for row in values.tolist())
    assert max(differ) > 1, "choices differ somewhere"


@pytest.mark.soak
@EACH_TABLE
def test_values_of_many_positions_are_those_of_the_solver(
    rules: Rules, side: int, most: int
) -> None:
    rng = random.Random(8)
    for at in {rules.side_of(seat) for seat in range(rules.seats)}:
        problem = random_problem(rules, at, rng, 2, 1)
        exact_solver, solver = WorldSolver(problem.setup), Solver(problem.setup, 32)
        for number in range(200):
            cards = min(2 + number % (most + 2), rules.deck.size // rules.seats - 1)
            problem = random_problem(rules, at, rng, cards, 5)
            values, solved = problem.solve_worlds(exact_solver)
            assert solved == len(problem.positions)
            assert values.tolist() == problem.solver_values(solver)


def test_unbroken_trump_limits_the_leads() -> None:
    """A player who may not lead trump is worth less than one who may, somewhere."""
    rules, rng, less = variants.get("five-card", 2), random.Random(3), 0
    for _ in range(30):
        problem = random_problem(rules, 0, rng, 5, 1, 0)
        first = problem.positions[0]
        variations = [
            Problem(
                problem.setup, [Position(problem.setup, first.trump, first.hands, 0, (), broken)]
            )
            for broken in (True, False)
        ]
        free, restricted = (
            dict(
                zip(
                    variation.choices(),
                    variation.solve_worlds(cached_solver(problem.setup, 0))[0][0].tolist(),
                    strict=True,
                )
            )
            for variation in variations
        )
        assert set(restricted) <= set(free)
        less += max(restricted.values()) < max(free.values())
    assert less


@pytest.mark.parametrize("variant", ["partnership", "three-handed", "double-deck"])
def test_a_node_limit_solves_fewer_worlds_correctly(variant: str) -> None:
    rules = variants.get(variant)
    problem = random_problem(rules, 1, random.Random(5), 5, 12, 1)
    exact_solver = WorldSolver(problem.setup)
    whole, solved = problem.solve_worlds(exact_solver)
    assert solved == 12
    numbers = []
    for nodes in (1, 50, 200, 1000, 4000, 16_000, UNLIMITED_NODES):
        values, number = problem.solve_worlds(exact_solver, nodes)
        assert np.array_equal(values[:number], whole[:number])
        assert not values[number + 1 :].any()
        numbers.append(number)
    assert numbers == sorted(numbers)
    assert numbers[0] == 0
    assert numbers[-1] == 12
    assert any(0 < number < 12 for number in numbers)


def test_answers_do_not_depend_on_earlier_questions() -> None:
    """The number of worlds that fit into a limit of nodes is repeated too."""
    rules, rng = variants.get("partnership"), random.Random(6)
    questions = [random_problem(rules, 0, rng, 5, 8) for _ in range(6)]
    exact_solver = cached_solver(questions[0].setup, 0)
    assert cached_solver(questions[0].setup, 0) is exact_solver
    assert cached_solver(questions[0].setup, 1) is not exact_solver
    for nodes in (3000, UNLIMITED_NODES):
        first = [problem.solve_worlds(exact_solver, nodes) for problem in questions]
        again = [problem.solve_worlds(exact_solver, nodes) for problem in reversed(questions)][::-1]
        fresh = [
            problem.solve_worlds(WorldSolver(problem.setup), nodes) for problem in questions[:2]
        ]
        for answer, expected in zip(first + first[:2], again + fresh, strict=True):
            assert answer[1] == expected[1]
            assert np.array_equal(answer[0], expected[0])
