"""A person's own rule sheets: checked, saved, played and deleted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from acesaround import sheets, variants
from acesaround.record.model import decode
from acesaround.record.replay import rules_of, verify
from acesaround.rules import Rules
from acesaround.server.routes import rule_sheets
from acesaround.server.routes.rule_sheets import MAX_FILE_LINES, MAX_SHEETS
from acesaround.sheets.fields import field_description, fields
from acesaround.sheets.form import form
from acesaround.sheets.text_fields import MAX_LENGTHS
from acesaround.sheets.write import DERIVED_FIELDS
from acesaround.variants import VARIANTS
from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name
from tests.server.routes.test_games import is_game_over

OUR_GAME = {
    "base": "partnership",
    "title": "Our game",
    "auction.lowest_bid": 200,
    "exchange.exchange": 3,
    "melds.pinochle": [50, 500],
    "melds.dix": 20,
}


def check_sheet(client: TestClient, values: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/api/sheet", json={"values": values})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def save_sheet(client: TestClient, values: dict[str, Any], key: str = "") -> str:
    answer = client.post("/api/own", json={"values": values, "key": key})
    assert answer.status_code == (200 if key else 201), answer.text
    found: str = answer.json()["key"]
    return found


def list_keys(client: TestClient) -> list[str]:
    return [one["key"] for one in client.get("/api/own").json()]


def test_form_has_every_field_except_derived_ones() -> None:
    shown = {field.path: field.description for section in form() for field in section.fields}
    assert set(shown) == set(fields()) - {"base", *DERIVED_FIELDS}
    assert all(shown[path] == field_description(path) for path in shown)
    assert [section.part for section in form()][:2] == ["", "deal"]
    lacking = {section.part for section in form() if section.is_optional}
    assert "auction" in lacking
    assert not lacking & {"", "deal", "melds", "ending"}


def test_check_returns_values_changes_page_and_file(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        found = check_sheet(ann, OUR_GAME)
        assert found["faults"] == []
        assert found["values"] == OUR_GAME
        assert found["base_values"]["exchange.exchange"] == 4
        assert (found["all_values"]["exchange.exchange"], found["all_values"]["seats"]) == (3, 4)
        assert "The lowest bid: 200 instead of 250." in found["changes"]
        assert "| pinochle | Q♠ J♦ | 50 | 500 |" in found["markdown"]
        again = ann.post("/api/sheet/file", content=found["toml"].encode()).json()
        assert again["values"] == OUR_GAME


@pytest.mark.parametrize("name", VARIANTS)
def test_draft_starts_from_a_variant(tmp_path: Path, name: str) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        found = ann.post("/api/sheet", json={"game": name}).json()
    assert found["values"] == {"base": name}
    assert found["changes"] == []
    assert {**found["all_values"], "base": "", "title": ""} == {
        **found["base_values"],
        **{label: found["all_values"][label] for label in ("short", "description", "author")},
        "base": "",
        "title": "",
    }


def test_check_names_the_matching_preset(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, max_creations_per_guest=100)) as [ann]:
        for name, rules in VARIANTS.items():
            named = {way: one.options for way, one in variants.presets(name).items()}
            ways: dict[str, dict[str, Any]] = {"": {}, **named}
            for way, options in ways.items():
                begun = ann.post("/api/sheet", json={"game": name, "options": options}).json()
                assert begun["equal_preset"] == way, name
            other = {"base": name, "ending.target": 12345, "ending.hands": "none"}
            assert check_sheet(ann, other)["equal_preset"] is None, rules
        ours = {"base": "racehorse", "title": "Ours", "exchange.exchange": 3}
        assert check_sheet(ann, ours)["equal_preset"] == "three-cards"


def test_sheet_without_base_keeps_all_values(tmp_path: Path) -> None:
    sheet = sheets.starter_sheet(VARIANTS["two-handed"], {}).replace('base = ""\n', "")
    otherwise = sheet.replace("# seats = 2", "seats = 3")
    with open_clients(make_app(tmp_path)) as [ann]:
        assert ann.get("/api/sheet").json()["bases"] == list(VARIANTS)
        begun = ann.post("/api/sheet/file", content=sheet.encode()).json()
        assert not {"base", *DERIVED_FIELDS} & set(begun["values"])
        assert (begun["base_values"], begun["changes"]) == ({}, [])
        again = ann.post("/api/sheet/file", content=begun["toml"].encode()).json()
        assert again["values"] == begun["values"]
        three = ann.post("/api/sheet/file", content=otherwise.encode()).json()
        assert (begun["all_values"]["seats"], three["all_values"]["seats"]) == (2, 3)
        key = save_sheet(ann, begun["values"])
        assert ann.post("/api/sheet", json={"game": key}).json()["values"] == begun["values"]


def test_draft_starts_with_options(tmp_path: Path) -> None:
    asked = {"game": "partnership", "options": {"target": 500, "exchange": 2}}
    with open_clients(make_app(tmp_path)) as [ann]:
        found = ann.post("/api/sheet", json=asked).json()
    expected = {"base": "partnership", "ending.target": 500, "exchange.exchange": 2}
    assert found["values"] == expected


def test_faults_name_their_fields(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        many = {"deal.copies": 3, "exchange.exchange": 13, "melds.pinochel": [4], "deal": 7}
        faults = check_sheet(ann, {"base": "partnership", **many})["faults"]
        assert {"exchange.exchange", "melds.pinochel"} <= {
            path for one in faults for path in one["fields"]
        }
        said = [one["sentence"] for one in faults if one["fields"][0] == "exchange.exchange"]
        assert said == ["It must be a whole number from 0 to 4."]
        over = check_sheet(ann, {"base": "partnership", "deal.copies": 3})["faults"]
        assert "deal.copies" in over[0]["fields"]
        assert check_sheet(ann, {"base": "whist"})["faults"][0]["fields"] == ["base"]
        without = check_sheet(ann, {})["faults"]
        assert any("missing in [deal]" in one["sentence"] for one in without)


CONTRADICTIONS: tuple[dict[str, Any], ...] = (
    {"auction.lowest_bid": 205},
    {"deal.hand": [12, 9]},
    {"players": [4, 4], "deal.hand": [12, 12]},
    {"melds.royal_marriage": [40, 20]},
    {"melds.royal_marriage": [0, 20]},
    {"melds.run_and_marriage": "none"},
    {"melds.run": [0]},
    {"scoring.spades_pay": 2},
    {"auction.stuck_bid": 200, "auction.all_pass": "redeal"},
)


@pytest.mark.parametrize("values", CONTRADICTIONS, ids=str)
def test_faults_in_a_form_name_no_field_as_sheets_do(
    tmp_path: Path, values: dict[str, Any]
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        faults = check_sheet(ann, {"base": "partnership", **values})["faults"]
    assert faults
    for fault in faults:
        assert not re.search(r"\w_\w|\w\.\w| = ", fault["sentence"]), fault["sentence"]


def test_melds_of_unknown_cards_are_refused_at_their_field(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        others = [["a", "5S", 1], ["b", "QS", 2]]
        (fault,) = check_sheet(ann, {**OUR_GAME, "melds.others": others})["faults"]
    assert fault["fields"] == ["melds.others"]
    assert "'5S' is not a card" in fault["sentence"]


@pytest.mark.parametrize("name", MAX_LENGTHS)
def test_long_or_control_text_is_refused(tmp_path: Path, name: str) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        for words in ("x" * (MAX_LENGTHS[name] + 1), "two\nlines", "hid\u202eden"):
            refused = check_sheet(ann, {**OUR_GAME, name: words})["faults"]
            assert [one["fields"] for one in refused] == [[name]]
            assert (
                ann.post("/api/own", json={"values": {**OUR_GAME, name: words}}).status_code == 422
            )
        assert check_sheet(ann, {**OUR_GAME, name: "x" * MAX_LENGTHS[name]})["faults"] == []


def test_saved_game_is_offered_first_played_and_recorded(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        key = save_sheet(set_name(ann, "Ann"), {**OUR_GAME, "ending.hands": 1})
        assert key == "our-game"
        assert [one["variant"] for one in ann.get("/api/variants").json()] == [key, *VARIANTS]
        told = ann.get("/api/rules", params={"variant": key}).json()
        assert (told["title"], told["is_own_game"]) == ("Our game", True)
        assert not ann.get("/api/rules", params={"variant": "partnership"}).json()["is_own_game"]

        opened = create_table(ann, key, start=True)
        rules = set_name(bob, "Bob").get(f"/api/tables/{opened}/rules").json()
        assert rules["base"] == VARIANTS["partnership"].short
        assert len(rules["changes"]) == 5
        assert ann.post("/api/own/delete", json={"key": key}).json() == []
        with open_seat(ann, opened) as sitting:  # the table stores all rules
            assert sitting.state["table"]["changed_rule_count"] == 5
            sitting.play(is_game_over)
        record = decode(ann.get(f"/api/tables/{opened}/record.json").content)
    played: Rules = rules_of(record)
    assert (played.melds.pinochle, played.auction and played.auction.lowest_bid) == ((50, 500), 200)
    assert verify(record) == []


def test_game_is_saved_under_its_key_or_a_new_one(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        assert save_sheet(ann, OUR_GAME) == "our-game"
        assert save_sheet(ann, OUR_GAME) == "our-game-2"
        assert save_sheet(ann, {**OUR_GAME, "title": "Partnership"}) == "partnership-2"
        assert save_sheet(ann, {**OUR_GAME, "title": "Ünsere Spielart"}) == "unsere-spielart"
        assert save_sheet(ann, {**OUR_GAME, "title": "我们"}) == "game"
        assert (
            save_sheet(ann, {**OUR_GAME, "title": "Changed", "melds.dix": 30}, "our-game")
            == "our-game"
        )
        shown = {one["key"]: one["title"] for one in ann.get("/api/own").json()}
        assert (shown["our-game"], len(shown)) == ("Changed", 5)
        begun = ann.post("/api/sheet", json={"game": "our-game"}).json()
        assert begun["values"] == {**OUR_GAME, "title": "Changed", "melds.dix": 30}


def test_other_persons_cannot_use_a_saved_game(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        key = save_sheet(set_name(ann, "Ann"), OUR_GAME)
        set_name(bob, "Bob")
        assert list_keys(bob) == []
        assert [one["variant"] for one in bob.get("/api/variants").json()] == list(VARIANTS)
        assert bob.post("/api/tables", json={"variant": key}).status_code == 422
        assert bob.get("/api/rules", params={"variant": key}).status_code == 422
        assert bob.post("/api/sheet", json={"game": key}).status_code == 422
        assert bob.post("/api/own", json={"values": OUR_GAME, "key": key}).status_code == 404
        assert bob.post("/api/own/delete", json={"key": key}).status_code == 404
        assert save_sheet(bob, {**OUR_GAME, "melds.dix": 99}) == key  # Bob's own
        told = ann.post("/api/sheet", json={"game": key}).json()
        assert told["values"]["melds.dix"] == 20


def test_new_game_of_another_device_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two devices that save games with one title at once choose the same key."""
    with open_clients(make_app(tmp_path)) as [ann]:
        key = save_sheet(ann, OUR_GAME)
        monkeypatch.setattr(rule_sheets, "_new_key", lambda title, taken: key)
        other = {**OUR_GAME, "melds.dix": 30}
        answer = ann.post("/api/own", json={"values": other, "key": ""})
        assert (answer.status_code, "try again" in answer.json()["error"]) == (409, True)
        assert ann.post("/api/sheet", json={"game": key}).json()["values"] == OUR_GAME


