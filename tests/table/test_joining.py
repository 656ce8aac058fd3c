"""Who may sit, who has to ask, who is the host while the host is away, and whose consent counts.

Each of these was an attack or an accident that a table let happen.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from acesaround import game
from acesaround.table import (
    Person,
    TablePresence,
    automatic_actor,
    commands,
    draw_token,
    encode_state,
    entries,
    find_or_draw_key,
    fold,
    may_hint,
    new_link,
    seat_waiting_people,
)
from tests.table.table_log import ANN, BOB, CLEO, TableLog, choose_random_action, table_config

DAN = Person("d4", "Dan")
ALL_IDS = frozenset(person.id for person in (ANN, BOB, CLEO, DAN))


def make_presence(*present: Person, gone: tuple[Person, ...] = ()) -> TablePresence:
    """Return a presence of people, and of others who are absent."""
    return TablePresence(
        frozenset(person.id for person in present), frozenset(person.id for person in gone)
    )


def start_table_of_three(**more: Any) -> TableLog:
    """Return a dealt table of Ann, Bob, Cleo and a bot in seat 3; all people are present."""
    log = TableLog(table_config(**more))
    log.presence = TablePresence(ALL_IDS)
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Start())
    log.play_bots()
    assert log.table.is_dealt
    return log


def find_person_on_turn(log: TableLog) -> Person:
    """Return the person on turn."""
    assert log.table.game is not None
    seat = game.decision(log.table.game).seat
    assert seat is not None
    person = log.table.seats[seat].person
    assert person is not None
    return person


def play_until_turn_of(log: TableLog, wanted: Person) -> None:
    """Play until it is somebody's turn."""
    while find_person_on_turn(log) != wanted:
        log.send(
            find_person_on_turn(log),
            commands.Act(log.table.seq, choose_random_action(log.table, log.rng)),
        )
        log.play_bots()


# An absent host


def test_any_seated_person_sets_a_substitute_for_an_absent_host() -> None:
    log = start_table_of_three()
    play_until_turn_of(log, ANN)
    log.presence = make_presence(BOB, CLEO)  # she has just left
    assert log.send_refused(BOB, commands.SubstituteBot(0)) == "host"
    assert automatic_actor(log.table) is None
    log.presence = make_presence(BOB, CLEO, gone=(ANN,))
    assert log.send_refused(DAN, commands.SubstituteBot(0)) == "host"  # who only looks on
    log.send(CLEO, commands.SubstituteBot(0))
    assert automatic_actor(log.table) == 0


def test_first_present_person_acts_as_host_while_the_host_is_absent() -> None:
    log = start_table_of_three()
    before = log.table
    log.presence = make_presence(BOB, CLEO, gone=(ANN,))
    log.send(DAN, commands.RequestSeat(3))
    letting_in = commands.AnswerSeatRequest(log.table.seat_requests[0].seq, yes=True)
    log.presence = make_presence(BOB, CLEO, DAN, gone=(ANN,))
    assert log.send_refused(CLEO, letting_in) == "host"
    log.presence = make_presence(CLEO, DAN, gone=(ANN, BOB))
    log.send(CLEO, letting_in)
    log.send(CLEO, commands.SubstituteBot(0))
    log.presence = make_presence(ANN, BOB, CLEO)
    assert log.send_refused(BOB, commands.AnswerSeatRequest(1, yes=False)) == "host"
    assert log.table.host == before.host


@pytest.mark.parametrize(
    "command",
    [
        commands.Remove(0), commands.Remove(2), commands.Readmit(9), commands.GiveHost(2),
        commands.SetJoining("locked"),
        commands.ReplaceLink("play"), commands.ReplaceLink("watch"), commands.SetBot(3, "random"),
        commands.AllowFreeChat(True), commands.SubstituteBot(2),
    ],
)  # fmt: skip
def test_acting_host_may_only_keep_the_game_going(command: commands.Command) -> None:
    """The host's phone has been locked for a minute. Cleo has just left."""
    log = start_table_of_three()
    log.send(BOB, commands.Pause())
    log.presence = make_presence(BOB, gone=(ANN,))
    assert log.send_refused(BOB, command) == "host"
    shown = json.loads(encode_state(log.table, "t", BOB.id, presence=log.presence))["table"]
    assert shown["host"] is False  # so the page offers none of this
    assert [seat["host"] for seat in shown["seats"]] == [True, True, False, False]
    assert (
        shown["allowed"]["substitute_bot"],
        shown["allowed"]["remove"],
        shown["allowed"]["give_host"],
    ) == ([0], [], [])
    log.send(BOB, commands.Resume())


