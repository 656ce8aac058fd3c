"""Positions that a seat cannot tell from the present one."""

from __future__ import annotations

import random

import pytest

from acesaround.envs.resampling import resample
from acesaround.game import view_for
from tests.envs.positions import GAMES, play_randomly, rules_of


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_seat_cannot_tell_a_resampled_position(game: tuple[str, int]) -> None:
    rng = random.Random(f"{game} resampled")
    differing = 0
    positions = [one for one in play_randomly(rules_of(game), rng) if not one.is_over]
    for position in rng.sample(positions, 4):
        assert position.seat is not None
        for seat in {position.seat, rng.choice(position.game.players)}:
            other = resample(position, seat, rng)
            assert other.information_state(seat) == position.information_state(seat)
            assert view_for(other.game, seat) == view_for(position.game, seat)
            assert other.seat == position.seat
            if seat == position.seat:
                assert other.legal == position.legal
            differing += other.game != position.game
    assert differing


def test_before_the_deal_there_is_nothing_to_resample() -> None:
    position = next(play_randomly(rules_of(("partnership", 4)), random.Random(1)))
    before = type(position).new(position.codec)
    assert resample(before, 0, random.Random(1)) is before
