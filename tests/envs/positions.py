"""Random positions of every game, for tests of environments."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from acesaround import variants
from acesaround.envs import ActionCodec, Position
from acesaround.rules import Rules

GAMES: Final = [
    (name, players) for name, rules in variants.VARIANTS.items() for players in rules.players[:3]
]
"""Every variant, with up to three numbers of players."""


def rules_of(game: tuple[str, int]) -> Rules:
    """The rules of a game."""
    return variants.get(*game)


def play_randomly(rules: Rules, rng: random.Random, deals: int = 1) -> Iterator[Position]:
    """Yield every position of a random game in which a seat is on turn, and then the last."""
    dealer = rng.randrange(rules.seats)
    position = Position.new(ActionCodec(rules), dealer=dealer, deals=deals)
    while not position.is_over:
        if position.is_chance:
            position = position.deal(rng)
            continue
        yield position
        position = position.apply(rng.choice(position.legal))
    yield position
