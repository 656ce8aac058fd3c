"""Programs that an operator offers as bots: at tables, by plain names only."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from acesaround import bots, cli
from acesaround.errors import RulesError
from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.server import Settings
from acesaround.server.settings import BOTS_VARIABLE, ServeError, bot_programs
from acesaround.server.startup import serve
from tests.bots.external_bots import has_ended, process_exists, program_command
from tests.server.http_client import (
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
)

NOTES = """
me = os.getpid()
open(NOTES, 'a').write(f"+{me} ")
def over():
    open(NOTES, 'a').write(f"-{me} ")
"""


def write_bot_program(folder: Path, body: str = "") -> tuple[str, Path]:
    """Return the command of a program that logs its start and end, and the path of that log."""
    notes = folder / "notes"
    (folder / "programs").mkdir(exist_ok=True)
    wording = program_command(folder / "programs", NOTES.replace("NOTES", repr(str(notes))) + body)
    return shlex.join(wording), notes


def restore_cookies(person: TestClient, cookies: dict[str, str]) -> None:
    person.cookies.clear()
    person.cookies.update(cookies)


def read_started_pids(notes: Path) -> list[int]:
    return [int(word[1:]) for word in notes.read_text().split() if word[0] == "+"]


def test_program_is_chosen_by_name_and_plays(tmp_path: Path) -> None:
    ann_exe, notes = write_bot_program(tmp_path)
    with open_clients(make_app(tmp_path, bot_programs={"ann": ann_exe})) as [person]:
        listed = {bot["name"]: bot["summary"] for bot in person.get("/api/bots").json()}
        assert listed["ann"] == "A program that the operator of this server has added."
        opened = create_table(person, options={"hands": 1}, bots="ann", start=True)
        with open_seat(person, opened) as sitting:
            assert "ann" in sitting.state["table"]["bots"]
            sitting.play(has_scored_deals())
            assert [s["failed"] for s in sitting.state["table"]["seats"]] == [False] * 4
        record = decode(person.get(f"/api/tables/{opened}/record.json").content)
        assert verify(record) == []
        assert record.seats[1].name == "bot:ann"
        assert all(has_ended(pid) for pid in read_started_pids(notes))  # the table is empty
    assert len(read_started_pids(notes)) == 3  # one for each seat
    assert "ann" not in bots.BOTS


def test_program_ends_with_the_server(tmp_path: Path) -> None:
    exe, notes = write_bot_program(tmp_path)
    with open_clients(make_app(tmp_path, bot_programs={"ann": exe})) as [person]:
        opened = create_table(person, bots="ann", start=True)
        with open_seat(person, opened) as sitting:
            sitting.play(lambda state: state["view"]["tricks"])
    assert read_started_pids(notes)
    assert not any(process_exists(pid) for pid in read_started_pids(notes))


@pytest.mark.parametrize("name", ["cmd:true", "cmd:ann", "cmd:", "ann:limit=9", "thumb:a=1", "bob"])
def test_person_cannot_name_a_program(tmp_path: Path, name: str) -> None:
    exe, notes = write_bot_program(tmp_path)
    with open_clients(make_app(tmp_path, bot_programs={"ann": exe})) as [person]:
        asked = {"variant": "partnership", "bots": name}
        refused = person.post("/api/tables", json=asked)
        assert refused.status_code == 422
        assert "is not a bot that you can choose: expected one of" in refused.json()["error"]
        assert exe not in refused.text
        opened = create_table(person)
        with open_seat(person, opened) as sitting:
            assert sitting.send_refused(type="bot", seat=1, name=name) == "malformed"
    assert not notes.exists()


def test_failing_program_plays_the_safest_action_and_is_marked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    exe, _ = write_bot_program(tmp_path, "def decide(m): act(['play', 'AS'])")
    with open_clients(make_app(tmp_path, bot_programs={"ann": exe})) as [person]:
        opened = create_table(person, options={"hands": 1})
        with open_seat(person, opened) as sitting:
            sitting.send(type="bot", seat=2, name="ann")
            sitting.read_until(lambda m: m["table"]["seats"][2]["bot"] == "ann")
            sitting.send(type="start")
            sitting.play(has_scored_deals())
            failed = [s["failed"] for s in sitting.state["table"]["seats"]]
            assert failed == [False, False, True, False]
        cookies = dict(person.cookies)
        assert verify(decode(person.get(f"/api/tables/{opened}/record.json").content)) == []
    assert "a bot failed: The bot 'ann' chose an illegal action" in caplog.text
    with open_clients(make_app(tmp_path, bot_programs={"ann": exe})) as [person]:
        restore_cookies(person, cookies)
        with open_seat(person, opened) as sitting:
            assert sitting.state["table"]["seats"][2]["failed"]  # from the log
            sitting.send(type="bot", seat=2, name="thumb")
            changed = sitting.read_until(lambda m: m["table"]["seats"][2]["bot"] == "thumb")
            assert not changed["table"]["seats"][2]["failed"]


def test_number_of_running_programs_is_limited(tmp_path: Path) -> None:
    """With a limit of one, each program replaces the one before, and the game goes on."""
    body = """
