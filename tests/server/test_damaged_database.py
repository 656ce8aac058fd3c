"""A damaged database: damaged pages are named, and a damaged log affects only its table."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import acesaround.table as table_package
from acesaround.game.events import Event
from acesaround.server.live import table_clients, table_log
from acesaround.table import Entry, Table
from acesaround.table.client_state import StateEncoder
from acesaround.table.entries import Dealt
from tests.server.http_client import (
    Seat,
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.waiting import wait_until


def execute_sql(folder: Path, sql: str, *values: object) -> None:
    with sqlite3.connect(folder / "tables.sqlite") as database:
        database.execute(sql, values)
    database.close()


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"", b"[]", b"\xff\xfe\x00", b'{"type":"flew"}', b'{"type":"sat","seat":99}',
        b'{"type":"sat","seat":99,"person":{"id":"x","name":"X"}}', b'{"type":"wanted","seat":1}',
        b'{"type":"acted","seat":2,"action":["play","AS"]}', b'{"type":"dealt","hands":[["ZZ"]]}',
        b'{"type":"returned","seat":77}', b"5", 7,
    ],
)  # fmt: skip
def test_damaged_entry_affects_only_its_table(
    body: bytes | int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        find_damage = create_table(set_name(ann, "Ann"), public=True, start=True)
        sound = create_table(set_name(bob, "Bob"), public=True)
        garble = "UPDATE entries SET body = CAST(? AS TEXT) WHERE table_id = ? AND seq = 1"
        execute_sql(tmp_path, garble, body, find_damage)
        with caplog.at_level(logging.WARNING):
            with ann.websocket_connect(f"/ws/{find_damage}") as websocket:
                closed = websocket.receive()
            for path in ("record.json", "record.txt"):
                answer = ann.get(f"/api/tables/{find_damage}/{path}")
                assert answer.status_code == 500
                assert "damaged" in answer.json()["error"]
            for path, status in (("games", 200), ("replay", 403), ("why", 403)):  # need no log
                assert ann.get(f"/api/tables/{find_damage}/{path}").status_code == status
        assert closed["code"] == 4500
        assert "log of this table is damaged" in closed["reason"]
        [record] = [one for one in caplog.records if one.levelno >= logging.ERROR]
        assert f"table {find_damage}: its log is damaged at entry 1" in record.getMessage()
        assert record.exc_info is None
        with open_seat(bob, sound) as sitting:
            sitting.send(type="start")
            sitting.read_until(lambda message: message["table"]["started"])
        assert (
            ann.get(f"/api/tables/{find_damage}/rules").status_code == 200
        )  # its first entry holds
        assert {line["id"] for line in ann.get("/api/tables").json()} == {find_damage, sound}
        assert ann.get("/health").json() == {"ok": True}


@pytest.mark.parametrize("line", [b"{", b"[]", b"\xff\xfe", b'{"deals":"many"}'])
def test_damaged_list_of_games_is_reported(line: bytes, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        find_damage, sound = create_table(ann, start=True), create_table(ann, start=True)
        garble = "UPDATE games SET summary = CAST(? AS TEXT) WHERE table_id = ?"
        execute_sql(tmp_path, garble, line, find_damage)
        for path in ("games", "record.json", "replay", "why"):
            answer = ann.get(f"/api/tables/{find_damage}/{path}")
            assert answer.status_code == 500
            assert "damaged" in answer.json()["error"]
        assert ann.get(f"/api/tables/{sound}/games").status_code == 200


def read_close(sitting: Seat) -> tuple[int, str]:
    """Return the code and reason with which the server closes a socket."""
    with pytest.raises(WebSocketDisconnect) as found:
        sitting.read_until(lambda _: False)
    return found.value.code, found.value.reason


def assert_logged_once(caplog: pytest.LogCaptureFixture, sentence: str) -> None:
    """Assert that the log has one error, with this sentence and without a traceback."""
    [record] = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert sentence in record.getMessage()
    assert record.exc_info is None


def assert_playable(client: TestClient, opened: str) -> None:
    with open_seat(client, opened) as sitting:
        sitting.send(type="start")
        sitting.play(has_scored_deals())


DAMAGED = 4500, "The log of this table is damaged, so the server cannot show it."
FAILED = 4500, "This table causes an error in the server, so it cannot be shown."


@pytest.mark.parametrize("body", ["{", '{"type":"acted","seat":0,"action":["pass"],"bot":false}'])
def test_damage_during_play_closes_only_its_table(
    body: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is shown or acknowledged that is not in the log."""
    with open_clients(make_app(tmp_path), 3) as [ann, bob, eve], caplog.at_level(logging.WARNING):
        opened, sound = create_table(set_name(ann, "Ann")), create_table(set_name(eve, "Eve"))
        with open_seat(ann, opened) as sitting, open_seat(bob, opened) as looking:
            seq = sitting.state["seq"]
            execute_sql(tmp_path, "INSERT INTO entries VALUES (?, ?, 1, ?)", opened, seq, body)
            sitting.send(type="talk", phrase="hello")
            assert read_close(sitting) == read_close(looking) == DAMAGED
            assert sitting.state["seq"] == looking.state["seq"] == seq
        with ann.websocket_connect(f"/ws/{opened}") as websocket:
            assert websocket.receive()["code"] == 4500
        assert_playable(eve, sound)
    assert_logged_once(caplog, f"table {opened}: its log is damaged at entry {seq}: ")


