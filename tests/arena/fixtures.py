"""Bots that misbehave, matches, and results without times."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from acesaround import bots, variants
from acesaround.actions import Action
from acesaround.arena import executors
from acesaround.arena.match import Match
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.result import MatchResult, make_result
from acesaround.arena.run_match import play_match
from acesaround.bots import Bot
from acesaround.game.state import Decision, GameState
from acesaround.game.view import View

Choose = Callable[[View, Decision], Any]


class ScriptedBot:
    """A bot that calls a function for each decision."""

    name = "odd"

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self.closed = 0

    def choose(self, view: View, decision: Decision) -> Action:
        chosen: Action = self._choose(view, decision)
        return chosen

    def close(self) -> None:
        self.closed += 1


class StateSeeingBot(ScriptedBot):
    """A scripted bot that also sees all cards."""

    def __init__(self, choose: Choose) -> None:
        super().__init__(choose)
        self.seen: list[GameState] = []

    def observe_state(self, state: GameState) -> None:
        self.seen.append(state)


def register_bot(
    patch: pytest.MonkeyPatch, name: str, make: Callable[[random.Random], Any]
) -> None:
    patch.setitem(bots.BOTS, name, Bot("A bot of the tests.", make, is_selectable=False))


@contextlib.contextmanager
def unmeasured_weights() -> Iterator[None]:
    """Have bots bid by weights derived from the rules. Measuring takes seconds for each rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "measure_hand_weights", lambda rules, on_progress=None: None)
        yield


def match(a: str, b: str, variant: str = "partnership", **more: Any) -> Match:
    """Return a match, with the rules of the variant unless others are given."""
    rules = more.pop("rules", None) or variants.get(variant)
    return Match(rules=rules, bots=(a, b), **more)


def play_all_legs(match: Match, deals: int, processes: int = 1) -> MatchProgress:
    progress = MatchProgress(match, deals)
    with contextlib.closing(executors.local_executor(match, processes)) as hands:
        play_match(hands, progress)
    return progress


def result_without_times(match: Match, progress: MatchProgress) -> Any:
    """Return the result without times, which differ in each run."""
    found = make_result(match, progress)
    assert isinstance(found, MatchResult)
    plain: Any = msgspec.to_builtins(found)
    for bot in ("a", "b"):
        plain[bot]["times"] = {
            kind: times["decisions"] for kind, times in plain[bot]["times"].items()
        }
    return plain
