"""Packed deals: there and back, and a kernel that plays as the engine does, choice by choice."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Bids, LayMeld, Pass, Play
from acesaround.cards import KIND_COUNT
from acesaround.errors import PositionError
from acesaround.fast.playouts.packed_deal import TRICKS_LEFT, PackedDeal, copy_deal, pack, unpack
from acesaround.fast.playouts.perft import perft
from acesaround.fast.playouts.play_loop import (
    CHOICE_BITS,
    CHOICE_MASK,
    DECLINE_MELD,
    FROM_LOG,
    RANDOM,
    legal_choices,
    play_on,
)
from acesaround.fast.playouts.rng import start_stream
from acesaround.fast.playouts.rule_arrays import rule_arrays
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Playing, StockPlaying, tally
from acesaround.rules import Phase, Rules
from acesaround.rules.laydown import candidates
from acesaround.rules.support import Feature
from acesaround.rules.tricks import points_of
from tests.extended_rules import WIDE
from tests.random_games import tables, turns
from tests.stocked import HOUSES
from tests.test_perft import CASES, position

TABLES: list[tuple[str, int | None, dict[str, object]]] = [
    *((name, None, {}) for name in sorted(variants.VARIANTS)),
    ("five-card", 9, {}),
    ("seven-card", 6, {}),
    ("two-handed", 3, {}),
    ("two-handed", 4, {}),
    ("two-handed", 2, {"deck": "24-each", "card_points": "traditional"}),
    ("two-handed", 3, {"deck": "24-each"}),
    ("two-handed", 4, {"deck": "24-each"}),
    ("two-handed", 2, {"meld_from_hand": False}),
    ("two-handed", 3, {"meld_from_hand": False, "card_points": "tens"}),
    ("two-handed", 4, {"meld_from_hand": False, "deck": "24-each"}),
    ("three-handed", None, {"card_points": "kings-fives", "concede": "never"}),
    ("partnership", None, {"card_points": "traditional", "renege": "penalty"}),
]


def game_states(
    variant: str, players: int | None, options: dict[str, object], seed: int
) -> list[GameState]:
    """The states of one random game, where tricks are being played."""
    return states_of(variants.get(variant, players, options), seed)


def states_of(rules: Rules, seed: int) -> list[GameState]:
    """The same by rules."""
    rng = random.Random(seed)
    state = game.start(rules, 0)
    states = []
    for _ in range(800):
        if state.phase is None or state.deals > 3:
            break
        if isinstance(state.phase, Playing | StockPlaying):
            states.append(state)
        choices = game.decision(state).legal
        if isinstance(choices, Deals):
            state, _ = game.apply(state, choices.sample(rng))
        else:
            most = 3 if isinstance(choices, Bids) else 99
            state, _ = game.apply(state, rng.choice(tuple(islice(choices, most))))
    return states


@pytest.mark.parametrize(("variant", "players", "options"), TABLES)
def test_a_state_comes_back_from_its_packing(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    states = game_states(variant, players, options, 1)
    assert len(states) > 20
    for state in states:
        assert unpack(pack(state), state) == state


def number_of(action: Action, state: GameState) -> int:
    """A card or a lay-down as a choice of the kernel."""
    if isinstance(action, Play):
        return action.card
    if isinstance(action, Pass):
        return DECLINE_MELD
    assert isinstance(action, LayMeld)
    assert state.deal.trump is not None
    offered = candidates(state.rules.melds, state.deal.trump)
    return KIND_COUNT + next(its.number for its in offered if its.results[0].cards == action.cards)


def offered(state: GameState) -> dict[int, Action]:
    """What the engine lets the player on turn do beside giving up, by choice of the kernel."""
    legal = game.decision(state).legal
    return {number_of(a, state): a for a in legal if isinstance(a, Play | LayMeld | Pass)}


PAST = ("tricks", "laid", "drawn", "lying", "taken")
"""What a packed deal does not say of how it came about."""


def compare_each_choice(states: Iterable[GameState]) -> int:
    """At each state the same choices, after each of them the same state; how many there were."""
    compared = 0
    for state in states:
        numbers, packed = rule_arrays(state.rules, state.players), pack(state)
        actions = offered(state)
        every = sum(1 << choice for choice in actions)
        assert unpack(packed, state) == state
        assert legal_choices(numbers, packed) == every
        for choice, action in actions.items():
            after, _ = game.apply(state, action)
            moved, log = copy_deal(packed), np.array([choice])
            play_on(numbers, moved, np.full(len(state.players), FROM_LOG), 0, log, 1)
            assert log[0] == every << CHOICE_BITS | choice
            if isinstance(after.phase, Playing | StockPlaying):
                past = {name: getattr(after.deal, name) for name in PAST}
                deal = replace(state.deal, **past)
                assert unpack(moved, replace(state, deal=deal)) == after
                same = pack(after)
                left = moved.stock[len(moved.stock) - len(same.stock) :]
                moved = moved._replace(stock=left)
                for field in PackedDeal._fields:
                    assert np.array_equal(getattr(moved, field), getattr(same, field)), field
            else:
                assert moved.status[TRICKS_LEFT] == 0
                assert tuple(moved.points_won) == won(state, action)
            compared += 1
    return compared


@pytest.mark.parametrize(("variant", "players", "options"), TABLES)
def test_kernel_and_engine_agree_choice_by_choice(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    """The same choices at each point, the same state after each of them."""
    assert compare_each_choice(game_states(variant, players, options, 2)[::2]) > 50


@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_kernel_and_engine_agree_however_melds_are_laid(rules: Rules) -> None:
    assert compare_each_choice(states_of(rules, 0)[::2]) > 40
    assert whole_deals(rules)


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_kernel_and_engine_agree_beyond_the_presets(rules: Rules) -> None:
    """Up to six copies of a card, six seats in two or three sides, and nine alone."""
    assert compare_each_choice(states_of(rules, 3)[::2]) > 40
    laid = whole_deals(rules)
    assert rules.deal.upcard or not laid
    assert laid or rules.deck.copies == 1 or not rules.deal.upcard


def played(rules: Rules, seed: int) -> Iterator[GameState]:
    """The states of the play of tricks in a random game of two deals."""
    for turn in turns(rules, seed):
        if isinstance(turn.before.phase, Playing | StockPlaying):
            yield turn.before


@given(tables(part=Feature.PLAYOUTS), st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_kernel_and_engine_agree_at_any_table(rules: Rules, seed: int) -> None:
    """Whatever the variant, the number of players and the house options."""
    compare_each_choice(played(rules, seed))


@pytest.mark.soak
@given(tables(part=Feature.PLAYOUTS), st.integers(0, 2**32))
@settings(max_examples=1000, deadline=None)
def test_kernel_and_engine_agree_at_very_many_tables(rules: Rules, seed: int) -> None:
    compare_each_choice(played(rules, seed))


def compare_whole_deals(variant: str, players: int | None, options: dict[str, object]) -> int:
    """Play deals in the kernel, then again in the engine; returns how many melds were laid."""
    return whole_deals(variants.get(variant, players, options))


def whole_deals(rules: Rules) -> int:
    """The same by rules."""
    laid = 0
    for seed in range(6):
        state = states_of(rules, seed)[0]
        numbers, packed = rule_arrays(state.rules, state.players), pack(state)
        log = np.full(2 * state.rules.deck.size, -1)
        play_on(
            numbers,
            packed,
            np.full(len(state.players), RANDOM),
            start_stream(1, seed),
            log,
            len(log),
        )
        assert packed.status[TRICKS_LEFT] == 0
        entries = log[log >= 0]
        for entry in entries[:-1]:
            actions = offered(state)
            assert entry >> CHOICE_BITS == sum(1 << choice for choice in actions)
            state, _ = game.apply(state, actions[entry & CHOICE_MASK])
        last = offered(state)[entries[-1] & CHOICE_MASK]
        assert tuple(packed.points_won) == won(state, last)
        of_all = game.last_state_of_deal(state, last)
        melds = [0] * len(state.players)
        for its in of_all.deal.laid:
            melds[state.players.index(its.seat)] += its.points
        assert list(packed.meld_points) == melds
        laid += int((entries & CHOICE_MASK >= KIND_COUNT).sum())
    return laid


@pytest.mark.parametrize(("variant", "players", "options"), TABLES)
def test_a_deal_played_by_the_kernel_is_a_deal_of_the_engine(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    laid = compare_whole_deals(variant, players, options)
    assert (laid > 0) == (Phase.STOCK_PLAY in variants.VARIANTS[variant].phases)


def test_random_play_chooses_each_card_and_each_lay_down_as_often() -> None:
    draws = 6_000
    states = game_states("two-handed", None, {}, 2)
    state = max(states, key=lambda state: max(offered(state)))
    actions, counted = sorted(offered(state)), Counter[int]()
    assert sum(choice >= KIND_COUNT for choice in actions) > 1
    numbers, packed, log = (
        rule_arrays(state.rules, state.players),
        pack(state),
        np.zeros(1, np.int64),
    )
    for number in range(draws):
        policies = np.full(len(state.players), RANDOM)
        play_on(numbers, copy_deal(packed), policies, start_stream(1, number), log, 1)
        counted[int(log[0]) & CHOICE_MASK] += 1
    assert sorted(counted) == actions
    share = 1 / len(actions)
    wide = 4 * (draws * share * (1 - share)) ** 0.5
    assert all(abs(seen - draws * share) < wide for seen in counted.values())


def test_the_same_loop_runs_uncompiled() -> None:
    program = (
        "import numpy\n"
        "numpy.seterr(over='ignore')\n"
        "from tests.fast.playouts.test_packed_deal import compare_each_choice, game_states\n"
        "from tests.fast.playouts.test_packed_deal import compare_whole_deals\n"
        "compare_each_choice(game_states('two-handed', 4, {'meld_from_hand': False}, 5))\n"
        "compare_whole_deals('two-handed', 2, {'deck': '24-each'})\n"
        "compare_whole_deals('seven-card', None, {})\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def won(state: GameState, last: Action) -> tuple[int, ...]:
    """Points in tricks and for the last one, a side, after the card that ends a deal."""
    counted = tally(game.last_state_of_deal(state, last)).play
    buried = sum(points_of(state.rules.scoring.card_points)[card] for card in state.deal.buried)
    declarer = state.deal.declarer
    side = None if declarer is None else state.rules.side_of(declarer)
    return tuple(points - buried * (s == side) for s, points in enumerate(counted))


@pytest.mark.parametrize(("variant", "trump", "leader", "hands", "depth", "count"), CASES)
def test_kernel_and_engine_count_the_same_ways_to_play(
    variant: str, trump: str, leader: int, hands: list[str], depth: int, count: int
) -> None:
    state = position(variant, trump, leader, hands)
    assert perft(rule_arrays(state.rules, state.players), pack(state), depth) == count


def test_what_is_no_play_of_tricks_is_not_packed() -> None:
    state = game.start(variants.VARIANTS["partnership"], 0)
    with pytest.raises(PositionError, match="Only the play"):
        pack(state)
