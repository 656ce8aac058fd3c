"""Opening tables, and the lobby."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"variant": "nothing"}, 422),
        ({"variant": "partnership", "players": 9}, 422),
        ({"variant": "partnership", "options": {"target": -1}}, 422),
        ({"variant": "partnership", "bots": "nobody"}, 422),
        ({"variant": "partnership", "clock": 0}, 400),
        ({"variant": 3}, 400),
        ({}, 400),
    ],
)
def test_invalid_table_is_refused(wanted: dict[str, object], status: int, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.post("/api/tables", json=wanted)
        assert answer.status_code == status
        assert answer.json()["error"]
        assert ann.get("/api/mine").json() == []


def test_lobby_shows_public_tables_with_their_players(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        shown = create_table(set_name(ann, "Ann"), public=True)
        hidden = create_table(ann)
        [line] = bob.get("/api/tables").json()
        assert (line["id"], line["seats"], line["started"]) == (shown, ["Ann", *[None] * 3], False)
        with open_seat(set_name(bob, "Bob"), shown) as sitting:
            sitting.send(type="sit", seat=3)
            sitting.read_until(lambda m: m["table"]["you"] == 3)
            [line] = ann.get("/api/tables").json()
            assert line["seats"] == ["Ann", None, None, "Bob"]
            assert line["people_present"] == 1
        assert {one["id"] for one in ann.get("/api/mine").json()} == {shown, hidden}


def test_new_table_allows_text_unless_it_is_listed_and_the_host_decides(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        invited, listed = create_table(set_name(ann, "Ann")), create_table(ann, public=True)
        for opened, is_allowed in ((invited, True), (listed, False)):
            with open_seat(set_name(bob, "Bob"), opened) as sitting:
                assert sitting.state["table"]["free_chat"] is is_allowed
        with open_seat(ann, invited) as host:
            host.send(type="talk", text="Welcome!")
            host.read_until(lambda m: m["table"]["chat"][-1:] and m["table"]["chat"][-1]["text"])
            host.send(type="writing", on=False)
            host.read_until(lambda m: not m["table"]["free_chat"])
            assert host.send_refused(type="talk", text="Who is next?") == "rule"
        with open_seat(ann, invited) as host:
            assert host.state["table"]["free_chat"] is False
