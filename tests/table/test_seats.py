"""Seats that change: swaps, bots in a person's place, names, the host, hints, the turn clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acesaround.actions import Action
from acesaround.bots.random_bot import RandomBot
from acesaround.game.state import Decision
from acesaround.game.view import View
from acesaround.table import (
    Person,
    Refused,
    automatic_actor,
    automatic_entry,
    encode_state,
    entries,
    handle_command,
    may_hint,
    seat_on_clock,
)
from acesaround.table import commands as say
from tests.table.test_table import ANN, BOB, CLEO, Log, choice, config


def two(**more: Any) -> Log:
    """Ann in seat 0, Bob in seat 2, the game not begun."""
    log = Log(config(**more))
    log.do(BOB, say.Sit(2))
    return log


def test_two_persons_change_places_when_both_want_to() -> None:
    log = two()
    log.do(ANN, say.Swap(2))
    assert log.table.proposal is not None
    assert log.table.proposal.waiting == (2,)
    assert log.refusal(ANN, say.Answer(True)) == "rule"
    log.do(BOB, say.Answer(True))
    assert [log.table.seat_of(p.id) for p in (ANN, BOB)] == [2, 0]
    assert log.table.proposal is None


def test_places_are_changed_only_between_deals() -> None:
    log = two()
    log.do(ANN, say.Swap(2))
    log.do(BOB, say.Answer(False))
    log.do(ANN, say.Start())
    log.do(ANN, say.Swap(2))  # before the first cards
    assert automatic_actor(log.table) is None  # the cards wait for the answer
    log.do(BOB, say.Answer(True))
    log.bots()
    assert log.table.is_dealt
    assert log.refusal(ANN, say.Swap(0)) == "rule"
    assert log.refusal(ANN, say.Swap(1)) == "seat"
    assert log.refusal(ANN, say.Swap(2)) == "seat"  # her own


def test_nobody_sees_two_hands_of_one_deal() -> None:
    log = two()
    log.do(ANN, say.Start())
    log.bots()
    assert log.table.is_dealt
    assert log.refusal(ANN, say.Sit(1)) == "rule"
    log.do(ANN, say.Stand())
    assert log.refusal(ANN, say.Sit(1)) == "rule"  # not by standing up either
    assert log.refusal(CLEO, say.Sit(0)) == "joining"  # that hand is not hers
    log.add(entries.SeatTaken(0, CLEO))
    assert log.refusal(CLEO, say.Sit(1)) == "rule"
    log.do(CLEO, say.Stand())
    log.do(ANN, say.Sit(0))  # and the seat held before is open
    assert log.table.seat_of(ANN.id) == 0


def test_who_asks_again_for_their_own_seat_is_only_behind() -> None:
    """As a client that lost its connection before it saw that it sits."""
    log = two()
    assert log.refusal(BOB, say.Sit(2)) == "stale"
    assert log.refusal(CLEO, say.Sit(2)) == "seat"


def test_who_moves_between_deals_may_sit_anywhere() -> None:
    log = Log(config(options={"hands": 3}))
    log.do(ANN, say.Start())
    log.bots()
    while log.table.is_dealt:
        if automatic_actor(log.table) is None:
            log.do(ANN, say.Act(log.table.seq, choice(log.table, log.rng)))
        else:
            log.add(automatic_entry(log.table, log.rng))
    log.do(ANN, say.Sit(1))
    assert log.table.seat_of(ANN.id) == 1


def test_a_bot_plays_for_a_covered_person_until_that_person_is_back() -> None:
    log = two()
    assert log.refusal(BOB, say.SubstituteBot(0)) == "host"
    assert log.refusal(ANN, say.SubstituteBot(1)) == "seat"
    log.do(ANN, say.Start())
    log.do(ANN, say.SubstituteBot(2))
    assert log.refusal(ANN, say.SubstituteBot(2)) == "seat"
    log.bots()
    assert automatic_actor(log.table) is None  # Ann is to act: the bot has played for Bob
    assert log.refusal(BOB, say.Act(log.table.seq, ["pass"])) == "covered"
    shown = json.loads(encode_state(log.table, "t", BOB.id))
    assert shown["decision"] is None
    assert shown["table"]["may"]["back"] is True
    assert shown["table"]["seats"][2]["covered"] is True
    log.do(BOB, say.TakeOverFromBot())
    assert not log.table.seats[2].has_substitute
    assert log.refusal(BOB, say.TakeOverFromBot()) == "rule"


def test_where_bots_play_for_everybody_the_table_waits() -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    log.add(entries.BotSubstituted(0, late=True))
    assert automatic_actor(log.table) is None
    log.do(ANN, say.TakeOverFromBot())
    assert automatic_actor(log.table) is not None


def test_the_clock_runs_for_a_person_on_turn_and_for_nobody_else() -> None:
    log = two(clock=30)
    assert seat_on_clock(log.table) is None
    log.do(ANN, say.Start())
    assert seat_on_clock(log.table) is None  # the cards are dealt first
    log.bots()
    seat = seat_on_clock(log.table)
    assert seat in (0, 2)
    log.do(ANN, say.Pause())
    assert seat_on_clock(log.table) is None
    log.do(ANN, say.Resume())
    assert seat_on_clock(log.table) == seat
    log.add(entries.BotSubstituted(seat, late=True))
    assert seat_on_clock(log.table) is None
    without = two()
    without.do(ANN, say.Start())
    without.bots()
    assert seat_on_clock(without.table) is None


def test_hints_need_everybody_and_anybody_ends_them() -> None:
    log = two()
    log.do(ANN, say.Start())
    assert not may_hint(log.table, 0)
    log.do(ANN, say.Hints(True))
    assert not may_hint(log.table, 0)
    log.do(BOB, say.Answer(True))
    assert may_hint(log.table, 0)
    assert may_hint(log.table, 2)
    assert not may_hint(log.table, None)
    assert log.refusal(ANN, say.Hints(True)) == "rule"
    log.do(BOB, say.Hints(False))
    assert not may_hint(log.table, 0)
    log.do(ANN, say.Hints(True))
    log.do(BOB, say.Answer(True))
    log.do(CLEO, say.Sit(1))  # she has not been asked
    assert not may_hint(log.table, 0)


def test_a_wish_about_hints_does_not_hold_up_play_and_is_not_lost_by_it() -> None:
    log = two()
    log.do(ANN, say.Start())
    log.do(ANN, say.Hints(True))
    log.bots()
    assert log.table.is_dealt
    assert log.table.proposal is not None


def test_a_table_whose_host_has_left_is_hosted_by_its_first_person() -> None:
    log = two()
    assert log.refusal(BOB, say.Start()) == "host"
    log.do(ANN, say.Stand())
    log.do(BOB, say.Start())
    assert log.table.acts_as_host(ANN.id)  # she opened it and may still see to it
    assert log.table.acts_as_host(BOB.id)
    assert not log.table.acts_as_host(CLEO.id)
    assert not log.table.acts_as_host(None)
    log.do(ANN, say.Sit(3))
    assert not log.table.acts_as_host(BOB.id)


def test_a_person_goes_by_the_new_name_also_as_host() -> None:
    log = two()
    log.add(entries.ProfileChanged(0, "Anna"))
    assert log.table.seats[0].person == Person(ANN.id, "Anna")
    assert log.table.host.name == "Anna"
    assert log.table.seat_of(ANN.id) == 0


def test_one_thing_is_asked_at_a_time() -> None:
    log = two()
    log.do(ANN, say.Hints(True))
    with pytest.raises(Refused, match="Another request is open"):
        handle_command(log.table, BOB, say.Swap(0), log.rng)


def test_what_was_seen_of_a_deal_is_remembered_for_that_deal_and_no_longer() -> None:
    log = Log(config(options={"hands": 3}))
    log.do(ANN, say.Start())
    log.bots()
    log.do(ANN, say.Stand())
    for _ in range(5):
        log.add(automatic_entry(log.table, log.rng))
    assert log.refusal(ANN, say.Sit(1)) == "rule"  # she has seen the hand of seat 0
    while log.table.is_dealt:
        log.add(automatic_entry(log.table, log.rng))
    log.do(ANN, say.Sit(1))
    assert isinstance(automatic_entry(log.table, log.rng), entries.Dealt)
    log.add(automatic_entry(log.table, log.rng))
    log.do(ANN, say.Stand())
    log.do(ANN, say.Sit(1))  # of this deal she has seen no other


def test_bots_play_on_while_a_person_of_several_is_there() -> None:
    log = two()
    log.do(ANN, say.Start())
    log.do(ANN, say.SubstituteBot(2))
    assert automatic_actor(log.table) == "deal"
    log.do(ANN, say.Stand())
    assert automatic_actor(log.table) is None  # Bob is all who is left, and a bot plays for him


class Failing:
    """A bot that cannot decide."""

    name = "failing"

    def choose(self, view: View, decision: Decision) -> Action:
        raise ValueError("no idea")


def test_a_bot_that_fails_is_told_of_and_the_entry_says_so() -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    log.bots()
    heard: list[str] = []
    for player, fails in ((Failing(), True), (RandomBot(log.rng), False)):
        entry = automatic_entry(
            log.table, log.rng, player=player, on_failure=lambda name, _: heard.append(name)
        )
        assert isinstance(entry, entries.Acted)
        assert (entry.bot, entry.failed) == (True, fails)
    assert heard == ["failing"]
    with pytest.raises(ValueError, match="no idea"):
        automatic_entry(log.table, log.rng, player=Failing())
