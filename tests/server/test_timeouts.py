"""What a table in use waits for, and for how long: readers of a result, answers to a question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from acesaround.server.live import table_countdowns
from tests.server.clock import clock_of
from tests.server.http_client import Message, Seat, app, browsers, named, seat, table

LONG: dict[str, Any] = {"options": {"target": 9000}}
READS = "?reads=1"


@contextmanager
def pair(folder: Path, ann: str = READS, bob: str = READS, **more: Any) -> Iterator[list[Seat]]:
    """Ann in seat 0 and Bob in seat 2, the game begun."""
    with browsers(app(folder), 2) as [one, other]:
        opened = table(named(one, "Ann"), **more)
        named(other, "Bob")
        with seat(one, opened + ann) as host, seat(other, opened + bob) as guest:
            guest.send(type="sit", seat=2)
            host.until(lambda m: m["table"]["seats"][2]["person"])
            host.send(type="start")
            yield [host, guest]


def together(one: Seat, other: Seat, done: str = "sheet") -> None:
    """Play at random until both have seen a deal scored."""
    acted: dict[Seat, int] = {}
    while not all(sitting.state[done] for sitting in (one, other)):
        for sitting in (one, other):
            seq = sitting.state["seq"]
            if sitting.state["decision"] is not None and acted.get(sitting) != seq:
                acted[sitting] = seq
                sitting.act()
        behind = min((one, other), key=lambda sitting: sitting.state["seq"])
        behind.receive()


def dealt(message: Message) -> bool:
    return any(event["type"] == "Dealt" for event in message.get("events", ()))


def reading(sitting: Seat) -> list[int] | None:
    found = sitting.state["table"]["reading"]
    return None if found is None else found["waiting"]


def next_entry(sitting: Seat) -> Message:
    return sitting.beyond(sitting.state["seq"])


def test_the_next_deal_waits_until_everybody_has_read_the_result(tmp_path: Path) -> None:
    with pair(tmp_path, **LONG) as [ann, bob]:
        together(ann, bob)
        deal = len(ann.state["sheet"])
        assert reading(ann) == [0, 2]
        assert ann.state["table"]["reading"]["deal"] == deal
        assert 0 < ann.state["table"]["reading"]["left"] <= table_countdowns.READING_SECONDS
        bob.send(type="continue", deal=deal)
        assert not dealt(next_entry(ann))
        assert reading(ann) == [0]
        bob.send(type="talk", phrase="hello")
        assert not dealt(next_entry(ann))
        ann.send(type="continue", deal=deal)
        next_entry(ann)
        assert reading(ann) is None
        assert dealt(next_entry(ann))
        assert ann.refused(type="continue", deal=deal) == "stale"


@pytest.mark.parametrize("old", ["", "?reads=0", "?reads=yes", "?seq=3"])
def test_who_does_not_say_that_a_page_shows_it_is_not_waited_for(old: str, tmp_path: Path) -> None:
    with pair(tmp_path, bob=old, **LONG) as [ann, bob]:
        together(ann, bob)
        assert reading(bob) == [0]
        ann.send(type="continue", deal=1)
        assert dealt(bob.until(dealt))
        assert bob.state["seq"] == min(s["seq"] for s in bob.seen if dealt(s) and s["sheet"])


def test_clients_of_the_old_protocol_wait_for_nobody(tmp_path: Path) -> None:
    with pair(tmp_path, ann="", bob="", **LONG) as [ann, bob]:
        together(ann, bob)
        assert reading(ann) is None
        assert dealt(next_entry(ann))


def test_who_leaves_holds_nobody_up(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 2) as [one, other]:
        opened = table(named(one, "Ann"), **LONG)
        named(other, "Bob")
        with seat(one, opened + READS) as ann:
            with seat(other, opened + READS) as bob:
                bob.send(type="sit", seat=2)
                ann.until(lambda m: m["table"]["seats"][2]["person"])
                ann.send(type="start")
                together(ann, bob)
                ann.send(type="continue", deal=1)
                next_entry(ann)
                assert reading(ann) == [2]
            assert dealt(ann.until(dealt))


def test_who_comes_back_reads_on_and_who_had_read_does_not(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 2) as [one, other]:
        opened = table(named(one, "Ann"), **LONG)
        named(other, "Bob")
        with seat(one, opened + READS) as ann, seat(other, opened + READS) as bob:
            bob.send(type="sit", seat=2)
            ann.until(lambda m: m["table"]["seats"][2]["person"])
            ann.send(type="start")
            together(ann, bob)
            bob.send(type="continue", deal=1)
            next_entry(bob)
            for again, waits in ((other, [0]), (one, [0])):
                with seat(again, opened + READS) as back:
                    assert reading(back) == waits


@pytest.mark.parametrize("clock", [None, 3600])
def test_a_result_is_read_for_so_long_and_no_longer(clock: int | None, tmp_path: Path) -> None:
    """Without a clock for three minutes, with one for as long as a turn."""
    seconds = clock or table_countdowns.READING_SECONDS
    with pair(tmp_path, clock=clock, **LONG) as [ann, bob]:
        time = clock_of(ann.socket)
        together(ann, bob)
        time.forward(seconds / 2)
        bob.send(type="talk", phrase="hello")
        assert not dealt(next_entry(ann))
        assert reading(ann) == [0, 2]
        time.forward(seconds / 2)
        assert dealt(ann.until(dealt))


def test_a_server_started_anew_still_waits_for_who_has_not_read(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 2) as [one, other]:
        opened = table(named(one, "Ann"), **LONG)
        named(other, "Bob")
        cookies = [one.cookies, other.cookies]
        with seat(one, opened + READS) as ann, seat(other, opened + READS) as bob:
            bob.send(type="sit", seat=2)
            ann.until(lambda m: m["table"]["seats"][2]["person"])
            ann.send(type="start")
            together(ann, bob)
            bob.send(type="continue", deal=1)
            next_entry(bob)
            seq = bob.state["seq"]
            # Both are gone at the same moment, as when the server is killed.
            ann.send(type="pause")
            next_entry(bob)
    with browsers(app(tmp_path), 2) as [one, other]:
        for client, cookie in zip((one, other), cookies, strict=True):
            client.cookies = cookie
        with seat(one, opened + READS) as ann, seat(other, opened + READS) as bob:
            ann.send(type="resume")
            next_entry(bob)
            assert bob.state["seq"] == seq + 2
            assert reading(bob) == [0]
            ann.send(type="continue", deal=1)
            next_entry(bob)
            assert dealt(next_entry(bob))


def ask_back(ann: Seat, bob: Seat) -> tuple[Seat, Seat]:
    """Whoever is first to act does, and asks to take it back: that one and the other."""
    while ann.state["decision"] is None and bob.state["decision"] is None:
        min((ann, bob), key=lambda sitting: sitting.state["seq"]).receive()
    first, second = (ann, bob) if ann.state["decision"] is not None else (bob, ann)
    first.act()
    first.beyond(first.state["seq"])
    first.send(type="undo")
    first.until(lambda m: m["table"]["asked"])
    second.until(lambda m: m["table"]["asked"])
    return first, second


def test_a_question_lapses_and_the_turns_time_stands_still_till_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob's time is shorter than Ann asks, and yet nothing is played over her question."""
    monkeypatch.setattr(table_countdowns, "PROPOSAL_SECONDS", 2000.0)
    with pair(tmp_path, clock=1000) as [ann, bob]:
        time = clock_of(ann.socket)
        first, second = ask_back(ann, bob)
        asked = first.state["seq"]
        assert first.state["table"]["asked"]["left"] is not None
        time.forward(2000)
        first.until(lambda m: m["table"]["asked"] is None)
        assert first.state["seq"] == asked + 1
        assert first.state["table"]["denied"]["late"]
        assert not any(seat["covered"] for seat in first.state["table"]["seats"])
        while not any(seat["covered"] for seat in second.state["table"]["seats"]):
            time.forward(1000)  # again with each message: a bot may have to act before
            second.receive()


def test_the_turns_time_goes_on_where_it_stood(tmp_path: Path) -> None:
    with pair(tmp_path, clock=3600) as [ann, bob]:
        first, second = ask_back(ann, bob)
        turn = next((s for s in (ann, bob) if s.state["table"]["left"] is not None), None)
        stood = None if turn is None else turn.state["table"]["left"]
        second.send(type="answer", agree=False)
        first.until(lambda m: m["table"]["asked"] is None)
        if stood is not None:
            assert first.state["table"]["left"] <= stood


def test_a_move_taken_back_is_told_to_all(tmp_path: Path) -> None:
    with pair(tmp_path) as [ann, bob]:
        first, second = ask_back(ann, bob)
        second.send(type="answer", agree=True)
        for sitting in (first, second):
            sitting.until(lambda m: m["table"]["taken"])
            taken = sitting.state["table"]["taken"]
            assert taken["seat"] == first.state["table"]["you"]
            assert taken["seq"] == sitting.state["seq"]
