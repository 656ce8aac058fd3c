"""One person on several devices: pairing codes, identity, signing out, and attacks."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeTimedSerializer
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from acesaround.server.accounts import pairing_codes, pairing_words, sessions
from acesaround.server.accounts.user_agent import device_name
from acesaround.server.limits import pairing_attempts
from acesaround.server.table_client import TRY_LATER
from acesaround.store import DatabaseUnavailable
from acesaround.store.devices import Devices
from tests.server.http_client import Seat, create_table, make_app, open_clients, open_seat, set_name
from tests.server.test_damaged_database import execute_sql
from tests.waiting import wait_until

PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
LAPTOP = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.4 Safari/605.1.15"
)


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[list[TestClient]]:
    """Yield Ann's phone, and a laptop."""
    with open_clients(make_app(tmp_path), 2) as [phone, laptop]:
        phone.headers["user-agent"], laptop.headers["user-agent"] = PHONE, LAPTOP
        yield [set_name(phone, "Ann"), laptop]


def request_code(client: TestClient) -> str:
    answer = client.post("/api/devices/code", json={})
    assert answer.status_code == 201, answer.text
    code: str = answer.json()["code"]
    return code


def use_code(client: TestClient, code: str) -> int:
    return client.post("/api/devices/take", json={"code": code}).status_code


def pair_devices(client: TestClient, other: TestClient) -> None:
    """Make the other device one of the same person."""
    assert use_code(other, request_code(client)) == 200


def sign_out(client: TestClient, which: str) -> int:
    return client.post("/api/devices/out", json={"which": which}).status_code


