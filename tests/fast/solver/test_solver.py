"""The exact solver: compared with unpruned search, itself and the engine; budgets and refusals."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Play
from acesaround.cards import CARDS, SUITS, Card, Suit, parse_cards
from acesaround.fast import Budget, Position, PositionError, Solver, SolverSetup, ValueInterval
from acesaround.fast.solver import legal_plays
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Playing
from acesaround.legal_bids import Bids
from tests.fast.solver.brute import (
    ARRANGEMENTS,
    dealt,
    endings,
    exchanged,
    relabelled,
    value,
    values,
)
from tests.waiting import PATIENCE_SECONDS

SMALL = 4  # megabytes


def compare(name: str, cards: int, number: int, *, keep: bool, seed: int = 1) -> None:
    """Compare value, thresholds and every card; with `keep`, the table is kept between deals."""
    setup = ARRANGEMENTS[name]
    solver = Solver(setup, SMALL)
    for position in endings(setup, cards, number, seed):
        if not keep:
            solver.start_new_deal()
        wanted, by_card = values(position)
        found = solver.value(position)
        assert found.is_exact
        assert found.lower_bound == wanted, position
        assert solver.can_win(position, wanted)
        assert not solver.can_win(position, wanted + 1)
        answers = solver.card_values(position)
        assert all(answer.is_exact for answer in answers.values())
        assert {card: answer.lower_bound for card, answer in answers.items()} == by_card, position


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_small_endings_equal_unpruned_search(name: str) -> None:
    players = ARRANGEMENTS[name].players
    compare(name, 2, 20, keep=True)
    compare(name, 3, 10 if players < 6 else 2, keep=False)
    if players < 5:
        compare(name, 4, 4, keep=True)
        compare(name, 5, 1, keep=False)


@pytest.mark.parametrize("name", [name for name in ARRANGEMENTS if "copies" in name])
def test_hands_with_many_copies_equal_unpruned_search(name: str) -> None:
    """Up to six cards of one kind, in one hand or in several."""
    setup, rng = ARRANGEMENTS[name], random.Random(6)
    solver, most = Solver(setup, SMALL), 0
    for cards in (2, 3, 4, 5):
        for _ in range(6 if setup.players < 5 else 2):
            few = rng.sample([c for c in CARDS if c.rank < setup.ranks], 5)
            deck = [card for card in few for _ in range(setup.copies)]
            number = min(cards, len(deck) // setup.players)
            rng.shuffle(deck)
            hands = tuple(
                tuple(sorted(deck[at :: setup.players][:number])) for at in range(setup.players)
            )
            trump, leader = rng.choice(few).suit, rng.randrange(setup.players)
            position = Position(setup, trump, hands, leader, (), rng.random() < 0.5)
            most = max(most, *(hand.count(card) for hand in hands for card in few))
            wanted, by_card = values(position)
            assert solver.value(position).lower_bound == wanted
            answers = solver.card_values(position)
            assert {card: answer.lower_bound for card, answer in answers.items()} == by_card
    assert most >= 3


@pytest.mark.soak
@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_many_endings_equal_unpruned_search(name: str, keep: bool) -> None:
    """Also with a table kept across unrelated deals, which is the harder test."""
    numbers = {2: 1000, 3: 600, 4: 250, 5: 60}
    if ARRANGEMENTS[name].players >= 5:
        numbers = {2: 600, 3: 60, 4: 4} if ARRANGEMENTS[name].players < 7 else {2: 300, 3: 8}
    for cards, number in numbers.items():
        compare(name, cards, number, keep=keep, seed=2)


@pytest.mark.parametrize("name", [name for name in ARRANGEMENTS if "able" in name])
def test_equal_cards_are_distinguished_when_a_void_hand_may_play_any_card(name: str) -> None:
    """There, which card can be beaten decides whether other suits may be played."""
    setup, rng = ARRANGEMENTS[name], random.Random(3)
    for cards in (2, 2, 2, 3):
        for _ in range(20):
            solver, position = Solver(setup, SMALL), dealt(setup, cards, rng, rng.choice([2, 3]))
            for _ in range(5):
                assert solver.value(position).lower_bound == value(position)
                position = exchanged(position, rng)


@pytest.mark.parametrize("name", ["partners", "declarer against two", "double deck", "two hands"])
def test_value_is_invariant_under_player_and_suit_symmetry(name: str) -> None:
    setup = ARRANGEMENTS[name]
    rng = random.Random(5)
    solver = Solver(setup, SMALL)
    for _ in range(6):
        position = dealt(setup, 8, rng)
        solver.start_new_deal()
        wanted = solver.value(position).lower_bound
        names = list(SUITS)
        rng.shuffle(names)
        other = relabelled(
            position, rng.randrange(setup.players), dict(zip(SUITS, names, strict=True))
        )
        assert Solver(other.setup, SMALL).value(other).lower_bound == wanted
        swapped = replace(setup, sides=tuple(1 - s for s in setup.sides))
        against = Position(
            swapped, position.trump, position.hands, position.leader, (), position.is_trump_broken
        )
        total = (
            sum(setup.points[card.rank] for hand in position.hands for card in hand)
            + setup.last_trick_points
        )
        assert Solver(swapped, SMALL).value(against).lower_bound == total - wanted


@pytest.mark.parametrize("name", ["partners", "declarer against two", "double deck", "one of five"])
def test_value_is_constant_along_the_principal_variation(name: str) -> None:
    setup = ARRANGEMENTS[name]
    solver = Solver(setup, SMALL)
    position = dealt(setup, 5, random.Random(8))
    wanted, won = solver.value(position).lower_bound, 0
    for turn, card in solver.principal_variation(position):
        assert position.turn == turn
        position, points = position.after_playing(card)
        won += points
        assert won + solver.value(position).lower_bound == wanted
    assert not any(position.hands)
    assert won == wanted


def test_principal_variation_ends_where_the_budget_does() -> None:
    setup = ARRANGEMENTS["partners"]
    position = dealt(setup, 7, random.Random(5))
    whole = Solver(setup, SMALL).principal_variation(position)
    assert len(whole) == 28
    lengths = set()
    for nodes in (0, 1000, 3000, 10_000, 1_000_000):
        solver, here = Solver(setup, SMALL), position
        line = solver.principal_variation(position, Budget(nodes=nodes))
        lengths.add(len(line))
        for turn, card in line:
            best = max if setup.sides[turn] == 0 else min
            values_of = {
                one: answer.lower_bound for one, answer in solver.card_values(here).items()
            }
            assert values_of[card] == best(values_of.values())
            here, _ = here.after_playing(card)
    assert min(lengths) == 0
    assert max(lengths) == 28


def playing_states(variant: str, seed: int, players: int | None = None) -> Iterator[GameState]:
    rng = random.Random(seed)
    state = game.start(variants.get(variant, players), 0)
    for _ in range(600):
        if state.phase is None:
            return
        if isinstance(state.phase, Playing):
            yield state
        choices = game.decision(state).legal
        if isinstance(choices, Deals):
            action: Action = choices.sample(rng)
        else:
            most = 3 if isinstance(choices, Bids) else 99
            action = rng.choice(tuple(islice(choices, most)))
        state, _ = game.apply(state, action)


TABLES = [(name, None) for name in sorted(variants.VARIANTS)] + [
    ("five-card", 9),
    ("two-handed", 3),
    ("two-handed", 4),
]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_positions_play_on_as_in_the_engine(variant: str, players: int | None) -> None:
    """Legal cards, winners of tricks and points are the same, card by card."""
    seen = 0
    for state in playing_states(variant, 3, players):
        side = state.rules.side_of(state.players[0])
        position = Position.from_state(state, side)
        plays = [a for a in game.decision(state).legal if isinstance(a, Play)]
        assert set(legal_plays(position)) == {play.card for play in plays}
        assert state.players[position.turn] == game.decision(state).seat
        for play in plays:
            after, _ = game.apply(state, play)
            if isinstance(after.phase, Playing):
                moved, won = position.after_playing(play.card)
                assert moved == Position.from_state(after, side)
                assert won == after.deal.won[side] - state.deal.won[side]
        seen += 1
    assert seen > 20


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_endings_of_random_games_equal_unpruned_search(variant: str) -> None:
    checked = 0
    for state in playing_states(variant, 9):
        hands = [len(hand) for hand in Position.from_state(state, 0).hands]
        if sum(hands) > 3 * len(hands) or checked > 12:
            continue
        for side in range(len(state.deal.won)):
            position = Position.from_state(state, side)
            if set(position.setup.sides) == {0, 1}:
                assert Solver(position.setup, SMALL).value(position).lower_bound == value(position)
        checked += 1
    assert checked > 3


def test_bounds_within_a_node_budget_contain_the_value() -> None:
    setup = ARRANGEMENTS["partners"]
    position = dealt(setup, 9, random.Random(4))
    solver = Solver(setup, SMALL)
    exact = solver.value(position)
    for nodes in (0, 50, 500, 5000):
        solver.start_new_deal()
        found = solver.value(position, Budget(nodes=nodes))
        assert found.lower_bound <= exact.lower_bound <= found.upper_bound
        assert found.nodes <= nodes
        assert not found.is_exact
    after = solver.value(position)  # earlier budgets leave no trace
    assert (after.lower_bound, after.upper_bound) == (exact.lower_bound, exact.upper_bound)
    assert solver.can_win(position, exact.lower_bound, Budget(seconds=0)) is None
    assert solver.value(position, Budget(seconds=0)).nodes == 0
    shared = Budget(nodes=500)  # one budget for three questions
    solver.start_new_deal()
    assert sum(solver.value(position, shared).nodes for _ in range(3)) == 500


def test_bounds_of_all_cards_within_one_budget_contain_their_values() -> None:
    setup = ARRANGEMENTS["partners"]
    position = dealt(setup, 9, random.Random(4))
    exact = Solver(setup, SMALL).card_values(position)
    assert all(answer.is_exact for answer in exact.values())
    closed = []
    for nodes in (0, 50, 5000, 20_000, 1_000_000):
        solver = Solver(setup, SMALL)
        found = solver.card_values(position, Budget(nodes=nodes))
        assert found.keys() == exact.keys()
        for card, answer in found.items():
            assert answer.lower_bound <= exact[card].lower_bound <= answer.upper_bound
        assert solver.nodes <= nodes
        closed.append(sum(answer.is_exact for answer in found.values()))
    assert closed[0] == 0
    assert closed[-1] == len(exact)


def test_every_card_gets_bounds_when_the_budget_is_too_small() -> None:
    setup = ARRANGEMENTS["double deck"]
    position = dealt(setup, 20, random.Random(1))
    found = Solver(setup, SMALL).card_values(position, Budget(nodes=1_500_000))
    assert len(found) > 5
    assert all(answer.nodes and not answer.is_exact for answer in found.values())
    assert all(answer.lower_bound > 0 or answer.upper_bound < 50 for answer in found.values())


def test_stopping_a_budget_returns_the_bounds_so_far() -> None:
    setup = ARRANGEMENTS["double deck"]
    position = dealt(setup, 20, random.Random(1))
    budget = Budget()
    seen: list[ValueInterval] = []

    def stop_at_first(answer: ValueInterval) -> None:
        seen.append(answer)
        budget.stop()

    found = Solver(setup, SMALL).value(position, budget, stop_at_first)
    assert len(seen) == 1
    assert seen[0].lower_bound <= found.lower_bound < found.upper_bound <= seen[0].upper_bound
    again = Solver(setup, SMALL)
    assert again.card_values(position, budget).keys() == set(legal_plays(position))
    assert again.can_win(position, 20, budget) is None
    assert again.nodes == 0


def test_budget_can_be_stopped_from_another_thread() -> None:
    setup = ARRANGEMENTS["double deck"]
    position = dealt(setup, 20, random.Random(1))
    budget = Budget()
    seen: list[dict[Card, ValueInterval]] = []
    reported = threading.Event()

    def report(answers: dict[Card, ValueInterval]) -> None:
        seen.append(answers)
        reported.set()

    def stop() -> None:
        assert reported.wait(PATIENCE_SECONDS)
        budget.stop()

    stopper = threading.Thread(target=stop)
    stopper.start()
    found = Solver(setup, SMALL).card_values(position, budget, report)
    stopper.join()
    assert not all(answer.is_exact for answer in found.values())
    assert seen  # progress was reported
    assert seen[-1].keys() == found.keys()


@pytest.mark.parametrize("name", ["partners, traditional", "one of five", "double deck"])
def test_answers_do_not_depend_on_slicing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches are paused after a few cards, continued, given up and restarted."""
    setup = ARRANGEMENTS[name]
    positions = [
        *endings(setup, 5, 8, 11),
        *endings(setup, 2, 4, 11),
        dealt(setup, 6, random.Random(2)),
    ]
    assert any(len(legal_plays(position)) == 1 for position in positions)
    wanted = [Solver(setup, SMALL).card_values(position) for position in positions]
    monkeypatch.setattr("acesaround.fast.solver.budget._SLICE_NODES", 13)
    monkeypatch.setattr("acesaround.fast.solver.solver._FIRST_NODE_LIMIT", 50)
    monkeypatch.setattr("acesaround.fast.solver.solver._FIRST_CARD_NODE_LIMIT", 20)
    monkeypatch.setattr("acesaround.fast.solver.solver._MAX_VALUE_NODES", 60)
    for position, cards_of in zip(positions, wanted, strict=True):
        solver = Solver(setup, SMALL)
        found = solver.card_values(position)
        assert all(answer.is_exact for answer in found.values())
        assert {c: a.lower_bound for c, a in found.items()} == {
            c: a.lower_bound for c, a in cards_of.items()
        }
        best = max if setup.sides[position.turn] == 0 else min
        solver.start_new_deal()
        assert solver.value(position).lower_bound == best(
            answer.lower_bound for answer in found.values()
        )


