"""The tables of docs/strength.md: made of the results that are kept, each row once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import strength

MATCH = next(match for match in strength.MATCHES if match.table == "games")
SINGLE = next(match for match in strength.MATCHES if match.table == "deal")


def result(value: float, *, games: bool = True) -> dict[str, Any]:
    """What the arena would have printed, as far as a row needs it."""
    share = {"value": 0.7654, "low": 0.71, "high": 0.81}
    return {
        "deals": 200,
        "seatings": 2,
        "in_play": 250.0,
        "points": {"difference": {"value": value, "error": 4.25}},
        "of_play": {"difference": {"value": value / 250, "error": 0.017}},
        "games": {"a": 30, "b": 10, "share": share} if games else None,
        "a": {"times": {"play": {"mean": 0.0123, "p95": 0.0456}}},
    }


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results elsewhere."""
    monkeypatch.setattr(strength, "RESULTS", tmp_path)
    monkeypatch.setattr(strength, "EARLIER", tmp_path / "earlier")
    (tmp_path / "earlier").mkdir()
    return tmp_path


def keep(folder: Path, match: strength.Match, found: dict[str, Any]) -> None:
    (folder / f"{match.name}.json").write_text(json.dumps(found), encoding="utf-8")


def test_a_row_says_what_a_match_came_to(kept: Path) -> None:
    keep(kept, MATCH, result(81.23))
    row = strength.tables()["games"].splitlines()[2]
    assert row == (
        f"| partnership | `{MATCH.a}` | `thumb` | 100 x 2 | +81.2 ± 4.2 | 32.5% ± 1.7"
        " | 76.5% of 40 (71.0 to 81.0) | 12 / 46 |"
    )


def test_single_deals_have_no_games(kept: Path) -> None:
    keep(kept, SINGLE, result(-3.0, games=False))
    (row,) = strength.tables()["deal"].splitlines()[2:]
    assert "| -3.0 ± 4.2 | -1.2% ± 1.7 | - |" in row


def test_an_earlier_result_stands_there_with_a_star_until_there_is_a_new_one(kept: Path) -> None:
    keep(kept / "earlier", MATCH, result(1.0))
    (row,) = strength.tables()["games"].splitlines()[2:]
    assert row.startswith("| partnership\\* |")
    keep(kept, MATCH, result(2.0))
    (row,) = strength.tables()["games"].splitlines()[2:]
    assert row.startswith("| partnership |")
    assert "+2.0" in row


def test_what_is_covered_is_told_of_results_of_one_time_alone(kept: Path) -> None:
    search, top = (
        match
        for match in strength.MATCHES
        if match.table == "cards" and match.variant == "five-card"
    )
    keep(kept, search, result(30.0))
    assert "five-card" not in strength.covered()
    keep(kept / "earlier", top, result(40.0))
    assert "five-card" not in strength.covered()
    keep(kept, top, result(50.0))
    assert "| five-card | +30.0 ± 4.2 | `clairvoyant` | +50.0 ± 4.2 | 60% |" in strength.covered()


def test_the_page_has_a_place_for_every_table() -> None:
    text = strength.PAGE.read_text(encoding="utf-8")
    assert strength.page(strength.page(text)) == strength.page(text)
