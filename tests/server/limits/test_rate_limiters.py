"""Rate limits over HTTP: for a guest, for an address, and behind a proxy."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from acesaround.server.limits import rate_limiters
from acesaround.server.limits.rate_limiters import (
    CommandRateLimiter,
    JoinRateLimiter,
    RateLimited,
    RequestRateLimiter,
)
from acesaround.server.settings import ServeError, Settings
from tests.server.http_client import create_table, make_app, open_clients, open_seat

NEW_TABLE = {"variant": "partnership"}


def test_created_tables_of_a_guest_are_rate_limited(tmp_path: Path) -> None:
    with open_clients(
        make_app(tmp_path, max_creations_per_guest=2, creation_window_seconds=1e9), 2
    ) as [ann, bob]:
        assert [ann.post("/api/tables", json=NEW_TABLE).status_code for _ in range(2)] == [201, 201]
        refused = ann.post("/api/tables", json=NEW_TABLE)
        assert refused.status_code == 429
        assert "wait" in refused.json()["error"]
        assert int(refused.headers["retry-after"]) > 0
        assert ann.post("/api/me", json={"name": "Ann"}).status_code == 429
        assert ann.get("/api/me").status_code == 200
        assert bob.post("/api/tables", json=NEW_TABLE).status_code == 201


def test_open_tables_of_a_guest_are_limited(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, max_unfinished_tables=2), 2) as [ann, bob]:
        finished = create_table(ann, options={"target": 1}, start=True)
        create_table(ann)
        refused = ann.post("/api/tables", json=NEW_TABLE)
        assert refused.status_code == 429
        assert "finish one" in refused.json()["error"]
        assert bob.post("/api/tables", json=NEW_TABLE).status_code == 201
        with open_seat(ann, finished) as sitting:
            sitting.play(lambda state: state["table"]["over"])
        assert ann.post("/api/tables", json=NEW_TABLE).status_code == 201


def test_chat_of_a_person_is_limited_over_all_tables(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, max_chat_lines=4, chat_window_seconds=1e9), 2) as [
        ann,
        bob,
    ]:
        first, second = create_table(ann), create_table(ann)
        with (
            open_seat(ann, first) as here,
            open_seat(ann, second) as there,
            open_seat(bob, first) as other,
        ):
            other.send(type="sit", seat=2)
            other.read_until(lambda m: m["type"] == "state" and m["table"]["you"] == 2)
            here.read_until(lambda m: m["table"]["seats"][2]["person"])
            for sitting in (here, there, here, there):
                sitting.send(type="talk", phrase="hello")
                sitting.read_past_seq(sitting.state["seq"])
            for sitting in (here, there):
                assert sitting.send_refused(type="talk", phrase="hello") == "rate"
                sitting.send(type="start")  # play goes on
                sitting.read_until(lambda m: m["type"] == "state" and m["table"]["started"])
            other.send(type="talk", phrase="hello")
            other.read_until(lambda m: m["type"] == "state" and m["table"]["chat"][-1]["seat"] == 2)


def test_chat_at_a_table_is_limited_over_all_persons() -> None:
    limiter = CommandRateLimiter(1000, 1e9, chat_capacity=2, chat_seconds=1e9)
    for person in range(6):
        limiter.spend(f"guest {person}", "loud", is_chat=True)
    with pytest.raises(RateLimited, match="This table has had too many"):
        limiter.spend("guest 7", "loud", is_chat=True)
    limiter.spend("guest 7", "calm", is_chat=True)
    limiter.spend("guest 7", "loud", is_chat=False)


def test_commands_of_a_person_are_limited_over_all_tables(tmp_path: Path) -> None:
    with open_clients(
        make_app(tmp_path, max_messages_per_websocket=5, rate_window_seconds=1e9)
    ) as [ann]:
        opened = [create_table(ann) for _ in range(3)]
        codes = []
        for name in opened:
            with open_seat(ann, name) as sitting:
                for _ in range(2):
                    seq = sitting.state["seq"]
                    sitting.send(type="bot", seat=1, name="thumb")
                    said = sitting.receive()
                    while said["type"] == "state" and said["seq"] == seq:
                        said = sitting.receive()
                    codes.append(said.get("code"))
        assert codes.count("rate") == 1


def test_commands_are_limited_by_address(tmp_path: Path) -> None:
    server = make_app(tmp_path, max_messages_per_websocket=2, rate_window_seconds=1e9)
    with open_clients(server, 7) as [ann, *guests]:
        opened = create_table(ann, public=True)
        codes = []
        for guest in guests:
            with open_seat(guest, opened) as sitting:
                for _ in range(2):
                    codes.append(sitting.send_refused(type="start"))
        assert codes == ["host"] * 10 + ["rate"] * 2


def test_commands_cost_more_with_many_spectators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limiters, "_SPECTATORS_PER_COMMAND", 1, raising=False)
    server = make_app(tmp_path, max_messages_per_websocket=9, rate_window_seconds=1e9)
    with (
        open_clients(server, 3) as [ann, bob, cleo],
        open_seat(ann, create_table(ann, start=True)) as host,
    ):
        opened = host.state["table"]["id"]
        with open_seat(bob, opened), open_seat(cleo, opened):
            host.send(type="pause")
            host.read_until(lambda m: m["table"]["paused"])
            host.send(type="resume")
            host.read_until(lambda m: not m["table"]["paused"])
            host.send(type="pause")
            host.read_until(lambda m: m["table"]["paused"])
            assert host.send_refused(type="resume") == "rate"


def test_guests_without_cookies_share_the_limit_of_their_address(tmp_path: Path) -> None:
    server = make_app(
        tmp_path,
        max_creations_per_guest=1,
        creation_limit_address_factor=3,
        creation_window_seconds=1e9,
    )
    with TestClient(server, client=("203.0.113.7", 1)) as client:
        codes = []
        for _ in range(4):
            client.cookies.clear()
            codes.append(client.post("/api/tables", json=NEW_TABLE).status_code)
        assert codes == [201, 201, 201, 429]
        elsewhere = TestClient(server, client=("203.0.113.8", 1))
        elsewhere.portal = client.portal
        assert elsewhere.post("/api/tables", json=NEW_TABLE).status_code == 201
        elsewhere.portal = None


def test_address_is_the_forwarded_one_behind_a_trusted_proxy(tmp_path: Path) -> None:
    def codes(trusted: str, client: str) -> list[int]:
        once = {
            "max_creations_per_guest": 1,
            "creation_limit_address_factor": 1,
            "creation_window_seconds": 1e9,
        }
        server = make_app(tmp_path, trusted_proxies=trusted, **once)
        with TestClient(server):
            through = TestClient(server, client=(client, 1))
            got = []
            for last in (1, 1, 2, 2):
                forwarded = {"x-forwarded-for": f"203.0.113.{last}"}
                through.cookies.clear()
                answer = through.post("/api/tables", json=NEW_TABLE, headers=forwarded)
                got.append(answer.status_code)
            return got

    assert codes("127.0.0.1", "127.0.0.1") == [201, 429, 201, 429]
    assert codes("127.0.0.1", "198.51.100.1") == [201, 429, 429, 429]  # not a trusted proxy


def test_a_48_has_sixteen_times_the_limit_of_a_64() -> None:
    limiter = RequestRateLimiter(1, 1e9, guests_per_address=1)

    def spent(address: str) -> bool:
        with contextlib.suppress(RateLimited):
            limiter.spend(None, address)
            return True
        return False

    homes = [f"2001:db8:1:{number:x}::1" for number in range(1024)]
    assert [spent(homes[0]) for _ in range(100)] == [True] + [False] * 99
    assert [spent(home) for home in homes[1:5]] == [True] * 3 + [False]  # of one /56
    assert sum(map(spent, homes[5:])) == 12
    assert not spent("2001:db8:1:ffff::1")
    assert spent("2001:db8:2::1")


def test_loopback_has_no_address_limit() -> None:
    limiter = RequestRateLimiter(1, 1e9, guests_per_address=1)
    for number in range(10):
        limiter.spend(f"guest {number}", "127.0.0.1")
    with pytest.raises(RateLimited):
        limiter.spend("guest 1", "127.0.0.1")


def test_last_address_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acesaround.server.accounts.sessions._MAX_ADDRESSES", 2)
    server = make_app(tmp_path)
    with TestClient(server, client=("203.0.113.7", 1)) as home:
        home.post("/api/tables", json=NEW_TABLE)  # a new guest
        people = server.state.server_context.sessions
        [ann] = people._last_addresses
        assert people.last_address(ann) == "203.0.113.7"
        abroad = TestClient(server, client=("198.51.100.1", 1), cookies=home.cookies)
        abroad.portal = home.portal
        abroad.get("/api/me")
        assert people.last_address(ann) == "198.51.100.1"
        for _ in range(2):
            abroad.cookies.clear()
            abroad.get("/api/me")
        assert len(people._last_addresses) == 2
        assert people.last_address(ann) is None  # forgotten
        abroad.portal = None


def test_trusted_proxies_must_be_addresses() -> None:
    for proxy in ("127.0.0.1", "10.0.0.0/8, ::1", "*"):
        assert (
            Settings(database_url="sqlite://", secret="x", trusted_proxies=proxy).trusted_proxies
            == proxy
        )
    for proxy in ("proxy.example", "127.0.0.1,", "127.0.0.1;::1"):
        with pytest.raises(ServeError, match="not the address of a proxy"):
            Settings(database_url="sqlite://", secret="x", trusted_proxies=proxy)


def test_joins_and_missed_steps_of_an_address_are_limited() -> None:
    limiter = JoinRateLimiter(10, 1e9)
    assert all(limiter.spend_join("192.0.2.1") for _ in range(5))
    assert limiter.spend_missed_steps("192.0.2.1", 64)
    assert not limiter.spend_missed_steps("192.0.2.1", 17)
    assert limiter.spend_missed_steps("192.0.2.1", 1)
    assert limiter.spend_missed_steps("192.0.2.1", 0)
    assert not limiter.spend_join("192.0.2.1")
    assert limiter.spend_join("192.0.2.2")
    assert all(limiter.spend_join("127.0.0.1") for _ in range(100))


def test_address_that_joins_too_often_is_refused(tmp_path: Path) -> None:
    """Reading a table, or sending it step by step, takes the server milliseconds."""
    with open_clients(make_app(tmp_path, max_joins_per_address=12, rate_window_seconds=1e9)) as [
        ann
    ]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["view"] and len(state["view"]["tricks"]) > 4)
            seq = sitting.state["seq"] - 18
            answers = []
            for _ in range(10):
                with ann.websocket_connect(f"/ws/{opened}?seq={seq}") as again:
                    answers.append(again.receive())
    missed = [json.loads(one["text"])["missed"] for one in answers if "text" in one]
    assert missed == [True] * 3 + [False] * 2  # later the present state alone
    assert [one["code"] for one in answers if "code" in one] == [1013] * 5