def test_stored_number_out_of_bounds_affects_only_its_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob], caplog.at_level(logging.WARNING):
        opened, sound = (
            create_table(set_name(ann, "Ann"), start=True),
            create_table(set_name(bob, "Bob")),
        )
        huge = f'"lowest_bid":{10**25}'
        sql = "UPDATE entries SET body = replace(body, '\"lowest_bid\":250', ?) WHERE table_id = ?"
        execute_sql(tmp_path, sql, huge, opened)
        for _ in range(2):
            with ann.websocket_connect(f"/ws/{opened}") as websocket:
                closed = websocket.receive()
            assert (closed["code"], closed["reason"]) == DAMAGED
        assert_playable(bob, sound)
    assert_logged_once(caplog, f"table {opened}: its log is damaged at entry 0: ")


def test_state_that_cannot_be_encoded_closes_only_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def make_encoder(table: Table, *given: Any, **more: Any) -> StateEncoder:
        if table.config.clock == 60 and table.game is not None:
            raise OverflowError("too large")
        return StateEncoder(table, *given, **more)

    monkeypatch.setattr(table_clients, "StateEncoder", make_encoder)
    with open_clients(make_app(tmp_path), 3) as [ann, bob, eve], caplog.at_level(logging.WARNING):
        opened, sound = (
            create_table(set_name(ann, "Ann"), clock=60),
            create_table(set_name(eve, "Eve")),
        )
        with open_seat(ann, opened) as sitting, open_seat(bob, opened) as looking:
            sitting.send(type="start")
            assert read_close(sitting) == read_close(looking) == FAILED
        with ann.websocket_connect(f"/ws/{opened}") as websocket:
            closed = websocket.receive()
        assert (closed["code"], closed["reason"]) == FAILED
        assert_playable(eve, sound)
    assert_logged_once(caplog, f"table {opened}: its state after entry ")


def test_table_whose_bots_fail_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def apply_entry(table: Table, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
        if table.config.clock == 60 and isinstance(entry, Dealt):
            raise OverflowError("too large")
        return table_package.apply_entry(table, entry)

    monkeypatch.setattr(table_log, "apply_entry", apply_entry)
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened, sound = (
            create_table(set_name(ann, "Ann"), clock=60),
            create_table(set_name(bob, "Bob")),
        )
        with open_seat(ann, opened) as sitting:
            sitting.send(type="start")
            assert read_close(sitting) == FAILED
        assert_playable(bob, sound)


@pytest.mark.parametrize("summary", [b"{", b"\xff", "", 7, b"[]"])
def test_damaged_summary_hides_no_other_table(summary: object, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        find_damage = create_table(set_name(ann, "Ann"), public=True)
        sound = create_table(ann, public=True)
        execute_sql(tmp_path, "UPDATE tables SET summary = ? WHERE id = ?", summary, find_damage)
        for path in ("/api/tables", "/api/mine"):
            assert [line["id"] for line in ann.get(path).json()] == [sound]


def test_damaged_pages_are_named_and_sound_tables_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Only the log of one of two tables is on overwritten pages."""
    path = tmp_path / "tables.sqlite"
    with open_clients(make_app(tmp_path)) as [ann]:
        sound, find_damage = sorted(create_table(set_name(ann, f"Ann {n}")) for n in "ab")
    filler = [(find_damage, seq, 1, json.dumps("x" * 3000)) for seq in range(5, 60)]
    with sqlite3.connect(path) as database:
        database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", filler)
    [size] = database.execute("PRAGMA page_size").fetchone()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()
    content = path.read_bytes()
    pages = [content[at : at + size] for at in range(0, len(content), size)]
    hit = [number for number, page in enumerate(pages) if page.count(b"x") > size // 2][10:13]
    for number in hit:
        pages[number] = b"\xa5" * size
    path.write_bytes(b"".join(pages))
    with caplog.at_level(logging.ERROR), open_clients(make_app(tmp_path)) as [ann]:
        health = wait_for_damage(ann)
        assert health["ok"] is True
        assert any("page" in line.lower() for line in health["damaged"])
        with open_seat(set_name(ann, "Ann"), sound) as sitting:
            assert sitting.state["table"]["id"] == sound
        fresh = create_table(ann)
        with open_seat(ann, fresh) as sitting:
            sitting.send(type="start")
            sitting.read_until(lambda message: message["table"]["started"])
        with ann.websocket_connect(f"/ws/{find_damage}") as websocket:
            assert websocket.receive()["code"] == 4500
    damage_logs = [record for record in caplog.records if "is damaged" in record.getMessage()]
    assert str(path) in damage_logs[0].getMessage()
    assert "page" in damage_logs[0].getMessage().lower()
    assert all(record.exc_info is None for record in caplog.records)


def wait_for_damage(ann: TestClient) -> Any:

    def find_damage() -> Any:
        health = ann.get("/health").json()
        return health if "damaged" in health else None

    return wait_until(find_damage)
