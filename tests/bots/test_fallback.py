"""A player that fails: the safest action is done, and it is told and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from acesaround import simulate, variants
from acesaround.actions import PASS, Bid, Bids, Play
from acesaround.bots.advice import ActionValue, Advice
from acesaround.bots.fallback import Failures, WithFallback
from acesaround.bots.heuristic import HeuristicBot
from acesaround.cards import Card
from acesaround.errors import BotError, Failure
from acesaround.game.state import Call, Decision, GameState
from acesaround.game.view import View
from tests.bots.external_bots import asked


class Does:
    """A player that does what it is given to do."""

    name = "does"

    def __init__(self, what: Callable[[], Any]) -> None:
        self._what = what

    def choose(self, view: View, decision: Decision) -> Any:
        return self._what()


def _raises() -> None:
    raise KeyError("a\nb")


def _ends() -> None:
    raise SystemExit(3)


class Shame(Exception):  # noqa: N818 - it is what it says
    """What cannot say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no")


def _shames() -> None:
    raise Shame


def _breaks() -> None:
    raise BotError(Failure.LATE, bot="'x'", seconds=2)


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        (_raises, "The bot 'does' failed: KeyError: 'a\\nb'."),
        (_breaks, "The bot 'x' gave no answer within 2 s."),
        (lambda: None, "The bot 'does' chose an illegal action: None."),
        (lambda: Bid(270), "The bot 'does' chose an illegal action: bid 270."),
        (lambda: Play(Card("AS")), "The bot 'does' chose an illegal action: play AS."),
        (lambda: 1 / 0, "The bot 'does' failed: ZeroDivisionError: division by zero."),
        (_ends, "The bot 'does' failed: SystemExit: 3."),
        (_shames, "The bot 'does' failed: Shame."),
        (lambda: [].pop(), "The bot 'does' failed: IndexError: pop from empty list."),
    ],
)
def test_the_safest_action_is_done_and_the_cause_is_told(
    what: Callable[[], Any], sentence: str
) -> None:
    told: list[tuple[str, BotError]] = []
    steady = WithFallback(Does(what), lambda name, error: told.append((name, error)))
    assert steady.choose(*asked()) == PASS
    assert [(name, str(error)) for name, error in told] == [("does", sentence)]
    assert steady.explain(*asked()) == (PASS, sentence)


def test_a_player_that_is_sound_is_left_alone() -> None:
    failures = Failures()
    assert WithFallback(Does(lambda: Bid(260)), failures.record_failure).choose(*asked()) == Bid(
        260
    )
    assert WithFallback(Does(lambda: Bid(260)), failures.record_failure).explain(*asked()) == (
        Bid(260),
        "",
    )
    thumb = HeuristicBot()
    assert WithFallback(thumb, failures.record_failure).explain(*asked()) == thumb.explain(*asked())
    assert WithFallback(_Advises(), failures.record_failure).advise(*asked()) is _ADVICE
    assert failures.lines() == []


_ADVICE = Advice(Bid(250), "So it is.", (ActionValue(Bid(250), 1.0, 0.5, 0.5),))


class _Advises(Does):
    def __init__(self) -> None:
        super().__init__(lambda: Bid(250))

    def advise(self, view: View, decision: Decision) -> Advice:
        return _ADVICE


@pytest.mark.parametrize(("calls", "done"), [(399, Bid(250)), (400, PASS)])
def test_nobody_bids_without_end(calls: int, done: object) -> None:
    seen, decision = asked()
    failures = Failures()
    long = replace(seen, auction=(Call(1, 250),) * calls)
    assert (
        WithFallback(Does(lambda: Bid(250)), failures.record_failure).choose(long, decision) == done
    )
    assert bool(failures.lines()) == (done is PASS)


def test_two_bots_that_raise_each_other_for_ever_come_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


class Seer(HeuristicBot):
    """A bot that looks, for tests: it remembers what it saw and that it was closed."""

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


def test_a_cheat_looks_before_each_decision_and_everybody_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seers: list[Seer] = []

    def made(name: str, rng: object) -> Seer:
        seers.append(Seer())
        return seers[-1]

    monkeypatch.setattr("acesaround.bots.make", made)
    failures = Failures()
    rules = variants.THREE_HANDED
    [played] = simulate.play_games(rules, ["thumb"] * 3, 1, 1, max_deals=1, failures=failures)
    assert sum(len(seer.seen) for seer in seers) == played.actions
    assert all(seer.closed == 1 for seer in seers)
    assert failures.counts["thumb", Failure.RAISED] == sum(len(s.seen) // 10 for s in seers)
