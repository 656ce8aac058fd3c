"""Attacks and accidents at a table: strangers, links, absent hosts. Each of them once succeeded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

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

SHORT: dict[str, Any] = {"options": {"target": 1}}


def has_decision(state: Message) -> bool:
    return state["decision"] is not None


def is_game_over(state: Message) -> bool:
    return bool(state["table"]["over"])


def read_close_code(client: TestClient, link: str) -> int:
    with client.websocket_connect(f"/ws/{link}") as socket:
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        return closed.value.code


def read_token(links: dict[str, str], kind: str) -> str:
    return links[kind].rpartition("/")[2]


def play_until_on_turn(one: Seat, other: Seat) -> None:
    """Play with two until it is the turn of the first."""
    acted = -1
    while one.state["decision"] is None:
        if other.state["seq"] < one.state["seq"]:
            other.receive()
            continue
        if other.state["decision"] is not None and other.state["seq"] != acted:
            acted = other.state["seq"]
            other.act()
        one.receive()


def test_absent_host_does_not_block_the_table(tmp_path: Path) -> None:
    """Without a clock, the host leaves on her turn, and the other becomes acting host."""
    with open_clients(make_app(tmp_path, away_seconds=1000.0), 2) as [ann, bob]:
        clock = get_clock(ann)
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(bob, opened) as guest:
            with open_seat(ann, opened) as host:
                guest.send(type="sit", seat=2)
                host.read_until(lambda m: m["table"]["seats"][2]["person"])
                host.send(type="start")
                play_until_on_turn(host, guest)
            guest.read_until(lambda m: not m["table"]["seats"][0]["present"])
            assert guest.send_refused(type="cover", seat=0) == "host"  # she may return
            clock.advance(1000)
            guest.read_until(
                lambda m: m["type"] == "state" and 0 in m["table"]["allowed"]["substitute_bot"]
            )
            assert guest.send_refused(type="remove", seat=0) == "host"
            assert guest.send_refused(type="renew", link="play") == "host"
            seq = guest.state["seq"]
            guest.send(type="cover", seat=0)
            guest.play(lambda m: len(m["view"]["tricks"]) >= 1 or len(m["sheet"]) >= 1)
            assert guest.state["seq"] > seq + 1
            with open_seat(ann, opened) as host:
                assert host.state["table"]["host"] is True
                host.send(type="back")
                host.read_until(lambda m: not m["table"]["seats"][0]["substituted"])
            assert guest.send_refused(type="bot", seat=1, name="random") == "host"


def test_a_stranger_with_the_link_sees_no_hand_in_mid_deal(tmp_path: Path) -> None:
    """Nor does a second cookie help. The host may admit a stranger."""
    with open_clients(make_app(tmp_path), 3) as [ann, zoe, eve]:
        opened = create_table(set_name(ann, "Ann"), start=True)
        with (
            open_seat(ann, opened) as host,
            open_seat(zoe, opened) as spy,
            open_seat(eve, opened) as other,
        ):
            host.play(has_decision)
            for stranger in (spy, other):
                assert stranger.send_refused(type="sit", seat=1) == "joining"
            spy.send(type="knock", seat=1)
            asked = host.read_until(lambda m: m["table"]["seat_requests"])["table"][
                "seat_requests"
            ][0]
            assert asked == {"request": host.state["seq"], "name": "Guest", "seat": 1, "you": False}
            assert spy.send_refused(type="admit", knock=asked["request"], yes=True) == "host"
            assert all(not state["view"]["hand"] for state in spy.seen)
            host.send(type="admit", knock=asked["request"], yes=True)
            spy.read_until(lambda m: m["type"] == "state" and m["table"]["you"] == 1)
            assert spy.state["view"]["hand"]


def test_public_table_is_open_before_the_deal(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, zoe]:
        create_table(set_name(ann, "Ann"), public=True)
        [line] = zoe.get("/api/tables").json()
        with open_seat(zoe, line["id"]) as guest:
            guest.send(type="sit", seat=3)
            guest.read_until(lambda m: m["table"]["you"] == 3)


def test_removed_person_cannot_sit_with_another_cookie(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 3) as [ann, bob, again]:
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
            guest.send(type="sit", seat=1)
            host.read_until(lambda m: m["table"]["seats"][1]["person"])
            host.send(type="remove", seat=1)
            guest.read_until(lambda m: not m["table"]["seats"][1]["person"])
            assert guest.send_refused(type="sit", seat=1) == "joining"
            with open_seat(again, opened) as masked:
                assert masked.send_refused(type="sit", seat=1) == "joining"
        assert bob.get("/api/mine").json() == []


def test_host_needs_the_consent_of_present_players(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
            guest.send(type="sit", seat=2)
            host.read_until(lambda m: m["table"]["seats"][2]["person"])
            host.send(type="start")
            host.read_until(lambda m: m["view"] and m["view"]["sizes"][0])
            assert host.send_refused(type="cover", seat=2) == "rule"
            host.send(type="hints", on=True)
            state = host.read_until(lambda m: m["table"]["proposal"] or m["table"]["hints_allowed"])
            assert state["table"]["proposal"]["waiting"] == [2]
            assert state["table"]["hints_allowed"] is False


def test_watch_link_shows_no_hand_and_gives_no_seat(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, zoe]:
        opened = create_table(set_name(ann, "Ann"), start=True)
        with open_seat(ann, opened) as host:
            host.play(has_decision)
            watch = read_token(host.state["table"]["links"], "watch")
            # A player sees no more by it either.
            for watcher in (zoe, ann):
                with open_seat(watcher, watch) as looking:
                    assert looking.state["table"]["you"] is None
                    assert looking.state["table"]["links"] is None
                    assert looking.state["view"]["hand"] == []
                    for command in ({"type": "sit", "seat": 1}, {"type": "knock", "seat": 1}):
                        assert looking.send_refused(**command) == "seat"
                    assert opened not in "".join(map(str, looking.seen))
        for path in ("games", "record.json", "replay", "why"):
            assert zoe.get(f"/api/tables/{watch}/{path}").status_code == 403
        assert zoe.get(f"/api/tables/{watch}/rules").status_code == 200


def test_replay_link_does_not_reveal_the_table(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, zoe]:
        opened = create_table(set_name(ann, "Ann"), start=True, **SHORT)
        with open_seat(ann, opened) as host:
            host.play(is_game_over)
            links = host.state["table"]["links"]
        replay = read_token(links, "replay")
        assert ann.get(f"/api/tables/{opened}/replay").json()["table"] == replay
        for path in ("games", "record.json", "record.txt", "replay", "rules", "why?deal=1&step=0"):
            answer = zoe.get(f"/api/tables/{replay}/{path}")
            assert answer.status_code == 200, path
            response_text = answer.text + str(answer.headers)
            for other in (opened, read_token(links, "watch")):
                assert other not in response_text
        assert opened not in str(ann.get(f"/api/tables/{opened}/record.json").headers)
        assert read_close_code(zoe, replay) == 4404
        assert zoe.get(f"/t/{replay}").status_code == 403


@pytest.mark.parametrize("kind", ["play", "watch", "replay"])
def test_replaced_link_stops_working(kind: str, tmp_path: Path) -> None:
    """Seated persons keep access."""
    with open_clients(make_app(tmp_path), 3) as [ann, bob, zoe]:
        opened = create_table(set_name(ann, "Ann"), start=True, **SHORT)
        with open_seat(ann, opened) as host, open_seat(bob, opened) as stranger:
            host.play(is_game_over)
            links = host.state["table"]["links"]
            old = read_token(links, kind)
            assert stranger.send_refused(type="renew", link=kind) == "host"
            host.send(type="renew", link=kind)
            host.read_until(lambda m: m["table"]["links"] != links)
            new = read_token(host.state["table"]["links"], kind)
            if kind == "play":
                with pytest.raises(WebSocketDisconnect):
                    stranger.read_until(lambda _: False)
            if kind == "replay":
                assert zoe.get(f"/api/tables/{old}/replay").status_code == 404
                assert zoe.get(f"/api/tables/{new}/replay").status_code == 200
            else:
                assert read_close_code(zoe, old) == 4404
                with open_seat(zoe, new):
                    pass
            if kind == "play":
                assert zoe.get(f"/api/tables/{old}/games").status_code == 404
                assert ann.get(f"/api/tables/{old}/games").status_code == 200
        with open_seat(ann, opened) as host:
            assert host.state["table"]["you"] == 0
        assert ann.get("/api/mine").json()[0]["id"] == (new if kind == "play" else opened)


def test_removed_person_is_disconnected_when_the_link_is_replaced(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
            guest.send(type="sit", seat=1)
            host.read_until(lambda m: m["table"]["seats"][1]["person"])
            host.send(type="remove", seat=1)
            host.send(type="renew", link="play")
            with pytest.raises(WebSocketDisconnect):
                guest.read_until(lambda _: False)
        assert read_close_code(bob, opened) == 4404


def test_finished_record_does_not_change_with_seats(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"), start=True, **SHORT)
        with open_seat(ann, opened) as host:
            host.play(is_game_over)
            paths = [f"/api/tables/{opened}/record.{form}" for form in ("json", "txt")]
            before = [ann.get(path).text for path in paths]
            host.send(type="stand")
            host.read_until(lambda m: m["table"]["you"] is None)
            with open_seat(set_name(bob, "Bob"), opened) as guest:
                guest.send(type="sit", seat=0)
                guest.read_until(lambda m: m["table"]["you"] == 0)
            assert [bob.get(path).text for path in paths] == before
            assert bob.get(f"/api/tables/{opened}/replay").json()["you"] is None
            assert ann.get(f"/api/tables/{opened}/replay").json()["you"] == 0


def test_person_who_asked_is_seated_before_the_next_deal(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, zoe]:
        opened = create_table(set_name(ann, "Ann"), start=True)
        with open_seat(ann, opened) as host, open_seat(zoe, opened) as guest:
            host.play(has_decision)
            guest.send(type="knock", seat=3)
            host.read_until(lambda m: m["table"]["seat_requests"])
            host.play(lambda m: m["table"]["seats"][3]["person"])
            assert host.state["sheet"]  # not before the deal is over
            guest.read_until(lambda m: m["table"]["you"] == 3 and m["view"]["hand"])
            moment = next(m for m in guest.seen if m["table"]["you"] == 3)
            assert moment["view"]["sizes"] == [0] * 4