def test_host_who_was_briefly_absent_is_still_the_host() -> None:
    log = start_table_of_three()
    log.presence = make_presence(BOB, CLEO)
    assert log.send_refused(BOB, commands.SetJoining("locked")) == "host"


def test_host_can_make_somebody_else_the_host() -> None:
    log = start_table_of_three()
    assert log.send_refused(BOB, commands.GiveHost(1)) == "host"
    assert log.send_refused(ANN, commands.GiveHost(3)) == "seat"  # a bot
    assert log.send_refused(ANN, commands.GiveHost(0)) == "seat"  # herself
    log.send(ANN, commands.GiveHost(1))
    assert log.table.host == BOB
    assert log.send_refused(ANN, commands.SetJoining("ask")) == "host"
    log.send(BOB, commands.SetJoining("ask"))
    assert fold(log.entries) == log.table
    shown = json.loads(encode_state(log.table, "t", ANN.id))["table"]
    assert [seat["host"] for seat in shown["seats"]] == [False, True, False, False]
    assert shown["host"] is False


def test_rematch_does_not_wait_for_absent_people() -> None:
    log = TableLog(table_config(options={"hands": 1}))
    log.presence = make_presence(ANN, BOB, CLEO)
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Start())
    while log.table.is_playing:
        log.play_bots()
        if log.table.is_playing:
            log.send(
                find_person_on_turn(log),
                commands.Act(log.table.seq, choose_random_action(log.table, log.rng)),
            )
    log.presence = make_presence(ANN, CLEO)
    log.send(ANN, commands.Rematch())
    log.send(CLEO, commands.Rematch())
    assert log.table.game_count == 1  # Bob may be back at once
    log.send(CLEO, commands.Stand())
    log.send(CLEO, commands.Sit(2))
    log.presence = make_presence(CLEO, gone=(ANN, BOB))
    log.send(CLEO, commands.Rematch())
    assert log.table.game_count == 2


# Consent


def test_host_sets_no_substitute_for_a_present_person() -> None:
    log = start_table_of_three()
    assert log.send_refused(ANN, commands.SubstituteBot(1)) == "rule"
    log.presence = make_presence(ANN, CLEO)
    log.send(ANN, commands.SubstituteBot(1))


@pytest.mark.parametrize("command", [commands.Undo(), commands.AllowHints(True)])
def test_present_person_with_a_substitute_is_asked_for_consent(command: commands.Command) -> None:
    log = start_table_of_three()
    log.add(entries.BotSubstituted(1, late=True), entries.BotSubstituted(2, late=True))
    log.play_bots()
    first = find_person_on_turn(log)
    assert first == ANN
    log.send(ANN, commands.Act(log.table.seq, choose_random_action(log.table, log.rng)))
    before = log.table.game
    log.send(ANN, command)
    assert log.table.proposal is not None
    assert log.table.proposal.waiting == (1, 2)
    assert log.table.game is before
    assert not may_hint(log.table, 0)


def test_absent_person_is_not_asked_for_consent() -> None:
    log = start_table_of_three()
    log.presence = make_presence(ANN, gone=(BOB,))
    log.send(ANN, commands.AllowHints(True))
    assert log.table.proposal is not None
    assert log.table.proposal.waiting == (2,)  # Cleo may be back any moment


def test_bot_plays_the_hand_of_a_removed_person_until_the_deal_is_over() -> None:
    log = start_table_of_three(options={"hands": 9})
    log.send(ANN, commands.Remove(1))
    assert automatic_actor(log.table) == 1 or find_person_on_turn(log) != BOB
    for spy in (DAN, BOB):
        assert log.send_refused(spy, commands.Sit(1)) in ("rule", "joining")
        assert log.send_refused(spy, commands.RequestSeat(1)) in ("rule", "joining")
    log.send(DAN, commands.RequestSeat(3))
    dan = log.table.seat_requests[0].seq
    log.add(entries.Removed(2))
    log.send(ANN, commands.AnswerSeatRequest(dan, yes=True))  # a hand of which nobody was robbed
    while log.table.is_dealt:
        log.play_bots()
        if log.table.is_dealt:
            log.send(
                find_person_on_turn(log),
                commands.Act(log.table.seq, choose_random_action(log.table, log.rng)),
            )
    eve = Person("e5", "Eve")
    log.send(eve, commands.RequestSeat(1))
    log.presence = TablePresence(ALL_IDS | {eve.id})
    log.send(ANN, commands.AnswerSeatRequest(log.table.seat_requests[0].seq, yes=True))
    assert log.table.seat_of(eve.id) == 1


