"""Changes of seats: swaps, substitutes, names, the host, hints, the turn clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acesaround.actions import Action
from acesaround.bots.random_bot import RandomBot
from acesaround.game.state import Decision
from acesaround.game.view import View
from acesaround.table import (
    CommandRefused,
    Person,
    automatic_actor,
    automatic_entry,
    commands,
    encode_state,
    entries,
    handle_command,
    may_hint,
    seat_on_clock,
)
from acesaround.table.acting_host import acts_as_host
from tests.table.table_log import ANN, BOB, CLEO, TableLog, table_config


def start_table_of_two(**settings: Any) -> TableLog:
    """Return a table with Ann in seat 0 and Bob in seat 2 before the start."""
    log = TableLog(table_config(**settings))
    log.send(BOB, commands.Sit(2))
    return log


def test_seats_are_swapped_with_the_consent_of_both() -> None:
    log = start_table_of_two()
    log.send(ANN, commands.Swap(2))
    assert log.table.proposal is not None
    assert log.table.proposal.waiting == (2,)
    assert log.send_refused(ANN, commands.AnswerProposal(True)) == "rule"
    log.send(BOB, commands.AnswerProposal(True))
    assert [log.table.seat_of(p.id) for p in (ANN, BOB)] == [2, 0]
    assert log.table.proposal is None


def test_seats_are_swapped_only_between_deals() -> None:
    log = start_table_of_two()
    log.send(ANN, commands.Swap(2))
    log.send(BOB, commands.AnswerProposal(False))
    log.send(ANN, commands.Start())
    log.send(ANN, commands.Swap(2))  # before the first cards
    assert automatic_actor(log.table) is None  # the deal waits for the answer
    log.send(BOB, commands.AnswerProposal(True))
    log.play_bots()
    assert log.table.is_dealt
    assert log.send_refused(ANN, commands.Swap(0)) == "rule"
    assert log.send_refused(ANN, commands.Swap(1)) == "seat"
    assert log.send_refused(ANN, commands.Swap(2)) == "seat"  # her own seat


def test_a_person_cannot_take_two_hands_of_a_deal() -> None:
    log = start_table_of_two()
    log.send(ANN, commands.Start())
    log.play_bots()
    assert log.table.is_dealt
    assert log.send_refused(ANN, commands.Sit(1)) == "rule"
    log.send(ANN, commands.Stand())
    assert log.send_refused(ANN, commands.Sit(1)) == "rule"
    assert log.send_refused(CLEO, commands.Sit(0)) == "joining"
    log.add(entries.SeatTaken(0, CLEO))
    assert log.send_refused(CLEO, commands.Sit(1)) == "rule"
    log.send(CLEO, commands.Stand())
    log.send(ANN, commands.Sit(0))  # the seat she held before
    assert log.table.seat_of(ANN.id) == 0


def test_taking_the_own_seat_again_is_refused_as_stale() -> None:
    """A client that lost its connection does not know yet that it sits."""
    log = start_table_of_two()
    assert log.send_refused(BOB, commands.Sit(2)) == "stale"
    assert log.send_refused(CLEO, commands.Sit(2)) == "seat"


def test_a_person_may_change_seats_between_deals() -> None:
    log = TableLog(table_config(options={"hands": 3}))
    log.send(ANN, commands.Start())
    log.play_bots()
    while log.table.is_dealt:
        if automatic_actor(log.table) is None:
            log.act_randomly(ANN)
        else:
            log.add(automatic_entry(log.table, log.rng))
    log.send(ANN, commands.Sit(1))
    assert log.table.seat_of(ANN.id) == 1


def test_a_substitute_plays_until_the_person_takes_over() -> None:
    log = start_table_of_two()
    assert log.send_refused(BOB, commands.SubstituteBot(0)) == "host"
    assert log.send_refused(ANN, commands.SubstituteBot(1)) == "seat"
    log.send(ANN, commands.Start())
    log.send(ANN, commands.SubstituteBot(2))
    assert log.send_refused(ANN, commands.SubstituteBot(2)) == "seat"
    log.play_bots()
    assert automatic_actor(log.table) is None  # Ann is on turn: the bot has played for Bob
    assert log.send_refused(BOB, commands.Act(log.table.seq, ["pass"])) == "substituted"
    shown = json.loads(encode_state(log.table, "t", BOB.id))
    assert shown["decision"] is None
    assert shown["table"]["allowed"]["take_over"] is True
    assert shown["table"]["seats"][2]["substituted"] is True
    log.send(BOB, commands.TakeOverFromBot())
    assert not log.table.seats[2].has_substitute
    assert log.send_refused(BOB, commands.TakeOverFromBot()) == "rule"


def test_the_table_waits_when_all_people_have_substitutes() -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    log.add(entries.BotSubstituted(0, late=True))
    assert automatic_actor(log.table) is None
    log.send(ANN, commands.TakeOverFromBot())
    assert automatic_actor(log.table) is not None


def test_the_clock_runs_only_for_a_person_on_turn() -> None:
    log = start_table_of_two(clock=30)
    assert seat_on_clock(log.table) is None
    log.send(ANN, commands.Start())
    assert seat_on_clock(log.table) is None  # before the deal
    log.play_bots()
    seat = seat_on_clock(log.table)
    assert seat in (0, 2)
    log.send(ANN, commands.Pause())
    assert seat_on_clock(log.table) is None
    log.send(ANN, commands.Resume())
    assert seat_on_clock(log.table) == seat
    log.add(entries.BotSubstituted(seat, late=True))
    assert seat_on_clock(log.table) is None
    without = start_table_of_two()
    without.send(ANN, commands.Start())
    without.play_bots()
    assert seat_on_clock(without.table) is None


def test_hints_need_the_consent_of_all_and_any_person_ends_them() -> None:
    log = start_table_of_two()
    log.send(ANN, commands.Start())
    assert not may_hint(log.table, 0)
    log.send(ANN, commands.AllowHints(True))
    assert not may_hint(log.table, 0)
    log.send(BOB, commands.AnswerProposal(True))
    assert may_hint(log.table, 0)
    assert may_hint(log.table, 2)
    assert not may_hint(log.table, None)
    assert log.send_refused(ANN, commands.AllowHints(True)) == "rule"
    log.send(BOB, commands.AllowHints(False))
    assert not may_hint(log.table, 0)
    log.send(ANN, commands.AllowHints(True))
    log.send(BOB, commands.AnswerProposal(True))
    log.send(CLEO, commands.Sit(1))  # Cleo has not been asked
    assert not may_hint(log.table, 0)


def test_a_proposal_of_hints_stays_open_during_play() -> None:
    log = start_table_of_two()
    log.send(ANN, commands.Start())
    log.send(ANN, commands.AllowHints(True))
    log.play_bots()
    assert log.table.is_dealt
    assert log.table.proposal is not None


def test_the_first_person_acts_as_host_after_the_host_stands_up() -> None:
    log = start_table_of_two()
    assert log.send_refused(BOB, commands.Start()) == "host"
    log.send(ANN, commands.Stand())
    log.send(BOB, commands.Start())
    assert acts_as_host(log.table, ANN.id)
    assert acts_as_host(log.table, BOB.id)
    assert not acts_as_host(log.table, CLEO.id)
    assert not acts_as_host(log.table, None)
    log.send(ANN, commands.Sit(3))
    assert not acts_as_host(log.table, BOB.id)


def test_a_changed_name_applies_to_the_host() -> None:
    log = start_table_of_two()
    log.add(entries.ProfileChanged(0, "Anna"))
    assert log.table.seats[0].person == Person(ANN.id, "Anna")
    assert log.table.host.name == "Anna"
    assert log.table.seat_of(ANN.id) == 0


def test_only_one_proposal_is_open_at_a_time() -> None:
    log = start_table_of_two()
    log.send(ANN, commands.AllowHints(True))
    with pytest.raises(CommandRefused, match="Another request is open"):
        handle_command(log.table, BOB, commands.Swap(0), log.rng)


def test_a_person_who_saw_a_hand_may_take_another_seat_in_the_next_deal() -> None:
    log = TableLog(table_config(options={"hands": 3}))
    log.send(ANN, commands.Start())
    log.play_bots()
    log.send(ANN, commands.Stand())
    for _ in range(5):
        log.add(automatic_entry(log.table, log.rng))
    assert log.send_refused(ANN, commands.Sit(1)) == "rule"  # Ann has seen the hand of seat 0
    while log.table.is_dealt:
        log.add(automatic_entry(log.table, log.rng))
    log.send(ANN, commands.Sit(1))
    assert isinstance(automatic_entry(log.table, log.rng), entries.Dealt)
    log.add(automatic_entry(log.table, log.rng))
    log.send(ANN, commands.Stand())
    log.send(ANN, commands.Sit(1))  # Ann has seen no other hand of this deal


def test_bots_play_while_a_person_without_a_substitute_sits() -> None:
    log = start_table_of_two()
    log.send(ANN, commands.Start())
    log.send(ANN, commands.SubstituteBot(2))
    assert automatic_actor(log.table) == "deal"
    log.send(ANN, commands.Stand())
    assert automatic_actor(log.table) is None  # only Bob is left, and a bot plays for him


class FailingBot:
    """A bot that raises an exception."""

    name = "failing"

    def choose(self, view: View, decision: Decision) -> Action:
        raise ValueError("no idea")


def test_a_failed_bot_is_reported_and_marked_in_the_entry() -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    log.play_bots()
    failed: list[str] = []
    for player, fails in ((FailingBot(), True), (RandomBot(log.rng), False)):
        entry = automatic_entry(
            log.table, log.rng, player=player, on_failure=lambda name, _: failed.append(name)
        )
        assert isinstance(entry, entries.Acted)
        assert (entry.bot, entry.failed) == (True, fails)
    assert failed == ["failing"]
    with pytest.raises(ValueError, match="no idea"):
        automatic_entry(log.table, log.rng, player=FailingBot())


def overdue_table() -> tuple[TableLog, Person, int]:
    """Return a table for two, and the person whose turn's time is over, with the seat."""
    log = start_table_of_two(clock=30)
    log.send(ANN, commands.Start())
    log.play_bots()
    seat = seat_on_clock(log.table)
    assert seat is not None
    log.add(entries.BotSubstituted(seat, late=True))
    return log, ANN if seat == 0 else BOB, seat


def test_nobody_gets_new_time_for_an_overdue_turn() -> None:
    """A player could otherwise hold up the others for ever, in spite of the clock."""
    log, late, seat = overdue_table()
    assert log.send_refused(late, commands.TakeOverFromBot()) == "rule"
    log.send(late, commands.Pause())
    assert log.send_refused(late, commands.TakeOverFromBot()) == "rule"
    log.send(late, commands.Resume())
    log.send(late, commands.Stand())
    assert log.send_refused(late, commands.Sit(seat)) == "rule"
    assert automatic_actor(log.table) == seat
    log.add(automatic_entry(log.table, log.rng))
    log.send(late, commands.Sit(seat))


def test_person_takes_over_again_after_an_overdue_turn() -> None:
    log, late, _ = overdue_table()
    log.add(automatic_entry(log.table, log.rng))
    log.send(late, commands.TakeOverFromBot())


def test_person_takes_over_an_overdue_turn_if_bots_play_for_all() -> None:
    log, late, seat = overdue_table()
    log.add(entries.BotSubstituted(2 - seat))
    assert automatic_actor(log.table) is None
    log.send(late, commands.TakeOverFromBot())
