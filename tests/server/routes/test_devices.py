"""One person on several devices: codes, who a device is, signing out, and what must not work."""

from __future__ import annotations

import contextlib
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
from acesaround.server.client import TRY_LATER
from acesaround.server.limits.rates import RateLimited
from acesaround.store import DatabaseUnavailable
from acesaround.store.devices import Devices
from tests.server.http_client import Seat, app, browsers, named, seat, table
from tests.server.test_damage import change
from tests.waiting import wait_until

PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
LAPTOP = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.4 Safari/605.1.15"
)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[TestClient]]:
    """Ann's phone, and a laptop."""
    with browsers(app(tmp_path), 2) as [phone, laptop]:
        phone.headers["user-agent"], laptop.headers["user-agent"] = PHONE, LAPTOP
        yield [named(phone, "Ann"), laptop]


def made(client: TestClient) -> str:
    """A new code."""
    answer = client.post("/api/devices/code", json={})
    assert answer.status_code == 201, answer.text
    code: str = answer.json()["code"]
    return code


def take(client: TestClient, code: str) -> int:
    return client.post("/api/devices/take", json={"code": code}).status_code


def joined(client: TestClient, other: TestClient) -> None:
    """Make the other device who this one is."""
    assert take(other, made(client)) == 200


def sign_out(client: TestClient, which: str) -> int:
    return client.post("/api/devices/out", json={"which": which}).status_code


