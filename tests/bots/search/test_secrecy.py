"""No bot knows more than its view: cards it cannot see may lie anywhere."""

from __future__ import annotations

import random

import pytest

from acesaround.game.view import turn_of
from tests.bots.search.asking import NAMES, moments, said
from tests.game.test_view import shuffled
from tests.random_games import FEW_UNSEEN


@pytest.mark.parametrize("bot", NAMES)
@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_hidden_cards_change_nothing_that_a_bot_says(variant: str, bot: str) -> None:
    """Action, reason and expectations stay the same, byte for byte, with the same seed."""
    rng, moved = random.Random(variant), 0
    for state in moments(variant, 3):
        seat = turn_of(state)
        assert seat is not None
        other = shuffled(state, seat, rng)
        moved += other.hands != state.hands
        assert said(other, bot) == said(state, bot)
    assert moved
