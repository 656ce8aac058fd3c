"""The number of worlds and their frequencies equal those of a search that tries all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from acesaround import variants
from acesaround.cards import CARDS, card_count, unpack
from acesaround.fast.playouts.packed_deal import hand_from_sets
from acesaround.fast.sampler import Sampler, Worlds, read_constraints
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from acesaround.rules import Phase
from tests.fast.sampler.brute import TooManyError, World, every_world
from tests.random_games import Turn, turns
from tests.variant_sample import sample_variants

TABLES = [
    ("three-handed", 3, {}),
    ("three-handed", 3, {"marriage_needed": True}),
    ("five-card", 3, {}),
    ("five-card", 9, {}),
    ("seven-card", 2, {"marriage_needed": True}),
    ("partnership", 4, {}),
    ("partnership", 4, {"exchange": 0}),
    ("two-handed", 3, {}),
    ("two-handed", 2, {"meld_from_hand": False}),
    ("two-handed", 4, {"deck": "24-each"}),
    ("double-deck", 4, {}),
    ("double-deck", 4, {"exchange": 2}),
    ("double-deck-classic", 4, {"double_roundhouse": 20}),
]
DRAWS = 20_000


def states_with_few_worlds(
    variant: str,
    players: int,
    options: dict[str, object],
    number: int,
    fits: Callable[[GameState, int], bool] = lambda _state, _seat: True,
) -> Iterator[tuple[list[Turn], int, dict[World, int]]]:
    """Yield past, seat and all worlds of states of random games with few worlds."""
    rules = variants.get(variant, players, options)
    for seed in range(1000):
        past: list[Turn] = []
        for turn in turns(rules, seed, deals=1):
            state = turn.before
            seat = state.players[(seed + len(past)) % len(state.players)]
            if turn.decision.kind is DecisionKind.PLAY and is_late(state) and fits(state, seat):
                try:
                    worlds = every_world(past, seat, 300)
                except TooManyError:
                    worlds = {}
                if len(worlds) > 4:
                    yield past, seat, worlds
                    number -= 1
                    if not number:
                        return
                    break
            past.append(turn)


def is_late(state: GameState) -> bool:
    """Return True if each hand has less than half of its cards, or the last draws follow.

    Two players know each other's hands when the stock is empty.
    """
    if len(state.players) == 2 and Phase.STOCK_PLAY in state.rules.phases:
        return 0 < len(state.deal.stock) < 4
    return 2 * max(map(card_count, state.hands)) < state.rules.hand_size


def has_exchanged_nine(state: GameState, seat: int) -> bool:
    """Return True if another player exchanged a nine for the upcard and may still hold it."""
    swaps = [
        taken for taken in state.deal.upcards_taken if taken.left is not None and taken.seat != seat
    ]
    return any(taken.card in state.hand(taken.seat) for taken in swaps)


def count_worlds(worlds: Worlds) -> Counter[World]:
    rows: Counter[tuple[bytes, bytes]] = Counter()
    for hands, rest in zip(worlds.hands, worlds.rest, strict=True):
        rest.sort()
        rows[hands.tobytes(), rest.tobytes()] += 1
    found: Counter[World] = Counter()
    first = dict.fromkeys(rows, -1)
    for number, (hands, rest) in enumerate(zip(worlds.hands, worlds.rest, strict=True)):
        first[hands.tobytes(), rest.tobytes()] = number
    for key, number in first.items():
        held = tuple(unpack(hand_from_sets(row)) for row in worlds.hands[number])
        found[held, tuple(CARDS[kind] for kind in worlds.rest[number])] += rows[key]
    return found


def assert_frequencies(found: Counter[World], weights: dict[World, int]) -> None:
    """Assert that frequencies match weights: chi-square, rare worlds taken together."""
    assert set(found) <= set(weights)
    total, number = sum(weights.values()), sum(found.values())
    cells, rare = [], [0.0, 0.0]
    for world, weight in weights.items():
        expected = number * weight / total
        if expected < 10:
            rare[0] += expected
            rare[1] += found[world]
        else:
            cells.append((expected, found[world]))
    if rare[0] >= 10:
        cells.append((rare[0], int(rare[1])))
    chi = sum((seen - expected) ** 2 / expected for expected, seen in cells)
    assert chi < len(cells) + 6 * (2 * len(cells)) ** 0.5


@pytest.mark.parametrize(("variant", "players", "options"), sample_variants(TABLES))
def test_worlds_are_drawn_with_exact_frequencies(
    variant: str, players: int, options: dict[str, object]
) -> None:
    assert compare_with_search(states_with_few_worlds(variant, players, options, 1)) == 1


@pytest.mark.parametrize("players", [2, 3])
def test_worlds_are_drawn_with_exact_frequencies_after_an_exchanged_nine(players: int) -> None:
    states = states_with_few_worlds("two-handed", players, {}, 3, has_exchanged_nine)
    assert compare_with_search(states) == 3


def compare_with_search(
    states_with_few_worlds: Iterator[tuple[list[Turn], int, dict[World, int]]],
) -> int:
    """Compare counts and frequencies, and return the number of states."""
    number = 0
    for past, seat, weights in states_with_few_worlds:
        constraints = read_constraints(view_for(past[-1].after, seat))
        sampler = Sampler(constraints)
        if sampler.exact:
            assert sampler.count == sum(weights.values())
        else:
            assert sampler.count == pytest.approx(sum(weights.values()), rel=0.2)
        worlds = sampler.draw(DRAWS, seed=7)
        assert not worlds.relaxed.any()
        assert_frequencies(count_worlds(worlds), weights)
        number += 1
    return number
