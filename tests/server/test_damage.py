"""A damaged database: pages that are named, and a garbled log that is its own table's trouble."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.http_client import app, browsers, named, seat, table
from tests.waiting import wait_until


def change(folder: Path, sql: str, *values: object) -> None:
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
def test_a_garbled_entry_is_its_own_tables_trouble(
    body: bytes | int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with browsers(app(tmp_path), 2) as [ann, bob]:
        damaged = table(named(ann, "Ann"), public=True, start=True)
        sound = table(named(bob, "Bob"), public=True)
        garble = "UPDATE entries SET body = CAST(? AS TEXT) WHERE table_id = ? AND seq = 1"
        change(tmp_path, garble, body, damaged)
        with caplog.at_level(logging.WARNING):
            with ann.websocket_connect(f"/ws/{damaged}") as websocket:
                closed = websocket.receive()
            for path in ("record.json", "record.txt"):
                answer = ann.get(f"/api/tables/{damaged}/{path}")
                assert answer.status_code == 500
                assert "damaged" in answer.json()["error"]
            for path, status in (("games", 200), ("replay", 403), ("why", 403)):  # need no log
                assert ann.get(f"/api/tables/{damaged}/{path}").status_code == status
        assert closed["code"] == 4500
        assert "log of this table is damaged" in closed["reason"]
        [record] = [one for one in caplog.records if one.levelno >= logging.ERROR]
        assert f"table {damaged}: its log is damaged at entry 1" in record.getMessage()
        assert record.exc_info is None
        with seat(bob, sound) as sitting:
            sitting.send(type="start")
            sitting.until(lambda message: message["table"]["started"])
        assert ann.get(f"/api/tables/{damaged}/rules").status_code == 200  # its first entry holds
        assert {line["id"] for line in ann.get("/api/tables").json()} == {damaged, sound}
        assert ann.get("/health").json() == {"ok": True}


@pytest.mark.parametrize("line", [b"{", b"[]", b"\xff\xfe", b'{"deals":"many"}'])
def test_a_garbled_list_of_games_is_said_in_a_sentence(line: bytes, tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        damaged, sound = table(ann, start=True), table(ann, start=True)
        garble = "UPDATE games SET line = CAST(? AS TEXT) WHERE table_id = ?"
        change(tmp_path, garble, line, damaged)
        for path in ("games", "record.json", "replay", "why"):
            answer = ann.get(f"/api/tables/{damaged}/{path}")
            assert answer.status_code == 500
            assert "damaged" in answer.json()["error"]
        assert ann.get(f"/api/tables/{sound}/games").status_code == 200


def test_what_is_garbled_while_people_sit_there_is_shown_to_nobody(tmp_path: Path) -> None:
    """The table stands as it was; nothing is acknowledged that the log does not hold."""
    with browsers(app(tmp_path), 2) as [ann, bob]:
        opened = table(named(ann, "Ann"))
        with seat(ann, opened) as sitting:
            seq = sitting.state["seq"]
            change(tmp_path, "INSERT INTO entries VALUES (?, ?, 1, '{')", opened, seq)
            for _ in range(2):
                assert sitting.refused(type="talk", phrase="hello") == "unsaved"
            with seat(bob, opened) as looking:
                assert looking.state["seq"] == seq


@pytest.mark.parametrize("summary", [b"{", b"\xff", "", 7, b"[]"])
def test_a_garbled_line_hides_no_other_in_a_list(summary: object, tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        damaged = table(named(ann, "Ann"), public=True)
        sound = table(ann, public=True)
        change(tmp_path, "UPDATE tables SET summary = ? WHERE id = ?", summary, damaged)
        for path in ("/api/tables", "/api/mine"):
            assert [line["id"] for line in ann.get(path).json()] == [sound]


def test_damaged_pages_are_named_and_what_is_sound_is_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The log of one table lies on pages that were overwritten; another's does not."""
    path = tmp_path / "tables.sqlite"
    with browsers(app(tmp_path)) as [ann]:
        sound, damaged = sorted(table(named(ann, f"Ann {n}")) for n in "ab")
    filler = [(damaged, seq, 1, json.dumps("x" * 3000)) for seq in range(4, 60)]
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
    with caplog.at_level(logging.ERROR), browsers(app(tmp_path)) as [ann]:
        health = until_damage(ann)
        assert health["ok"] is True
        assert any("page" in line.lower() for line in health["damaged"])
        with seat(named(ann, "Ann"), sound) as sitting:
            assert sitting.state["table"]["id"] == sound
        fresh = table(ann)
        with seat(ann, fresh) as sitting:
            sitting.send(type="start")
            sitting.until(lambda message: message["table"]["started"])
        with ann.websocket_connect(f"/ws/{damaged}") as websocket:
            assert websocket.receive()["code"] == 4500
    said = [record for record in caplog.records if "is damaged" in record.getMessage()]
    assert str(path) in said[0].getMessage()
    assert "page" in said[0].getMessage().lower()
    assert all(record.exc_info is None for record in caplog.records)


def until_damage(ann: TestClient) -> Any:
    """What `/health` says when the database has been examined."""

    def damaged() -> Any:
        health = ann.get("/health").json()
        return health if "damaged" in health else None

    return wait_until(damaged)