def list_devices(client: TestClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/devices").json()["devices"]
    return found


def find_other_device(client: TestClient) -> str:
    """Return the id of the only other device in the list."""
    [found] = [one["id"] for one in list_devices(client) if not one["is_this_device"]]
    return str(found)


def read_name(client: TestClient) -> str | None:
    found: str | None = client.get("/api/me").json()["name"]
    return found


def list_own_tables(client: TestClient) -> list[str]:
    return [line["id"] for line in client.get("/api/mine").json()]


def read_close_code(sitting: Seat) -> int:
    """Read until the socket is closed; return the close code."""
    with pytest.raises(WebSocketDisconnect) as closed:
        sitting.read_until(lambda _: False)
    return closed.value.code


def read_hand(state: dict[str, Any]) -> list[str]:
    view = state["view"]
    found: list[str] = [] if view is None else view["hand"] or []
    return found


class TestOnePerson:
    """What another device gets by a code."""

    def test_paired_device_has_name_tables_and_seat(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        opened = create_table(phone)
        pair_devices(phone, laptop)
        assert read_name(laptop) == "Ann"
        assert list_own_tables(laptop) == [opened]
        with open_seat(phone, opened) as here, open_seat(laptop, opened) as there:
            assert here.state["table"]["you"] == there.state["table"]["you"] == 0
            assert there.state["table"]["host"]

    def test_both_devices_see_the_same_in_mid_game(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        opened = create_table(phone, start=True)
        with open_seat(phone, opened) as here:
            here.read_until(lambda m: m["type"] == "state" and m["decision"] is not None)
            pair_devices(phone, laptop)
            with open_seat(laptop, opened) as there:
                assert read_hand(there.state) == read_hand(here.state) != []
                assert there.state["decision"] == here.state["decision"]
                there.act()
                acted = there.read_past_seq(there.state["seq"])
                seen = here.read_until(lambda m: m["type"] == "state" and m["seq"] >= acted["seq"])
                assert read_hand(seen) == read_hand(here.state)
                assert {key: seen[key] for key in ("seq", "view")} == {
                    key: next(m for m in there.seen if m["seq"] == seen["seq"])[key]
                    for key in ("seq", "view")
                }

    def test_new_name_applies_to_every_device(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        pair_devices(phone, laptop)
        set_name(laptop, "Anna")
        assert read_name(phone) == read_name(laptop) == "Anna"

    def test_old_cookie_is_the_first_device_of_its_person(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        signer = URLSafeTimedSerializer("a secret only for tests", salt="acesaround.guest")
        phone.cookies.clear()
        phone.cookies.set("acesaround", signer.dumps({"id": "of-before", "name": "Old"}))
        opened = create_table(phone)
        pair_devices(phone, laptop)
        assert read_name(phone) == read_name(laptop) == "Old"
        assert list_own_tables(phone) == list_own_tables(laptop) == [opened]

    def test_list_names_devices_and_marks_this_one(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        assert [(one["name"], one["is_this_device"]) for one in list_devices(phone)] == [
            ("Firefox on Android", True)
        ]
        pair_devices(phone, laptop)
        assert [(one["name"], one["is_this_device"]) for one in list_devices(laptop)] == [
            ("Safari on Mac", True),
            ("Firefox on Android", False),
        ]
        assert time.time() * 1000 - list_devices(laptop)[1]["last_used_ms"] < 60_000

    def test_list_contains_no_id_of_a_person(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        pair_devices(phone, laptop)
        signer = URLSafeTimedSerializer("a secret only for tests", salt="acesaround.guest")
        said = phone.get("/api/devices").text + laptop.get("/api/devices").text
        for client in devices:
            assert signer.loads(client.cookies["acesaround"])["id"] not in said

    def test_limits_of_a_person_count_all_devices(self, tmp_path: Path) -> None:
        with open_clients(
            make_app(tmp_path, max_websockets_per_person=2, max_creations_per_guest=4), 2
        ) as [phone, laptop]:
            opened = create_table(set_name(phone, "Ann"))
            pair_devices(phone, laptop)
            with (
                open_seat(phone, opened),
                open_seat(laptop, opened),
                laptop.websocket_connect(f"/ws/{opened}") as third,
            ):
                assert third.receive()["code"] == TRY_LATER
            assert laptop.post("/api/me", json={"name": "Anna"}).status_code == 200
            assert phone.post("/api/me", json={"name": "Anne"}).status_code == 429


class TestEarlierPerson:
    """What becomes of the earlier person of a device."""

    @staticmethod
    def read_losses(client: TestClient, code: str) -> dict[str, str]:
        preview = client.post("/api/devices/look", json={"code": code}).json()
        found: dict[str, str] = preview["present_person"]
        return found

    def test_look_says_what_is_lost_and_changes_nothing(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        code = request_code(phone)
        assert self.read_losses(laptop, code) == {"name": "Guest", "leaves": "nothing"}
        own = {"values": {"base": "partnership", "title": "Our game"}, "key": ""}
        assert laptop.post("/api/own", json=own).status_code == 201
        assert self.read_losses(laptop, code) == {"name": "Guest", "leaves": "lost"}
        opened = create_table(set_name(laptop, "Bob"))
        for _ in range(3):
            assert laptop.post("/api/devices/look", json={"code": code}).json() == {
                "name": "Ann",
                "present_person": {"name": "Bob", "leaves": "lost"},
                "is_same_person": False,
            }
        assert (read_name(laptop), list_own_tables(laptop)) == ("Bob", [opened])
        assert use_code(laptop, code) == 200

    def test_earlier_person_with_another_device_is_kept(self, tmp_path: Path) -> None:
        with open_clients(make_app(tmp_path), 3) as [ann, bob, tablet]:
            opened = create_table(set_name(bob, "Bob"))
            pair_devices(bob, tablet)
            code = request_code(set_name(ann, "Ann"))
            assert self.read_losses(tablet, code) == {"name": "Bob", "leaves": "kept"}
            assert use_code(tablet, code) == 200
            assert read_name(tablet) == "Ann"
            assert [one["is_this_device"] for one in list_devices(bob)] == [True]
            assert (read_name(bob), list_own_tables(bob)) == ("Bob", [opened])

    def test_signed_out_device_is_a_new_guest(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        create_table(set_name(laptop, "Bob"))
        for by in devices:
            pair_devices(phone, laptop)
            assert (read_name(laptop), list_own_tables(laptop)) == ("Ann", [])
            assert (
                sign_out(by, find_other_device(by) if by is phone else list_devices(by)[0]["id"])
                == 200
            )
            assert (read_name(laptop), list_own_tables(laptop)) == (None, [])
            assert len(list_devices(laptop)) == len(list_devices(phone)) == 1

    def test_only_device_is_not_signed_out(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        for _ in range(2):
            assert_refused = phone.post(
                "/api/devices/out", json={"which": list_devices(phone)[0]["id"]}
            )
            assert assert_refused.status_code == 400
            assert "only device" in assert_refused.json()["error"]
            assert read_name(phone) == "Ann"
            pair_devices(phone, laptop)
            assert sign_out(phone, find_other_device(phone)) == 200


class TestSigningOut:
    """Signing out a lost phone."""

    def test_signing_out_a_phone_keeps_seat_host_and_games(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        opened = create_table(phone, start=True)
        pair_devices(phone, laptop)
        with open_seat(phone, opened) as lost:
            lost.read_until(lambda m: m["type"] == "state" and m["decision"] is not None)
            assert sign_out(laptop, find_other_device(laptop)) == 200
            assert read_close_code(lost) == sessions.SIGNED_OUT_CODE
        assert (read_name(phone), list_own_tables(phone)) == (None, [])
        with open_seat(phone, opened) as nobody:
            assert nobody.state["table"]["you"] is None
            assert nobody.send_refused(type="pause") == "seat"
            assert nobody.send_refused(type="joining", joining="locked") == "host"
        assert list_own_tables(laptop) == [opened]
        with open_seat(laptop, opened) as kept:
            assert kept.state["table"]["you"] == 0
            assert kept.state["table"]["host"]
            assert read_hand(kept.state) == read_hand(lost.state)

    def test_commands_on_a_signed_out_socket_are_ignored(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        opened = create_table(phone, start=True)
        pair_devices(phone, laptop)
        with open_seat(laptop, opened) as kept:
            with open_seat(phone, opened) as lost:
                assert sign_out(laptop, "others") == 200
                lost.send(type="pause")  # sent before the close is noticed
                lost.send(type="joining", joining="locked")
            kept.send(type="talk", phrase="hello")
            kept.read_until(lambda m: m["type"] == "state" and m["table"]["chat"])
            assert not kept.state["table"]["paused"]
            assert kept.state["table"]["joining"] == "open"

    def test_signed_out_sockets_are_closed_when_the_database_fails(
        self, devices: list[TestClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        phone, laptop = devices
        opened = create_table(phone)
        pair_devices(phone, laptop)
        assert read_name(laptop) == "Ann"  # cached by the server

        async def gone(*_: object) -> None:
            raise DatabaseUnavailable

        with open_seat(phone, opened) as lost:
            monkeypatch.setattr(Devices, "identity_of", gone)
            assert sign_out(laptop, "others") == 200
            assert read_close_code(lost) == TRY_LATER

    def test_sign_out_counts_though_its_confirmation_was_lost(
        self, devices: list[TestClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        phone, laptop = devices
        opened = create_table(phone)
        pair_devices(phone, laptop)
        assert read_name(laptop) == "Ann"  # cached by the server
        real_sign_out = Devices.sign_out

        async def sign_out_without_answer(*arguments: Any) -> list[str]:
            await real_sign_out(*arguments)
            raise DatabaseUnavailable

        monkeypatch.setattr(Devices, "sign_out", sign_out_without_answer)
        with open_seat(laptop, opened) as signed_out:
            assert sign_out(phone, "others") == 503
            wait_until(lambda: read_name(laptop) is None)
            assert read_close_code(signed_out) == sessions.SIGNED_OUT_CODE

    def test_one_device_has_no_others_to_sign_out(self, devices: list[TestClient]) -> None:
        assert sign_out(devices[0], "others") == 200
        assert sign_out(devices[0], "x") == 404
        assert read_name(devices[0]) == "Ann"

    def test_copied_cookie_is_signed_out_too(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        opened = create_table(phone)
        copy = phone.cookies["acesaround"]
        pair_devices(phone, laptop)
        assert sign_out(laptop, "others") == 200
        for _ in range(2):
            phone.cookies.clear()
            phone.cookies.set("acesaround", copy)
            assert (read_name(phone), list_own_tables(phone)) == (None, [])
            with open_seat(phone, opened) as nobody:
                assert nobody.state["table"]["you"] is None

    def test_signing_out_survives_a_restart_and_another_key(self, tmp_path: Path) -> None:
        old, new = "an old key of many letters", "a new key of many letters"
        with open_clients(make_app(tmp_path, secret=old), 2) as [phone, laptop]:
            pair_devices(set_name(phone, "Ann"), laptop)
            opened = create_table(phone)
            assert sign_out(laptop, "others") == 200
            cookies = [one.cookies["acesaround"] for one in (phone, laptop)]
        with open_clients(make_app(tmp_path, secret=f"{new},{old}"), 2) as [phone, laptop]:
            for client, cookie in zip((phone, laptop), cookies, strict=True):
                client.cookies.clear()
                client.cookies.set("acesaround", cookie)
            assert (read_name(phone), list_own_tables(phone)) == (None, [])
            assert (read_name(laptop), list_own_tables(laptop)) == ("Ann", [opened])
            assert laptop.get("/api/me").headers.get("set-cookie") is None  # already renewed

    def test_signed_out_device_has_no_rights(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        pair_devices(phone, laptop)
        left = request_code(phone)
        assert sign_out(laptop, "others") == 200
        assert use_code(phone, left) == 404  # an earlier code is void
        assert sign_out(phone, list_devices(laptop)[0]["id"]) in (400, 404)
        assert use_code(laptop, request_code(phone)) == 200  # a new code is for the new guest
        assert read_name(laptop) is None

    def test_requests_from_another_site_are_refused(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        code = request_code(phone)
        evil = {"origin": "https://evil.example"}
        for path, body in (
            ("code", {}),
            ("look", {"code": code}),
            ("take", {"code": code}),
            ("out", {"which": "others"}),
        ):
            assert laptop.post(f"/api/devices/{path}", json=body, headers=evil).status_code == 403
            assert laptop.get(f"/api/devices/{path}").status_code in (404, 405)
        assert use_code(laptop, code) == 200

    @pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"which":3}', b'{"code":null}'])
    def test_invalid_body_is_refused(self, devices: list[TestClient], body: bytes) -> None:
        for path in ("look", "take", "out"):
            answer = devices[0].post(f"/api/devices/{path}", content=body)
            assert answer.status_code == 400
            assert answer.json()["error"].startswith("The request is invalid")


class TestCodes:
    """Codes work once, for ten minutes, and cannot be guessed."""

    def test_code_works_once(self, tmp_path: Path) -> None:
        with open_clients(make_app(tmp_path), 3) as [phone, laptop, thief]:
            code = request_code(set_name(phone, "Ann"))
            assert use_code(laptop, code) == 200
            assert use_code(thief, code) == 404
            assert thief.post("/api/devices/look", json={"code": code}).status_code == 404
            assert read_name(thief) is None

    def test_code_works_in_any_spelling(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        assert use_code(laptop, request_code(phone).upper().replace(" ", ",\n- ")) == 200

    def test_new_code_replaces_the_old_one(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        first, second = request_code(phone), request_code(phone)
        assert use_code(laptop, first) == 404
        assert use_code(laptop, second) == 200

    def test_code_works_for_ten_minutes(
        self, devices: list[TestClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        phone, laptop = devices
        assert phone.post("/api/devices/code", json={}).json()["valid_seconds"] == 600
        monkeypatch.setattr(pairing_codes, "LIFETIME_SECONDS", 0)
        assert use_code(laptop, request_code(phone)) == 404

    def test_own_code_is_not_used_up(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        code = request_code(phone)
        assert phone.post("/api/devices/look", json={"code": code}).json()["is_same_person"]
        assert use_code(phone, code) == 400
        assert use_code(laptop, code) == 200

    def test_code_survives_a_restart_and_a_change_of_keys(self, tmp_path: Path) -> None:
        old, new = "an old key of many letters", "a new key of many letters"
        with open_clients(make_app(tmp_path, secret=old)) as [phone]:
            code = request_code(set_name(phone, "Ann"))
        with open_clients(make_app(tmp_path, secret=f"{new}\n{old}")) as [laptop]:
            assert use_code(laptop, code) == 200
            assert read_name(laptop) == "Ann"

    def test_database_stores_only_a_hash_of_the_code(self, tmp_path: Path) -> None:
        with open_clients(make_app(tmp_path)) as [phone]:
            code = request_code(phone)
            kept = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
        assert pairing_codes.code_hashes(code, "a secret only for tests")[0].encode() in kept
        assert pairing_codes.code_hashes(code, "another secret")[0].encode() not in kept
        for written in (code, code.replace(" ", "-")):
            assert written.encode() not in kept

    def test_link_has_the_code_in_its_fragment(self, devices: list[TestClient]) -> None:
        offered = devices[0].post("/api/devices/code", json={}).json()
        assert offered["link"] == f"http://testserver/#device/{offered['code'].replace(' ', '-')}"
        assert offered["qr"].startswith("data:image/svg+xml")

    @pytest.mark.parametrize(
        ("settings", "base", "expected"),
        [
            ({"public_url": "https://cards.example/"}, "https://cards.example", None),
            ({"lan_url": "http://192.168.1.7:8000/"}, "http://localhost", "192.168.1.7:8000"),
            ({"lan_url": "http://192.168.1.7:8000/"}, "http://127.0.0.1:8000", "192.168.1.7:8000"),
            ({"lan_url": "http://192.168.1.7:8000/"}, "http://192.168.1.9:8000", None),
        ],
    )
    def test_link_has_an_address_that_a_phone_can_reach(
        self, tmp_path: Path, settings: dict[str, str], base: str, expected: str | None
    ) -> None:
        with TestClient(make_app(tmp_path, **settings), base_url=base) as client:
            link = client.post("/api/devices/code", json={}).json()["link"]
        assert link.startswith(f"{base if expected is None else f'http://{expected}'}/#device/")

    def test_wrong_codes_of_an_address_are_limited(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        code = request_code(phone)
        for _ in range(2 * pairing_attempts.MAX_WRONG_PER_ADDRESS):  # correct codes do not count
            assert laptop.post("/api/devices/look", json={"code": code}).status_code == 200
        answers = [
            laptop.post("/api/devices/look", json={"code": pairing_codes.new_code()})
            for _ in range(pairing_attempts.MAX_WRONG_PER_ADDRESS + 1)
        ]
        assert {answer.status_code for answer in answers[:-1]} == {404}
        assert answers[-1].status_code == 429
        assert "wrong codes" in answers[-1].json()["error"]
        laptop.cookies.clear()  # a new cookie has the same address
        assert use_code(laptop, code) == 429

    def test_words_differ_in_four_letters(self) -> None:
        assert len(pairing_words.WORDS) == len({word[:4] for word in pairing_words.WORDS}) == 256
        assert all(re.fullmatch("[a-z]{3,8}", word) for word in pairing_words.WORDS)
        assert len({pairing_codes.new_code() for _ in range(100)}) == 100
        assert all(len(pairing_codes.new_code().split()) == 6 for _ in range(10))


class TestSecondHand:
    """No device sees two hands of one deal by a code."""

    @staticmethod
    def assert_refused(client: TestClient, code: str) -> None:
        """Assert that a code is refused when looked up and when used."""
        before = read_name(client)
        for path in ("look", "take"):
            answer = client.post(f"/api/devices/{path}", json={"code": code})
            assert answer.status_code == 409
            assert answer.json()["error"].startswith("This device has seen a hand of the deal at")
        assert read_name(client) == before

    @staticmethod
    def deal_table(phone: TestClient, laptop: TestClient) -> str:
        """Return a table where both sit and cards are dealt."""
        opened = create_table(phone)
        set_name(laptop, "Bob")
        with open_seat(phone, opened) as ann, open_seat(laptop, opened) as bob:
            bob.send(type="sit", seat=2)
            bob.read_until(lambda m: m["type"] == "state" and m["table"]["you"] == 2)
            ann.send(type="start")
            for one in (ann, bob):
                one.read_until(lambda m: m["type"] == "state" and read_hand(m))
        return opened

    def test_code_of_another_player_is_refused(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        opened = self.deal_table(phone, laptop)
        self.assert_refused(laptop, request_code(phone))
        self.assert_refused(phone, request_code(laptop))
        with open_seat(laptop, opened) as bob:
            assert bob.state["table"]["you"] == 2

    @pytest.mark.parametrize("number", [0, 1])
    def test_code_is_refused_after_standing_up(
        self, devices: list[TestClient], number: int
    ) -> None:
        """The host may take a hand from a bot at any time."""
        opened = self.deal_table(*devices)
        with open_seat(devices[number], opened) as left:
            left.send(type="stand")
            left.read_until(lambda m: m["type"] == "state" and m["table"]["you"] is None)
        self.assert_refused(devices[1], request_code(devices[0]))

    @pytest.mark.parametrize("damaged", [False, True])
    def test_code_is_refused_after_a_restart_unless_the_table_is_damaged(
        self, tmp_path: Path, damaged: bool
    ) -> None:
        with open_clients(make_app(tmp_path), 2) as [phone, laptop]:
            self.deal_table(set_name(phone, "Ann"), laptop)
            code, cookie = request_code(phone), laptop.cookies["acesaround"]
        if damaged:
            execute_sql(tmp_path, "UPDATE entries SET body = '{' WHERE seq = 1")
        with open_clients(make_app(tmp_path)) as [laptop]:
            laptop.cookies.clear()
            laptop.cookies.set("acesaround", cookie)
            if damaged:
                assert use_code(laptop, code) == 200
            else:
                self.assert_refused(laptop, code)

    def test_signed_out_device_has_to_ask_for_a_seat(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        opened = create_table(phone, start=True)
        pair_devices(phone, laptop)
        with open_seat(laptop, opened) as ann:
            ann.read_until(lambda m: m["type"] == "state" and read_hand(m))
        assert sign_out(laptop, list_devices(laptop)[0]["id"]) == 200
        with open_seat(laptop, opened) as guest:
            assert (guest.state["table"]["you"], read_hand(guest.state)) == (None, [])
            assert guest.send_refused(type="sit", seat=1) == "joining"

    def test_code_works_between_deals_and_elsewhere(self, devices: list[TestClient]) -> None:
        phone, laptop = devices
        create_table(set_name(laptop, "Bob"), start=True)
        opened = create_table(phone)
        with open_seat(laptop, opened) as bob:
            bob.send(type="sit", seat=2)
            bob.read_until(lambda m: m["type"] == "state" and m["table"]["you"] == 2)
        pair_devices(phone, laptop)
        with open_seat(laptop, opened) as ann:
            assert ann.state["table"]["you"] == 0


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (PHONE, "Firefox on Android"),
        (LAPTOP, "Safari on Mac"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36", "Chrome on Linux"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) CriOS/140 Safari", "Chrome on iPhone"),
        ("<script>alert(1)</script>", "A browser"),
        ("", "A browser"),
    ],
)
def test_device_name_comes_from_the_user_agent(agent: str, expected: str) -> None:
    assert device_name(agent) == expected