def test_a_full_transposition_table_changes_no_answer() -> None:
    setup = ARRANGEMENTS["partners"]
    tiny, large = Solver(setup, 0), Solver(setup, 16)
    for position in endings(setup, 8, 6, 3):
        assert tiny.value(position).lower_bound == large.value(position).lower_bound
    assert tiny.nodes > large.nodes  # it was too small


def test_the_transposition_table_never_grows() -> None:
    setup = ARRANGEMENTS["double deck"]
    for megabytes in (0, 1, 6, 8):
        solver = Solver(setup, megabytes)
        before = solver._tables.transposition_table.nbytes
        solver.value(dealt(setup, 20, random.Random(1)), Budget(nodes=300_000))
        assert (
            solver._tables.transposition_table.nbytes
            == before
            <= max(megabytes, 1) * (1 << 20) + 64
        )


VALUES_AND_NODES = {  # value and nodes of two deals of eight cards
    "partners": ((10, 11913), (12, 4644)),
    "partners, traditional": ((111, 17855), (122, 41575)),
    "declarer against two": ((1, 401), (0, 10)),
    "two hands": ((28, 724), (23, 1209)),
    "double deck": ((19, 139), (8, 7201)),
    "one of five": ((0, 2446), (0, 91)),
}


@pytest.mark.parametrize("name", VALUES_AND_NODES)
def test_values_and_nodes_of_known_deals_are_unchanged(name: str) -> None:
    setup = ARRANGEMENTS[name]
    solver, rng = Solver(setup, SMALL), random.Random(12)
    for wanted in VALUES_AND_NODES[name]:
        solver.start_new_deal()
        found = solver.value(dealt(setup, 8, rng))
        assert (found.lower_bound, found.nodes) == wanted, (
            "The value may never change. Other nodes mean that the order of the moves, the bounds"
            " or what a proof tells apart has changed: if that was meant, write them down."
        )


