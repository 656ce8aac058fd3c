"""The tables of docs/strength.md: made from stored results, each row once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import strength
from acesaround import variants
from acesaround.rules.feature_support import Feature, why_unsupported
from strength_pooled import pooled

MATCH = next(match for match in strength.MATCHES if match.table == "games")
SINGLE = next(match for match in strength.MATCHES if match.table == "deal")


def result(value: float, *, games: bool = True) -> dict[str, Any]:
    """Return the parts of a result of the arena that a row needs."""
    share = {"value": 0.7654, "low": 0.71, "high": 0.81}
    return {
        "boards": 100,
        "deals": 200,
        "seatings": 2,
        "in_play": 250.0,
        "points": {"difference": {"value": value, "error": 4.25}},
        "of_play": {"difference": {"value": value / 250, "error": 0.017}},
        "games": {"a": 30, "b": 10, "share": share} if games else None,
        "a": {"times": {"play": {"decisions": 10, "mean": 0.0123, "p95": 0.0456}}},
    }


@pytest.fixture
def results_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store results in a temporary folder."""
    monkeypatch.setattr(strength, "RESULTS", tmp_path)
    monkeypatch.setattr(strength, "EARLIER", tmp_path / "earlier")
    (tmp_path / "earlier").mkdir()
    return tmp_path


