"""Bots that misbehave: failures are counted by kind, and the safest action is played."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from acesaround.actions import PASS, Action, Bid, Concede, Play
from acesaround.arena.leg import play_leg
from acesaround.arena.match import BoardKind
from acesaround.bots import fallback_action
from acesaround.bots.heuristic import HeuristicBot
from acesaround.cards import CARDS
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View
from acesaround.legal_bids import Bids
from acesaround.record import verify
from acesaround.record.model import decode
from tests.arena.fixtures import Choose, ScriptedBot, StateSeeingBot, match, register_bot


def raise_error(_view: View, _decision: Decision) -> Any:
    raise KeyError("the  queen\nof spades")


def exit_process(_view: View, _decision: Decision) -> Any:
    raise SystemExit(3)


def recurse(view: View, decision: Decision) -> Any:
    return recurse(view, decision)


def return_none(_view: View, _decision: Decision) -> Any:
    return None


def bid_1(_view: View, decision: Decision) -> Any:
    return Bid(1)


def play_card_not_held(view: View, _decision: Decision) -> Any:
    return Play(next(card for card in CARDS if card not in view.hand))


def concede(_view: View, _decision: Decision) -> Any:
    return Concede()


class Unprintable:
    """A value whose repr raises."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def return_unprintable(_view: View, _decision: Decision) -> Any:
    return Unprintable()


@pytest.mark.parametrize(
    ("choose", "failure", "sentence"),
    [
        (raise_error, "raised", "The bot 'odd' failed: KeyError: 'the queen\\nof spades'."),
        (exit_process, "raised", "SystemExit"),
        (recurse, "raised", "RecursionError"),
        (return_none, "illegal", "None"),
        (bid_1, "illegal", "bid 1 (The bid must be at least "),
        (play_card_not_held, "illegal", "play "),
        (concede, "illegal", "concede"),
        (return_unprintable, "raised", "RuntimeError: no"),
    ],
)
def test_failures_are_counted_by_kind(
    monkeypatch: pytest.MonkeyPatch, choose: Choose, failure: str, sentence: str
) -> None:
    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(choose))
    leg = play_leg(match("odd", "thumb", board_kind=BoardKind.SINGLE_DEAL), 0, 0)
    assert len(leg.deals) == 1
    assert set(leg.bot_stats[0].failures) == {failure}
    assert sentence in leg.bot_stats[0].failures[failure].first
    assert leg.bot_stats[1].failures == {}


@pytest.mark.parametrize("variant", ["two-handed", "three-handed", "seven-card"])
def test_failure_plays_the_safest_action(monkeypatch: pytest.MonkeyPatch, variant: str) -> None:
    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(raise_error))
    register_bot(monkeypatch, "safe", lambda _: ScriptedBot(fallback_action))
    failing = play_leg(match("odd", "thumb", variant, max_deals=3), 0, 0)
    safe = play_leg(match("safe", "thumb", variant, max_deals=3), 0, 0)
    assert failing.deals == safe.deals
    assert failing.bot_stats[0].failures["raised"].count > len(failing.deals)
    assert safe.bot_stats[0].failures == {}