def hands(*written: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(parse_cards(hand.split()) for hand in written)


@pytest.mark.parametrize(
    ("cards", "leader", "trick", "sentence"),
    [
        (("AS", "AH", "AD"), 0, "", "3 hands were given for 4 players"),
        (("AS", "AH", "AD", "AC TC"), 0, "", "sizes differ"),
        (("AS", "AH", "AD", "AC"), 0, "KC", "sizes differ"),
        (("AS AS", "AS TS", "AD TD", "AC TC"), 0, "", "more than 2 of AS"),
        (("AS", "AS", "AD", ""), 3, "AS", "more than 2 of AS"),
        (("AS", "AH", "AD", "AC"), 4, "", "no player 4"),
        (("AS", "AH", "AD", "AC"), -1, "", "no player -1"),
        (("", "", "", ""), 0, "AS AH AD AC", "no trick in play"),
        (("AS", "AH", "AD", "AC"), 0, "AS AH AD AC KC", "no trick in play"),
    ],
)
def test_impossible_positions_are_refused(
    cards: tuple[str, ...], leader: int, trick: str, sentence: str
) -> None:
    with pytest.raises(PositionError, match=sentence):
        Position(
            ARRANGEMENTS["partners"], Suit.H, hands(*cards), leader, parse_cards(trick.split())
        )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"trump": 1}, "not a suit"),
        ({"trump": None}, "not a suit"),
        ({"trump": "hearts"}, "not a suit"),
        ({"leader": None}, "no player None"),
        ({"leader": 0.5}, "no player 0.5"),
        ({"hands": ("AS", "AH", "AD", "AC")}, "'A' is not a card"),
        ({"hands": ((0,), (1,), (2,), (3,))}, "0 is not a card"),
        ({"hands": (([],), ([],), ([],), ([],))}, "is not a card"),
        ({"trick": parse_cards("KH"), "hands": hands("", "AH", "AD", "AC")}, "trump is broken"),
    ],
)
def test_invalid_fields_of_a_position_are_refused(fields: dict[str, Any], sentence: str) -> None:
    sound = {
        "trump": Suit.H,
        "hands": hands("AS", "AH", "AD", "AC"),
        "leader": 0,
        "is_trump_broken": False,
    }
    Position(ARRANGEMENTS["partners"], **sound)  # type: ignore[arg-type]
    with pytest.raises(PositionError, match=sentence):
        Position(ARRANGEMENTS["partners"], **{**sound, **fields})


