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
ALL = frozenset(person.id for person in (ANN, BOB, CLEO, DAN))


def there(*present: Person, gone: tuple[Person, ...] = ()) -> TablePresence:
    return TablePresence(
        frozenset(person.id for person in present), frozenset(person.id for person in gone)
    )


def three(**more: Any) -> TableLog:
    """Ann, Bob and Cleo at a table, a bot in seat 3, all connected and cards dealt."""
    log = TableLog(table_config(**more))
    log.presence = TablePresence(ALL)
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Start())
    log.play_bots()
    assert log.table.is_dealt
    return log


def on_turn(log: TableLog) -> Person:
    assert log.table.game is not None
    seat = game.decision(log.table.game).seat
    assert seat is not None
    person = log.table.seats[seat].person
    assert person is not None
    return person


def turn_of(log: TableLog, wanted: Person) -> None:
    """Play until it is somebody's turn."""
    while on_turn(log) != wanted:
        log.send(
            on_turn(log), commands.Act(log.table.seq, choose_random_action(log.table, log.rng))
        )
        log.play_bots()


# An absent host


def test_anybody_seated_covers_a_host_who_is_gone_and_play_goes_on() -> None:
    log = three()
    turn_of(log, ANN)
    log.presence = there(BOB, CLEO)  # she has just left
    assert log.send_refused(BOB, commands.SubstituteBot(0)) == "host"
    assert automatic_actor(log.table) is None
    log.presence = there(BOB, CLEO, gone=(ANN,))
    assert log.send_refused(DAN, commands.SubstituteBot(0)) == "host"  # who only looks on
    log.send(CLEO, commands.SubstituteBot(0))
    assert automatic_actor(log.table) == 0


def test_the_first_person_who_is_there_acts_for_a_host_who_is_gone_until_he_is_back() -> None:
    log = three()
    before = log.table
    log.presence = there(BOB, CLEO, gone=(ANN,))
    log.send(DAN, commands.Knock(3))
    letting_in = commands.Admit(log.table.knockers[0].seq, yes=True)
    log.presence = there(BOB, CLEO, DAN, gone=(ANN,))
    assert log.send_refused(CLEO, letting_in) == "host"
    log.presence = there(CLEO, DAN, gone=(ANN, BOB))
    log.send(CLEO, letting_in)
    log.send(CLEO, commands.SubstituteBot(0))
    log.presence = there(ANN, BOB, CLEO)
    assert log.send_refused(BOB, commands.Admit(1, yes=False)) == "host"
    assert log.table.host == before.host


@pytest.mark.parametrize(
    "command",
    [
        commands.Remove(0), commands.Remove(2), commands.Readmit(9), commands.GiveHost(2),
        commands.Joining("locked"),
        commands.ReplaceLink("play"), commands.ReplaceLink("watch"), commands.SetBot(3, "random"),
        commands.AllowFreeChat(True), commands.SubstituteBot(2),
    ],
)  # fmt: skip
def test_who_acts_for_a_host_only_lets_the_game_go_on(command: commands.Command) -> None:
    """The host's phone has been locked for a minute. Cleo has just left."""
    log = three()
    log.send(BOB, commands.Pause())
    log.presence = there(BOB, gone=(ANN,))
    assert log.send_refused(BOB, command) == "host"
    shown = json.loads(encode_state(log.table, "t", BOB.id, presence=log.presence))["table"]
    assert shown["host"] is False  # so the page offers none of this
    assert [seat["host"] for seat in shown["seats"]] == [True, True, False, False]
    assert (shown["may"]["cover"], shown["may"]["remove"], shown["may"]["give"]) == ([0], [], [])
    log.send(BOB, commands.Resume())


def test_a_host_who_has_been_away_for_a_moment_is_still_the_host() -> None:
    log = three()
    log.presence = there(BOB, CLEO)
    assert log.send_refused(BOB, commands.Joining("locked")) == "host"


def test_the_host_may_be_given_for_good() -> None:
    log = three()
    assert log.send_refused(BOB, commands.GiveHost(1)) == "host"
    assert log.send_refused(ANN, commands.GiveHost(3)) == "seat"  # a bot
    assert log.send_refused(ANN, commands.GiveHost(0)) == "seat"  # herself
    log.send(ANN, commands.GiveHost(1))
    assert log.table.host == BOB
    assert log.send_refused(ANN, commands.Joining("ask")) == "host"
    log.send(BOB, commands.Joining("ask"))
    assert fold(log.entries) == log.table
    shown = json.loads(encode_state(log.table, "t", ANN.id))["table"]
    assert [seat["host"] for seat in shown["seats"]] == [False, True, False, False]
    assert shown["host"] is False


