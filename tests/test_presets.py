"""Named presets: house options under a name, as data in the folder of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from acesaround import variants
from acesaround.errors import RulesError
from acesaround.variants import VARIANTS
from acesaround.variants.presets import read_presets_file
from tests.cli_runner import Command
from tests.server.http_client import app, browsers

ALL = [(name, preset) for name in VARIANTS for preset in variants.presets(name)]


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


@pytest.mark.parametrize(("name", "preset"), ALL)
def test_a_preset_changes_what_it_says(name: str, preset: str) -> None:
    options = variants.preset_options(name, preset)
    rules = VARIANTS[name].with_changes(options)
    assert rules != VARIANTS[name]
    assert variants.changed_options(rules).keys() == options.keys()
    told = variants.presets(name)[preset]
    assert told.title
    assert told.description


def test_the_tournament_is_that_of_the_text() -> None:
    """Organized tournaments set the limit at 500, and a failed bid goes to the defenders."""
    rules = VARIANTS["double-deck"].with_changes(
        variants.preset_options("double-deck", "tournament")
    )
    assert rules.ending.target == 500
    assert rules.scoring.set_pays_defenders


def test_both_choices_of_a_table_at_yahoo_are_presets() -> None:
    """Extra score for duplicate sequences or not, and at least 20 points needed or not."""
    found = [
        variants.preset_options("double-deck-classic", name) for name in ("twenty", "single-runs")
    ]
    assert found == [{"min_twenty": True}, {"duplicate_runs_extra": False}]


def test_a_preset_that_is_none_is_refused_with_what_is_possible() -> None:
    with pytest.raises(RulesError, match="possible are tournament, twelve-hands"):
        variants.preset_options("double-deck", "luck")
    with pytest.raises(RulesError, match="not a preset of partnership: it has none"):
        variants.preset_options("partnership", "luck")


def test_a_preset_that_cannot_be_is_said_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "presets.toml"
    path.write_text('[luck]\ntitle = "x"\ndescription = "y"\noptions = { luck = 1 }\n', "utf-8")
    with pytest.raises(RulesError, match="The preset luck of partnership: 'luck' is no house"):
        read_presets_file(path, VARIANTS["partnership"])


def test_the_command_line_takes_presets_and_options_on_top(acesaround: Command) -> None:
    words = ("rules", "double-deck", "--preset", "tournament", "--changes")
    assert acesaround(*words).out == (
        "Double-deck partnership to 350, a set bid subtracted, with 2 changes.\n"
        "* Whether a failed bid is added to the defenders and not taken from the declarer: "
        "yes instead of no.\n"
        "* Points that win the game: 500 instead of 350.\n"
    )
    more = acesaround(*words, "--option", "target=600").out
    assert "* Points that win the game: 600 instead of 350.\n" in more
    assert "  --preset tournament " in acesaround("variants").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("rules", "partnership", "--preset", "x"),
            "'x' is not a preset of partnership: it has none",
        ),
        (("rules", "my.toml", "--preset", "x"), "my.toml: No such file"),
        (("play", "--preset", "x"), "Name the VARIANT of the preset 'x', too."),
    ],
)
def test_a_preset_of_nothing_is_refused(
    acesaround: Command, words: tuple[str, ...], said: str
) -> None:
    assert said in acesaround.refuses(*words)


def test_the_page_is_told_the_presets_of_each_game(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        told = {one["variant"]: one["presets"] for one in ann.get("/api/variants").json()}
    assert told["partnership"] == {}
    assert told["double-deck"]["tournament"]["options"] == variants.preset_options(
        "double-deck", "tournament"
    )