@pytest.mark.parametrize(
    ("sides", "copies", "points", "last", "sentence"),
    [
        ((0, 0), 2, (1, 1, 1, 0, 0, 0), 1, "two sides"),
        ((0, 1, 2), 2, (1, 1, 1, 0, 0, 0), 1, "two sides"),
        ((0,), 2, (1, 1, 1, 0, 0, 0), 1, "2 to 9 players"),
        ((0, 1) * 5, 2, (1, 1, 1, 0, 0, 0), 1, "2 to 9 players"),
        ((0, 1), 0, (1, 1, 1, 0, 0, 0), 1, "1 to 6 copies"),
        ((0, 1), 7, (1, 1, 1, 0, 0, 0), 1, "1 to 6 copies"),
        ((0, 1), 2, (1, 1, 1, 0), 1, "5 or 6 ranks"),
        ((0, 1), 2, (1, 1, 1, 0, 0, 0, 0), 1, "5 or 6 ranks"),
        ((0, 1), 2, (1.5, 1, 1, 0, 0, 0), 1, "whole numbers"),
        ((0, 1), 2, (1, 1, 1, 0, 0, -1), 1, "points below 0"),
        ((0, 1), 2, (1, 1, 1, 0, 0, 0), -1, "points below 0"),
        ((0, 1), 2, (1, 1, 0, 1, 0, 0), 1, "a card that is worth more than a higher one"),
        ((0, 1), 2, (1, 1, 1, 1, 0, 0), 1, "3 ranks with the same points"),
        ((0, 1), 2, (0, 0, 0, 0, 0, 0), 1, "3 ranks with the same points"),
        ((0, 1), 4, (60, 20, 10, 3, 1, 0), 1, "too many points"),
    ],
)
def test_invalid_setups_are_refused(
    sides: tuple[int, ...], copies: int, points: tuple[Any, ...], last: int, sentence: str
) -> None:
    with pytest.raises(PositionError, match=sentence):
        SolverSetup(sides, copies, points, last)


