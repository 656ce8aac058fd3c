"""Lessons over HTTP: the list, the tables of lessons, and where these do not appear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from acesaround.lessons import FIRST_LESSON, lesson_of, shipped_lessons
from tests.server.http_client import Seat, create_table, make_app, open_clients, open_seat

FIRST = lesson_of(FIRST_LESSON)


def open_lesson(client: TestClient, name: str = FIRST_LESSON) -> str:
    answer = client.post("/api/lessons", json={"lesson": name})
    assert answer.status_code in (200, 201), answer.text
    table_id: str = answer.json()["id"]
    return table_id


def lesson_states(client: TestClient) -> dict[str, str]:
    """Return the state of every lesson that was begun."""
    listed = client.get("/api/lessons").json()
    return {one["name"]: one["state"] for one in listed if one["state"] != "new"}


def waits(message: dict[str, Any]) -> str:
    return str(message["table"]["lesson"]["waits"]) if message["type"] == "state" else ""


def take(seat: Seat) -> None:
    """Take the first lesson to its end."""
    for step in [step for part in FIRST.parts for step in part.steps]:
        wanted = "move" if step.right else "go-on"
        state = seat.state
        while waits(state) != wanted or state["table"]["lesson"]["sentence"] != step.say:
            state = seat.receive()
        if step.right:
            verb, word = step.right[0].split()
            action = [verb, int(word) if verb == "bid" else word]
            seat.send(type="act", seq=state["seq"], action=action)
        else:
            seat.send(type="lesson-continue", step=state["table"]["lesson"]["step"])
    seat.read_until(lambda m: waits(m) == "end")


def test_all_lessons_are_listed_with_their_games(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        listed = ann.get("/api/lessons").json()
        assert [one["name"] for one in listed] == list(shipped_lessons())
        assert {one["state"] for one in listed} == {"new"}
        assert listed[0] == {
            "name": "first",
            "title": FIRST.title,
            "summary": FIRST.summary,
            "minutes": FIRST.minutes,
            "variant": "partnership",
            "game": "Partnership",
            "state": "new",
        }


def test_lesson_is_taken_to_its_end_and_stays_out_of_lists(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        table = open_lesson(ann)
        assert lesson_states(ann) == {"first": "begun"}
        assert lesson_states(bob) == {}
        with open_seat(ann, table) as seat:
            take(seat)
            assert ann.get("/api/mine").json() == []
            results = ann.get("/api/mine/results").json()
            assert (results["games"], results["variants"]) == (0, [])
            assert bob.get("/api/tables").json() == []
        assert lesson_states(ann) == {"first": "done"}


def test_wrong_move_is_refused_with_the_sentence(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        table = open_lesson(ann, "classic")
        with open_seat(ann, table) as seat:
            state = seat.state
            while waits(state) != "go-on":
                state = seat.receive()
            seat.send(type="lesson-continue", step=1)
            state = seat.read_until(lambda m: waits(m) == "move")
            seat.send(type="act", seq=state["seq"], action=["discard", []])
            refused = seat.read_until(lambda m: m["type"] == "refused")
            assert refused["sentence"] == lesson_of("classic").parts[0].steps[1].wrong
            assert refused["seq"] == state["seq"]


def test_lesson_that_was_begun_is_continued(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        table = open_lesson(ann)
        assert open_lesson(ann) == table
        assert open_lesson(ann, "classic") != table
        assert open_lesson(bob) != table
        with open_seat(ann, table) as seat:
            take(seat)
        again = open_lesson(ann)
        assert again != table
        assert lesson_states(ann) == {"first": "done", "classic": "begun"}


def test_lessons_count_as_tables_until_they_are_over(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, max_unfinished_tables=2)) as [ann]:
        table = open_lesson(ann)
        create_table(ann)
        refused = ann.post("/api/lessons", json={"lesson": "classic"})
        assert refused.status_code == 429
        with open_seat(ann, table) as seat:
            take(seat)
        open_lesson(ann, "classic")


def test_unknown_lesson_is_refused(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.post("/api/lessons", json={"lesson": "golf"})
        assert answer.status_code == 404
        assert "is not a lesson: expected one of first" in answer.json()["error"]
        assert ann.post("/api/lessons", json={}).status_code == 400


def test_other_people_watch_a_lesson_but_cannot_move(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        table = open_lesson(ann)
        with open_seat(bob, table) as watching:
            assert watching.state["table"]["you"] is None
            assert watching.state["table"]["allowed"]["sit"] == []
            assert watching.send_refused(type="sit", seat=1) == "rule"
            assert watching.send_refused(type="lesson-continue", step=1) == "rule"
