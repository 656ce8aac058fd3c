"""What is written beside a running server reaches who plays there within seconds, in a sentence."""

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
from acesaround.server.client import CLOSED_BY_OPERATOR
from acesaround.server.cluster.admin_notices import DELETED_SENTENCE, AdminNoticePoller
from acesaround.store import admin_notices
from acesaround.table.anonymize import FORMER_PLAYER
from acesaround.table.command_refusals import ENDED_SENTENCES as SAYS
from tests.postgres import Postgres
from tests.server.clock import clock_of
from tests.server.http_client import Seat, app, browsers, named, scored, seat, table
from tests.waiting import wait_until, wait_until_async


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.url()


@pytest.fixture
def server(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[TestClient]]:
    """Three browsers at a server whose clock goes on while the operator waits for it."""
    looks = [0]
    look = AdminNoticePoller.poll

    async def counted(noticing: AdminNoticePoller) -> None:
        await look(noticing)
        looks[0] += 1

    monkeypatch.setattr(AdminNoticePoller, "poll", counted)
    with browsers(app(tmp_path, database_url=url), 3) as clients:
        clock = clock_of(clients[0])

        async def heard(seconds: float) -> None:
            until = looks[0] + 2  # the first of them may have begun before

            def so() -> bool:
                clock.forward(seconds)
                return looks[0] >= until

            await wait_until_async(so)

        monkeypatch.setattr(admin_notices, "wait_until_noticed", heard)
        for client, name in zip(clients, ("Ann", "Bobolink", "Cleo"), strict=True):
            named(client, name)
        yield clients


def administer(url: str, *words: str) -> int:
    """The command, as from another terminal."""
    return cli.main(["admin", "--database-url", url, *words])


def closed(sitting: Seat) -> tuple[int, str]:
    """How the server closes a socket."""
    try:
        while True:  # steady: receive has its own limit
            sitting.receive()
    except WebSocketDisconnect as left:
        return left.code, left.reason or ""


