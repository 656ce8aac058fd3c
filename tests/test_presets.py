"""Named presets: sets of house options in the folder of a variant."""

from __future__ import annotations

from pathlib import Path

import pytest

from acesaround import variants
from acesaround.errors import RulesError
from acesaround.variants import VARIANTS
from acesaround.variants.presets import read_presets_file
from tests.cli_runner import Command
from tests.server.http_client import make_app, open_clients

ALL = [(name, preset) for name in VARIANTS for preset in variants.presets(name)]


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


@pytest.mark.parametrize(("name", "preset"), ALL)
def test_a_preset_changes_its_options(name: str, preset: str) -> None:
    options = variants.preset_options(name, preset)
    rules = VARIANTS[name].with_changes(options)
    assert rules != VARIANTS[name]
    assert variants.changed_options(rules).keys() == options.keys()
    assert variants.presets(name)[preset].title
    assert variants.presets(name)[preset].description


def test_the_tournament_preset_has_500_and_set_pays_defenders() -> None:
    rules = VARIANTS["double-deck"].with_changes(
        variants.preset_options("double-deck", "tournament")
    )
    assert rules.ending.target == 500
    assert rules.scoring.set_pays_defenders


def test_the_options_of_yahoo_tables_are_presets() -> None:
    found = [
        variants.preset_options("double-deck-classic", name) for name in ("twenty", "single-runs")
    ]
    assert found == [{"min_twenty": True}, {"duplicate_runs_extra": False}]


def test_an_unknown_preset_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(RulesError, match="expected one of tournament, twelve-hands"):
        variants.preset_options("double-deck", "luck")
    with pytest.raises(RulesError, match="not a preset of partnership: it has none"):
        variants.preset_options("partnership", "luck")


def test_an_invalid_preset_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "presets.toml"
    path.write_text('[luck]\ntitle = "x"\ndescription = "y"\noptions = { luck = 1 }\n', "utf-8")
    with pytest.raises(RulesError, match="The preset luck of partnership: 'luck' is no house"):
        read_presets_file(path, VARIANTS["partnership"])


def test_the_command_line_accepts_a_preset_and_further_options(acesaround: Command) -> None:
    words = ("rules", "double-deck", "--preset", "tournament", "--changes")
    assert acesaround(*words).out == (
        "Double-deck partnership to 350, with 2 changes.\n"
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
def test_a_preset_without_a_matching_variant_is_refused(
    acesaround: Command, words: tuple[str, ...], said: str
) -> None:
    assert said in acesaround.refuses(*words)


def test_the_variants_api_lists_the_presets(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        told = {one["variant"]: one["presets"] for one in ann.get("/api/variants").json()}
    assert told["partnership"] == {}
    assert told["double-deck"]["tournament"]["options"] == variants.preset_options(
        "double-deck", "tournament"
    )
