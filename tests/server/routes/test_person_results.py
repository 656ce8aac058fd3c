"""What a guest has won and lost, and with whom."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from acesaround.server.routes import person_results
from acesaround.table.person_results import count_results
from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name
from tests.waiting import PATIENCE_SECONDS, wait_until

NOTHING = {"won": 0, "lost": 0, "unfinished": 0, "closed": 0}


def read_results(client: TestClient) -> dict[str, Any]:
    answer = client.get("/api/mine/results")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def play_and_read_results(ann: TestClient, bob: TestClient, **wanted: Any) -> dict[str, Any]:
    """Let Ann finish a game in which Bob sat opposite her, and return her results."""
    opened = create_table(ann, options={"hands": 1}, **wanted)
    with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
        guest.send(type="sit", seat=2)
        host.read_until(lambda m: m["table"]["seats"][2]["person"])
        host.send(type="start")
        host.read_until(lambda m: m["view"])
        guest.send(type="stand")  # a bot plays on, and the seat keeps Bob's name in this game
        host.read_until(lambda m: not m["table"]["seats"][2]["person"])
        host.play(lambda state: state["table"]["over"])
    return read_results(ann)


def test_guest_without_a_game_has_no_results(tmp_path: Path) -> None:
    nothing = {"games": 0, "has_older_games": False, "variants": [], "fellow_players": []}
    with open_clients(make_app(tmp_path)) as [ann]:
        assert read_results(ann) == nothing
        create_table(ann)
        assert read_results(ann) == nothing
        ann.cookies.clear()
        assert read_results(ann) == nothing


def test_finished_and_running_games_are_counted_with_people_and_with_bots(tmp_path: Path) -> None:
    before = time.time_ns() // 1_000_000
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        create_table(set_name(ann, "Ann"), "two-handed", start=True)
        found = play_and_read_results(ann, set_name(bob, "Bob"))
        assert (found["games"], found["has_older_games"]) == (2, False)
        together, alone = sorted(found["variants"], key=lambda one: one["variant"])
        assert (alone["title"], alone["people"]) == ("Two-handed", NOTHING)
        assert alone["bots"] == {**NOTHING, "unfinished": 1}
        assert (together["title"], together["bots"]) == ("Partnership", NOTHING)
        assert together["people"] in ({**NOTHING, "won": 1}, {**NOTHING, "lost": 1})
        [fellow_player] = found["fellow_players"]
        assert before <= fellow_player.pop("last_game_ms") <= time.time_ns() // 1_000_000
        assert fellow_player == {
            "name": "Bob",
            "avatar": "",
            "games": 1,
            "as_partners": together["people"],
            "as_opponents": NOTHING,
        }
        [seen_by_bob] = read_results(bob)["fellow_players"]
        assert (seen_by_bob["name"], seen_by_bob["as_partners"]) == ("Ann", together["people"])


def test_companion_has_the_name_of_today_and_no_id(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        play_and_read_results(set_name(ann, "Ann"), set_name(bob, "Bob"))
        bob.post("/api/me", json={"name": "Robert", "avatar": "owl"})
        [fellow_player] = read_results(ann)["fellow_players"]
        assert (fellow_player["name"], fellow_player["avatar"]) == ("Robert", "owl")
        assert set(fellow_player) == {
            "name", "avatar", "games", "as_partners", "as_opponents", "last_game_ms",
        }  # fmt: skip


def test_stranger_at_a_public_table_and_nameless_guest_are_no_companions(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 3) as [ann, bob, nameless]:
        found = play_and_read_results(set_name(ann, "Ann"), set_name(bob, "Bob"), public=True)
        assert (found["games"], found["fellow_players"]) == (1, [])
        assert play_and_read_results(ann, nameless)["fellow_players"] == []
        [fellow_player] = play_and_read_results(ann, bob, public=True)["fellow_players"]
        assert (fellow_player["name"], fellow_player["games"]) == ("Bob", 2)


def test_removed_person_is_no_companion(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(ann, opened) as host, open_seat(set_name(bob, "Bob"), opened) as guest:
            guest.send(type="sit", seat=1)
            host.read_until(lambda m: m["table"]["seats"][1]["person"])
            host.send(type="start")
            host.read_until(lambda m: m["view"])
            assert [one["name"] for one in read_results(ann)["fellow_players"]] == ["Bob"]
            host.send(type="remove", seat=1)
            host.read_until(lambda m: not m["table"]["seats"][1]["person"])
            assert read_results(ann)["fellow_players"] == []
            assert read_results(bob)["games"] == 0


def test_only_the_last_games_and_people_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person_results, "MAX_GAMES", 1)
    monkeypatch.setattr(person_results, "MAX_COMPANIONS", 1)
    with open_clients(make_app(tmp_path), 3) as [ann, bob, cleo]:
        play_and_read_results(set_name(ann, "Ann"), set_name(bob, "Bob"))
        found = play_and_read_results(ann, set_name(cleo, "Cleo"))
        assert (found["games"], found["has_older_games"]) == (1, True)
        assert [one["name"] for one in found["fellow_players"]] == ["Cleo"]


def test_requests_of_a_person_wait_for_each_other_and_hold_up_no_other_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server counts in a thread, for one request at a time."""
    go_on, running, most = threading.Event(), set[int](), [0]

    def count_slowly(*arguments: Any) -> Any:
        running.add(threading.get_ident())
        most[0] = max(most[0], len(running))
        assert go_on.wait(PATIENCE_SECONDS)
        running.discard(threading.get_ident())
        return count_results(*arguments)

    monkeypatch.setattr(person_results, "count_results", count_slowly)
    with open_clients(make_app(tmp_path)) as [ann], ThreadPoolExecutor(9) as executor:
        create_table(set_name(ann, "Ann"), start=True)
        asked = [executor.submit(ann.get, "/api/mine/results") for _ in range(9)]
        wait_until(lambda: running, "the server counts")
        assert ann.get("/api/mine").status_code == 200
        go_on.set()
        assert {one.result().status_code for one in asked} == {200}
    assert most == [1]