def test_saved_games_of_a_person_are_limited(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, max_creations_per_guest=1000)) as [ann]:
        made = [
            save_sheet(ann, {**OUR_GAME, "title": f"Game {number}"}) for number in range(MAX_SHEETS)
        ]
        refused = ann.post("/api/own", json={"values": OUR_GAME})
        assert (refused.status_code, refused.json()["error"]) == (
            422,
            f"You already have {MAX_SHEETS} games: delete one first.",
        )
        save_sheet(ann, OUR_GAME, made[0])
        assert ann.post("/api/own/delete", json={"key": made[1]}).status_code == 200
        save_sheet(ann, OUR_GAME)


@pytest.mark.parametrize(
    ("sent", "line", "sentence"),
    [
        (b"base = partnership", 1, "This is not TOML: invalid value."),
        (b"base = 'partnership'\n\xff", 2, "This is not text in UTF-8."),
        (b"[deal]\ncopies = 'two'\n", 2, "deal.copies cannot be"),
        (b"base = 'partnership'\n\n[exchange]\nexchange = 13\n", 4, "expected a whole number"),
        (b"a = " + b"[" * 5000, 1, "This is not TOML"),
        (b"base = 'partnership'\nmelds.dix = " + b"9" * 5000, 2, "A number cannot be so large"),
    ],
)
def test_invalid_file_is_refused_with_line_numbers(
    tmp_path: Path, sent: bytes, line: int, sentence: str
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.post("/api/sheet/file", content=sent)
    assert answer.status_code == 200
    found = [one for one in answer.json()["faults"] if sentence in one["sentence"]]
    assert [one["line"] for one in found] == [line], answer.json()["faults"]


@pytest.mark.parametrize("path", ["/api/sheet", "/api/own"])
def test_too_many_values_are_refused(tmp_path: Path, path: str) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.post(path, json={"values": {f"x{number}": 1 for number in range(201)}})
        assert (answer.status_code, "<= 200" in answer.json()["error"]) == (400, True)


def test_large_sheet_is_refused(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        for sent, status in ((b"#" * 20_000, 413), (b"\n" * MAX_FILE_LINES, 400)):
            refused = ann.post("/api/sheet/file", content=sent)
            assert refused.status_code == status
            assert refused.json()["error"].endswith(".")
        wide = {"values": {**OUR_GAME, "auction.raises": list(range(1, 5000))}}
        assert ann.post("/api/own", json=wide).status_code == 413


@pytest.mark.parametrize("path", ["/api/sheet", "/api/own", "/api/own/delete", "/api/sheet/file"])
def test_invalid_or_foreign_request_is_refused(tmp_path: Path, path: str) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        elsewhere = {"origin": "https://elsewhere.example"}
        assert ann.post(path, content=b"{}", headers=elsewhere).status_code == 403
        if path != "/api/sheet/file":
            for sent in (b"{", b"[]", b"\xff", b'{"values": 3, "key": []}'):
                assert ann.post(path, content=sent).status_code == 400
        deep = b'{"values": {"melds.dix": ' + b"[" * 7000 + b"]" * 7000 + b'}, "key": "a"}'
        assert ann.post(path, content=deep).status_code in (200, 400, 404, 422)


def test_reading_a_sheet_waits_its_turn(tmp_path: Path) -> None:
    """Finding all errors of a sheet takes some of the time in which others wait."""
    with open_clients(make_app(tmp_path)) as [ann]:
        ann.app.state.server_context.records.executor.refuse_waiting()  # type: ignore[attr-defined]
        assert ann.post("/api/sheet/file", content=b"[deck]").status_code == 503
        values = {"values": {"melds.pinochel": 1}}
        assert ann.post("/api/sheet", json=values).status_code == 503
        assert ann.post("/api/sheet", json={"game": "partnership"}).status_code == 503
        assert ann.post("/api/own", json=values).status_code == 503


def test_file_with_very_long_keys_is_refused(tmp_path: Path) -> None:
    """Python's TOML reader takes quadratic time for the parts of a key."""
    with open_clients(make_app(tmp_path)) as [ann]:
        for sent in (b".".join([b"a"] * 200) + b" = 1", b"[" + b".".join([b"a"] * 200) + b"]"):
            refused = ann.post("/api/sheet/file", content=b"# a file\n" + sent)
            assert (refused.status_code, "dots" in refused.json()["error"]) == (400, True)


def test_file_with_very_many_errors_names_the_first_ones(tmp_path: Path) -> None:
    """Finding the line of each error takes a part of a second."""
    sent = "base = 'partnership'\n" + "".join(f"x{number} = 1\n" for number in range(590))
    with open_clients(make_app(tmp_path)) as [ann]:
        faults = ann.post("/api/sheet/file", content=sent.encode()).json()["faults"]
    assert [one["line"] for one in faults] == [*range(2, 52)]


def test_drafts_and_saves_are_rate_limited(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, max_creations_per_guest=2)) as [ann]:
        codes = [ann.post("/api/sheet", json={"values": OUR_GAME}).status_code for _ in range(41)]
        assert codes == [200] * 40 + [429]
        codes = [ann.post("/api/own", json={"values": OUR_GAME}).status_code for _ in range(3)]
        assert codes == [201] * 2 + [429]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/mine", {"table": "none", "list_section": "archived"}),
        ("/api/own/delete", {"key": "none"}),
        ("/api/devices/out", {"which": "others"}),
    ],
)
def test_changes_are_rate_limited(tmp_path: Path, path: str, body: dict[str, str]) -> None:
    """Each change waits for the disk, and play at all tables waits for it."""
    with open_clients(make_app(tmp_path, max_writes_per_guest=3, rate_window_seconds=1e9), 2) as [
        ann,
        bob,
    ]:
        codes = [ann.post(path, json=body).status_code for _ in range(4)]
        assert (codes[3], 429 in codes[:3]) == (429, False)
        assert bob.post(path, json=body).status_code != 429
