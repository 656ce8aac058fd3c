"""Avatars: chosen with the name, stored with the person, shown at the table."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from acesaround.store import Store, people
from acesaround.table.avatars import AVATARS, avatar_or_empty
from acesaround.table.entries import Person, ProfileChanged, SeatTaken, decode, encode
from tests.cli_runner import ROOT
from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name


def test_avatar_is_set_with_the_name_and_kept_without(
    tmp_path: Path,
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        assert ann.get("/api/me").json() == {"name": None, "avatar": ""}
        response = ann.post("/api/me", json={"name": "Ann", "avatar": "owl"})
        assert response.json() == {"name": "Ann", "avatar": "owl"}
        assert set_name(ann, "Anna").get("/api/me").json() == {"name": "Anna", "avatar": "owl"}
        ann.post("/api/me", json={"name": "Anna", "avatar": ""})
        assert ann.get("/api/me").json()["avatar"] == ""


@pytest.mark.parametrize("wrong", ["dragon", "Owl", "owl ", 3, ["owl"], "<svg>"])
def test_unknown_avatar_is_refused(wrong: object, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        assert ann.post("/api/me", json={"name": "Ann", "avatar": wrong}).status_code == 400
        assert ann.get("/api/me").json() == {"name": None, "avatar": ""}


def test_table_shows_the_avatar_and_its_change(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        ann.post("/api/me", json={"name": "Ann", "avatar": "owl"})
        opened = create_table(ann)
        with open_seat(set_name(bob, "Bob"), opened) as looking:
            shown = looking.state["table"]["seats"]
            assert [one["avatar"] for one in shown] == ["owl", "", "", ""]
            ann.post("/api/me", json={"name": "Ann", "avatar": "cat"})
            with open_seat(ann, opened):
                looking.read_until(lambda m: m["table"]["seats"][0]["avatar"] == "cat")
            assert looking.state["table"]["seats"][0]["name"] == "Ann"


def test_avatar_is_stored_with_the_person(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        ann.post("/api/me", json={"name": "Ann", "avatar": "teapot"})

    async def stored_avatars() -> list[str]:
        store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        try:
            [(found, _)] = await people.list_people(store, "Ann", 0, 10)
            whole = await people.find_person(store, found.id)
            assert whole is not None
            return [whole.avatar]
        finally:
            await store.close()

    assert asyncio.run(stored_avatars()) == ["teapot"]


def test_devices_of_a_person_share_the_avatar(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, phone]:
        ann.post("/api/me", json={"name": "Ann", "avatar": "kite"})
        code = ann.post("/api/devices/code", json={}).json()["code"]
        assert phone.post("/api/devices/take", json={"code": code}).status_code == 200
        assert phone.get("/api/me").json() == {"name": "Ann", "avatar": "kite"}
        phone.post("/api/me", json={"name": "Ann", "avatar": "sun"})
        assert ann.get("/api/me").json() == {"name": "Ann", "avatar": "sun"}


def test_page_draws_exactly_the_avatars() -> None:
    drawn = (ROOT / "frontend" / "src" / "ui" / "avatars.ts").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^  (\w+): \{$", drawn) == list(AVATARS)
    assert avatar_or_empty("dragon") == ""


def test_entries_without_avatar_have_the_old_form() -> None:
    old = b'{"type":"sat","seat":1,"person":{"id":"x","name":"Ann"}}'
    assert decode(old) == SeatTaken(1, Person("x", "Ann"))
    assert encode(SeatTaken(1, Person("x", "Ann"))) == old
    assert encode(ProfileChanged(1, "Ann")) == b'{"type":"named","seat":1,"name":"Ann"}'
    assert decode(encode(ProfileChanged(1, "Ann", "owl"))) == ProfileChanged(1, "Ann", "owl")
