"""What a seat knows, as numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from acesaround import variants
from acesaround.cards import Card
from acesaround.envs import ActionCodec, Position
from acesaround.envs.observations import HistoryEncoder, ObservationEncoder
from acesaround.envs.resampling import resample
from tests.envs.positions import GAMES, play_randomly, rules_of


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_arrays_have_one_size_and_numbers_from_minus_1_to_1(game: tuple[str, int]) -> None:
    rules = rules_of(game)
    codec = ActionCodec(rules)
    now, history = ObservationEncoder(codec), HistoryEncoder(codec)
    assert len(set(now.names)) == now.size
    rng = random.Random(f"{game} encoded")
    for position in play_randomly(rules, rng, deals=2):
        if rng.random() < 0.2 or position.is_over:
            seat = rng.choice(position.game.players)
            array = now.encode(position, seat)
            assert array.shape == (now.size,)
            assert np.abs(array).max() <= 1
            assert history.encode(position, seat).shape == history.shape


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_arrays_hold_nothing_that_a_seat_does_not_know(game: tuple[str, int]) -> None:
    """In a position that a seat cannot tell from this one, it sees the same numbers."""
    rules = rules_of(game)
    codec, rng = ActionCodec(rules), random.Random(f"{game} hidden")
    now, history = ObservationEncoder(codec), HistoryEncoder(codec)
    for position in play_randomly(rules, rng):
        if position.is_over or rng.random() > 0.06 or position.chosen:
            continue
        seat = rng.choice(position.game.players)
        other = resample(position, seat, rng)
        assert np.array_equal(now.encode(position, seat), now.encode(other, seat))
        assert np.array_equal(history.encode(position, seat), history.encode(other, seat))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_histories_differ_wherever_information_states_do(game: tuple[str, int]) -> None:
    rules = rules_of(game)
    history = HistoryEncoder(ActionCodec(rules))
    texts: dict[bytes, str] = {}
    for number in range(4):
        for position in play_randomly(rules, random.Random(number % 2)):  # each game twice
            if position.seat is not None:
                text = position.information_state(position.seat)
                key = bytes([position.seat]) + history.encode(position, position.seat).tobytes()
                assert texts.setdefault(key, text) == text


def test_entries_are_what_their_names_say() -> None:
    rules = variants.get("partnership")
    encoder = ObservationEncoder(ActionCodec(rules))
    position = Position.new(ActionCodec(rules), dealer=3).deal(random.Random(1))
    assert position.seat == 0
    array = encoder.encode(position, 1)
    entry = dict(zip(encoder.names, array.tolist(), strict=True))
    hand = position.game.hand(1)
    for name in ("AS", "9C", "QH"):
        assert entry[f"hand {name}"] == hand.count(Card(name)) / 2
    assert entry["decision bid"] == 1
    assert entry["turn seat 3"] == 1  # three seats to the left of the observer
    assert entry["dealer seat 2"] == 1
    assert entry["cards held seat 0"] == 1
    assert sum(entry[f"playing seat {place}"] for place in range(4)) == 4
