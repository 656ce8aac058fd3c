"""Rule sheets on the command line: accepted as variants, refused with line numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acesaround import variants
from acesaround.record import load
from acesaround.record.replay import rules_of
from acesaround.sheets.schema import schema
from acesaround.variants import VARIANTS
from tests.cli_runner import Command

OURS = 'base = "three-handed"\ntitle = "Ours"\n[auction]\nlowest_bid = 300\n[melds]\ndix = 20\n'
CARDS = "AS TS KS QS JS 9S"


@pytest.fixture
def acesaround(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    (tmp_path / "ours.toml").write_text(OURS, encoding="utf-8")
    (tmp_path / "wrong.toml").write_text('base = "x"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Command(capsys, monkeypatch)


COMMANDS = {
    "rules": ("rules", "ours.toml"),
    "sheet": ("sheet", "ours.toml"),
    "meld": ("meld", "--variant", "ours.toml", "--trump", "S", *CARDS.split()),
    "legal": ("legal", "--variant", "ours.toml", "--trump", "S", "--hand", CARDS, "--trick", "9S"),
    "simulate": ("simulate", "ours.toml", "--games", "1", "--bots", "easy", "--seed", "7"),
    "simulate --fast": ("simulate", "ours.toml", "--fast", "--deals", "100"),
    "arena": ("arena", "ours.toml", "easy", "random", "--deals", "2", "--seed", "7"),
    "solve": (
        *("solve", "--variant", "ours.toml", "--trump", "S", "--lead", "0"),
        *("--hand", "AS", "--hand", "TS", "--hand", "KS"),
    ),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_accepts_a_sheet_as_variant(acesaround: Command, command: str) -> None:
    answer = acesaround(*COMMANDS[command])
    assert (answer.status, answer.err) == (0, "")
    assert answer.out


def test_the_values_of_a_sheet_apply(acesaround: Command) -> None:
    answer = acesaround(*COMMANDS["meld"])
    assert answer.out.split("\n")[1].split()[-1] == "20"  # the dix
    assert "The lowest bid is 300." in acesaround("rules", "ours.toml").out


def test_options_change_the_values_of_a_sheet(acesaround: Command) -> None:
    answer = acesaround("rules", "ours.toml", "--changes", "--option", "target=1000")
    assert answer.out == (
        "Ours: Three-handed auction with a kitty, with 3 changes.\n"
        "* The lowest bid: 300 instead of 250.\n"
        "* A nine of trump: 20 instead of 10.\n"
        "* Points that win the game: 1000 instead of 1500.\n"
    )


def test_a_sheet_without_a_base_has_no_changes(acesaround: Command, tmp_path: Path) -> None:
    from acesaround.sheets import write

    (tmp_path / "all.toml").write_text(write(VARIANTS["five-card"], {}), encoding="utf-8")
    answer = acesaround("rules", "all.toml", "--changes")
    assert answer.out == "Bruce's 5-card is not based on another game.\n"


@pytest.mark.parametrize("name", VARIANTS)
def test_a_starter_sheet_has_no_changes(acesaround: Command, tmp_path: Path, name: str) -> None:
    sheet = acesaround("sheet", name).out
    (tmp_path / "begun.toml").write_text(sheet, encoding="utf-8")
    changes = acesaround("rules", "begun.toml", "--changes").out
    assert changes == f"{VARIANTS[name].title}, with no changes.\n"


def test_a_starter_sheet_from_a_sheet_without_a_base_is_the_same_game(
    acesaround: Command, tmp_path: Path
) -> None:
    from acesaround.sheets import write

    (tmp_path / "five.toml").write_text(write(VARIANTS["five-card"], {}), encoding="utf-8")
    (tmp_path / "again.toml").write_text(acesaround("sheet", "five.toml").out, encoding="utf-8")
    assert acesaround("rules", "again.toml") == acesaround("rules", "five.toml")


def test_the_schema_is_printed_with_the_games_to_start_from(acesaround: Command) -> None:
    printed = json.loads(acesaround("sheet", "--schema").out)
    assert printed["properties"]["base"].pop("enum") == list(VARIANTS)
    assert printed == schema()


def test_a_record_is_replayed_without_its_sheet(acesaround: Command, tmp_path: Path) -> None:
    assert acesaround(*COMMANDS["simulate"], "--record", "g.jsonl").status == 0
    played = variants.load("ours.toml")
    (tmp_path / "ours.toml").unlink()
    assert "every action and score holds" in acesaround("replay", "g.jsonl").out
    record = load(Path("g.jsonl"))
    assert rules_of(record) == played


@pytest.mark.parametrize("command", COMMANDS)
def test_an_invalid_sheet_is_refused_in_one_line(acesaround: Command, command: str) -> None:
    words = [word.replace("ours", "wrong") for word in COMMANDS[command]]
    answer = acesaround(*words)
    assert answer.status == 1
    assert answer.out == ""
    assert answer.err.startswith('acesaround: wrong.toml:1: base cannot be "x": expected one of ')
    assert answer.err.count("\n") == 1


def test_two_faults_are_two_lines(acesaround: Command, tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(OURS + "aces = 'many'\n[play]\nluck = true\n", "utf-8")
    lines = acesaround("rules", "two.toml").err.split("\n")
    assert [line.split(": ")[1] for line in lines[:-1]] == ["two.toml:7", "two.toml:9"]


def test_the_extension_of_a_sheet_may_be_in_capitals(acesaround: Command, tmp_path: Path) -> None:
    (tmp_path / "OURS.TOML").write_text(OURS, encoding="utf-8")
    assert acesaround("rules", "OURS.TOML") == acesaround("rules", "ours.toml")


@pytest.mark.parametrize("name", ["ours.txt", "folder"])
def test_files_without_the_extension_of_sheets_are_refused(
    acesaround: Command, tmp_path: Path, name: str
) -> None:
    (tmp_path / "ours.txt").write_text(OURS, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    refusal = acesaround.refuses("rules", name)
    assert f"'{name}' is not a rule sheet: the name of a sheet ends in .toml" in refusal


def test_a_variant_takes_precedence_over_a_file_of_its_name(
    acesaround: Command, tmp_path: Path
) -> None:
    (tmp_path / "partnership").mkdir()
    assert acesaround("rules", "partnership").status == 0


@pytest.mark.parametrize("name", ["gone.toml", ".toml"])
def test_a_missing_sheet_is_refused(acesaround: Command, name: str) -> None:
    answer = acesaround("rules", name)
    assert (answer.status, answer.err) == (1, f"acesaround: {name}: No such file or directory.\n")


def test_sheet_without_a_game_is_refused(acesaround: Command) -> None:
    answer = acesaround("sheet")
    assert answer.status == 1
    assert answer.err.startswith("acesaround: Name a game to start from: a name from ")


def test_in_a_terminal_the_rules_are_laid_out_and_elsewhere_they_are_markdown(
    acesaround: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\n## Meld\n" in acesaround("rules", "ours.toml").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    shown = acesaround("rules", "ours.toml").out
    assert "Meld" in shown
    assert not [line for line in shown.splitlines() if "##" in line or "| -" in line]
