"""The lobby: order of public tables, and fairness between hosts."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from acesaround.server.routes.lobby import MAX_TABLES_PER_HOST, TABLES_PER_PAGE, split_into_pages
from acesaround.store import LobbyTable, Store, table_lists
from tests.server.http_client import create_table, make_app, open_clients, open_seat
from tests.waiting import PATIENCE_SECONDS, wait_until_async


def make_lobby_table(
    name: str, host: str | None = None, *, changed: int = 0, free: int = 1
) -> LobbyTable:
    return LobbyTable(name, changed, name if host is None else host, free)


def list_ids(pages: list[list[LobbyTable]]) -> list[list[str]]:
    return [[one.id for one in page] for page in pages]


def test_tables_with_people_and_free_seats_come_first() -> None:
    tables = [
        make_lobby_table("new", changed=9),
        make_lobby_table("full", changed=8, free=0),
        make_lobby_table("old", changed=1),
        make_lobby_table("waits", changed=2),
        make_lobby_table("waits too", changed=3),
    ]
    found = split_into_pages(tables, {"waits", "waits too", "full"})
    assert list_ids(found) == [["waits too", "waits", "new", "full", "old"]]


def test_host_has_at_most_two_tables_on_a_page() -> None:
    greedy = [make_lobby_table(f"greedy {n}", "greedy", changed=100 + n) for n in range(51)]
    found = split_into_pages(
        [*greedy, make_lobby_table("honest", "ann")], {one.id for one in greedy}
    )
    assert [one.id for one in found[0]] == ["greedy 50", "greedy 49", "honest"]
    assert all(len(page) <= MAX_TABLES_PER_HOST for page in found[1:])
    assert sum(len(page) for page in found) == 52


def test_every_table_is_on_one_page_of_limited_length() -> None:
    tables = [make_lobby_table(f"{n}", changed=n) for n in range(3 * TABLES_PER_PAGE + 1)]
    found = split_into_pages(tables, ())
    assert [len(page) for page in found] == [TABLES_PER_PAGE, TABLES_PER_PAGE, TABLES_PER_PAGE, 1]
    assert [name for page in list_ids(found) for name in page] == [
        f"{n}" for n in range(3 * TABLES_PER_PAGE, -1, -1)
    ]
    assert split_into_pages([], ()) == []


def test_only_the_own_list_has_section_turn_and_game(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        create_table(ann, public=True)
        [open_table] = ann.get("/api/tables").json()
        [own_table] = ann.get("/api/mine").json()
    assert own_table == open_table | {"list_section": "", "turn": None, "game": None}


def test_many_tables_of_one_guest_do_not_hide_others(tmp_path: Path) -> None:
    with open_clients(
        make_app(tmp_path, max_creations_per_guest=100, max_unfinished_tables=100), 3
    ) as [ann, greedy, bob]:
        honest = create_table(ann, public=True)
        for _ in range(51):
            create_table(greedy, public=True)
        assert honest in list_table_ids(bob, "/api/tables")
        assert len(list_table_ids(bob, "/api/tables")) == 3
        with open_seat(ann, honest):
            assert list_table_ids(bob, "/api/tables")[0] == honest
        found, at = [], "/api/tables"
        while at:  # through all pages
            found += list_table_ids(bob, at)
            more = re.fullmatch(r'<(.*)>; rel="next"', bob.get(at).headers.get("link", ""))
            at = more[1] if more else ""
        assert len(found) == len(set(found)) == 52
        assert list_table_ids(bob, "/api/tables?page=999") == []


def list_table_ids(client: TestClient, path: str) -> list[str]:
    return [read_line["id"] for read_line in client.get(path).json()]


@pytest.mark.parametrize("page", ["0", "-1", "x", "²", "", "9" * 5000, "1.5"])
def test_invalid_page_number_is_refused(page: str, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.get("/api/tables", params={"page": page})
        assert answer.status_code == 400
        assert "not a page number" in answer.json()["error"]


def test_finished_table_leaves_the_lobby(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, public=True, start=True, options={"target": 1})
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["decision"])
            assert list_table_ids(ann, "/api/tables") == [opened]
            sitting.play(lambda state: state["table"]["over"])
            assert list_table_ids(ann, "/api/tables") == []
            assert list_table_ids(ann, "/api/mine") == [opened]


def test_section_changes_only_the_own_list(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 3) as [ann, bob, eve]:
        opened = create_table(ann, options={"hands": 1})
        with open_seat(bob, opened) as bobs:
            bobs.send(type="sit", seat=1)
            bobs.read_until(lambda m: m["table"]["you"] == 1)

        def put_in_section(client: TestClient, section: str) -> int:
            return client.post(
                "/api/mine", json={"table": opened, "list_section": section}
            ).status_code

        def list_sections(client: TestClient) -> list[str]:
            return [read_line["list_section"] for read_line in client.get("/api/mine").json()]

        assert list_sections(ann) == list_sections(bob) == [""]
        assert put_in_section(ann, "archived") == 200
        assert list_sections(ann) == ["archived"]
        assert list_sections(bob) == [""]
        assert put_in_section(ann, "") == 200
        assert list_sections(ann) == [""]
        assert put_in_section(ann, "deleted") == 200
        assert list_sections(ann) == []
        assert list_sections(bob) == [""]
        # It is only out of the list: link and seat stay.
        with open_seat(ann, opened) as anns:
            assert anns.state["table"]["you"] == 0
            assert list_sections(ann) == []
            anns.send(type="stand")
            anns.read_until(lambda m: m["table"]["you"] is None)
            anns.send(type="sit", seat=0)
            anns.read_until(lambda m: m["table"]["you"] == 0)
        assert list_sections(ann) == [""]  # sitting down again lists it
        assert put_in_section(eve, "archived") == 404
        assert put_in_section(ann, "somewhere") == 400
        answer = ann.post("/api/mine", json={"table": "nowhere", "list_section": ""})
        assert answer.status_code == 404


def test_table_unloaded_meanwhile_keeps_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = make_app(tmp_path)
    with open_clients(server) as [ann]:
        opened = create_table(ann, start=True)
        hub = server.state.server_context.registry
        read, been_read = table_lists.tables_of_person, threading.Event()

        async def read_before_it_sleeps(store: Store, person: str) -> object:
            lines = await read(store, person)
            been_read.set()
            await wait_until_async(lambda: not hub.loaded_ids)
            return lines

        with ThreadPoolExecutor(1) as executor:
            with open_seat(ann, opened) as anns:
                anns.play(lambda m: m["decision"])
                monkeypatch.setattr(table_lists, "tables_of_person", read_before_it_sleeps)
                response = executor.submit(ann.get, "/api/mine")
                assert been_read.wait(PATIENCE_SECONDS)
            [read_line] = response.result(PATIENCE_SECONDS).json()
        assert read_line["turn"] == 0


def test_own_list_shows_scores_and_turn(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(ann, options={"hands": 2}, start=True)

        def read_line() -> dict[str, Any]:
            [found] = ann.get("/api/mine").json()
            return dict(found)

        with open_seat(ann, opened) as anns:
            anns.play(lambda m: m["sheet"] and m["decision"])
            totals = anns.state["sheet"][0]["totals"]
            assert read_line()["turn"] == 0
            assert read_line()["game"] == {
                "deals": 1, "sides": [[0, 2], [1, 3]], "scores": totals, "winner": None, "you": 0
            }  # fmt: skip
        assert read_line()["turn"] == 0  # also when the table is unloaded
        with open_seat(ann, opened) as anns, open_seat(bob, opened):
            anns.play(lambda m: m["table"]["over"])
            totals = anns.state["sheet"][-1]["totals"]
        assert read_line()["turn"] is None
        assert read_line()["game"]["scores"] == totals
        won = read_line()["game"]["winner"]
        assert won == [0, 2] if totals[0] > totals[1] else won == [1, 3]
        assert not any("game" in shown for shown in bob.get("/api/tables").json())
