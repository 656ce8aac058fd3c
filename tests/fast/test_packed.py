"""Packed deals: there and back, and a kernel that plays as the engine does, card by card."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Bids, Play
from acesaround.fast.arrangement import PositionError
from acesaround.fast.flat import flat
from acesaround.fast.packed import TRICKS, copied, pack, unpack
from acesaround.fast.perft import perft
from acesaround.fast.playing import KIND_BITS, KIND_MASK, LOGGED, choices, play_on
from acesaround.phases.dealing import Deals
from acesaround.state import GameState, Playing, StockPlaying, tally
from acesaround.tricks import POINTS
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
    ("three-handed", None, {"card_points": "kings-fives", "concede": "never"}),
    ("partnership", None, {"card_points": "traditional", "renege": "penalty"}),
]


def game_states(
    variant: str, players: int | None, options: dict[str, object], seed: int
) -> list[GameState]:
    """The states of one random game, where a deal is being played and only cards are chosen."""
    rng = random.Random(seed)
    state = game.start(variants.get(variant, players, options), 0)
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
            most = min(len(choices), 3 if isinstance(choices, Bids) else 99)
            state, _ = game.apply(state, choices[rng.randrange(most)])
    return states


@pytest.mark.parametrize(("variant", "players", "options"), TABLES)
def test_a_state_comes_back_from_its_packing(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    states = game_states(variant, players, options, 1)
    assert len(states) > 20
    for state in states:
        assert unpack(pack(state), state) == state


@pytest.mark.parametrize(("variant", "players", "options"), TABLES)
def test_kernel_and_engine_agree_card_by_card(
    variant: str, players: int | None, options: dict[str, object]
) -> None:
    """The same legal kinds before each card, the same state after it."""
    compared = 0
    for state in game_states(variant, players, options, 2):
        numbers, packed = flat(state.rules, state.players), pack(state)
        plays = [a for a in game.decision(state).legal if isinstance(a, Play)]
        assert choices(numbers, packed) == sum(1 << play.card for play in plays)
        for play in plays:
            after, _ = game.apply(state, play)
            moved, log = copied(packed), np.array([play.card])
            play_on(numbers, moved, np.full(len(state.players), LOGGED), 0, log, 1)
            assert log[0] & KIND_MASK == play.card
            assert log[0] >> KIND_BITS == choices(numbers, packed)
            if isinstance(after.phase, Playing | StockPlaying):
                history = replace(state, deal=replace(state.deal, tricks=after.deal.tricks))
                assert unpack(moved, history) == after
                same = pack(after)
                for field in ("place", "hands", "trick", "won", "counters", "left"):
                    assert np.array_equal(getattr(moved, field), getattr(same, field)), field
            else:
                assert moved.place[TRICKS] == 0
                assert tuple(moved.won) == won(state, play)
            compared += 1
    assert compared > 50


def won(state: GameState, last: Play) -> tuple[int, ...]:
    """Points in tricks and for the last one, a side, after the card that ends a deal."""
    counted = tally(game.closing(state, last)).play
    buried = sum(POINTS[state.rules.scoring.card_points][card] for card in state.deal.buried)
    declarer = state.deal.declarer
    side = None if declarer is None else state.rules.side_of(declarer)
    return tuple(points - buried * (s == side) for s, points in enumerate(counted))


@pytest.mark.parametrize(("variant", "trump", "leader", "hands", "depth", "count"), CASES)
def test_kernel_and_engine_count_the_same_ways_to_play(
    variant: str, trump: str, leader: int, hands: list[str], depth: int, count: int
) -> None:
    state = position(variant, trump, leader, hands)
    assert perft(flat(state.rules, state.players), pack(state), depth) == count


def test_what_is_no_play_of_tricks_is_not_packed() -> None:
    state = game.start(variants.VARIANTS["partnership"], 0)
    with pytest.raises(PositionError, match="Only the play"):
        pack(state)
