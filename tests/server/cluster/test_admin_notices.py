"""Admin commands beside a running server reach connected players within seconds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from acesaround import cli
from acesaround.retention import delete_person
from acesaround.server.cluster.admin_notices import DELETED_SENTENCE, AdminNoticePoller
from acesaround.server.table_client import CLOSED_BY_OPERATOR
from acesaround.store import admin_notices
from acesaround.table.anonymize import FORMER_PLAYER
from acesaround.table.command_refusals import ENDED_SENTENCES
from tests.postgres import Postgres
from tests.server.clock import get_clock
from tests.server.http_client import (
    Seat,
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.waiting import wait_until, wait_until_async


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.url()


@pytest.fixture
def server(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[TestClient]]:
    """Yield three browsers at a server whose clock advances while an admin command waits."""
    polls = [0]
    true_poll = AdminNoticePoller.poll

    async def count_poll(poller: AdminNoticePoller) -> None:
        await true_poll(poller)
        polls[0] += 1

    monkeypatch.setattr(AdminNoticePoller, "poll", count_poll)
    with open_clients(make_app(tmp_path, database_url=url), 3) as clients:
        clock = get_clock(clients[0])

        async def wait_for_polls(seconds: float) -> None:
            until = polls[0] + 2  # the first may have begun before

            def advance_and_check() -> bool:
                clock.advance(seconds)
                return polls[0] >= until

            await wait_until_async(advance_and_check)

        monkeypatch.setattr(admin_notices, "wait_until_noticed", wait_for_polls)
        for client, name in zip(clients, ("Ann", "Bobolink", "Cleo"), strict=True):
            set_name(client, name)
        yield clients


def run_admin(url: str, *words: str) -> int:
    """Run an admin command, as from another terminal."""
    return cli.main(["admin", "--database-url", url, *words])


def read_close(sitting: Seat) -> tuple[int, str]:
    """Return the code and reason with which the server closes a socket."""
    try:
        while True:  # steady: receive has its own limit
            sitting.receive()
    except WebSocketDisconnect as left:
        return left.code, left.reason or ""


def find_person_id(url: str, name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the id of a person, as an operator finds it."""
    capsys.readouterr()
    assert run_admin(url, "people", name, "--json") == 0
    found: str = json.loads(capsys.readouterr().out)["id"]
    return found


@pytest.mark.parametrize("what", ["close", "remove"])
def test_sockets_of_an_ended_table_are_closed_with_a_sentence(
    server: list[TestClient], url: str, what: str
) -> None:
    ann, bob, _ = server
    opened = create_table(ann, start=True)
    with open_seat(ann, opened) as playing, open_seat(bob, opened) as looking:
        playing.play(lambda m: m["decision"] is not None)
        seq = playing.state["seq"]
        assert run_admin(url, what, opened, "--yes") == 0
        sentence = ENDED_SENTENCES["closed" if what == "close" else "removed"]
        assert read_close(playing) == read_close(looking) == (CLOSED_BY_OPERATOR, sentence)
    again = f"/ws/{opened}?seq={seq}"
    if what == "close":
        with ann.websocket_connect(again) as socket:
            assert read_close(Seat(socket)) == (CLOSED_BY_OPERATOR, sentence)
        assert ann.get(f"/api/tables/{opened}/games").status_code == 200
    else:
        with ann.websocket_connect(again) as socket:
            assert read_close(Seat(socket)) == (4404, "There is no such table.")
        missing = ann.get(f"/t/{opened}", headers={"accept": "application/json"})
        assert missing.status_code == 404
        assert "uses for a long time are removed" in missing.text
        assert ann.get("/api/mine").json() == []


def test_finished_game_of_a_closed_table_can_be_viewed(server: list[TestClient], url: str) -> None:
    ann = server[0]
    opened = create_table(ann, options={"hands": 1}, start=True)
    with open_seat(ann, opened) as playing:
        playing.play(has_scored_deals())
    assert run_admin(url, "close", f"https://cards.example/t/{opened}", "--yes") == 0
    assert ann.get(f"/api/tables/{opened}/replay?game=1&deal=1").status_code == 200
    assert ann.get(f"/api/tables/{opened}/record.json").status_code == 200
    assert [line["over"] for line in ann.get("/api/mine").json()] == [True]


