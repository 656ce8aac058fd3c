"""What cards are worth in many worlds at once is what the solver says in each of them."""

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
from acesaround.fast.rollouts.solved import Exact, TrickSoFar, exact
from acesaround.fast.solver import Position, Solver, legal_plays
from acesaround.fast.solver.setup import SolverSetup, solver_setup
from acesaround.rules import Rules

PLENTY = 10**9
TABLES: list[tuple[Rules, int, int]] = [  # a side that counts, the most cards in a hand
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
EVERY = pytest.mark.parametrize(
    ("rules", "side", "most"), TABLES, ids=lambda its: getattr(its, "variant", str(its))
)


class Asked(NamedTuple):
    """One question: worlds of a seat that knows its own hand and the trick."""

    of: SolverSetup
    positions: list[Position]

    def choices(self) -> tuple[Card, ...]:
        return legal_plays(self.positions[0])

    def values(self, by: Exact, nodes: int = PLENTY) -> tuple[NDArray[np.int64], int]:
        first = self.positions[0]
        hands = [
            [sets_from_hand(packed_hand(its), self.of.copies) for its in position.hands]
            for position in self.positions
        ]
        choices: Integers = np.array(self.choices(), np.int64)
        its = np.array(hands, np.int64)
        trick = TrickSoFar(first.trump, first.leader, first.trick, first.is_trump_broken)
        return by.values(its, trick, choices, nodes)

    def slowly(self, by: Solver) -> list[list[int]]:
        found = []
        for position in self.positions:
            answers = by.card_values(position)
            assert all(answer.low == answer.high for answer in answers.values())
            found.append([answers[card].low for card in self.choices()])
        return found


def asked(
    rules: Rules,
    side: int,
    rng: random.Random,
    cards: int,
    worlds: int,
    in_trick: int | None = None,
) -> Asked:
    """Random hands, some cards in the trick or none; trump is broken or not."""
    of = solver_setup(rules, tuple(range(rules.seats)), side)
    deck, trump = list(rules.deck.cards), rng.choice(SUITS)
    rng.shuffle(deck)
    number = rng.randrange(of.players) if in_trick is None else in_trick
    leader = rng.randrange(of.players)
    trick, own, rest = deck[:number], deck[number : number + cards], deck[number + cards :]
    turn = (leader + number) % of.players
    broken = rng.random() < 0.5 or any(card.suit == trump for card in trick)
    positions = []
    for _ in range(worlds):
        rng.shuffle(rest)
        left, hands = iter(rest), list[tuple[Card, ...]]()
        for player in range(of.players):
            held = cards - ((player - leader) % of.players < number)
            hands.append(tuple(own) if player == turn else tuple(next(left) for _ in range(held)))
        positions.append(Position(of, Suit(trump), tuple(hands), leader, tuple(trick), broken))
    return Asked(of, positions)


@EVERY
def test_values_are_those_of_the_solver(rules: Rules, side: int, most: int) -> None:
    """At the lead and within a trick, with trump broken or not, two cards a hand or more."""
    rng = random.Random(7)
    by, slow, differ = None, None, set[int]()
    for number in range(12):
        its = asked(rules, side, rng, 2 + number % (most - 1), 4, 0 if number < 4 else None)
        by, slow = by or Exact(its.of), slow or Solver(its.of, 8)
        values, solved = its.values(by)
        assert solved == len(its.positions)
        assert values.tolist() == its.slowly(slow)
        differ.update(len(set(row)) for row in values.tolist())
    assert max(differ) > 1, "choices differ somewhere"


@pytest.mark.soak
@EVERY
def test_they_are_in_very_many_positions(rules: Rules, side: int, most: int) -> None:
    rng = random.Random(8)
    for at in {rules.side_of(seat) for seat in range(rules.seats)}:
        its = asked(rules, at, rng, 2, 1)
        by, slow = Exact(its.of), Solver(its.of, 32)
        for number in range(200):
            cards = min(2 + number % (most + 2), rules.deck.size // rules.seats - 1)
            its = asked(rules, at, rng, cards, 5)
            values, solved = its.values(by)
            assert solved == len(its.positions)
            assert values.tolist() == its.slowly(slow)


def test_trump_that_is_not_broken_is_kept_back() -> None:
    """A player who may not lead trump is worth less than one who may, somewhere."""
    rules, rng, less = variants.get("five-card", 2), random.Random(3), 0
    for _ in range(30):
        its = asked(rules, 0, rng, 5, 1, 0)
        first = its.positions[0]
        both = [
            Asked(its.of, [Position(its.of, first.trump, first.hands, 0, (), broken)])
            for broken in (True, False)
        ]
        free, kept = (
            dict(zip(one.choices(), one.values(exact(its.of, 0))[0][0].tolist(), strict=True))
            for one in both
        )
        assert set(kept) <= set(free)
        less += max(kept.values()) < max(free.values())
    assert less


@pytest.mark.parametrize("variant", ["partnership", "three-handed", "double-deck"])
def test_with_few_nodes_fewer_worlds_are_solved_and_those_rightly(variant: str) -> None:
    rules = variants.get(variant)
    its = asked(rules, 1, random.Random(5), 5, 12, 1)
    by = Exact(its.of)
    whole, solved = its.values(by)
    assert solved == 12
    numbers = []
    for nodes in (1, 50, 200, 1000, 4000, 16_000, PLENTY):
        values, number = its.values(by, nodes)
        assert np.array_equal(values[:number], whole[:number])
        assert not values[number + 1 :].any()
        numbers.append(number)
    assert numbers == sorted(numbers)
    assert numbers[0] == 0
    assert numbers[-1] == 12
    assert any(0 < number < 12 for number in numbers)


def test_the_same_question_gets_the_same_answer_whatever_was_asked_before() -> None:
    """How many worlds so many nodes suffice for included."""
    rules, rng = variants.get("partnership"), random.Random(6)
    questions = [asked(rules, 0, rng, 5, 8) for _ in range(6)]
    by = exact(questions[0].of, 0)
    assert exact(questions[0].of, 0) is by
    assert exact(questions[0].of, 1) is not by
    for nodes in (3000, PLENTY):
        first = [its.values(by, nodes) for its in questions]
        again = [its.values(by, nodes) for its in reversed(questions)][::-1]
        fresh = [its.values(Exact(its.of), nodes) for its in questions[:2]]
        for one, other in zip(first + first[:2], again + fresh, strict=True):
            assert one[1] == other[1]
            assert np.array_equal(one[0], other[0])
