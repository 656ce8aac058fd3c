"""What a process knows of the people at the others, from what those tell."""

from __future__ import annotations

import pytest

from acesaround.server.live.peer_presence import PeerPresence

LONGEST = 7900
SILENCE = PeerPresence().timeout_seconds


def tell(
    by: PeerPresence, to: PeerPresence, tables: dict[str, list[str]], now: float = 0.0
) -> set[str]:
    changed: set[str] = set()
    for said in by.presence_messages(tables, LONGEST):
        changed |= to.receive(said, now)[1]
    return changed


def test_people_come_and_go_elsewhere() -> None:
    one, two = PeerPresence(), PeerPresence()
    assert tell(two, one, {"t": ["ann", ""], "u": ["bob"]}) == {"t", "u"}
    assert one.people_at("t") == {"ann"}
    assert tell(two, one, {"t": ["ann", ""]}) == set()
    assert tell(two, one, {"t": []}) == {"t"}
    assert one.people_at("t") == set()
    assert one.people_at("u") == {"bob"}
    assert one.receive(two.encode_message("bye")) == (False, {"u"})
    assert one.people_at("u") == set()


def test_a_silent_process_is_forgotten_with_its_people() -> None:
    one, two, three = PeerPresence(), PeerPresence(), PeerPresence()
    tell(two, one, {"t": ["ann"]}, now=10.0)
    tell(three, one, {"t": ["bob"]}, now=10.0)
    one.receive(three.encode_message("alive"), 10.0 + SILENCE)
    assert one.drop_silent_peers(10.0 + SILENCE) == set()
    assert one.drop_silent_peers(10.1 + SILENCE) == {"t"}
    assert one.people_at("t") == {"bob"}


def test_who_is_new_is_told_everything_and_ones_own_voice_is_not_heard() -> None:
    one, two = PeerPresence(), PeerPresence()
    assert one.receive(two.encode_message("alive")) == (True, set())
    assert one.receive(two.encode_message("alive")) == (False, set())
    assert one.receive(two.encode_message("hello")) == (True, set())
    assert one.receive(one.encode_message("hello")) == (False, set())


def test_no_message_is_longer_than_the_database_takes_and_none_is_lost() -> None:
    one, two = PeerPresence(), PeerPresence()
    tables = {
        f"table{n:08}": [f"person{n:04}{m:08}{'x' * 4}" for m in range(4)] for n in range(999)
    }
    said = list(one.presence_messages(tables, LONGEST))
    assert max(len(message) for message in said) <= LONGEST
    for message in said:
        two.receive(message)
    assert all(two.people_at(table) == set(people) for table, people in tables.items())
    [crowded] = one.presence_messages({"t": [f"{n:022}" for n in range(1000)]}, LONGEST)
    assert len(crowded) <= LONGEST


@pytest.mark.parametrize("said", ["", "null", "[]", '["x","fly"]', '["x","here",{"t":3}]', "\x00"])
def test_what_cannot_be_read_is_left_alone(said: str) -> None:
    one = PeerPresence()
    assert one.receive(said) == (False, set())
    assert one.drop_silent_peers(1e9) == set()


def test_who_was_held_for_dead_and_is_heard_again_is_asked_who_is_there() -> None:
    """It does not know that what it told is forgotten, and would not tell it again."""
    one, two = PeerPresence(), PeerPresence()
    tell(two, one, {"t": ["ann"]}, now=0.0)
    assert one.drop_silent_peers(1.0 + SILENCE) == {"t"}
    assert one.receive(two.encode_message("alive"), 2.0 + SILENCE) == (True, set())
    assert one.is_presence_unknown
    assert not one.is_in_use("t")
    assert two.receive(one.encode_message("hello")) == (True, set())  # whereupon it tells all of it
    assert tell(two, one, {"t": ["ann"]}) == {"t"}


def test_who_ends_after_all_is_not_asked() -> None:
    one, two = PeerPresence(), PeerPresence()
    tell(two, one, {"t": ["ann"]}, now=0.0)
    one.drop_silent_peers(1.0 + SILENCE)
    one.receive(two.encode_message("bye"))
    assert not one.is_presence_unknown