def test_another_game_does_not_wait_for_who_is_gone() -> None:
    log = TableLog(table_config(options={"hands": 1}))
    log.presence = there(ANN, BOB, CLEO)
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Start())
    while log.table.is_playing:
        log.play_bots()
        if log.table.is_playing:
            log.send(
                on_turn(log), commands.Act(log.table.seq, choose_random_action(log.table, log.rng))
            )
    log.presence = there(ANN, CLEO)
    log.send(ANN, commands.Rematch())
    log.send(CLEO, commands.Rematch())
    assert log.table.game_count == 1  # Bob may be back at once
    log.send(CLEO, commands.Stand())
    log.send(CLEO, commands.Sit(2))
    log.presence = there(CLEO, gone=(ANN, BOB))
    log.send(CLEO, commands.Rematch())
    assert log.table.game_count == 2


# Consent


def test_a_host_does_not_cover_somebody_who_is_there() -> None:
    log = three()
    assert log.send_refused(ANN, commands.SubstituteBot(1)) == "rule"
    log.presence = there(ANN, CLEO)
    log.send(ANN, commands.SubstituteBot(1))


@pytest.mark.parametrize("command", [commands.Undo(), commands.Hints(True)])
def test_who_is_covered_and_there_is_asked_all_the_same(command: commands.Command) -> None:
    log = three()
    log.add(entries.BotSubstituted(1, late=True), entries.BotSubstituted(2, late=True))
    log.play_bots()
    first = on_turn(log)
    assert first == ANN
    log.send(ANN, commands.Act(log.table.seq, choose_random_action(log.table, log.rng)))
    before = log.table.game
    log.send(ANN, command)
    assert log.table.proposal is not None
    assert log.table.proposal.waiting == (1, 2)
    assert log.table.game is before
    assert not may_hint(log.table, 0)


def test_who_is_gone_is_not_asked() -> None:
    log = three()
    log.presence = there(ANN, gone=(BOB,))
    log.send(ANN, commands.Hints(True))
    assert log.table.proposal is not None
    assert log.table.proposal.waiting == (2,)  # Cleo may be back any moment


def test_a_removed_persons_hand_is_a_bots_until_the_deal_is_over() -> None:
    log = three(options={"hands": 9})
    log.send(ANN, commands.Remove(1))
    assert automatic_actor(log.table) == 1 or on_turn(log) != BOB
    for spy in (DAN, BOB):
        assert log.send_refused(spy, commands.Sit(1)) in ("rule", "joining")
        assert log.send_refused(spy, commands.Knock(1)) in ("rule", "joining")
    log.send(DAN, commands.Knock(3))
    dan = log.table.knockers[0].seq
    log.add(entries.Removed(2))
    log.send(ANN, commands.Admit(dan, yes=True))  # a hand of which nobody was robbed
    while log.table.is_dealt:
        log.play_bots()
        if log.table.is_dealt:
            log.send(
                on_turn(log), commands.Act(log.table.seq, choose_random_action(log.table, log.rng))
            )
    eve = Person("e5", "Eve")
    log.send(eve, commands.Knock(1))
    log.presence = TablePresence(ALL | {eve.id})
    log.send(ANN, commands.Admit(log.table.knockers[0].seq, yes=True))
    assert log.table.seat_of(eve.id) == 1


def test_a_knock_does_not_open_a_hand_whose_person_is_removed_meanwhile() -> None:
    log = three()
    log.send(CLEO, commands.Stand())
    log.send(DAN, commands.Knock(2))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Remove(2))
    assert log.send_refused(ANN, commands.Admit(log.table.knockers[0].seq, yes=True)) == "rule"


# Strangers


def test_nobody_new_sits_in_a_dealt_seat_unless_the_host_says_so() -> None:
    log = three()
    assert log.send_refused(DAN, commands.Sit(3)) == "joining"
    log.send(DAN, commands.Knock(3))
    assert log.send_refused(DAN, commands.Knock(3)) == "rule"
    number = log.table.knockers[0].seq
    assert log.send_refused(BOB, commands.Admit(number, yes=True)) == "host"
    assert log.send_refused(DAN, commands.Admit(number, yes=True)) == "host"
    log.send(ANN, commands.Admit(number, yes=True))
    assert log.table.seat_of(DAN.id) == 3
    assert log.table.knockers == ()
    assert fold(log.entries) == log.table


def test_who_is_not_let_in_does_not_ask_again_in_this_deal() -> None:
    log = three()
    log.send(DAN, commands.Knock(3))
    log.send(ANN, commands.Admit(log.table.knockers[0].seq, yes=False))
    assert log.send_refused(DAN, commands.Knock(3)) == "joining"
    assert log.send_refused(ANN, commands.Admit(5, yes=True)) == "rule"


