"""Packed deals: packing and unpacking, and a kernel that plays as the engine does."""

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
from acesaround.actions import Action, LayMeld, Pass, Play
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
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Playing, StockPlaying, tally
from acesaround.legal_bids import Bids
from acesaround.rules import Phase, Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.laid_melds import meld_candidates
from acesaround.rules.tricks import points_of
from tests.extended_rules import WIDE
from tests.random_games import tables, turns
from tests.stock_rules import STOCK_RULES
from tests.test_perft import ARGUMENTS, list_cases, position
from tests.variant_sample import sample_variants

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
    """Return the states of one random game, where tricks are being played."""
    return states_of(variants.get(variant, players, options), seed)


def states_of(rules: Rules, seed: int) -> list[GameState]:
    """Return the states of one random game by rules, where tricks are being played."""
    return list(yield_states(rules, seed))


def yield_states(rules: Rules, seed: int) -> Iterator[GameState]:
    """Yield the states of one random game by rules, where tricks are being played."""
    rng = random.Random(seed)
    state = game.start(rules, 0)
    for _ in range(800):
        if state.phase is None or state.deals > 3:
            return
        if isinstance(state.phase, Playing | StockPlaying):
            yield state
        choices = game.decision(state).legal
        if isinstance(choices, Deals):
            state, _ = game.apply(state, choices.sample(rng))
        else:
            most = 3 if isinstance(choices, Bids) else 99
            state, _ = game.apply(state, rng.choice(tuple(islice(choices, most))))


