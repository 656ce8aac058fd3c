"""What the tests of the arena share: bots that misbehave, matches, and results without times."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from acesaround import bots, variants
from acesaround.actions import Action
from acesaround.arena import executors
from acesaround.arena.match import Match
from acesaround.arena.result import Result, make_result
from acesaround.arena.results_ledger import Ledger
from acesaround.arena.run_match import play_match
from acesaround.bots import Bot
from acesaround.game.state import Decision, GameState
from acesaround.game.view import View

Choose = Callable[[View, Decision], Any]


class Odd:
    """A player that chooses as it is told to."""

    name = "odd"

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self.closed = 0

    def choose(self, view: View, decision: Decision) -> Action:
        chosen: Action = self._choose(view, decision)
        return chosen

    def close(self) -> None:
        self.closed += 1


class Peeping(Odd):
    """A player that also looks at all cards."""

    def __init__(self, choose: Choose) -> None:
        super().__init__(choose)
        self.seen: list[GameState] = []

    def observe_state(self, state: GameState) -> None:
        self.seen.append(state)


def known(patch: pytest.MonkeyPatch, name: str, make: Callable[[random.Random], Any]) -> None:
    """Make a bot known by that name in this process."""
    patch.setitem(bots.BOTS, name, Bot("A bot of the tests.", make, is_selectable=False))


def match(a: str, b: str, variant: str = "partnership", **more: Any) -> Match:
    """A match, by the usual rules unless others are given."""
    rules = more.pop("rules", None) or variants.get(variant)
    return Match(rules=rules, bots=(a, b), **more)


def played(match: Match, deals: int, processes: int = 1) -> Ledger:
    """The ledger of a whole match."""
    ledger = Ledger(match, deals)
    with contextlib.closing(executors.local_executor(match, processes)) as hands:
        play_match(hands, ledger)
    return ledger


def timeless(match: Match, ledger: Ledger) -> Any:
    """The result without what no two runs have in common."""
    found = make_result(match, ledger)
    assert isinstance(found, Result)
    plain: Any = msgspec.to_builtins(found)
    for bot in ("a", "b"):
        plain[bot]["times"] = {
            kind: times["decisions"] for kind, times in plain[bot]["times"].items()
        }
    return plain