def test_who_asked_for_a_hand_at_an_open_table_sits_down_when_it_is_over() -> None:
    log = three()
    log.send(DAN, commands.Knock(3))
    assert seat_waiting_people(log.table, log.presence) == ()
    while log.table.is_dealt:
        log.play_bots_to_deal()
        if log.table.is_dealt:
            log.send(
                on_turn(log), commands.Act(log.table.seq, choose_random_action(log.table, log.rng))
            )
    assert seat_waiting_people(log.table, there(ANN)) == ()  # he has left
    assert seat_waiting_people(log.table, log.presence) == (entries.SeatTaken(3, DAN),)
    log.send(ANN, commands.Joining("ask"))
    assert seat_waiting_people(log.table, log.presence) == ()


def test_at_a_table_that_asks_a_newcomer_is_let_in_by_the_host() -> None:
    log = TableLog(table_config())
    log.presence = TablePresence(ALL)
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Joining("ask"))
    assert log.send_refused(CLEO, commands.Sit(2)) == "joining"
    log.send(CLEO, commands.Knock(2))
    log.send(BOB, commands.Sit(2))  # who has sat here is not new, and first come is first served
    assert log.send_refused(ANN, commands.Admit(log.table.knockers[0].seq, yes=True)) == "seat"


def test_at_a_locked_table_nobody_new_sits_or_asks() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Joining("locked"))
    assert log.send_refused(CLEO, commands.Sit(2)) == "joining"
    assert log.send_refused(CLEO, commands.Knock(2)) == "joining"
    log.send(BOB, commands.Stand())
    log.send(BOB, commands.Sit(1))
    assert log.send_refused(BOB, commands.Joining("open")) == "host"


def test_a_removed_person_sits_no_more_until_the_host_forgives() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Remove(1))
    for command in (commands.Sit(1), commands.Sit(2), commands.Knock(1)):
        assert log.send_refused(BOB, command) == "joining"
    shown = json.loads(encode_state(log.table, "t", ANN.id))["table"]
    assert [one["name"] for one in shown["out"]] == ["Bob"]
    assert json.loads(encode_state(log.table, "t", CLEO.id))["table"]["out"] == []
    assert log.send_refused(BOB, commands.Readmit(shown["out"][0]["removal"])) == "host"
    log.send(ANN, commands.Readmit(shown["out"][0]["removal"]))
    log.send(BOB, commands.Sit(1))
    assert fold(log.entries) == log.table


def test_who_has_sat_is_welcome_whatever_became_of_the_link_until_removed() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    assert log.table.may_enter(BOB.id)
    assert not log.table.may_enter(DAN.id)
    assert not log.table.may_enter(None)
    log.send(ANN, commands.Remove(1))
    assert not log.table.may_enter(BOB.id)
    assert log.table.may_enter(CLEO.id)


def test_after_a_removal_a_new_face_has_to_ask() -> None:
    """The same person with another cookie is somebody new."""
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Remove(1))
    assert log.table.joining == "ask"
    assert log.send_refused(Person("b2 again", "Rob"), commands.Sit(1)) == "joining"


def test_knocks_of_many_faces_do_not_pile_up() -> None:
    log = three()
    crowd = [Person(f"x{n}", "X") for n in range(8)]
    log.presence = TablePresence(ALL | {one.id for one in crowd})
    for one in crowd[:6]:
        log.send(one, commands.Knock(3))
    assert log.send_refused(crowd[6], commands.Knock(3)) == "joining"
    log.presence = there(ANN, crowd[7])  # they knock and run
    log.send(crowd[7], commands.Knock(3))
    shown = json.loads(encode_state(log.table, "t", ANN.id, presence=log.presence))["table"]
    assert [one["knock"] for one in shown["knocks"]] == [log.table.knockers[-1].seq]


def test_who_knocks_is_shown_to_who_sits_and_not_to_others() -> None:
    log = three()
    log.send(DAN, commands.Knock(3))

    def shown(person: Person | None) -> list[Any]:
        who = None if person is None else person.id
        state = json.loads(encode_state(log.table, "t", who, presence=log.presence))
        found: list[Any] = state["table"]["knocks"]
        return found

    assert [one["name"] for one in shown(BOB)] == ["Dan"]
    assert shown(DAN)[0]["you"] is True
    assert shown(Person("z", "Zoe")) == []
    assert shown(None) == []


# Links


def test_a_link_is_made_anew_by_the_host_alone() -> None:
    log = three()
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
    log = three()
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


def test_who_only_watches_is_shown_no_link() -> None:
    log = three()
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
