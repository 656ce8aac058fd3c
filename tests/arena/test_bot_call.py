"""Bots that misbehave: each kind is counted, and the game goes on with the safest action."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from acesaround.actions import PASS, Action, Bid, Bids, Concede, Play
from acesaround.arena.leg import play_leg
from acesaround.arena.match import BoardKind as What
from acesaround.bots import fallback_action
from acesaround.bots.heuristic import HeuristicBot
from acesaround.cards import CARDS
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View
from acesaround.record import verify
from acesaround.record.model import decode
from tests.arena.fixtures import Choose, Odd, Peeping, known, match


def fails(_view: View, _decision: Decision) -> Any:
    raise KeyError("the  queen\nof spades")


def leaves(_view: View, _decision: Decision) -> Any:
    raise SystemExit(3)


def recurses(view: View, decision: Decision) -> Any:
    return recurses(view, decision)


def says_nothing(_view: View, _decision: Decision) -> Any:
    return None


def bids_too_much_or_little(_view: View, decision: Decision) -> Any:
    return Bid(1)


def plays_what_it_does_not_hold(view: View, _decision: Decision) -> Any:
    return Play(next(card for card in CARDS if card not in view.hand))


def gives_up(_view: View, _decision: Decision) -> Any:
    return Concede()


class Rude:
    """What cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def is_rude(_view: View, _decision: Decision) -> Any:
    return Rude()


@pytest.mark.parametrize(
    ("choose", "failure", "said"),
    [
        (fails, "raised", "The bot 'odd' failed: KeyError: 'the queen\\nof spades'."),
        (leaves, "raised", "SystemExit"),
        (recurses, "raised", "RecursionError"),
        (says_nothing, "illegal", "None"),
        (bids_too_much_or_little, "illegal", "bid 1 (The bid must be at least "),
        (plays_what_it_does_not_hold, "illegal", "play "),
        (gives_up, "illegal", "concede"),
        (is_rude, "raised", "RuntimeError: no"),
    ],
)
def test_what_a_bot_does_wrong_is_counted_by_kind(
    monkeypatch: pytest.MonkeyPatch, choose: Choose, failure: str, said: str
) -> None:
    known(monkeypatch, "odd", lambda _: Odd(choose))
    leg = play_leg(match("odd", "thumb", play=What.SINGLE), 0, 0)
    assert len(leg.deals) == 1
    assert set(leg.conduct[0].faults) == {failure}
    assert said in leg.conduct[0].faults[failure].first
    assert leg.conduct[1].faults == {}


@pytest.mark.parametrize("variant", ["two-handed", "three-handed", "seven-card"])
def test_in_its_place_the_safest_action_is_done(
    monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    known(monkeypatch, "odd", lambda _: Odd(fails))
    known(monkeypatch, "safe", lambda _: Odd(fallback_action))
    failing = play_leg(match("odd", "thumb", variant, max_deals=3), 0, 0)
    safe = play_leg(match("safe", "thumb", variant, max_deals=3), 0, 0)
    assert failing.deals == safe.deals
    assert failing.conduct[0].faults["raised"].count > len(failing.deals)
    assert safe.conduct[0].faults == {}


class Slow(Odd):
    """A player that takes an hour for its first decision with a choice, on a clock of its own."""

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
    slow = Slow(monkeypatch)
    known(monkeypatch, "odd", lambda _: slow)
    leg = play_leg(match("odd", "thumb", play=What.SINGLE, limit=limit), 0, 0)
    faults = leg.conduct[0].faults
    if limit == 3599.0:
        assert list(faults) == ["late"]
        assert faults["late"].count == 1
        assert faults["late"].first == "The bot 'odd' gave no answer within 3599 s."
    else:
        assert faults == {}
    assert max(clock.longest for clock in leg.conduct[0].clocks.values()) == 3600.0
    assert msgspec.json.decode(msgspec.json.encode(leg), type=type(leg)) == leg


def test_a_renege_that_the_rules_would_punish_is_illegal_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from acesaround import variants

    def reneges(view: View, decision: Decision) -> Any:
        if decision.kind is DecisionKind.PLAY:
            held = [Play(card) for card in view.hand if Play(card) not in decision.legal]
            if held:
                return held[0]
        return fallback_action(view, decision)

    known(monkeypatch, "odd", lambda _: Odd(reneges))
    rules = variants.get("partnership").with_options(renege="penalty")
    leg = play_leg(match("odd", "thumb", rules=rules, play=What.SINGLE), 0, 0)
    assert leg.conduct[0].faults["illegal"].count > 0
    assert leg.deals[0].outcome != "reneged"


def test_a_bot_that_cheats_sees_the_state_before_each_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    players: list[Peeping] = []
    views: list[View] = []

    def choose(view: View, decision: Decision) -> Any:
        views.append(view)
        return fallback_action(view, decision)

    def make(_rng: random.Random) -> Peeping:
        players.append(Peeping(choose))
        return players[-1]

    known(monkeypatch, "peeping", make)
    play_leg(match("peeping", "thumb", play=What.SINGLE), 0, 0)
    seen = [state for player in players for state in player.seen]
    assert len(seen) == len(views) > 20
    assert all(player.closed == 1 for player in players)


def test_a_bot_that_will_not_close_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clinging(Odd):
        def close(self) -> None:
            raise OSError("no")

    known(monkeypatch, "odd", lambda _: Clinging(fallback_action))
    assert len(play_leg(match("odd", "odd", play=What.SINGLE), 0, 0).deals) == 1


def test_only_decisions_that_leave_a_choice_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    choices = [0, 0]

    def counting(at: int) -> Callable[[random.Random], Odd]:
        def choose(view: View, decision: Decision) -> Any:
            choices[at] += not decision.is_forced
            return PASS if isinstance(decision.legal, Bids) else fallback_action(view, decision)

        return lambda _: Odd(choose)

    known(monkeypatch, "one", counting(0))
    known(monkeypatch, "two", counting(1))
    leg = play_leg(match("one", "two", "two-handed", play=What.SINGLE), 0, 0)
    timed = [sum(clock.count for clock in leg.conduct[at].clocks.values()) for at in (0, 1)]
    assert timed == choices
    assert all(clock.total >= clock.longest > 0 for clock in leg.conduct[0].clocks.values())


def test_records_of_games_with_failures_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    known(monkeypatch, "odd", lambda _: Odd(fails))
    record = play_leg(match("odd", "random", max_deals=3), 0, 0, with_record=True).record
    assert record is not None
    game = decode(record.encode())
    assert verify(game) == []
    assert [seat.name for seat in game.seats] == ["bot:odd", "bot:random"] * 2


def test_two_bots_that_always_raise_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(view: View, decision: Decision) -> Any:
        if isinstance(decision.legal, Bids):
            return Bid(decision.legal.lowest_bid)
        return HeuristicBot().choose(view, decision)

    known(monkeypatch, "odd", lambda _: Odd(raises))
    leg = play_leg(match("odd", "odd", "three-handed", play=What.SINGLE), 0, 0)
    assert len(leg.deals) == 1
    assert any("it bids without end" in fault.first for fault in leg.conduct[0].faults.values())
