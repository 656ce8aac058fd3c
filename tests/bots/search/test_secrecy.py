"""Bots know only their view: hidden cards do not change their advice."""

from __future__ import annotations

import random

from acesaround.game.view import turn_of
from tests.bots.search.sample_decisions import EACH_VARIANT_AND_BOT, advice_bytes, sample_states
from tests.game.test_view import with_hidden_cards_shuffled


@EACH_VARIANT_AND_BOT
def test_advice_does_not_depend_on_hidden_cards(variant: str, bot: str) -> None:
    """Action, reason and expectations stay the same, byte for byte, with the same seed."""
    rng, changed_count = random.Random(variant), 0
    for state in sample_states(variant, 3):
        seat = turn_of(state)
        assert seat is not None
        changed = with_hidden_cards_shuffled(state, seat, rng)
        changed_count += changed.hands != state.hands
        assert advice_bytes(changed, bot) == advice_bytes(state, bot)
    assert changed_count