@pytest.mark.parametrize(("variant", "players", "options"), TABLES)
def test_unpack_restores_state(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    states = game_states(variant, players, options, 1)
    assert len(states) > 20
    for state in states:
        assert unpack(pack(state), state) == state


def number_of(action: Action, state: GameState) -> int:
    """Return the kernel's number of a card or a lay-down."""
    if isinstance(action, Play):
        return action.card
    if isinstance(action, Pass):
        return DECLINE_MELD
    assert isinstance(action, LayMeld)
    assert state.deal.trump is not None
    offered = meld_candidates(state.rules.melds, state.deal.trump)
    return KIND_COUNT + next(
        candidate.pattern.number
        for candidate in offered
        if candidate.results[0].cards == action.cards
    )


def offered(state: GameState) -> dict[int, Action]:
    """Return the legal actions of the player on turn except giving up, by number of the kernel."""
    legal = game.decision(state).legal
    return {number_of(a, state): a for a in legal if isinstance(a, Play | LayMeld | Pass)}


PAST = ("tricks", "laid", "drawn", "melded_cards", "upcards_taken")
"""Fields of a deal's history, which a packed deal leaves out."""


def compare_each_choice(states: Iterable[GameState]) -> int:
    """Assert that the choices and the state after each are the same; return their number."""
    compared = 0
    for state in states:
        numbers, packed = build_rule_arrays(state.rules, state.players), pack(state)
        actions = offered(state)
        expected_bits = sum(1 << choice for choice in actions)
        assert unpack(packed, state) == state
        assert legal_choices(numbers, packed) == expected_bits
        for choice, action in actions.items():
            after, _ = game.apply(state, action)
            kernel_deal, log = copy_deal(packed), np.array([choice])
            play_on(numbers, kernel_deal, np.full(len(state.players), FROM_LOG), 0, log, 1)
            assert log[0] == expected_bits << CHOICE_BITS | choice
            if isinstance(after.phase, Playing | StockPlaying):
                past = {name: getattr(after.deal, name) for name in PAST}
                deal = replace(state.deal, **past)
                assert unpack(kernel_deal, replace(state, deal=deal)) == after
                engine_deal = pack(after)
                left = kernel_deal.stock[len(kernel_deal.stock) - len(engine_deal.stock) :]
                kernel_deal = kernel_deal._replace(stock=left)
                for field in PackedDeal._fields:
                    assert np.array_equal(
                        getattr(kernel_deal, field), getattr(engine_deal, field)
                    ), field
            else:
                assert kernel_deal.status[TRICKS_LEFT] == 0
                assert tuple(kernel_deal.points_won) == points_won_after(state, action)
            compared += 1
    return compared


@pytest.mark.parametrize(("variant", "players", "options"), sample_variants(TABLES))
def test_kernel_and_engine_agree_choice_by_choice(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    assert compare_each_choice(game_states(variant, players, options, 2)[::2]) > 50


@pytest.mark.parametrize("rules", STOCK_RULES.values(), ids=STOCK_RULES)
def test_kernel_and_engine_agree_under_house_rules(rules: Rules) -> None:
    assert compare_each_choice(states_of(rules, 0)[::3]) > 40
    assert compare_whole_deals(rules)


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_kernel_and_engine_agree_under_extended_rules(rules: Rules) -> None:
    """Up to six copies of a card, six seats in two or three sides, and nine alone."""
    assert compare_each_choice(states_of(rules, 3)[::2]) > 40
    laid = compare_whole_deals(rules)
    assert rules.deal.upcard or not laid
    assert laid or rules.deck.copies == 1 or not rules.deal.upcard


def played(rules: Rules, seed: int) -> Iterator[GameState]:
    """Yield the states of the play of tricks in a random game of two deals."""
    for turn in turns(rules, seed):
        if isinstance(turn.before.phase, Playing | StockPlaying):
            yield turn.before


@given(tables(part=Feature.PLAYOUTS), st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_kernel_and_engine_agree_at_any_table(rules: Rules, seed: int) -> None:
    compare_each_choice(played(rules, seed))


@pytest.mark.soak
@given(tables(part=Feature.PLAYOUTS), st.integers(0, 2**32))
@settings(max_examples=1000, deadline=None)
def test_kernel_and_engine_agree_at_very_many_tables(rules: Rules, seed: int) -> None:
    compare_each_choice(played(rules, seed))


def compare_whole_deals(rules: Rules) -> int:
    """Play deals in the kernel, then again in the engine; return the number of laid melds."""
    laid = 0
    for seed in range(6):
        state = next(yield_states(rules, seed))
        numbers, packed = build_rule_arrays(state.rules, state.players), pack(state)
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
        assert tuple(packed.points_won) == points_won_after(state, last)
        closed = game.last_state_of_deal(state, last)
        melds = [0] * len(state.players)
        for meld in closed.deal.laid:
            melds[state.players.index(meld.seat)] += meld.points
        assert list(packed.meld_points) == melds
        laid += int((entries & CHOICE_MASK >= KIND_COUNT).sum())
    return laid


@pytest.mark.parametrize(("variant", "players", "options"), TABLES)
def test_engine_replays_a_deal_of_the_kernel(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    laid = compare_whole_deals(variants.get(variant, players, options))
    assert (laid > 0) == (Phase.STOCK_PLAY in variants.VARIANTS[variant].phases)


def test_random_policy_chooses_each_action_equally_often() -> None:
    draws = 6_000
    states = game_states("two-handed", None, {}, 2)
    state = max(states, key=lambda state: max(offered(state)))
    actions, counted = sorted(offered(state)), Counter[int]()
    assert sum(choice >= KIND_COUNT for choice in actions) > 1
    numbers, packed, log = (
        build_rule_arrays(state.rules, state.players),
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


def test_uncompiled_kernel_agrees_with_the_engine() -> None:
    program = (
        "import numpy\n"
        "numpy.seterr(over='ignore')\n"
        "from tests.fast.playouts.test_packed_deal import compare_each_choice, game_states\n"
        "from tests.fast.playouts.test_packed_deal import compare_whole_deals\n"
        "from acesaround import variants\n"
        "compare_each_choice(game_states('two-handed', 4, {'meld_from_hand': False}, 5))\n"
        "rules = variants.get('two-handed', 2, {'deck': '24-each'})\n"
        "compare_whole_deals(rules)\n"
        "compare_whole_deals(variants.get('seven-card'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def points_won_after(state: GameState, last: Action) -> tuple[int, ...]:
    """Return the points of tricks and of the last one by side, after a last action."""
    counted = tally(game.last_state_of_deal(state, last)).play
    buried = sum(points_of(state.rules.scoring.card_points)[card] for card in state.deal.buried)
    declarer = state.deal.declarer
    side = None if declarer is None else state.rules.side_of(declarer)
    return tuple(points - buried * (s == side) for s, points in enumerate(counted))


@pytest.mark.parametrize(ARGUMENTS, list_cases())
def test_kernel_and_engine_have_the_same_perft(
    variant: str, trump: str, leader: int, hands: list[str], depth: int, count: int
) -> None:
    state = position(variant, trump, leader, hands)
    assert perft(build_rule_arrays(state.rules, state.players), pack(state), depth) == count


def test_packing_refuses_states_outside_the_play() -> None:
    state = game.start(variants.VARIANTS["partnership"], 0)
    with pytest.raises(PositionError, match="Only the play"):
        pack(state)