def test_positions_of_other_setups_are_refused() -> None:
    double = ARRANGEMENTS["double deck"]
    with pytest.raises(PositionError, match="no 9H"):
        Position(double, Suit.H, hands("9H", "AH", "AH", "AH"), 0)
    position = dealt(double, 2, random.Random(1))
    for ask in (Solver.value, Solver.card_values, Solver.principal_variation):
        with pytest.raises(PositionError, match="different setups"):
            ask(Solver(ARRANGEMENTS["partners"], SMALL), position)
    with pytest.raises(PositionError, match="Only the play"):
        Position.from_state(game.start(variants.VARIANTS["partnership"], 0), 0)


def test_a_finished_deal_has_value_0() -> None:
    setup = ARRANGEMENTS["partners"]
    over = Position(setup, Suit.H, ((), (), (), ()), 0)
    solver = Solver(setup, SMALL)
    assert (solver.value(over).lower_bound, solver.value(over).upper_bound) == (0, 0)
    assert solver.can_win(over, 0)
    assert not solver.can_win(over, 1)
    assert solver.card_values(over) == {}
    assert solver.principal_variation(over) == ()


def test_illegal_trick_so_far_is_accepted() -> None:
    """A player who holds the led suit has played another."""
    setup = ARRANGEMENTS["partners"]
    position = Position(
        setup, Suit.S, hands("KH 9D", "AH QD", "TH JC JD", "9H KC QC"), 0, parse_cards("KD TC")
    )
    assert Solver(setup, SMALL).value(position).lower_bound == value(position)


