"""Failing bots: the safest action is taken, and the failure is reported and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from acesaround import simulate, variants
from acesaround.actions import PASS, Bid, Play
from acesaround.bots.advice import ActionValue, Advice
from acesaround.bots.fallback_player import Failures, WithFallback
from acesaround.bots.heuristic import HeuristicBot
from acesaround.cards import Card
from acesaround.errors import BotError, Failure
from acesaround.game.state import Call, Decision, GameState
from acesaround.game.view import View
from acesaround.legal_bids import Bids
from tests.bots.external_bots import first_bid


class ScriptedBot:
    """A bot that calls a function for each decision."""

    name = "does"

    def __init__(self, what: Callable[[], Any]) -> None:
        self._what = what

    def choose(self, view: View, decision: Decision) -> Any:
        return self._what()


def _raise_error() -> None:
    raise KeyError("a\nb")


def _exit() -> None:
    raise SystemExit(3)


class UnprintableError(Exception):
    """An error that raises when it is printed."""

    def __str__(self) -> str:
        raise RuntimeError("no")


def _raise_unprintable() -> None:
    raise UnprintableError


def _raise_bot_error() -> None:
    raise BotError(Failure.LATE, bot="'x'", seconds=2)


@pytest.mark.parametrize(
    ("choose", "sentence"),
    [
        (_raise_error, "The bot 'does' failed: KeyError: 'a\\nb'."),
        (_raise_bot_error, "The bot 'x' gave no answer within 2 s."),
        (lambda: None, "The bot 'does' chose an illegal action: None."),
        (lambda: Bid(270), "The bot 'does' chose an illegal action: bid 270."),
        (lambda: Play(Card("AS")), "The bot 'does' chose an illegal action: play AS."),
        (lambda: 1 / 0, "The bot 'does' failed: ZeroDivisionError: division by zero."),
        (_exit, "The bot 'does' failed: SystemExit: 3."),
        (_raise_unprintable, "The bot 'does' failed: UnprintableError."),
        (lambda: [].pop(), "The bot 'does' failed: IndexError: pop from empty list."),
    ],
)
def test_failure_plays_the_safest_action(choose: Callable[[], Any], sentence: str) -> None:
    reported: list[tuple[str, BotError]] = []
    guarded = WithFallback(ScriptedBot(choose), lambda name, error: reported.append((name, error)))
    assert guarded.choose(*first_bid()) == PASS
    assert [(name, str(error)) for name, error in reported] == [("does", sentence)]
    assert guarded.explain(*first_bid()) == (PASS, sentence)


def test_sound_bot_is_not_changed() -> None:
    failures = Failures()
    assert WithFallback(ScriptedBot(lambda: Bid(260)), failures.record_failure).choose(
        *first_bid()
    ) == Bid(260)
    assert WithFallback(ScriptedBot(lambda: Bid(260)), failures.record_failure).explain(
        *first_bid()
    ) == (Bid(260), "")
    thumb = HeuristicBot()
    assert WithFallback(thumb, failures.record_failure).explain(*first_bid()) == thumb.explain(
        *first_bid()
    )
    assert WithFallback(_AdvisingBot(), failures.record_failure).advise(*first_bid()) is _ADVICE
    assert failures.lines() == []


_ADVICE = Advice(Bid(250), "So it is.", (ActionValue(Bid(250), 1.0, 0.5, 0.5),))


class _AdvisingBot(ScriptedBot):
    def __init__(self) -> None:
        super().__init__(lambda: Bid(250))

    def advise(self, view: View, decision: Decision) -> Advice:
        return _ADVICE


@pytest.mark.parametrize(("calls", "expected"), [(399, Bid(250)), (400, PASS)])
def test_bot_passes_after_400_calls(calls: int, expected: object) -> None:
    seen, decision = first_bid()
    failures = Failures()
    long = replace(seen, auction=(Call(1, 250),) * calls)
    assert (
        WithFallback(ScriptedBot(lambda: Bid(250)), failures.record_failure).choose(long, decision)
        == expected
    )
    assert bool(failures.lines()) == (expected is PASS)


def test_bots_that_always_raise_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Raises(HeuristicBot):
        def choose(self, view: View, decision: Decision) -> Any:
            if isinstance(decision.legal, Bids):
                return Bid(decision.legal.lowest_bid)
            return super().choose(view, decision)

    monkeypatch.setattr("acesaround.bots.make", lambda name, rng: Raises())
    failures = Failures()
    rules = variants.DOUBLE_DECK
    [played] = simulate.play_games(rules, ["thumb"] * 4, 1, 1, max_deals=1, failures=failures)
    assert played.state.deals == 1
    assert [kind for _, kind in failures.counts] == [Failure.RAISED]


def test_failures_are_counted_by_bot_and_kind() -> None:
    failures = Failures()
    for name, kind in [("a", Failure.LATE), ("b", Failure.LATE), ("a", Failure.LATE)]:
        seconds = 1 + failures.counts["a", kind]
        failures.record_failure(name, BotError(kind, bot=repr(name), seconds=seconds))
    assert failures.lines() == [
        "The bot 'a' gave no answer within 1 s. The safest action was played instead, 2 times.",
        "The bot 'b' gave no answer within 2 s. The safest action was played instead, once.",
    ]


class StateSeeingBot(HeuristicBot):
    """A bot that sees states, remembers them, and fails now and then."""

    def __init__(self) -> None:
        self.seen: list[GameState] = []
        self.closed = 0

    def observe_state(self, state: GameState) -> None:
        self.seen.append(state)
        if len(self.seen) % 10 == 0:
            raise RuntimeError("blinded")

    def close(self) -> None:
        self.closed += 1
        raise RuntimeError("stuck")


def test_bots_see_states_before_decisions_and_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[StateSeeingBot] = []

    def create(name: str, rng: object) -> StateSeeingBot:
        created.append(StateSeeingBot())
        return created[-1]

    monkeypatch.setattr("acesaround.bots.make", create)
    failures = Failures()
    rules = variants.THREE_HANDED
    [played] = simulate.play_games(rules, ["thumb"] * 3, 1, 1, max_deals=1, failures=failures)
    assert sum(len(seer.seen) for seer in created) == played.actions
    assert all(seer.closed == 1 for seer in created)
    assert failures.counts["thumb", Failure.RAISED] == sum(len(s.seen) // 10 for s in created)