def listed(client: TestClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/devices").json()["devices"]
    return found


def other(client: TestClient) -> str:
    """The id in the list of the one other device."""
    [found] = [one["id"] for one in listed(client) if not one["here"]]
    return str(found)


def name(client: TestClient) -> str | None:
    found: str | None = client.get("/api/me").json()["name"]
    return found


def mine(client: TestClient) -> list[str]:
    return [line["id"] for line in client.get("/api/mine").json()]


def ended(sitting: Seat) -> int:
    """Read until the socket is closed; the code."""
    with pytest.raises(WebSocketDisconnect) as closed:
        sitting.until(lambda _: False)
    return closed.value.code


def hand(state: dict[str, Any]) -> list[str]:
    view = state["view"]
    found: list[str] = [] if view is None else view["hand"] or []
    return found


class TestOnePerson:
    """What another device gets by a code."""

    def test_another_device_has_the_name_the_tables_and_the_seat(
        self, two: list[TestClient]
    ) -> None:
        phone, laptop = two
        opened = table(phone)
        joined(phone, laptop)
        assert name(laptop) == "Ann"
        assert mine(laptop) == [opened]
        with seat(phone, opened) as here, seat(laptop, opened) as there:
            assert here.state["table"]["you"] == there.state["table"]["you"] == 0
            assert there.state["table"]["host"]

    def test_in_mid_game_both_stay_and_see_the_same(self, two: list[TestClient]) -> None:
        phone, laptop = two
        opened = table(phone, start=True)
        with seat(phone, opened) as here:
            here.until(lambda m: m["type"] == "state" and m["decision"] is not None)
            joined(phone, laptop)
            with seat(laptop, opened) as there:
                assert hand(there.state) == hand(here.state) != []
                assert there.state["decision"] == here.state["decision"]
                there.act()
                acted = there.beyond(there.state["seq"])
                seen = here.until(lambda m: m["type"] == "state" and m["seq"] >= acted["seq"])
                assert hand(seen) == hand(here.state)
                assert {key: seen[key] for key in ("seq", "view")} == {
                    key: next(m for m in there.seen if m["seq"] == seen["seq"])[key]
                    for key in ("seq", "view")
                }

    def test_a_new_name_is_the_name_on_every_device(self, two: list[TestClient]) -> None:
        phone, laptop = two
        joined(phone, laptop)
        named(laptop, "Anna")
        assert name(phone) == name(laptop) == "Anna"

    def test_a_cookie_of_before_is_the_first_device_of_its_person(
        self, two: list[TestClient]
    ) -> None:
        phone, laptop = two
        signer = URLSafeTimedSerializer("a secret only for tests", salt="acesaround.guest")
        phone.cookies.clear()
        phone.cookies.set("acesaround", signer.dumps({"id": "of-before", "name": "Old"}))
        opened = table(phone)
        joined(phone, laptop)
        assert name(phone) == name(laptop) == "Old"
        assert mine(phone) == mine(laptop) == [opened]

    def test_the_list_names_devices_and_marks_this_one(self, two: list[TestClient]) -> None:
        phone, laptop = two
        assert [(one["name"], one["here"]) for one in listed(phone)] == [
            ("Firefox on Android", True)
        ]
        joined(phone, laptop)
        assert [(one["name"], one["here"]) for one in listed(laptop)] == [
            ("Safari on Mac", True),
            ("Firefox on Android", False),
        ]
        assert time.time() * 1000 - listed(laptop)[1]["seen"] < 60_000

    def test_no_list_says_the_id_of_a_person_or_a_cookie(self, two: list[TestClient]) -> None:
        phone, laptop = two
        joined(phone, laptop)
        signer = URLSafeTimedSerializer("a secret only for tests", salt="acesaround.guest")
        said = phone.get("/api/devices").text + laptop.get("/api/devices").text
        for client in two:
            assert signer.loads(client.cookies["acesaround"])["id"] not in said

    def test_what_a_person_may_have_is_counted_on_all_devices(self, tmp_path: Path) -> None:
        with browsers(app(tmp_path, person_sockets=2, creations=4), 2) as [phone, laptop]:
            opened = table(named(phone, "Ann"))
            joined(phone, laptop)
            with (
                seat(phone, opened),
                seat(laptop, opened),
                laptop.websocket_connect(f"/ws/{opened}") as third,
            ):
                assert third.receive()["code"] == TRY_LATER
            assert laptop.post("/api/me", json={"name": "Anna"}).status_code == 200
            assert phone.post("/api/me", json={"name": "Anne"}).status_code == 429


class TestWhoItWasBefore:
    """A device is one person: what becomes of the one that it was."""

    @staticmethod
    def leaves(client: TestClient, code: str) -> dict[str, str]:
        found: dict[str, str] = client.post("/api/devices/look", json={"code": code}).json()["own"]
        return found

    def test_it_is_said_before_and_changes_nothing(self, two: list[TestClient]) -> None:
        phone, laptop = two
        code = made(phone)
        assert self.leaves(laptop, code) == {"name": "Guest", "leaves": "nothing"}
        own = {"values": {"base": "partnership", "title": "Our game"}, "key": ""}
        assert laptop.post("/api/own", json=own).status_code == 201
        assert self.leaves(laptop, code) == {"name": "Guest", "leaves": "lost"}
        opened = table(named(laptop, "Bob"))
        for _ in range(3):
            assert laptop.post("/api/devices/look", json={"code": code}).json() == {
                "name": "Ann",
                "own": {"name": "Bob", "leaves": "lost"},
                "same": False,
            }
        assert (name(laptop), mine(laptop)) == ("Bob", [opened])
        assert take(laptop, code) == 200

    def test_with_another_device_it_is_kept(self, tmp_path: Path) -> None:
        with browsers(app(tmp_path), 3) as [ann, bob, tablet]:
            opened = table(named(bob, "Bob"))
            joined(bob, tablet)
            code = made(named(ann, "Ann"))
            assert self.leaves(tablet, code) == {"name": "Bob", "leaves": "kept"}
            assert take(tablet, code) == 200
            assert name(tablet) == "Ann"
            assert [one["here"] for one in listed(bob)] == [True]
            assert (name(bob), mine(bob)) == ("Bob", [opened])

    def test_signed_out_here_or_there_it_is_a_new_guest(self, two: list[TestClient]) -> None:
        phone, laptop = two
        table(named(laptop, "Bob"))
        for by in two:
            joined(phone, laptop)
            assert (name(laptop), mine(laptop)) == ("Ann", [])
            assert sign_out(by, other(by) if by is phone else listed(by)[0]["id"]) == 200
            assert (name(laptop), mine(laptop)) == (None, [])
            assert len(listed(laptop)) == len(listed(phone)) == 1

    def test_the_only_device_is_not_signed_out(self, two: list[TestClient]) -> None:
        phone, laptop = two
        for _ in range(2):
            refused = phone.post("/api/devices/out", json={"which": listed(phone)[0]["id"]})
            assert refused.status_code == 400
            assert "only device" in refused.json()["error"]
            assert name(phone) == "Ann"
            joined(phone, laptop)
            assert sign_out(phone, other(phone)) == 200


class TestSigningOut:
    """A phone is lost."""

    def test_a_lost_phone_loses_neither_seat_nor_host_nor_games(
        self, two: list[TestClient]
    ) -> None:
        phone, laptop = two
        opened = table(phone, start=True)
        joined(phone, laptop)
        with seat(phone, opened) as lost:
            lost.until(lambda m: m["type"] == "state" and m["decision"] is not None)
            assert sign_out(laptop, other(laptop)) == 200
            assert ended(lost) == sessions.SIGNED_OUT_CODE
        assert (name(phone), mine(phone)) == (None, [])
        with seat(phone, opened) as nobody:
            assert nobody.state["table"]["you"] is None
            assert nobody.refused(type="pause") == "seat"
            assert nobody.refused(type="joining", joining="locked") == "host"
        assert mine(laptop) == [opened]
        with seat(laptop, opened) as kept:
            assert kept.state["table"]["you"] == 0
            assert kept.state["table"]["host"]
            assert hand(kept.state) == hand(lost.state)

    def test_what_is_said_on_an_open_socket_afterwards_is_not_heard(
        self, two: list[TestClient]
    ) -> None:
        phone, laptop = two
        opened = table(phone, start=True)
        joined(phone, laptop)
        with seat(laptop, opened) as kept:
            with seat(phone, opened) as lost:
                assert sign_out(laptop, "others") == 200
                lost.send(type="pause")  # whoever has it takes no notice of its being closed
                lost.send(type="joining", joining="locked")
            kept.send(type="talk", phrase="hello")
            kept.until(lambda m: m["type"] == "state" and m["table"]["talk"])
            assert not kept.state["table"]["paused"]
            assert kept.state["table"]["joining"] == "open"

    def test_its_sockets_end_also_where_the_database_says_no_more(
        self, two: list[TestClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        phone, laptop = two
        opened = table(phone)
        joined(phone, laptop)
        assert name(laptop) == "Ann"  # which the server remembers

        async def gone(*_: object) -> None:
            raise DatabaseUnavailable

        with seat(phone, opened) as lost:
            monkeypatch.setattr(Devices, "identity_of", gone)
            assert sign_out(laptop, "others") == 200
            assert ended(lost) == TRY_LATER

    def test_a_sign_out_counts_although_the_answer_of_the_database_was_lost(
        self, two: list[TestClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        phone, laptop = two
        opened = table(phone)
        joined(phone, laptop)
        assert name(laptop) == "Ann"  # which the server remembers
        real_sign_out = Devices.sign_out

        async def sign_out_without_answer(*arguments: Any) -> list[str]:
            await real_sign_out(*arguments)
            raise DatabaseUnavailable

        monkeypatch.setattr(Devices, "sign_out", sign_out_without_answer)
        with seat(laptop, opened) as signed_out:
            assert sign_out(phone, "others") == 503
            wait_until(lambda: name(laptop) is None)
            assert ended(signed_out) == sessions.SIGNED_OUT_CODE

    def test_with_one_device_there_are_no_others(self, two: list[TestClient]) -> None:
        assert sign_out(two[0], "others") == 200
        assert sign_out(two[0], "x") == 404
        assert name(two[0]) == "Ann"

    def test_a_cookie_that_was_copied_is_worth_nothing_either(self, two: list[TestClient]) -> None:
        phone, laptop = two
        opened = table(phone)
        copy = phone.cookies["acesaround"]
        joined(phone, laptop)
        assert sign_out(laptop, "others") == 200
        for _ in range(2):
            phone.cookies.clear()
            phone.cookies.set("acesaround", copy)
            assert (name(phone), mine(phone)) == (None, [])
            with seat(phone, opened) as nobody:
                assert nobody.state["table"]["you"] is None

    def test_signing_out_outlives_a_restart_and_another_key(self, tmp_path: Path) -> None:
        old, new = "an old key of many letters", "a new key of many letters"
        with browsers(app(tmp_path, secret=old), 2) as [phone, laptop]:
            joined(named(phone, "Ann"), laptop)
            opened = table(phone)
            assert sign_out(laptop, "others") == 200
            cookies = [one.cookies["acesaround"] for one in (phone, laptop)]
        with browsers(app(tmp_path, secret=f"{new},{old}"), 2) as [phone, laptop]:
            for client, cookie in zip((phone, laptop), cookies, strict=True):
                client.cookies.clear()
                client.cookies.set("acesaround", cookie)
            assert (name(phone), mine(phone)) == (None, [])
            assert (name(laptop), mine(laptop)) == ("Ann", [opened])
            assert laptop.get("/api/me").headers.get("set-cookie") is None  # it has it by now

    def test_who_is_signed_out_cannot_sign_out_others_nor_make_codes_for_them(
        self, two: list[TestClient]
    ) -> None:
        phone, laptop = two
        joined(phone, laptop)
        left = made(phone)
        assert sign_out(laptop, "others") == 200
        assert take(phone, left) == 404  # a code that it made before is void
        assert sign_out(phone, listed(laptop)[0]["id"]) in (400, 404)
        assert take(laptop, made(phone)) == 200  # its code is for who it is now
        assert name(laptop) is None

    def test_a_page_of_another_site_can_do_nothing(self, two: list[TestClient]) -> None:
        phone, laptop = two
        code = made(phone)
        evil = {"origin": "https://evil.example"}
        for path, body in (
            ("code", {}),
            ("look", {"code": code}),
            ("take", {"code": code}),
            ("out", {"which": "others"}),
        ):
            assert laptop.post(f"/api/devices/{path}", json=body, headers=evil).status_code == 403
            assert laptop.get(f"/api/devices/{path}").status_code in (404, 405)
        assert take(laptop, code) == 200

    @pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"which":3}', b'{"code":null}'])
    def test_what_cannot_be_read_is_refused_in_a_sentence(
        self, two: list[TestClient], body: bytes
    ) -> None:
        for path in ("look", "take", "out"):
            answer = two[0].post(f"/api/devices/{path}", content=body)
            assert answer.status_code == 400
            assert answer.json()["error"].startswith("The request is invalid")


class TestCodes:
    """Good once, for ten minutes, and not to be guessed."""

    def test_a_code_is_good_once(self, tmp_path: Path) -> None:
        with browsers(app(tmp_path), 3) as [phone, laptop, thief]:
            code = made(named(phone, "Ann"))
            assert take(laptop, code) == 200
            assert take(thief, code) == 404
            assert thief.post("/api/devices/look", json={"code": code}).status_code == 404
            assert name(thief) is None

    def test_a_code_is_good_however_it_is_typed(self, two: list[TestClient]) -> None:
        phone, laptop = two
        assert take(laptop, made(phone).upper().replace(" ", ",\n- ")) == 200

    def test_another_code_ends_the_one_before(self, two: list[TestClient]) -> None:
        phone, laptop = two
        first, second = made(phone), made(phone)
        assert take(laptop, first) == 404
        assert take(laptop, second) == 200

    def test_a_code_is_good_for_ten_minutes(
        self, two: list[TestClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        phone, laptop = two
        assert phone.post("/api/devices/code", json={}).json()["seconds"] == 600
        monkeypatch.setattr(pairing_codes, "LIFETIME_SECONDS", 0)
        assert take(laptop, made(phone)) == 404

    def test_ones_own_code_is_not_used_up(self, two: list[TestClient]) -> None:
        phone, laptop = two
        code = made(phone)
        assert phone.post("/api/devices/look", json={"code": code}).json()["same"]
        assert take(phone, code) == 400
        assert take(laptop, code) == 200

    def test_a_code_outlives_a_restart_and_a_change_of_keys(self, tmp_path: Path) -> None:
        old, new = "an old key of many letters", "a new key of many letters"
        with browsers(app(tmp_path, secret=old)) as [phone]:
            code = made(named(phone, "Ann"))
        with browsers(app(tmp_path, secret=f"{new}\n{old}")) as [laptop]:
            assert take(laptop, code) == 200
            assert name(laptop) == "Ann"

    def test_the_database_does_not_tell_a_code(self, tmp_path: Path) -> None:
        with browsers(app(tmp_path)) as [phone]:
            code = made(phone)
            kept = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
        assert pairing_codes.code_hashes(code, "a secret only for tests")[0].encode() in kept
        assert pairing_codes.code_hashes(code, "another secret")[0].encode() not in kept
        for written in (code, code.replace(" ", "-")):
            assert written.encode() not in kept

    def test_the_link_holds_the_code_where_no_server_sees_it(self, two: list[TestClient]) -> None:
        offered = two[0].post("/api/devices/code", json={}).json()
        assert offered["link"] == f"http://testserver/#device/{offered['code'].replace(' ', '-')}"
        assert offered["qr"].startswith("data:image/svg+xml")

    @pytest.mark.parametrize(
        ("settings", "base", "expected"),
        [
            ({"public_url": "https://cards.example/"}, "https://cards.example", None),
            ({"home_url": "http://192.168.1.7:8000/"}, "http://localhost", "192.168.1.7:8000"),
            ({"home_url": "http://192.168.1.7:8000/"}, "http://127.0.0.1:8000", "192.168.1.7:8000"),
            ({"home_url": "http://192.168.1.7:8000/"}, "http://192.168.1.9:8000", None),
        ],
    )
    def test_the_link_leads_to_where_a_phone_finds_the_server(
        self, tmp_path: Path, settings: dict[str, str], base: str, expected: str | None
    ) -> None:
        with TestClient(app(tmp_path, **settings), base_url=base) as client:
            link = client.post("/api/devices/code", json={}).json()["link"]
        assert link.startswith(f"{base if expected is None else f'http://{expected}'}/#device/")

    def test_guessing_ends_in_a_sentence(self, two: list[TestClient]) -> None:
        phone, laptop = two
        code = made(phone)
        for _ in range(2 * pairing_codes.MAX_WRONG_PER_ADDRESS):  # right ones do not count
            assert laptop.post("/api/devices/look", json={"code": code}).status_code == 200
        answers = [
            laptop.post("/api/devices/look", json={"code": pairing_codes.new_code()})
            for _ in range(pairing_codes.MAX_WRONG_PER_ADDRESS + 1)
        ]
        assert {answer.status_code for answer in answers[:-1]} == {404}
        assert answers[-1].status_code == 429
        assert "wrong codes" in answers[-1].json()["error"]
        laptop.cookies.clear()  # another cookie does not help
        assert take(laptop, code) == 429

    def test_guesses_from_everywhere_are_counted_together(self) -> None:
        guesses = pairing_codes.CodeAttempts(max_per_address=3, max_total=10, seconds=1e9)
        for number in range(10):
            guesses.charge(f"192.0.2.{number}")
        with pytest.raises(RateLimited):
            guesses.charge("127.0.0.1")

    def test_who_guessed_nothing_is_heard_whatever_others_guess(self) -> None:
        """Before, 1,000 wrong codes locked out everybody."""
        guesses = pairing_codes.CodeAttempts(seconds=1e9)
        for number in range(1_050):
            guesses.charge(f"192.0.2.{number % 100}")
        for _ in range(2):  # looked up, and used
            guesses.refund(guesses.charge("198.51.100.1"))
        guesses.charge("198.51.100.1")
        for guesser in ("192.0.2.1", "198.51.100.1"):
            with pytest.raises(RateLimited, match="People"):
                guesses.charge(guesser)

    def test_guesses_beyond_the_common_limit_have_a_limit_too(self) -> None:
        guesses = pairing_codes.CodeAttempts(max_total=1, max_reserved=5, seconds=1e9)
        for number in range(6):
            right = guesses.charge(f"192.0.2.{number}")
        with pytest.raises(RateLimited):
            guesses.charge("198.51.100.1")
        guesses.refund(right)
        guesses.charge("198.51.100.1")

    def test_a_net_of_many_homes_guesses_sixteen_times_as_often_as_a_home(self) -> None:
        guesses, homes = pairing_codes.CodeAttempts(seconds=1e9), range(0x10000)
        accepted = 0
        for home in homes:
            with contextlib.suppress(RateLimited):
                guesses.charge(f"2001:db8:1:{home:x}::1")
                accepted += 1
        assert accepted == 16 * pairing_codes.MAX_WRONG_PER_ADDRESS
        guesses.charge("2001:db8:2::1")

    def test_words_are_told_apart(self) -> None:
        assert len(pairing_words.WORDS) == len({word[:4] for word in pairing_words.WORDS}) == 256
        assert all(re.fullmatch("[a-z]{3,8}", word) for word in pairing_words.WORDS)
        assert len({pairing_codes.new_code() for _ in range(100)}) == 100
        assert all(len(pairing_codes.new_code().split()) == 6 for _ in range(10))


class TestSecondHand:
    """No device sees two hands of one deal by a code."""

    @staticmethod
    def refused(client: TestClient, code: str) -> None:
        """It is so when it is looked up and when it is used, and the code stays good."""
        before = name(client)
        for path in ("look", "take"):
            answer = client.post(f"/api/devices/{path}", json={"code": code})
            assert answer.status_code == 409
            assert answer.json()["error"].startswith("This device has seen a hand of the deal at")
        assert name(client) == before

    @staticmethod
    def dealt(phone: TestClient, laptop: TestClient) -> str:
        """A table where both sit and cards are dealt."""
        opened = table(phone)
        named(laptop, "Bob")
        with seat(phone, opened) as ann, seat(laptop, opened) as bob:
            bob.send(type="sit", seat=2)
            bob.until(lambda m: m["type"] == "state" and m["table"]["you"] == 2)
            ann.send(type="start")
            for one in (ann, bob):
                one.until(lambda m: m["type"] == "state" and hand(m))
        return opened

    def test_by_a_code_of_another_player(self, two: list[TestClient]) -> None:
        phone, laptop = two
        opened = self.dealt(phone, laptop)
        self.refused(laptop, made(phone))
        self.refused(phone, made(laptop))
        with seat(laptop, opened) as bob:
            assert bob.state["table"]["you"] == 2

    @pytest.mark.parametrize("leaves", [0, 1])
    def test_nor_when_one_has_left_the_seat(self, two: list[TestClient], leaves: int) -> None:
        """The host may take a bot's hand at any time."""
        opened = self.dealt(*two)
        with seat(two[leaves], opened) as left:
            left.send(type="stand")
            left.until(lambda m: m["type"] == "state" and m["table"]["you"] is None)
        self.refused(two[1], made(two[0]))

    @pytest.mark.parametrize("damaged", [False, True])
    def test_nor_after_a_restart_unless_nobody_can_play_there(
        self, tmp_path: Path, damaged: bool
    ) -> None:
        with browsers(app(tmp_path), 2) as [phone, laptop]:
            self.dealt(named(phone, "Ann"), laptop)
            code, cookie = made(phone), laptop.cookies["acesaround"]
        if damaged:
            change(tmp_path, "UPDATE entries SET body = '{' WHERE seq = 1")
        with browsers(app(tmp_path)) as [laptop]:
            laptop.cookies.clear()
            laptop.cookies.set("acesaround", cookie)
            if damaged:
                assert take(laptop, code) == 200
            else:
                self.refused(laptop, code)

    def test_signed_out_it_has_to_ask_for_a_hand_as_anybody(self, two: list[TestClient]) -> None:
        phone, laptop = two
        opened = table(phone, start=True)
        joined(phone, laptop)
        with seat(laptop, opened) as ann:
            ann.until(lambda m: m["type"] == "state" and hand(m))
        assert sign_out(laptop, listed(laptop)[0]["id"]) == 200
        with seat(laptop, opened) as guest:
            assert (guest.state["table"]["you"], hand(guest.state)) == (None, [])
            assert guest.refused(type="sit", seat=1) == "joining"

    def test_between_deals_and_at_other_tables_a_code_is_good(self, two: list[TestClient]) -> None:
        phone, laptop = two
        table(named(laptop, "Bob"), start=True)
        opened = table(phone)
        with seat(laptop, opened) as bob:
            bob.send(type="sit", seat=2)
            bob.until(lambda m: m["type"] == "state" and m["table"]["you"] == 2)
        joined(phone, laptop)
        with seat(laptop, opened) as ann:
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
def test_a_device_is_called_by_what_its_browser_says(agent: str, expected: str) -> None:
    assert device_name(agent) == expected