def test_a_copied_solver_is_independent() -> None:
    setup = ARRANGEMENTS["partners"]
    position = dealt(setup, 6, random.Random(3))
    solvers = [Solver(setup, SMALL)]
    wanted = solvers[0].value(position)
    solvers += [copy.deepcopy(solvers[0]), pickle.loads(pickle.dumps(solvers[0]))]
    del solvers[0]
    gc.collect()
    for solver in solvers:
        assert solver.value(position).lower_bound == wanted.lower_bound


def test_uncompiled_kernels_equal_unpruned_search() -> None:
    program = (
        "from tests.fast.solver.test_solver import compare\n"
        "compare('partners', 2, 3, keep=True)\n"
        "compare('one of four, 96 cards', 2, 2, keep=False)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_next_process_loads_a_compiled_kernel() -> None:
    program = (
        "import random\n"
        "from acesaround.fast import Solver\n"
        "from tests.fast.solver.brute import ARRANGEMENTS, dealt\n"
        "setup = ARRANGEMENTS['partners']\n"
        "Solver(setup, 1).value(dealt(setup, 2, random.Random(1)))\n"
        "from acesaround.fast.solver.search import search\n"
        "print(sum(search.stats.cache_hits.values()), sum(search.stats.cache_misses.values()))\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.split() == ["1", "0"]