def test_person_is_deleted_in_mid_game(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their socket is closed with a sentence; the others see a former player, and play on."""
    ann, bob, cleo = server
    opened = create_table(ann)
    with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
        guest.send(type="sit", seat=2)
        guest.read_until(lambda m: m["type"] == "state" and m["table"]["seats"][2]["person"])
        guest.send(type="talk", phrase="hello")
        host.read_until(lambda m: m["type"] == "state" and m["table"]["chat"])
        host.send(type="start")
        host.read_until(lambda m: m["type"] == "state" and m["view"] is not None)
        person_id = find_person_id(url, "Bobolink", capsys)
        assert run_admin(url, "delete", person_id, "--yes") == 0
        assert read_close(guest) == (CLOSED_BY_OPERATOR, DELETED_SENTENCE)
        shown = host.read_until(
            lambda m: m["type"] == "state" and not m["table"]["seats"][2]["person"]
        )
        assert shown["table"]["chat"] == []
        assert b"Bobolink" not in json.dumps(shown).encode()
        host.play(has_scored_deals())  # with a bot in that seat
        seen = len(host.seen)
    assert seen > 3
    with open_seat(cleo, opened) as newcomer:
        assert not newcomer.state["table"]["seats"][2]["person"]
    assert bob.get("/api/me").json()["name"] is None
    with bob.websocket_connect(f"/ws/{opened}") as socket:
        again = Seat(socket)
        again.receive()
        assert again.state["table"]["you"] is None
    assert b"Bobolink" not in ann.get(f"/api/tables/{opened}/record.json").content


def test_cached_records_are_anonymized(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob, _ = server
    opened = create_table(bob, options={"hands": 1}, start=True)
    with open_seat(bob, opened) as playing:
        playing.play(has_scored_deals())
    path = f"/api/tables/{opened}/record.json"
    before = ann.get(path)
    assert "Bobolink" in before.text
    person_id = find_person_id(url, "Bobolink", capsys)
    assert run_admin(url, "delete", person_id, "--yes") == 0
    clock, expected = get_clock(ann), before.text.replace("Bobolink", FORMER_PLAYER)

    def is_new_guest() -> bool:
        clock.advance(admin_notices.POLL_SECONDS)
        return ann.get(path).text == expected

    wait_until(is_new_guest)
    replay = ann.get(f"/api/tables/{opened}/replay?game=1&deal=1").text
    assert FORMER_PLAYER in replay
    assert "Bobolink" not in replay


def test_deleted_person_stays_deleted_after_a_restart(
    tmp_path: Path,
    url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delete_person, "POLL_GRACE_SECONDS", 0.0)  # no server is running
    with open_clients(make_app(tmp_path, database_url=url)) as [ann]:
        set_name(ann, "Ann")
        cookies = dict(ann.cookies)
    assert run_admin(url, "delete", find_person_id(url, "Ann", capsys), "--yes") == 0
    with open_clients(make_app(tmp_path, database_url=url)) as [again]:
        again.cookies.update(cookies)
        assert again.get("/api/me").json()["name"] is None


def test_person_is_exported_and_deleted_on_all_devices(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, phone, laptop = server
    code = phone.post("/api/devices/code", json={}).json()["code"]
    assert laptop.post("/api/devices/take", json={"code": code}).status_code == 200
    waiting = phone.post("/api/devices/code", json={}).json()["code"]
    opened = create_table(laptop)
    person_id = find_person_id(url, "Bobolink", capsys)
    assert run_admin(url, "show", person_id) == 0
    assert "last_seen: 20" in capsys.readouterr().out  # a date, not milliseconds
    assert run_admin(url, "export", person_id) == 0
    export = json.loads(capsys.readouterr().out)
    assert len(export["rows"]["devices"]) == 2
    assert [set(row) for row in export["rows"]["pairing_codes"]] == [{"person_id", "expires_ms"}]
    with open_seat(laptop, opened) as sitting:
        assert run_admin(url, "delete", person_id, "--yes") == 0
        assert read_close(sitting) == (CLOSED_BY_OPERATOR, DELETED_SENTENCE)
    assert phone.get("/api/me").json()["name"] is None
    assert phone.get("/api/mine").json() == []
    assert set_name(phone, "Somebody").get("/api/me").json()["name"] == "Somebody"
    assert phone.post("/api/devices/take", json={"code": waiting}).status_code == 404


def test_device_of_a_deleted_person_is_a_new_guest(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not its earlier person, who may have other devices."""
    _, bob, cleo = server
    create_table(cleo)
    code = bob.post("/api/devices/code", json={}).json()["code"]
    assert cleo.post("/api/devices/take", json={"code": code}).status_code == 200
    his = create_table(cleo)
    cookies = dict(cleo.cookies)
    known: list[str | None] = []
    with ThreadPoolExecutor() as beside, open_seat(cleo, his) as sitting:
        person_id = find_person_id(url, "Bobolink", capsys)
        deleting = beside.submit(run_admin, url, "delete", person_id, "--yes")
        assert read_close(sitting) == (CLOSED_BY_OPERATOR, DELETED_SENTENCE)
        known.append(cleo.get("/api/me").json()["name"])  # before it is deleted from the database
        assert deleting.result() == 0
    cleo.cookies.update(cookies)
    known.append(cleo.get("/api/me").json()["name"])
    assert known == [None, None]
    assert cleo.get("/api/mine").json() == []
    with open_seat(cleo, his) as sitting:
        assert sitting.state["table"]["you"] is None


def test_metrics_show_the_size_of_the_database(server: list[TestClient]) -> None:
    ann = server[0]
    create_table(ann, start=True)
    clock = get_clock(ann)

    def found() -> dict[str, float]:
        clock.advance(0.1)  # passes pauses between pieces of work
        figures = re.findall(r"^acesaround_database_(\w+) (\S+)$", ann.get("/metrics").text, re.M)
        return {name: float(number) for name, number in figures if name != "damaged"}

    said = wait_until(found)
    assert set(said) == {"tables", "games", "log_entries", "people", "size_bytes"}
    assert said["size_bytes"] > 1000