def decide(message):
    pids = [int(w[1:]) for w in open(NOTES).read().split() if w[0] == "+"]
    running = []
    for pid in pids:
        try:
            os.kill(pid, 0)
            running.append(pid)
        except ProcessLookupError:
            pass
    assert running == [me], running
    act(first(message))
"""
    exe, notes = write_bot_program(tmp_path, body.replace("NOTES", repr(str(tmp_path / "notes"))))
    options: dict[str, Any] = {"hands": 1}
    with open_clients(make_app(tmp_path, bot_programs={"ann": exe}, max_bot_programs=1)) as [
        person
    ]:
        opened = create_table(
            person, "five-card", options=options, players=3, bots="ann", start=True
        )
        with open_seat(person, opened) as sitting:
            sitting.play(has_scored_deals())
            assert not any(s["failed"] for s in sitting.state["table"]["seats"])
    assert len(read_started_pids(notes)) > 5


def test_missing_bot_is_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    exe, notes = write_bot_program(tmp_path)
    with open_clients(make_app(tmp_path, bot_programs={"ann": exe})) as [person]:
        opened = create_table(person, options={"hands": 1}, bots="ann")
        cookies = dict(person.cookies)
    with open_clients(make_app(tmp_path)) as [person]:
        restore_cookies(person, cookies)
        with open_seat(person, opened) as sitting:
            sitting.send(type="start")
            sitting.play(has_scored_deals())
            assert not any(s["failed"] for s in sitting.state["table"]["seats"])
    assert not notes.exists()
    assert "failed" not in caplog.text


def test_programs_come_from_command_line_and_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert bot_programs([]) == {}
    assert bot_programs(["ann=sh -c 'a=b'"]) == {"ann": "sh -c 'a=b'"}
    monkeypatch.setenv(BOTS_VARIABLE, "bob=sh, cleo=sh 'a,b'")
    assert bot_programs(["ann=sh"]) == {"bob": "sh", "cleo": "sh 'a,b'", "ann": "sh"}
    with pytest.raises(ServeError, match="Two bots are named 'bob'"):
        bot_programs(["bob=sh"])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("ann", "'ann' is not a bot: expected NAME=PROGRAM"),
        ("ann=", "'ann=' is not a bot"),
        ("=sh", "'' cannot be the name of a bot"),
        ("Ann=sh", "'Ann' cannot be the name of a bot"),
        ("a:b=sh", "'a:b' cannot be the name of a bot"),
        ("cmd=sh", "'cmd' cannot be the name of a bot"),
        ("thumb=sh", "There is a bot 'thumb' already"),
        ("ann=no-such-program", "There is no program 'no-such-program' to run."),
        ("ann='", "no closing quotation"),
    ],
)
def test_invalid_program_is_reported_before_serving(
    given: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with pytest.raises((ServeError, RulesError)) as refused:
        serve("127.0.0.1", 0, url, bots=[given])
    assert sentence in str(refused.value)
    words = ["serve", "--host", "127.0.0.1", "--database-url", url, "--bot", given]
    assert cli.main(words) == 1
    assert sentence in capsys.readouterr().err
    assert not os.path.exists(tmp_path / "tables.sqlite")


def test_settings_refuse_a_missing_program() -> None:
    with pytest.raises(RulesError, match="There is no program"):
        Settings(
            database_url="sqlite:///x", secret="x" * 16, bot_programs={"ann": "no-such-program"}
        )