class SlowBot(ScriptedBot):
    """A bot whose first decision with a choice takes an hour, on a fake clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(fallback_action)
        self._now = 0.0
        monkeypatch.setattr("acesaround.arena.bot_call.perf_counter", lambda: self._now)

    def choose(self, view: View, decision: Decision) -> Action:
        if not decision.is_forced:
            self._now = 3600.0
        return super().choose(view, decision)


@pytest.mark.parametrize("limit", [3599.0, 3600.0, None])
def test_a_bot_that_takes_longer_than_its_limit_is_late(
    monkeypatch: pytest.MonkeyPatch, limit: float | None
) -> None:
    slow = SlowBot(monkeypatch)
    register_bot(monkeypatch, "odd", lambda _: slow)
    leg = play_leg(
        match("odd", "thumb", board_kind=BoardKind.SINGLE_DEAL, limit_seconds=limit), 0, 0
    )
    faults = leg.bot_stats[0].failures
    if limit == 3599.0:
        assert list(faults) == ["late"]
        assert faults["late"].count == 1
        assert faults["late"].first == "The bot 'odd' gave no answer within 3599 s."
    else:
        assert faults == {}
    assert max(clock.longest for clock in leg.bot_stats[0].times.values()) == 3600.0
    assert msgspec.json.decode(msgspec.json.encode(leg), type=type(leg)) == leg


def test_renege_is_an_illegal_action(monkeypatch: pytest.MonkeyPatch) -> None:
    from acesaround import variants

    def renege(view: View, decision: Decision) -> Any:
        if decision.kind is DecisionKind.PLAY:
            held = [Play(card) for card in view.hand if Play(card) not in decision.legal]
            if held:
                return held[0]
        return fallback_action(view, decision)

    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(renege))
    rules = variants.get("partnership").with_options(renege="penalty")
    leg = play_leg(match("odd", "thumb", rules=rules, board_kind=BoardKind.SINGLE_DEAL), 0, 0)
    assert leg.bot_stats[0].failures["illegal"].count > 0
    assert leg.deals[0].outcome != "reneged"


def test_state_seeing_bot_gets_the_state_before_each_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    players: list[StateSeeingBot] = []
    views: list[View] = []

    def choose(view: View, decision: Decision) -> Any:
        views.append(view)
        return fallback_action(view, decision)

    def make(_rng: random.Random) -> StateSeeingBot:
        players.append(StateSeeingBot(choose))
        return players[-1]

    register_bot(monkeypatch, "seer", make)
    play_leg(match("seer", "thumb", board_kind=BoardKind.SINGLE_DEAL), 0, 0)
    seen = [state for player in players for state in player.seen]
    assert len(seen) == len(views) > 20
    assert all(player.closed == 1 for player in players)


def test_bot_that_fails_to_close_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    class UnclosableBot(ScriptedBot):
        def close(self) -> None:
            raise OSError("no")

    register_bot(monkeypatch, "odd", lambda _: UnclosableBot(fallback_action))
    assert len(play_leg(match("odd", "odd", board_kind=BoardKind.SINGLE_DEAL), 0, 0).deals) == 1


def test_only_decisions_that_leave_a_choice_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    choices = [0, 0]

    def counting(at: int) -> Callable[[random.Random], ScriptedBot]:
        def choose(view: View, decision: Decision) -> Any:
            choices[at] += not decision.is_forced
            return PASS if isinstance(decision.legal, Bids) else fallback_action(view, decision)

        return lambda _: ScriptedBot(choose)

    register_bot(monkeypatch, "one", counting(0))
    register_bot(monkeypatch, "two", counting(1))
    leg = play_leg(match("one", "two", "two-handed", board_kind=BoardKind.SINGLE_DEAL), 0, 0)
    timed = [sum(clock.count for clock in leg.bot_stats[at].times.values()) for at in (0, 1)]
    assert timed == choices
    assert all(clock.total >= clock.longest > 0 for clock in leg.bot_stats[0].times.values())


def test_records_of_games_with_failures_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(raise_error))
    record = play_leg(match("odd", "random", max_deals=3), 0, 0, with_record=True).record
    assert record is not None
    game = decode(record.encode())
    assert verify(game) == []
    assert [seat.name for seat in game.seats] == ["bot:odd", "bot:random"] * 2


def test_two_bots_that_always_raise_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_bid(view: View, decision: Decision) -> Any:
        if isinstance(decision.legal, Bids):
            return Bid(decision.legal.lowest_bid)
        return HeuristicBot().choose(view, decision)

    register_bot(monkeypatch, "odd", lambda _: ScriptedBot(raise_bid))
    leg = play_leg(match("odd", "odd", "three-handed", board_kind=BoardKind.SINGLE_DEAL), 0, 0)
    assert len(leg.deals) == 1
    assert any("it bids without end" in fault.first for fault in leg.bot_stats[0].failures.values())