def test_seat_request_gives_no_hand_of_a_person_removed_meanwhile() -> None:
    log = start_table_of_three()
    log.send(CLEO, commands.Stand())
    log.send(DAN, commands.RequestSeat(2))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Remove(2))
    assert (
        log.send_refused(ANN, commands.AnswerSeatRequest(log.table.seat_requests[0].seq, yes=True))
        == "rule"
    )


# Strangers


def test_newcomer_takes_a_dealt_seat_only_if_the_host_agrees() -> None:
    log = start_table_of_three()
    assert log.send_refused(DAN, commands.Sit(3)) == "joining"
    log.send(DAN, commands.RequestSeat(3))
    assert log.send_refused(DAN, commands.RequestSeat(3)) == "rule"
    number = log.table.seat_requests[0].seq
    assert log.send_refused(BOB, commands.AnswerSeatRequest(number, yes=True)) == "host"
    assert log.send_refused(DAN, commands.AnswerSeatRequest(number, yes=True)) == "host"
    log.send(ANN, commands.AnswerSeatRequest(number, yes=True))
    assert log.table.seat_of(DAN.id) == 3
    assert log.table.seat_requests == ()
    assert fold(log.entries) == log.table


def test_refused_newcomer_may_not_ask_again_in_the_same_deal() -> None:
    log = start_table_of_three()
    log.send(DAN, commands.RequestSeat(3))
    log.send(ANN, commands.AnswerSeatRequest(log.table.seat_requests[0].seq, yes=False))
    assert log.send_refused(DAN, commands.RequestSeat(3)) == "joining"
    assert log.send_refused(ANN, commands.AnswerSeatRequest(5, yes=True)) == "rule"


def test_newcomer_at_an_open_table_sits_down_after_the_deal() -> None:
    log = start_table_of_three()
    log.send(DAN, commands.RequestSeat(3))
    assert seat_waiting_people(log.table, log.presence) == ()
    while log.table.is_dealt:
        log.play_bots_to_deal()
        if log.table.is_dealt:
            log.send(
                find_person_on_turn(log),
                commands.Act(log.table.seq, choose_random_action(log.table, log.rng)),
            )
    assert seat_waiting_people(log.table, make_presence(ANN)) == ()  # he has left
    assert seat_waiting_people(log.table, log.presence) == (entries.SeatTaken(3, DAN),)
    log.send(ANN, commands.SetJoining("ask"))
    assert seat_waiting_people(log.table, log.presence) == ()


def test_host_admits_newcomers_at_a_table_that_asks() -> None:
    log = TableLog(table_config())
    log.presence = TablePresence(ALL_IDS)
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.SetJoining("ask"))
    assert log.send_refused(CLEO, commands.Sit(2)) == "joining"
    log.send(CLEO, commands.RequestSeat(2))
    log.send(BOB, commands.Sit(2))  # who has sat here is not new, and first come is first served
    assert (
        log.send_refused(ANN, commands.AnswerSeatRequest(log.table.seat_requests[0].seq, yes=True))
        == "seat"
    )


def test_nobody_new_sits_or_asks_at_a_locked_table() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.SetJoining("locked"))
    assert log.send_refused(CLEO, commands.Sit(2)) == "joining"
    assert log.send_refused(CLEO, commands.RequestSeat(2)) == "joining"
    log.send(BOB, commands.Stand())
    log.send(BOB, commands.Sit(1))
    assert log.send_refused(BOB, commands.SetJoining("open")) == "host"


def test_removed_person_may_not_sit_until_readmitted() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Remove(1))
    for command in (commands.Sit(1), commands.Sit(2), commands.RequestSeat(1)):
        assert log.send_refused(BOB, command) == "joining"
    shown = json.loads(encode_state(log.table, "t", ANN.id))["table"]
    assert [one["name"] for one in shown["removed"]] == ["Bob"]
    assert json.loads(encode_state(log.table, "t", CLEO.id))["table"]["removed"] == []
    assert log.send_refused(BOB, commands.Readmit(shown["removed"][0]["removal"])) == "host"
    log.send(ANN, commands.Readmit(shown["removed"][0]["removal"]))
    log.send(BOB, commands.Sit(1))
    assert fold(log.entries) == log.table