def id_of(url: str, name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The id of a person, as the operator finds it."""
    capsys.readouterr()
    assert administer(url, "people", name, "--json") == 0
    found: str = json.loads(capsys.readouterr().out)["id"]
    return found


@pytest.mark.parametrize("what", ["close", "remove"])
def test_sockets_of_a_table_that_is_ended_are_closed_with_a_sentence(
    server: list[TestClient], url: str, what: str
) -> None:
    ann, bob, _ = server
    opened = table(ann, start=True)
    with seat(ann, opened) as playing, seat(bob, opened) as looking:
        playing.play(lambda m: m["decision"] is not None)
        seq = playing.state["seq"]
        assert administer(url, what, opened, "--yes") == 0
        sentence = SAYS["closed" if what == "close" else "removed"]
        assert closed(playing) == closed(looking) == (CLOSED_BY_OPERATOR, sentence)
    again = f"/ws/{opened}?seq={seq}"
    if what == "close":
        with ann.websocket_connect(again) as socket:
            assert closed(Seat(socket)) == (CLOSED_BY_OPERATOR, sentence)
        assert ann.get(f"/api/tables/{opened}/games").status_code == 200
    else:
        with ann.websocket_connect(again) as socket:
            assert closed(Seat(socket)) == (4404, "There is no such table.")
        gone = ann.get(f"/t/{opened}", headers={"accept": "application/json"})
        assert gone.status_code == 404
        assert "plays for a long time are removed" in gone.text
        assert ann.get("/api/mine").json() == []


def test_a_finished_game_of_a_closed_table_can_still_be_looked_at(
    server: list[TestClient], url: str
) -> None:
    ann = server[0]
    opened = table(ann, options={"hands": 1}, start=True)
    with seat(ann, opened) as playing:
        playing.play(scored())
    assert administer(url, "close", f"https://cards.example/t/{opened}", "--yes") == 0
    assert ann.get(f"/api/tables/{opened}/replay?game=1&deal=1").status_code == 200
    assert ann.get(f"/api/tables/{opened}/record.json").status_code == 200
    assert [line["over"] for line in ann.get("/api/mine").json()] == [True]


def test_a_person_is_deleted_while_they_play(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their socket is closed with a sentence; the others see a former player, and play on."""
    ann, bob, cleo = server
    opened = table(ann)
    with seat(ann, opened) as host, seat(bob, opened) as guest:
        guest.send(type="sit", seat=2)
        guest.until(lambda m: m["type"] == "state" and m["table"]["seats"][2]["person"])
        guest.send(type="talk", phrase="hello")
        host.until(lambda m: m["type"] == "state" and m["table"]["talk"])
        host.send(type="start")
        host.until(lambda m: m["type"] == "state" and m["view"] is not None)
        gone = id_of(url, "Bobolink", capsys)
        assert administer(url, "delete", gone, "--yes") == 0
        assert closed(guest) == (CLOSED_BY_OPERATOR, DELETED_SENTENCE)
        shown = host.until(lambda m: m["type"] == "state" and not m["table"]["seats"][2]["person"])
        assert shown["table"]["talk"] == []
        assert b"Bobolink" not in json.dumps(shown).encode()
        host.play(scored())  # with a bot in that seat
        seen = len(host.seen)
    assert seen > 3
    with seat(cleo, opened) as newcomer:
        assert not newcomer.state["table"]["seats"][2]["person"]
    assert bob.get("/api/me").json()["name"] is None
    with bob.websocket_connect(f"/ws/{opened}") as socket:
        again = Seat(socket)
        again.receive()
        assert again.state["table"]["you"] is None
    assert b"Bobolink" not in ann.get(f"/api/tables/{opened}/record.json").content


def test_what_was_read_before_is_not_shown_after(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Records are kept in memory: after somebody is deleted they are made anew."""
    ann, bob, _ = server
    opened = table(bob, options={"hands": 1}, start=True)
    with seat(bob, opened) as playing:
        playing.play(scored())
    path = f"/api/tables/{opened}/record.json"
    before = ann.get(path)
    assert "Bobolink" in before.text
    gone = id_of(url, "Bobolink", capsys)
    assert administer(url, "delete", gone, "--yes") == 0
    clock, expected = clock_of(ann), before.text.replace("Bobolink", FORMER_PLAYER)

    def anew() -> bool:
        clock.forward(admin_notices.POLL_SECONDS)
        return ann.get(path).text == expected

    wait_until(anew)
    replay = ann.get(f"/api/tables/{opened}/replay?game=1&deal=1").text
    assert FORMER_PLAYER in replay
    assert "Bobolink" not in replay


def test_who_was_deleted_stays_so_when_the_server_starts_again(
    tmp_path: Path,
    url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        delete_person, "NOTICED_AFTER_SECONDS", 0.0
    )  # no process serves that has to hear of it
    with browsers(app(tmp_path, database_url=url)) as [ann]:
        named(ann, "Ann")
        cookies = dict(ann.cookies)
    assert administer(url, "delete", id_of(url, "Ann", capsys), "--yes") == 0
    with browsers(app(tmp_path, database_url=url)) as [again]:
        again.cookies.update(cookies)
        assert again.get("/api/me").json()["name"] is None


def test_a_person_with_several_devices_is_exported_and_deleted_on_all_of_them(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, phone, laptop = server
    code = phone.post("/api/devices/code", json={}).json()["code"]
    assert laptop.post("/api/devices/take", json={"code": code}).status_code == 200
    waiting = phone.post("/api/devices/code", json={}).json()["code"]
    opened = table(laptop)
    gone = id_of(url, "Bobolink", capsys)
    assert administer(url, "export", gone) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["rows"]["devices"]) == 2
    assert [set(row) for row in told["rows"]["codes"]] == [{"person_id", "expires"}]
    with seat(laptop, opened) as sitting:
        assert administer(url, "delete", gone, "--yes") == 0
        assert closed(sitting) == (CLOSED_BY_OPERATOR, DELETED_SENTENCE)
    assert phone.get("/api/me").json()["name"] is None
    assert phone.get("/api/mine").json() == []
    assert named(phone, "Somebody").get("/api/me").json()["name"] == "Somebody"
    assert phone.post("/api/devices/take", json={"code": waiting}).status_code == 404


def test_a_device_of_who_was_deleted_is_a_new_guest(
    server: list[TestClient], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And not the person that it was before, who may have other devices by now."""
    _, bob, cleo = server
    table(cleo)
    code = bob.post("/api/devices/code", json={}).json()["code"]
    assert cleo.post("/api/devices/take", json={"code": code}).status_code == 200
    his = table(cleo)
    cookies = dict(cleo.cookies)
    known: list[str | None] = []
    with ThreadPoolExecutor() as beside, seat(cleo, his) as sitting:
        gone = id_of(url, "Bobolink", capsys)
        deleting = beside.submit(administer, url, "delete", gone, "--yes")
        assert closed(sitting) == (CLOSED_BY_OPERATOR, DELETED_SENTENCE)
        known.append(cleo.get("/api/me").json()["name"])  # while it is still in the database
        assert deleting.result() == 0
    cleo.cookies.update(cookies)
    known.append(cleo.get("/api/me").json()["name"])
    assert known == [None, None]
    assert cleo.get("/api/mine").json() == []
    with seat(cleo, his) as sitting:
        assert sitting.state["table"]["you"] is None


def test_metrics_say_how_much_the_database_holds(server: list[TestClient]) -> None:
    ann = server[0]
    table(ann, start=True)
    clock = clock_of(ann)

    def found() -> dict[str, float]:
        clock.forward(0.1)  # it rests between two pieces of work
        figures = re.findall(r"^acesaround_database_(\w+) (\S+)$", ann.get("/metrics").text, re.M)
        return {name: float(number) for name, number in figures if name != "damaged"}

    said = wait_until(found)
    assert set(said) == {"tables", "games", "log_entries", "people", "size_bytes"}
    assert said["size_bytes"] > 1000
