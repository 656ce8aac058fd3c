"""Presence of persons at peer processes, from their messages."""

from __future__ import annotations

import pytest

from acesaround.server.live.peer_presence import PeerPresence

MAX_MESSAGE_BYTES = 7900
SILENCE = PeerPresence().timeout_seconds


def send_presence(
    by: PeerPresence, to: PeerPresence, tables: dict[str, list[str]], now: float = 0.0
) -> set[str]:
    changed: set[str] = set()
    for said in by.presence_messages(tables, MAX_MESSAGE_BYTES):
        changed |= to.receive(said, now)[1]
    return changed


def test_presence_follows_messages_of_a_peer() -> None:
    one, two = PeerPresence(), PeerPresence()
    assert send_presence(two, one, {"t": ["ann", ""], "u": ["bob"]}) == {"t", "u"}
    assert one.people_at("t") == {"ann"}
    assert send_presence(two, one, {"t": ["ann", ""]}) == set()
    assert send_presence(two, one, {"t": []}) == {"t"}
    assert one.people_at("t") == set()
    assert one.people_at("u") == {"bob"}
    assert one.receive(two.encode_message("bye")) == (False, {"u"})
    assert one.people_at("u") == set()


def test_person_is_silent_until_one_process_hears_an_answer() -> None:
    one, two, three = PeerPresence(), PeerPresence(), PeerPresence()
    presence = {"t": ["ann", "bob"], "u": ["ann"]}
    send_presence(two, one, presence)
    assert one.answering_at("t") == {"ann", "bob"}
    silent = list(two.presence_messages(presence, MAX_MESSAGE_BYTES, {"t": "bob", "u": None}))
    assert [one.receive(message)[1] for message in silent] == [{"t"}]
    assert one.people_at("t") == {"ann", "bob"}
    assert one.answering_at("t") == {"ann"}
    send_presence(three, one, {"t": ["bob"]})  # on another device
    assert one.answering_at("t") == {"ann", "bob"}
    send_presence(three, one, {"t": []})
    assert send_presence(two, one, presence) == {"t"}
    assert one.answering_at("t") == {"ann", "bob"}


def test_messages_with_silent_people_fit_the_limit() -> None:
    one, two = PeerPresence(), PeerPresence()
    people = {f"table-{number}": [f"person-{number}"] for number in range(500)}
    silent = {table_id: names[0] for table_id, names in people.items()}
    messages = list(two.presence_messages(people, MAX_MESSAGE_BYTES, silent))
    assert max(len(message.encode()) for message in messages) <= MAX_MESSAGE_BYTES
    for message in messages:
        one.receive(message)
    assert not any(one.answering_at(table_id) for table_id in people)


def test_people_who_left_during_an_interruption_are_dropped_after_it() -> None:
    one, two = PeerPresence(), PeerPresence()
    send_presence(two, one, {"t": ["ann"], "u": ["bob"]})
    one.expect_presence()  # everybody has left `t`, and that message was lost
    assert send_presence(two, one, {"u": ["bob"]}) == set()
    assert one.people_at("t") == {"ann"}  # until the other has named all of its tables
    assert one.receive(two.encode_message("whole")) == (False, {"t"})
    assert one.people_at("t") == set()
    assert one.people_at("u") == {"bob"}
    assert one.receive(two.encode_message("whole")) == (False, set())


def test_person_stays_though_equal_notices_are_delivered_once() -> None:
    """Of equal notices in a transaction PostgreSQL delivers only the first."""
    one, two = PeerPresence(), PeerPresence()
    presence = {"t": ["ann"]}
    sent = [
        *two.presence_messages(presence, MAX_MESSAGE_BYTES),
        two.encode_message("hello"),
        *two.presence_messages(presence, MAX_MESSAGE_BYTES),
        two.encode_message("whole"),
    ]
    for message in dict.fromkeys(sent):
        one.receive(message)
    assert one.people_at("t") == {"ann"}


def test_people_who_left_while_the_peer_could_not_send_are_dropped_after_its_hello() -> None:
    one, two = PeerPresence(), PeerPresence()
    send_presence(two, one, {"t": ["ann"]})
    assert one.receive(two.encode_message("hello")) == (True, set())
    assert one.receive(two.encode_message("whole")) == (False, {"t"})


def test_silent_peer_is_dropped_with_its_people() -> None:
    one, two, three = PeerPresence(), PeerPresence(), PeerPresence()
    send_presence(two, one, {"t": ["ann"]}, now=10.0)
    send_presence(three, one, {"t": ["bob"]}, now=10.0)
    one.receive(three.encode_message("alive"), 10.0 + SILENCE)
    assert one.drop_silent_peers(10.0 + SILENCE) == set()
    assert one.drop_silent_peers(10.1 + SILENCE) == {"t"}
    assert one.people_at("t") == {"bob"}


def test_new_peer_gets_everything_and_own_messages_are_ignored() -> None:
    one, two = PeerPresence(), PeerPresence()
    assert one.receive(two.encode_message("alive")) == (True, set())
    assert one.receive(two.encode_message("alive")) == (False, set())
    assert one.receive(two.encode_message("hello")) == (True, set())
    assert one.receive(one.encode_message("hello")) == (False, set())


def test_messages_are_short_enough_and_complete() -> None:
    one, two = PeerPresence(), PeerPresence()
    tables = {
        f"table{n:08}": [f"person{n:04}{m:08}{'x' * 4}" for m in range(4)] for n in range(999)
    }
    said = list(one.presence_messages(tables, MAX_MESSAGE_BYTES))
    assert max(len(message) for message in said) <= MAX_MESSAGE_BYTES
    for message in said:
        two.receive(message)
    assert all(two.people_at(table) == set(people) for table, people in tables.items())
    [crowded] = one.presence_messages({"t": [f"{n:022}" for n in range(1000)]}, MAX_MESSAGE_BYTES)
    assert len(crowded) <= MAX_MESSAGE_BYTES


@pytest.mark.parametrize("said", ["", "null", "[]", '["x","fly"]', '["x","here",{"t":3}]', "\x00"])
def test_invalid_message_is_ignored(said: str) -> None:
    one = PeerPresence()
    assert one.receive(said) == (False, set())
    assert one.drop_silent_peers(1e9) == set()


def test_dropped_peer_is_asked_again_when_it_returns() -> None:
    """The peer does not know that its presence was forgotten, and would not repeat it."""
    one, two = PeerPresence(), PeerPresence()
    send_presence(two, one, {"t": ["ann"]}, now=0.0)
    assert one.drop_silent_peers(1.0 + SILENCE) == {"t"}
    assert one.receive(two.encode_message("alive"), 2.0 + SILENCE) == (True, set())
    assert one.is_presence_unknown
    assert not one.is_in_use("t")
    assert two.receive(one.encode_message("hello")) == (True, set())  # so it sends everything
    assert send_presence(two, one, {"t": ["ann"]}) == {"t"}


def test_peer_that_says_bye_is_not_asked() -> None:
    one, two = PeerPresence(), PeerPresence()
    send_presence(two, one, {"t": ["ann"]}, now=0.0)
    one.drop_silent_peers(1.0 + SILENCE)
    one.receive(two.encode_message("bye"))
    assert not one.is_presence_unknown