def test_former_player_may_sit_after_the_link_was_replaced_until_removed() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    assert log.table.may_enter(BOB.id)
    assert not log.table.may_enter(DAN.id)
    assert not log.table.may_enter(None)
    log.send(ANN, commands.Remove(1))
    assert not log.table.may_enter(BOB.id)
    assert log.table.may_enter(CLEO.id)


def test_unknown_person_has_to_ask_after_a_removal() -> None:
    """The same person with another cookie is somebody new."""
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Remove(1))
    assert log.table.joining == "ask"
    assert log.send_refused(Person("b2 again", "Rob"), commands.Sit(1)) == "joining"


def test_number_of_seat_requests_is_limited() -> None:
    log = start_table_of_three()
    crowd = [Person(f"x{n}", "X") for n in range(8)]
    log.presence = TablePresence(ALL_IDS | {one.id for one in crowd})
    for one in crowd[:6]:
        log.send(one, commands.RequestSeat(3))
    assert log.send_refused(crowd[6], commands.RequestSeat(3)) == "joining"
    log.presence = make_presence(ANN, crowd[7])  # they ask and leave
    log.send(crowd[7], commands.RequestSeat(3))
    shown = json.loads(encode_state(log.table, "t", ANN.id, presence=log.presence))["table"]
    assert [one["request"] for one in shown["seat_requests"]] == [log.table.seat_requests[-1].seq]


def test_seat_requests_are_shown_to_seated_people_only() -> None:
    log = start_table_of_three()
    log.send(DAN, commands.RequestSeat(3))

    def list_shown_requests(person: Person | None) -> list[Any]:
        person_id = None if person is None else person.id
        state = json.loads(encode_state(log.table, "t", person_id, presence=log.presence))
        requests: list[Any] = state["table"]["seat_requests"]
        return requests

    assert [one["name"] for one in list_shown_requests(BOB)] == ["Dan"]
    assert list_shown_requests(DAN)[0]["you"] is True
    assert list_shown_requests(Person("z", "Zoe")) == []
    assert list_shown_requests(None) == []


# Links


def test_only_the_host_replaces_a_link() -> None:
    log = start_table_of_three()
    assert log.send_refused(BOB, commands.ReplaceLink("watch")) == "host"
    log.send(ANN, commands.ReplaceLink("watch"))
    first = log.table.links.watch
    log.send(ANN, commands.ReplaceLink("watch"))
    assert log.table.links.watch not in (None, first)
    assert fold(log.entries) == log.table


def test_all_links_of_a_table_begin_with_the_same_six_letters() -> None:
    """By them a proxy sends everybody at a table to the same server."""
    rng = random.Random(1)
    key = find_or_draw_key(None, rng)
    assert len(key) == 6
    assert find_or_draw_key(None, rng) != key
    log = start_table_of_three()
    for kind in ("watch", "replay", "play", "watch"):
        log.send(ANN, commands.ReplaceLink(kind))
    links = log.table.links
    tokens = [links.play, links.watch, links.replay]
    assert len({str(token)[:6] for token in tokens}) == 1
    assert len({str(token)[6:] for token in tokens}) == 3
    assert all(len(str(token)) == 6 + 16 for token in tokens)  # of which nobody can guess 16
    assert find_or_draw_key(log.table, rng) == str(links.watch)[:6]
    assert new_link("watch", key, rng).token.startswith(key)
    assert draw_token(key, rng) != draw_token(key, rng)


def test_spectator_is_shown_no_link() -> None:
    log = start_table_of_three()
    for kind in ("play", "watch", "replay"):
        log.send(ANN, commands.ReplaceLink(kind))
    sent = encode_state(log.table, str(log.table.links.watch), None).decode()
    assert str(log.table.links.play) not in sent
    assert str(log.table.links.replay) not in sent
    links = json.loads(encode_state(log.table, "t", BOB.id))["table"]["links"]
    assert links == {
        "play": f"/t/{log.table.links.play}",
        "watch": f"/w/{log.table.links.watch}",
        "replay": f"/r/{log.table.links.replay}",
    }
