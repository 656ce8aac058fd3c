"""Games over WebSockets: whole deals, several people, restarts, and refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError
from starlette.websockets import WebSocketDisconnect

from acesaround import variants
from acesaround.record import from_text
from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.server.live import bot_turn_loop
from tests.server.http_client import (
    Seat,
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)


@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_person_plays_a_deal_of_each_variant_against_bots(variant: str, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(set_name(ann, "Ann"), variant, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(has_scored_deals())
        seqs = [state["seq"] for state in sitting.seen]
        assert seqs == list(range(seqs[0], seqs[-1] + 1))
        record = decode(ann.get(f"/api/tables/{opened}/record.json").content)
        assert verify(record) == []
        assert len(record.deals) == 1
        assert [seat.name for seat in record.seats][:2] == ["Ann", "bot:thumb"]


def test_game_is_played_to_its_end_and_followed_by_a_rematch(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, options={"hands": 1}, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["table"]["over"])
            assert sitting.state["view"]["winner"] is not None
            sitting.send(type="rematch")
            sitting.read_until(lambda m: m["type"] == "state" and m["table"]["games"] == 2)
        whole = from_text(ann.get(f"/api/tables/{opened}/record.txt?game=1").text)
        assert whole.winner is not None
        assert verify(whole) == []


def test_two_people_see_the_actions_of_each_other(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"))
        set_name(bob, "Bob")
        with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
            assert guest.state["table"]["you"] is None
            guest.send(type="sit", seat=2)
            guest.read_until(lambda m: m["table"]["you"] == 2)
            host.read_until(lambda m: m["table"]["seats"][2]["name"] == "Bob")
            assert guest.send_refused(type="start") == "host"
            host.send(type="start")
            while not (has_scored_deals()(host.state) and has_scored_deals()(guest.state)):
                for one in (host, guest):
                    if one.state["decision"] is not None:
                        one.act()
                        seq = one.state["seq"]
                        host.read_past_seq(seq)
                        guest.read_past_seq(seq)
                        break
                else:
                    behind = min(host, guest, key=lambda one: int(one.state["seq"]))
                    behind.receive()
            assert host.state["sheet"] == guest.state["sheet"]
        assert [line["id"] for line in bob.get("/api/mine").json()] == [opened]


def test_spectator_sees_no_hand_and_cannot_act(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, zoe]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as host, open_seat(zoe, opened) as watching:
            host.play(has_scored_deals())
            watching.read_until(has_scored_deals())
            assert (
                watching.send_refused(type="act", seq=watching.state["seq"], action=["pass"])
                == "seat"
            )
        for state in watching.seen:
            assert state["view"]["hand"] == []
            assert state["decision"] is None
            for event in state["events"]:
                if event["type"] == "Dealt":
                    assert event["hands"] == [None] * 4


def test_restarted_server_continues_the_game(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["view"] and len(state["view"]["tricks"]) >= 1)
            before = sitting.state
        cookies = ann.cookies
    with open_clients(make_app(tmp_path)) as [ann]:
        ann.cookies = cookies
        assert [line["id"] for line in ann.get("/api/mine").json()] == [opened]
        with open_seat(ann, opened) as sitting:
            # Bots may have acted after the last message.
            assert sitting.state["seq"] >= before["seq"]
            assert set(sitting.state["view"]["hand"]) <= set(before["view"]["hand"])
            sitting.play(has_scored_deals())


def test_later_writer_of_two_servers_is_stale(
    tmp_path: Path,
) -> None:
    with open_clients(make_app(tmp_path)) as [ann], open_clients(make_app(tmp_path)) as [elsewhere]:
        opened = create_table(ann)
        elsewhere.cookies = ann.cookies
        with open_seat(ann, opened) as one, open_seat(elsewhere, opened) as other:
            one.send(type="start")
            play_until_on_turn(one)
            # The other still has the initial table, so its command conflicts.
            assert other.send_refused(type="start") == "rule"
            assert other.state["seq"] >= 4
            before = play_until_on_turn(other).state
            assert one.state["seq"] == before["seq"]
            action = one.choice()
            one.send(type="act", seq=before["seq"], action=action)
            one.read_past_seq(before["seq"])
            assert other.send_refused(type="act", seq=before["seq"], action=action) == "stale"
            assert other.state["seq"] > before["seq"]


def test_reconnecting_shows_the_present_state(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["decision"])
            before = sitting.state
        with open_seat(ann, opened) as again:
            assert {**again.state, "events": []} == {**before, "events": []}


def play_until_on_turn(sitting: Seat) -> Seat:
    sitting.play(lambda state: state["decision"])
    return sitting


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "act", "seq": -1, "action": ["pass"]}, "stale"),
        ({"type": "act", "seq": 10**6, "action": ["pass"]}, "stale"),
        ({"type": "act", "seq": "now", "action": ["pass"]}, "malformed"),
        ({"type": "act", "action": ["pass"]}, "malformed"),
        ({"type": "act", "seq": None, "action": ["bid", 1]}, "rule"),
        ({"type": "act", "seq": None, "action": ["bid", 10**30]}, "rule"),
        ({"type": "act", "seq": None, "action": ["play", "XX"]}, "malformed"),
        ({"type": "act", "seq": None, "action": []}, "malformed"),
        ({"type": "act", "seq": None, "action": [[[[]]]]}, "malformed"),
        ({"type": "sit", "seat": 99}, "malformed"),
        ({"type": "sit", "seat": 7}, "seat"),
        ({"type": "sit", "seat": 0}, "stale"),  # already there
        ({"type": "bot", "seat": 1, "name": "nobody"}, "malformed"),
        ({"type": "remove", "seat": 1}, "seat"),
        ({"type": "talk", "phrase": "<script>"}, "malformed"),
        ({"type": "start"}, "rule"),
        ({"type": "rematch"}, "rule"),
        ({"type": "answer", "agree": True}, "rule"),
        ({"type": "fly"}, "malformed"),
        ({}, "malformed"),
    ],
)
def test_invalid_command_is_refused_and_changes_nothing(
    message: dict[str, object], code: str, tmp_path: Path
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            before = play_until_on_turn(sitting).state
            if "seq" in message and message["seq"] is None:
                message = {**message, "seq": before["seq"]}
            assert sitting.send_refused(**message) == code
        with open_seat(ann, opened) as again:
            assert {**again.state, "events": []} == {**before, "events": []}
            again.act()
            assert again.receive()["seq"] == before["seq"] + 1


@pytest.mark.parametrize("text", ["", "null", "[]", "{", '"x"', "\x00"])
def test_text_that_is_no_message_is_malformed(text: str, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann)
        with open_seat(ann, opened) as sitting:
            sitting.socket.send_text(text)
            assert sitting.receive()["code"] == "malformed"
            sitting.socket.send_bytes(b"\xff\xfe" + text.encode())
            assert sitting.receive()["code"] == "malformed"


def test_deep_and_long_json_is_malformed(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann)
        with open_seat(ann, opened) as sitting:
            for inner in ("[" * 5000, "[" * 5000 + "]" * 5000, "9" * 5000, "1e999"):
                for text in (inner, f'{{"type":"act","seq":2,"action":["play",{inner}]}}'):
                    sitting.socket.send_text(text)
                    assert sitting.receive()["code"] in ("malformed", "rule")


def test_an_action_out_of_turn_is_refused(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(ann)
        with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
            guest.send(type="sit", seat=2)
            guest.read_until(lambda m: m["table"]["you"] == 2)
            host.send(type="start")
            for sitting in (host, guest):
                sitting.read_until(
                    lambda m: m["type"] == "state" and m["view"] and m["view"]["turn"] in (0, 2)
                )
            other = guest if host.state["view"]["turn"] == 0 else host
            assert other.send_refused(type="act", seq=other.state["seq"], action=["pass"]) == "turn"


def test_a_replayed_action_is_stale(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            seq = play_until_on_turn(sitting).state["seq"]
            action = sitting.choice()
            sitting.send(type="act", seq=seq, action=action)
            assert sitting.send_refused(type="act", seq=seq, action=action) == "stale"


def test_an_oversized_message_closes_the_socket_and_nothing_else(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann)
        with open_seat(ann, opened) as other, open_seat(ann, opened) as sitting:
            sitting.send(type="talk", phrase="x" * 20_000)
            with pytest.raises(WebSocketDisconnect) as closed:
                sitting.read_until(lambda _: False)
            assert closed.value.code == 1009
            other.send(type="talk", phrase="hello")
            assert other.read_until(lambda m: m["table"]["chat"])["seq"] == 6


def test_a_ping_is_answered_and_is_limited_as_every_message(tmp_path: Path) -> None:
    server = make_app(tmp_path, max_messages_per_websocket=5, rate_window_seconds=1e9)
    with open_clients(server, 2) as [ann, eve]:
        opened = create_table(ann)
        for guest in (ann, eve):  # who has a seat, and who only watches
            with open_seat(guest, opened) as socket:
                for _ in range(5):
                    socket.send(type="ping")
                    socket.read_until(lambda m: m["type"] == "pong")
                assert socket.send_refused(type="ping") == "rate"


def test_flood_is_refused_then_disconnected(tmp_path: Path) -> None:
    with open_clients(
        make_app(tmp_path, max_messages_per_websocket=5, rate_window_seconds=1e9)
    ) as [ann]:
        opened = create_table(ann)
        with open_seat(ann, opened) as sitting:
            for _ in range(5):
                sitting.send(type="talk", phrase="hello")
            assert sitting.send_refused(type="talk", phrase="hello") == "rate"
            for _ in range(60):
                sitting.send(type="talk", phrase="hello")
            with pytest.raises(WebSocketDisconnect) as closed:
                sitting.read_until(lambda _: False)
            assert closed.value.code == 1008
        with open_seat(ann, opened) as again:
            assert len(again.state["table"]["chat"]) == 5


@contextmanager
def full_disk() -> Iterator[None]:
    """Make every commit of any store fail."""

    def fail(_: object) -> None:
        raise OperationalError("COMMIT", {}, Exception("database or disk is full"))

    event.listen(Engine, "commit", fail)
    try:
        yield
    finally:
        event.remove(Engine, "commit", fail)


def test_unsaved_action_is_refused_and_has_no_effect(tmp_path: Path) -> None:
    server = make_app(tmp_path)
    with open_clients(server) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            before = play_until_on_turn(sitting).state
            action = sitting.choice()
            with full_disk():
                assert (
                    sitting.send_refused(type="act", seq=before["seq"], action=action) == "unsaved"
                )
                assert ann.post("/api/tables", json={"variant": "partnership"}).status_code == 503
            with open_seat(ann, opened) as again:
                assert {**again.state, "events": []} == {**before, "events": []}
            sitting.play(has_scored_deals())


def test_bots_wait_for_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turn_loop, "RETRY_SECONDS", 0.01)
    server = make_app(tmp_path)
    with open_clients(server) as [ann]:
        opened = create_table(ann, start=True)
        with full_disk(), open_seat(ann, opened) as sitting:
            refusal = sitting.read_until(lambda m: m["type"] == "refused")  # unasked
            assert refusal["sentence"].endswith("play goes on as soon as it can.")
            for _ in range(5):  # no cards are dealt
                assert sitting.send_refused(type="talk", phrase="hello") == "unsaved"
            assert sitting.state["seq"] == 6
        with open_seat(ann, opened) as sitting:
            sitting.play(has_scored_deals())


def test_a_hint_is_a_legal_action_with_a_reason(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            before = play_until_on_turn(sitting).state
            sitting.send(type="hint")
            hint = sitting.read_until(lambda m: m["type"] == "hint")
            assert hint["sentence"]
            sitting.send(type="act", seq=before["seq"], action=hint["action"])
            assert sitting.receive()["seq"] == before["seq"] + 1
            with open_seat(bob, opened) as other:
                assert other.send_refused(type="hint") == "seat"


def test_presence_is_shown_to_others(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(ann)
        with open_seat(ann, opened) as host:
            with open_seat(bob, opened) as guest:
                guest.send(type="sit", seat=1)
                host.read_until(lambda m: m["table"]["seats"][1]["present"])
            host.read_until(lambda m: not m["table"]["seats"][1]["present"])
            assert host.state["table"]["seats"][1]["person"]


def test_socket_from_another_site_is_refused(tmp_path: Path) -> None:
    server = make_app(tmp_path, public_url="http://cards.example")
    with open_clients(server) as [ann]:
        opened = create_table(ann)
        for origin in ("http://evil.example", "null", "http://testserver.evil.example", "http://["):
            with pytest.raises(WebSocketDisconnect):
                ann.websocket_connect(f"/ws/{opened}", headers={"origin": origin}).__enter__()
        for origin in ("http://testserver", "http://cards.example"):
            with open_seat(ann, opened, headers={"origin": origin}) as sitting:
                assert sitting.state["table"]["you"] == 0


def test_forged_cookie_is_a_new_guest(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, eve]:
        opened = create_table(ann, start=True)
        cookie = ann.cookies["acesaround"]
        eve.cookies.clear()
        eve.cookies.set("acesaround", cookie[:-2] + ("AA" if cookie[-2:] != "AA" else "BB"))
        with open_seat(eve, opened) as watching:
            assert watching.state["table"]["you"] is None
            assert watching.send_refused(type="sit", seat=1) == "seat"


def test_unknown_table_is_closed_with_a_code(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann], ann.websocket_connect("/ws/nowhere") as socket:
        assert socket.receive()["code"] == 4404


def test_no_id_of_a_person_is_sent(tmp_path: Path) -> None:
    server = make_app(tmp_path)
    with open_clients(server, 2) as [ann, bob]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as host, open_seat(bob, opened) as watching:
            host.play(has_scored_deals())
            watching.read_until(has_scored_deals())
        sent = json.dumps([host.seen, watching.seen, ann.get("/api/tables").json()])
        identity = server.state.server_context.cookie_signer
        for client in (ann, bob):
            held = identity._any_key.loads(client.cookies["acesaround"])
            assert held["id"] not in sent