def store_result(folder: Path, match: strength.Match, found: dict[str, Any]) -> None:
    """Store a result for each seed, or only one in the folder of earlier results."""
    names = [match.name] if folder.name == "earlier" else result_names(match)
    for name in names:
        (folder / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")


def result_names(match: strength.Match) -> list[str]:
    return [f"{match.name}-{seed}" for seed in strength.seeds()]


def test_page_lists_the_five_seeds() -> None:
    assert len(set(strength.seeds())) == 5
    text = strength.PAGE.read_text(encoding="utf-8")
    assert all(str(seed) in text for seed in strength.seeds())


def test_fresh_replaces_the_oldest_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, copied = strength.seeds(), tmp_path / "seeds.toml"
    copied.write_text(strength.SEEDS.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(strength, "SEEDS", copied)
    strength.seeds.cache_clear()
    strength.fresh()
    strength.seeds.cache_clear()
    after = strength.seeds()
    strength.seeds.cache_clear()
    assert after[:-1] == before[1:]
    assert after[-1] not in before


def test_row_pools_all_seeds(results_folder: Path) -> None:
    store_result(results_folder, MATCH, result(81.23))
    row = strength.tables()["games"].splitlines()[2]
    assert row == (
        f"| partnership | `{MATCH.a}` | `thumb` | 500 x 2 | +81.2 ± 1.9 | 32.5% ± 0.8"
        " | 75.0% of 200 (68.6 to 80.5) | 12 / 46 |"
    )


def test_row_needs_all_seeds(results_folder: Path) -> None:
    store_result(results_folder, MATCH, result(81.23))
    (results_folder / f"{result_names(MATCH)[-1]}.json").unlink()
    assert strength.tables()["games"] == ""


def test_sections_without_results_are_left_out(results_folder: Path) -> None:
    text = strength.PAGE.read_text(encoding="utf-8")
    empty = strength.page(text)
    assert not re.search(r"## (Ratings|With house rules|Against programs of others)", empty)
    for match in (m for m in strength.MATCHES if (m.table, m.variant) == ("chain", "five-card")):
        store_result(results_folder, match, result(1.0))
    played = strength.page(empty)
    assert "\n## Ratings\n\nAll levels" in played
    assert strength.page(played) == played


def test_seeds_are_weighted_by_boards_with_independent_errors() -> None:
    first, second = result(10.0), result(40.0)
    first["boards"], second["a"]["times"]["play"]["p95"] = 200, 0.1
    found = pooled([first, second])
    assert found["points"]["difference"]["value"] == pytest.approx(20.0)
    assert found["points"]["difference"]["error"] == pytest.approx(4.25 * 5**0.5 / 3)
    assert found["a"]["times"]["play"]["p95"] == 0.1


def test_wide_intervals_of_seeds_widen_the_pooled_interval() -> None:
    sure, unsure = result(1.0), result(1.0)
    unsure["games"]["share"].update(low=0.4, high=0.9)
    wide, narrow = (pooled([one] * 5)["games"]["share"] for one in (unsure, sure))
    assert wide["high"] - wide["low"] > 1.4 * (narrow["high"] - narrow["low"])


def test_rating_sums_the_steps_from_thumb(results_folder: Path) -> None:
    chain = [m for m in strength.MATCHES if (m.table, m.variant) == ("chain", "five-card")]
    assert strength.ratings() == ""
    for match in chain:
        store_result(results_folder, match, result(1.0))
    *_, row = strength.ratings().splitlines()
    step, half = strength.rating_step({"value": 0.75, "low": 0.686, "high": 0.805})
    cells = row.strip("| ").split(" | ")
    assert cells[0] == "five-card"
    assert cells[3] == "0"
    assert [int(cell.split()[0]) for cell in cells[1:3]] == [round(-2 * step), round(-step)]
    assert [int(cell.split()[0]) for cell in cells[4:]] == [round(n * step) for n in (1, 2, 3)]
    error = int(cells[-1].split()[-1])
    assert error == pytest.approx(half * 3**0.5, abs=2)


def test_line_of_others_toml_is_a_match_against_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = (
        '"Theirs" = { game = "double-deck", options = ["exchange=4"], '
        'ours = "medium", theirs = "cmd:theirs --fast", deals = 50 }'
    )
    others = tmp_path / "others.toml"
    others.write_text(line, encoding="utf-8")
    monkeypatch.setattr(strength, "OTHERS", others)
    (match,) = strength.others()
    assert match.name == "others-Theirs-medium-cmd_theirs_--fast"
    words = ["arena", "double-deck", "medium", "cmd:theirs --fast", "--deals", "10", "--seed", "1"]
    assert match.words(1) == [*words, "--single-deals", "--option", "exchange=4"]


def test_house_rule_sheets_are_supported_by_search() -> None:
    sheets = sorted(strength.HOUSES.glob("*.toml"))
    assert len(sheets) == 10
    for sheet in sheets:
        assert why_unsupported(variants.load(sheet), Feature.SEARCH) is None


def test_row_of_single_deals_has_no_games(results_folder: Path) -> None:
    store_result(results_folder, SINGLE, result(-3.0, games=False))
    (row,) = strength.tables()["deal"].splitlines()[2:]
    assert "| -3.0 ± 1.9 | -1.2% ± 0.8 | - |" in row


def test_earlier_result_has_a_star_until_a_new_one_exists(results_folder: Path) -> None:
    store_result(results_folder / "earlier", MATCH, result(1.0))
    (row,) = strength.tables()["games"].splitlines()[2:]
    assert row.startswith("| partnership\\* |")
    store_result(results_folder, MATCH, result(2.0))
    (row,) = strength.tables()["games"].splitlines()[2:]
    assert row.startswith("| partnership |")
    assert "+2.0" in row


def test_covered_compares_only_results_of_the_same_time(results_folder: Path) -> None:
    search, top = (
        match
        for match in strength.MATCHES
        if match.table == "cards" and match.variant == "five-card"
    )
    store_result(results_folder, search, result(30.0))
    assert "five-card" not in strength.covered()
    store_result(results_folder / "earlier", top, result(40.0))
    assert "five-card" not in strength.covered()
    store_result(results_folder, top, result(50.0))
    assert "| five-card | +30.0 ± 1.9 | `clairvoyant` | +50.0 ± 1.9 | 60% |" in strength.covered()


def test_page_has_markers_for_every_table() -> None:
    text = strength.PAGE.read_text(encoding="utf-8")
    assert strength.page(strength.page(text)) == strength.page(text)
