"""Time limits of a table: reading a result, and answering a proposal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from acesaround.server.live import table_countdowns
from tests.server.clock import get_clock
from tests.server.http_client import (
    Message,
    Seat,
    create_table,
    make_app,
    open_clients,
    open_seat,
    set_name,
)

LONG: dict[str, Any] = {"options": {"target": 9000}}
SHOWS_RESULTS = "?reads=1"


@contextmanager
def open_table_of_two(
    folder: Path, ann: str = SHOWS_RESULTS, bob: str = SHOWS_RESULTS, **more: Any
) -> Iterator[list[Seat]]:
    """Yield Ann in seat 0 and Bob in seat 2 of a begun game."""
    with open_clients(make_app(folder), 2) as [one, other]:
        opened = create_table(set_name(one, "Ann"), **more)
        set_name(other, "Bob")
        with open_seat(one, opened + ann) as host, open_seat(other, opened + bob) as guest:
            guest.send(type="sit", seat=2)
            host.read_until(lambda m: m["table"]["seats"][2]["person"])
            host.send(type="start")
            yield [host, guest]


def play_deal(one: Seat, other: Seat, done: str = "sheet") -> None:
    """Play until both have seen a deal scored."""
    acted: dict[Seat, int] = {}
    while not all(sitting.state[done] for sitting in (one, other)):
        for sitting in (one, other):
            seq = sitting.state["seq"]
            if sitting.state["decision"] is not None and acted.get(sitting) != seq:
                acted[sitting] = seq
                sitting.act()
        behind = min((one, other), key=lambda sitting: sitting.state["seq"])
        behind.receive()


def has_dealt(message: Message) -> bool:
    return any(event["type"] == "Dealt" for event in message.get("events", ()))


def find_waiting_readers(sitting: Seat) -> list[int] | None:
    waiting = sitting.state["table"]["readers"]
    return None if waiting is None else waiting["waiting"]


def read_next_entry(sitting: Seat) -> Message:
    return sitting.read_past_seq(sitting.state["seq"])


def test_next_deal_waits_until_all_have_read_the_result(tmp_path: Path) -> None:
    with open_table_of_two(tmp_path, **LONG) as [ann, bob]:
        play_deal(ann, bob)
        deal = len(ann.state["sheet"])
        assert find_waiting_readers(ann) == [0, 2]
        assert ann.state["table"]["readers"]["deal"] == deal
        assert 0 < ann.state["table"]["readers"]["seconds_left"] <= table_countdowns.READING_SECONDS
        bob.send(type="continue", deal=deal)
        assert not has_dealt(read_next_entry(ann))
        assert find_waiting_readers(ann) == [0]
        bob.send(type="talk", phrase="hello")
        assert not has_dealt(read_next_entry(ann))
        ann.send(type="continue", deal=deal)
        read_next_entry(ann)
        assert find_waiting_readers(ann) is None
        assert has_dealt(read_next_entry(ann))
        assert ann.send_refused(type="continue", deal=deal) == "stale"


@pytest.mark.parametrize("old", ["", "?reads=0", "?reads=yes", "?seq=3"])
def test_client_that_does_not_show_results_is_not_awaited(old: str, tmp_path: Path) -> None:
    with open_table_of_two(tmp_path, bob=old, **LONG) as [ann, bob]:
        play_deal(ann, bob)
        assert find_waiting_readers(bob) == [0]
        ann.send(type="continue", deal=1)
        assert has_dealt(bob.read_until(has_dealt))
        assert bob.state["seq"] == min(s["seq"] for s in bob.seen if has_dealt(s) and s["sheet"])


def test_no_client_is_awaited_without_the_parameter(tmp_path: Path) -> None:
    with open_table_of_two(tmp_path, ann="", bob="", **LONG) as [ann, bob]:
        play_deal(ann, bob)
        assert find_waiting_readers(ann) is None
        assert has_dealt(read_next_entry(ann))


def test_person_who_leaves_is_not_awaited(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [one, other]:
        opened = create_table(set_name(one, "Ann"), **LONG)
        set_name(other, "Bob")
        with open_seat(one, opened + SHOWS_RESULTS) as ann:
            with open_seat(other, opened + SHOWS_RESULTS) as bob:
                bob.send(type="sit", seat=2)
                ann.read_until(lambda m: m["table"]["seats"][2]["person"])
                ann.send(type="start")
                play_deal(ann, bob)
                ann.send(type="continue", deal=1)
                read_next_entry(ann)
                assert find_waiting_readers(ann) == [2]
            assert has_dealt(ann.read_until(has_dealt))


def test_returning_person_reads_unless_done(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [one, other]:
        opened = create_table(set_name(one, "Ann"), **LONG)
        set_name(other, "Bob")
        with (
            open_seat(one, opened + SHOWS_RESULTS) as ann,
            open_seat(other, opened + SHOWS_RESULTS) as bob,
        ):
            bob.send(type="sit", seat=2)
            ann.read_until(lambda m: m["table"]["seats"][2]["person"])
            ann.send(type="start")
            play_deal(ann, bob)
            bob.send(type="continue", deal=1)
            read_next_entry(bob)
            for again, waits in ((other, [0]), (one, [0])):
                with open_seat(again, opened + SHOWS_RESULTS) as back:
                    assert find_waiting_readers(back) == waits


@pytest.mark.parametrize("clock", [None, 3600])
def test_reading_a_result_is_limited_in_time(clock: int | None, tmp_path: Path) -> None:
    """Three minutes without a clock, else the time of a turn."""
    seconds = clock or table_countdowns.READING_SECONDS
    with open_table_of_two(tmp_path, clock=clock, **LONG) as [ann, bob]:
        time = get_clock(ann.socket)
        play_deal(ann, bob)
        time.advance(seconds / 2)
        bob.send(type="talk", phrase="hello")
        assert not has_dealt(read_next_entry(ann))
        assert find_waiting_readers(ann) == [0, 2]
        time.advance(seconds / 2)
        assert has_dealt(ann.read_until(has_dealt))


def test_restarted_server_waits_for_the_same_readers(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [one, other]:
        opened = create_table(set_name(one, "Ann"), **LONG)
        set_name(other, "Bob")
        cookies = [one.cookies, other.cookies]
        with (
            open_seat(one, opened + SHOWS_RESULTS) as ann,
            open_seat(other, opened + SHOWS_RESULTS) as bob,
        ):
            bob.send(type="sit", seat=2)
            ann.read_until(lambda m: m["table"]["seats"][2]["person"])
            ann.send(type="start")
            play_deal(ann, bob)
            bob.send(type="continue", deal=1)
            read_next_entry(bob)
            seq = bob.state["seq"]
            # Both leave at the same moment, as when the server is killed.
            ann.send(type="pause")
            read_next_entry(bob)
    with open_clients(make_app(tmp_path), 2) as [one, other]:
        for client, cookie in zip((one, other), cookies, strict=True):
            client.cookies = cookie
        with (
            open_seat(one, opened + SHOWS_RESULTS) as ann,
            open_seat(other, opened + SHOWS_RESULTS) as bob,
        ):
            ann.send(type="resume")
            read_next_entry(bob)
            assert bob.state["seq"] == seq + 2
            assert find_waiting_readers(bob) == [0]
            ann.send(type="continue", deal=1)
            read_next_entry(bob)
            assert has_dealt(read_next_entry(bob))


def propose_undo(ann: Seat, bob: Seat) -> tuple[Seat, Seat]:
    """Let the first on turn act and propose an undo; return that seat and the other."""
    while ann.state["decision"] is None and bob.state["decision"] is None:
        min((ann, bob), key=lambda sitting: sitting.state["seq"]).receive()
    first, second = (ann, bob) if ann.state["decision"] is not None else (bob, ann)
    first.act()
    first.read_past_seq(first.state["seq"])
    first.send(type="undo")
    first.read_until(lambda m: m["table"]["proposal"])
    second.read_until(lambda m: m["table"]["proposal"])
    return first, second


def test_proposal_stops_the_turn_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob's time is shorter than the proposal, but no bot plays during it."""
    monkeypatch.setattr(table_countdowns, "PROPOSAL_SECONDS", 2000.0)
    with open_table_of_two(tmp_path, clock=1000) as [ann, bob]:
        time = get_clock(ann.socket)
        first, second = propose_undo(ann, bob)
        asked = first.state["seq"]
        assert first.state["table"]["proposal"]["seconds_left"] is not None
        time.advance(2000)
        first.read_until(lambda m: m["table"]["proposal"] is None)
        assert first.state["seq"] == asked + 1
        assert first.state["table"]["denied_proposal"]["expired"]
        assert not any(seat["substituted"] for seat in first.state["table"]["seats"])
        while not any(seat["substituted"] for seat in second.state["table"]["seats"]):
            time.advance(1000)  # repeatedly, because bots may act before
            second.receive()


def test_turn_clock_continues_after_a_proposal(tmp_path: Path) -> None:
    with open_table_of_two(tmp_path, clock=3600) as [ann, bob]:
        first, second = propose_undo(ann, bob)
        turn = next(
            (s for s in (ann, bob) if s.state["table"]["turn_seconds_left"] is not None), None
        )
        stood = None if turn is None else turn.state["table"]["turn_seconds_left"]
        second.send(type="answer", agree=False)
        first.read_until(lambda m: m["table"]["proposal"] is None)
        if stood is not None:
            assert first.state["table"]["turn_seconds_left"] <= stood


def test_undo_is_shown_to_all(tmp_path: Path) -> None:
    with open_table_of_two(tmp_path) as [ann, bob]:
        first, second = propose_undo(ann, bob)
        second.send(type="answer", agree=True)
        for sitting in (first, second):
            sitting.read_until(lambda m: m["table"]["undone"])
            taken = sitting.state["table"]["undone"]
            assert taken["seat"] == first.state["table"]["you"]
            assert taken["seq"] == sitting.state["seq"]
