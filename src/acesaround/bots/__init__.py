"""Bots by name. A bot is a `Player`: it sees a `View` and a `Decision`, never a state."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from acesaround.bots.player import Explainer, Player
from acesaround.errors import RulesError


def _random(rng: random.Random) -> Player:
    from acesaround.bots.random_bot import RandomBot

    return RandomBot(rng)


def _thumb(rng: random.Random) -> Player:
    from acesaround.bots.thumb import ThumbBot  # it draws no lots

    return ThumbBot()


BOTS: Final[dict[str, Callable[[random.Random], Player]]] = {"random": _random, "thumb": _thumb}

SUMMARIES: Final = {
    "random": "Knows the rules and nothing more: good for trying out a variant.",
    "thumb": "Plays by the rules of thumb that good players teach.",
}
"""What each bot is like, in a sentence for people."""


def check(name: str) -> str:
    """The name, if a bot has it. Raises RulesError, listing the bots there are."""
    if name not in BOTS:
        raise RulesError(f"{name!r} is no bot: expected one of {', '.join(BOTS)}.")
    return name


def make(name: str, rng: random.Random) -> Player:
    """A bot by name, drawing its lots from `rng`. Raises RulesError."""
    return BOTS[check(name)](rng)


__all__ = ["BOTS", "SUMMARIES", "Explainer", "Player", "check", "make"]
