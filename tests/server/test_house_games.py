"""House games: a folder of rule sheets, offered, played and recorded beside the variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from acesaround import variants
from acesaround.record.model import decode
from acesaround.record.replay import rules_of, verify
from acesaround.server.startup import serve
from acesaround.sheets import FolderError
from acesaround.variants import VARIANTS
from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name
from tests.server.routes.test_games import is_game_over

SHEET = """\
base = "five-card"
title = "Our Sunday game"
short = "Sunday"
description = "Five cards, two rounds"

[melds]
pinochle = [9, 99]

[ending]
hands = 1
"""


@pytest.fixture
def house_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "Sunday game.toml").write_text(SHEET, encoding="utf-8")
    (folder / "notes.txt").write_text("not a sheet", encoding="utf-8")
    return folder


def test_folder_is_loaded(house_folder: Path) -> None:
    sheets = variants.load_folder(house_folder)
    assert list(sheets) == ["sunday-game"]
    assert sheets["sunday-game"].melds.pinochle == (9, 99)


def test_all_faults_of_a_folder_are_reported(house_folder: Path) -> None:
    (house_folder / "sunday-game.toml").write_text('base = "partnership"\n', encoding="utf-8")
    (house_folder / "wrong.toml").write_text("colour = 3\ndeal = 4\n", encoding="utf-8")
    with pytest.raises(FolderError) as sheets:
        variants.load_folder(house_folder)
    first, *others = sheets.value.lines
    assert first.endswith("sunday-game.toml: There is already a game sunday-game: rename the file.")
    assert any("wrong.toml:1: colour is not a field" in line for line in others)
    assert any("wrong.toml:2: deal cannot be 4: it is a section" in line for line in others)


def test_sheet_named_like_a_variant_gets_another_key(house_folder: Path) -> None:
    (house_folder / "partnership.toml").write_text('base = "five-card"\n', encoding="utf-8")
    assert list(variants.load_folder(house_folder)) == ["sunday-game", "partnership-house"]
    (house_folder / "partnership-house.toml").write_text('base = "five-card"\n', encoding="utf-8")
    with pytest.raises(FolderError, match="There is already a game partnership-house"):
        variants.load_folder(house_folder)


def test_extension_may_be_in_capitals(house_folder: Path) -> None:
    (house_folder / "Sunday game.toml").rename(house_folder / "SUNDAY.TOML")
    assert list(variants.load_folder(house_folder)) == ["sunday"]


def test_folder_without_sheets_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a sheet", encoding="utf-8")
    with pytest.raises(FolderError) as sheets:
        variants.load_folder(tmp_path)
    sentence = f"There is no rule sheet in {tmp_path}: add a file whose name ends in .toml."
    assert sheets.value.lines == (sentence,)


def test_server_refuses_an_invalid_folder_at_the_start(house_folder: Path, tmp_path: Path) -> None:
    (house_folder / "wrong.toml").write_text("colour = 3\n", encoding="utf-8")
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with pytest.raises(FolderError):
        serve(
            host="127.0.0.1",
            port=None,
            database_url=url,
            public_url=None,
            sheets_folder=house_folder,
        )
    with pytest.raises(FileNotFoundError):
        serve(
            host="127.0.0.1",
            port=None,
            database_url=url,
            public_url=None,
            sheets_folder=tmp_path / "nowhere",
        )
    assert not (tmp_path / "tables.sqlite").exists()


def test_house_game_is_offered_first_and_played_to_the_end(
    house_folder: Path, tmp_path: Path
) -> None:
    games = variants.load_folder(house_folder)
    with open_clients(make_app(tmp_path, extra_games=games)) as [ann]:
        offered = ann.get("/api/variants").json()
        assert [one["variant"] for one in offered] == ["sunday-game", *VARIANTS]
        assert (offered[0]["title"], offered[0]["summary"]) == ("Sunday", "Five cards, two rounds")
        rules_page = ann.get("/api/rules", params={"variant": "sunday-game"}).json()
        assert rules_page["title"] == "Sunday"
        assert "| pinochle | Q♠ J♦ | 9 | 99 |" in rules_page["markdown"]
        assert "| pinochle | Q♠ J♦ | 9 | 99 |" in ann.get("/rules.json").text

        opened = create_table(set_name(ann, "Ann"), "sunday-game", start=True)
        assert ann.get("/api/mine").json()[0]["title"] == "Sunday"
        rules = ann.get(f"/api/tables/{opened}/rules").json()
        assert rules["base"] == "Five-card"
        assert rules["changes"] == [
            "Pinochles: 9, 99 instead of 4, 30.",
            "Deals in a game: 1 instead of as many as it takes to reach the target.",
        ]
        with open_seat(ann, opened) as sitting:
            assert sitting.state["table"]["changed_rule_count"] == 2
            sitting.play(is_game_over)
        record = decode(ann.get(f"/api/tables/{opened}/record.json").content)
    assert rules_of(record) == games["sunday-game"]
    assert verify(record) == []  # needs no sheet


def test_options_apply_to_a_house_game(house_folder: Path, tmp_path: Path) -> None:
    games = variants.load_folder(house_folder)
    with open_clients(make_app(tmp_path, extra_games=games)) as [ann]:
        asked = {"variant": "sunday-game", "options": '{"hands": 3}'}
        assert "after 3 deals" in ann.get("/api/rules", params=asked).json()["markdown"]
        create_table(set_name(ann, "Ann"), "sunday-game", options={"hands": 3}, players=6)
        refused = ann.post("/api/tables", json={"variant": "monday-game"})
        assert refused.status_code == 422
        assert "expected one of sunday-game, " in refused.json()["error"]
