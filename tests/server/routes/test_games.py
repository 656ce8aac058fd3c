"""HTTP: games of a table, records and replays, and when they are hidden."""

from __future__ import annotations

import gzip
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from acesaround import bots
from acesaround.server.routes import games
from tests.server.http_client import (
    Message,
    Seat,
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)

ONE_DEAL: dict[str, Any] = {"options": {"target": 1}, "start": True}


def is_game_over(state: Message) -> bool:
    return bool(state["table"]["over"])


def get_replay(client: TestClient, opened: str, **parameters: str | int) -> Any:
    return client.get(f"/api/tables/{opened}/replay", params=parameters)


def test_bots_are_listed_with_summaries(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        found = ann.get("/api/bots").json()
    assert [bot["name"] for bot in found] == list(bots.selectable_bots())
    assert all(bot["summary"].endswith(".") for bot in found)
    assert [bot["name"] for bot in found if bot["is_default"]] == [bots.default_bot()]


def test_stopping_server_sends_clients_elsewhere(tmp_path: Path) -> None:
    """A proxy and a client try another server after status 503, and not after 429."""
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(set_name(ann, "Ann"), start=True)
        state = ann.app.state  # type: ignore[attr-defined]
        state.server_context.records.executor.refuse_waiting()
        answer = ann.get(f"/api/tables/{opened}/record.json")
        assert (answer.status_code, answer.json()["error"]) == (
            503,
            "The server is stopping: try again in a minute.",
        )


def test_a_deal_is_replayed_once_it_is_over_and_not_before(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"), options={"hands": 2}, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["decision"])
            refused = get_replay(ann, opened)
            assert refused.status_code == 403
            assert "not over" in refused.json()["error"]
            assert ann.get(f"/api/tables/{opened}/games").json()["over"] is False
            sitting.play(lambda state: len(state["sheet"]) == 1 and state["decision"])
            assert get_replay(ann, opened, deal=1).json()["steps"][-1]["events"]
            assert get_replay(ann, opened, deal=2).status_code == 403
            assert get_replay(bob, opened, deal=1).json()["you"] is None  # by the link, as a record
            sitting.play(is_game_over)
        games = ann.get(f"/api/tables/{opened}/games").json()
        assert games["over"] is True
        [line] = games["games"]
        assert line["over"] is True
        assert len(line["winner"]) == 2
        for deal in range(1, line["deals"] + 1):
            shown = get_replay(ann, opened, game=1, deal=deal).json()
            assert len(shown["sheet"]) == line["deals"]
            assert shown["steps"][0]["seat"] is None
            assert [len(hand) for hand in shown["steps"][0]["hands"]] == [12] * 4
            assert shown["steps"][-1]["events"][-1]["type"] in ("DealScored", "GameWon")
        assert (shown["you"], shown["names"][0]) == (0, "Ann")
        assert get_replay(bob, opened).json()["you"] is None


def test_second_game_is_hidden_and_the_first_stays_visible(
    tmp_path: Path,
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, **ONE_DEAL)
        with open_seat(ann, opened) as sitting:
            sitting.play(is_game_over)
            start_rematch(sitting)
            games = ann.get(f"/api/tables/{opened}/games").json()
            assert games["over"] is False
            assert [line["over"] for line in games["games"]] == [True, False]
            assert games["games"][1] == {"game": 2, "deals": 0, "over": False, "winner": None}
            assert get_replay(ann, opened, game=1).status_code == 200
            assert get_replay(ann, opened, game=2).status_code == 403
            assert get_replay(ann, opened).status_code == 403  # the last game, unless one is named


def start_rematch(sitting: Seat) -> None:
    """Start another game, and play up to the first decision of this seat."""
    sitting.send(type="rematch")
    sitting.read_until(lambda m: m["table"]["games"] == 2)
    sitting.play(lambda state: state["decision"])


def test_unknown_games_and_deals_are_not_found(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, **ONE_DEAL)
        with open_seat(ann, opened) as sitting:
            sitting.play(is_game_over)
        for wrong in (
            {"game": 2}, {"game": 0}, {"game": "x"}, {"game": "²"}, {"game": "9" * 5000},
            {"deal": 0}, {"deal": 99}, {"deal": "x"}, {"deal": "-1"},
        ):  # fmt: skip
            answer = get_replay(ann, opened, **wrong)
            assert answer.status_code == 404, wrong
            assert answer.json()["error"]
        assert get_replay(ann, "nowhere").status_code == 404
        assert ann.get("/api/tables/nowhere/games").status_code == 404


def test_a_table_without_a_game_has_none(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann)
        assert ann.get(f"/api/tables/{opened}/games").json() == {
            "over": False,
            "games": [],
            "leads_to_table": True,
        }
        assert get_replay(ann, opened).status_code == 404
        assert ann.get(f"/api/tables/{opened}/record.json").status_code == 404


def test_record_of_an_unfinished_game_has_only_finished_deals(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["decision"])
            assert ann.get(f"/api/tables/{opened}/record.json").json()["deals"] == []
            assert "\nhand" not in ann.get(f"/api/tables/{opened}/record.txt").text
            sitting.play(has_scored_deals())
            sitting.play(lambda state: state["decision"])
            assert len(ann.get(f"/api/tables/{opened}/record.json").json()["deals"]) == 1
            assert ann.get(f"/api/tables/{opened}/games").json()["games"][0]["deals"] == 1
        for wrong in ("0", "2", "x", "²"):
            answer = ann.get(f"/api/tables/{opened}/record.json", params={"game": wrong})
            assert answer.status_code == 404
        assert ann.get(f"/api/tables/{opened}/record.exe").status_code == 404


def test_replay_link_is_a_page(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "index.html").write_text("<p>the table")
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        assert ann.get(f"/r/{opened}/1").text == "<p>the table"
        for lost in (f"/r/{opened}/2", f"/r/{opened}/x", "/r/nowhere/1"):
            answer = ann.get(lost)
            assert answer.status_code == 404
            assert "<h1>" in answer.text


@pytest.mark.parametrize("file_format", ["json", "txt"])
def test_files_are_made_and_compressed_outside_of_the_event_loop(
    file_format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game may have hundreds of deals, and everybody would wait for its file."""
    threads: list[str] = []

    def compress(body: bytes, level: int) -> bytes:
        threads.append(threading.current_thread().name)
        return gzip.compress(body, level)

    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(set_name(ann, "Ann"), **ONE_DEAL)
        with open_seat(ann, opened) as seat:
            seat.play(is_game_over)
        monkeypatch.setattr(games, "gzip", SimpleNamespace(compress=compress))
        path = f"/api/tables/{opened}/record.{file_format}"
        packed = ann.get(path)
        plain = ann.get(path, headers={"accept-encoding": "identity"})
    assert [name.partition("_")[0] for name in threads] == ["reading"]
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == (
        "gzip",
        "Accept-Encoding",
    )
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
