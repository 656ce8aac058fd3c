"""The tables of docs/strength.md: made of the results that are kept, each row once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import strength
from acesaround import variants
from acesaround.rules.support import Feature, why_unsupported
from strength_pooled import pooled

MATCH = next(match for match in strength.MATCHES if match.table == "games")
SINGLE = next(match for match in strength.MATCHES if match.table == "deal")


def result(value: float, *, games: bool = True) -> dict[str, Any]:
    """What the arena would have printed, as far as a row needs it."""
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
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results elsewhere."""
    monkeypatch.setattr(strength, "RESULTS", tmp_path)
    monkeypatch.setattr(strength, "EARLIER", tmp_path / "earlier")
    (tmp_path / "earlier").mkdir()
    return tmp_path


def keep(folder: Path, match: strength.Match, found: dict[str, Any]) -> None:
    """As if every seed had come to that, or one where it is of earlier bots."""
    names = [match.name] if folder.name == "earlier" else each_seed(match)
    for name in names:
        (folder / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")


def each_seed(match: strength.Match) -> list[str]:
    return [f"{match.name}-{seed}" for seed in strength.seeds()]


def test_there_are_five_seeds_and_the_page_says_which() -> None:
    assert len(set(strength.seeds())) == 5
    text = strength.PAGE.read_text(encoding="utf-8")
    assert all(str(seed) in text for seed in strength.seeds())


def test_a_release_has_a_new_seed_in_the_place_of_the_oldest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_row_has_the_boards_of_all_seeds(kept: Path) -> None:
    keep(kept, MATCH, result(81.23))
    row = strength.tables()["games"].splitlines()[2]
    assert row == (
        f"| partnership | `{MATCH.a}` | `thumb` | 500 x 2 | +81.2 ± 1.9 | 32.5% ± 0.8"
        " | 75.0% of 200 (68.6 to 80.5) | 12 / 46 |"
    )


def test_a_row_waits_for_its_last_seed(kept: Path) -> None:
    keep(kept, MATCH, result(81.23))
    (kept / f"{each_seed(MATCH)[-1]}.json").unlink()
    assert strength.tables()["games"] == "Not played yet.\n"


def test_seeds_count_by_their_boards_and_err_apart() -> None:
    one, other = result(10.0), result(40.0)
    one["boards"], other["a"]["times"]["play"]["p95"] = 200, 0.1
    found = pooled([one, other])
    assert found["points"]["difference"]["value"] == pytest.approx(20.0)
    assert found["points"]["difference"]["error"] == pytest.approx(4.25 * 5**0.5 / 3)
    assert found["a"]["times"]["play"]["p95"] == 0.1


def test_games_of_seeds_that_vary_more_than_chance_tell_less() -> None:
    sure, unsure = result(1.0), result(1.0)
    unsure["games"]["share"].update(low=0.4, high=0.9)
    wide, narrow = (pooled([one] * 5)["games"]["share"] for one in (unsure, sure))
    assert wide["high"] - wide["low"] > 1.4 * (narrow["high"] - narrow["low"])


def test_a_rating_is_that_of_all_steps_from_thumb(kept: Path) -> None:
    chain = [m for m in strength.MATCHES if (m.table, m.variant) == ("chain", "five-card")]
    assert strength.ratings() == "Not played yet.\n"
    for match in chain:
        keep(kept, match, result(1.0))
    *_, row = strength.ratings().splitlines()
    step, half = strength.rating_step({"value": 0.75, "low": 0.686, "high": 0.805})
    cells = row.strip("| ").split(" | ")
    assert cells[0] == "five-card"
    assert cells[3] == "0"
    assert [int(cell.split()[0]) for cell in cells[1:3]] == [round(-2 * step), round(-step)]
    assert [int(cell.split()[0]) for cell in cells[4:]] == [round(n * step) for n in (1, 2, 3)]
    error = int(cells[-1].split()[-1])
    assert error == pytest.approx(half * 3**0.5, abs=2)


def test_a_line_of_the_file_is_a_match_against_somebody_elses_program(
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


def test_the_houses_drawn_by_lot_can_be_played_by_every_bot() -> None:
    sheets = sorted(strength.HOUSES.glob("*.toml"))
    assert len(sheets) == 10
    for sheet in sheets:
        assert why_unsupported(variants.load(sheet), Feature.SEARCH) is None


def test_single_deals_have_no_games(kept: Path) -> None:
    keep(kept, SINGLE, result(-3.0, games=False))
    (row,) = strength.tables()["deal"].splitlines()[2:]
    assert "| -3.0 ± 1.9 | -1.2% ± 0.8 | - |" in row


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
    assert "| five-card | +30.0 ± 1.9 | `clairvoyant` | +50.0 ± 1.9 | 60% |" in strength.covered()


def test_the_page_has_a_place_for_every_table() -> None:
    text = strength.PAGE.read_text(encoding="utf-8")
    assert strength.page(strength.page(text)) == strength.page(text)
