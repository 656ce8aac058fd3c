"""`thumb:2026-11` plays cards as `thumb` did in November 2026."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import pytest

from acesaround import bots, game, variants
from acesaround.actions import Concede
from acesaround.bots.player import Player
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.heuristic_weights import REFERENCE_ROLE_WEIGHTS, ROLE_WEIGHTS_2026_11
from acesaround.rules import Rules


def cards_played(rules: Rules, player: Player, number: int) -> Iterator[str]:
    """Yield the plays of a bot in `number` deals with random auctions."""
    rng = random.Random(2026)
    for deal in range(number):
        state = game.start(rules, deal % rules.seats)
        while state.phase is not None and not state.deals:
            decision = game.decision(state)
            if decision.kind is DecisionKind.PLAY:
                action = player.choose(view_for(state, decision.seat), decision)
                yield str(action)
            else:
                action = decision.legal.sample(rng)
            state, _ = game.apply(state, action)
            if isinstance(action, Concede):
                break


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("partnership", "6a7b7271e499"),
        ("three-handed", "8ba2660a83b9"),
        ("two-handed", "d19f86da33d7"),
        ("double-deck", "cce96f7f18f5"),
        ("five-card", "8943ad5cb2d2"),
    ],
)
def test_plays_are_those_of_november_2026(variant: str, expected: str) -> None:
    yardstick = bots.make("thumb:2026-11", random.Random(0))
    played = " ".join(cards_played(variants.get(variant), yardstick, 8))
    assert hashlib.sha256(played.encode()).hexdigest()[:12] == expected


def test_name_is_its_month() -> None:
    assert bots.make("thumb:2026-11", random.Random(0)).name == "thumb:2026-11"
    assert REFERENCE_ROLE_WEIGHTS["2026-11"] is ROLE_WEIGHTS_2026_11
