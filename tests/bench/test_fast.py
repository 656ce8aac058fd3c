"""The command that measures the fast kernels: its deals, parsing and output, without speeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fast
from acesaround.fast import Solver
from cpp_reference import NoStudyError, Solved, Study, read
from fast_deals import PARTNERS, DealKind, deals

# Output of the study for its first deals of nine tricks: number, value by the plain search (not
# run here) and by the other, nodes of both.
STUDY_OUTPUT = """0 -1 17 0 34857
1 -1 18 0 23321
2 -1 21 0 921
4h n=9 real deals 3 mismatches 0 sum 56
  new   ms med     1.39 p95     9.51 max    12.29 mean     2.36 | nodes med     26511 p95     193871
clock 1000000
clock 2500000
clock 3000000
clock 3900000
clock 4000000
clock 4000100
"""


def test_deals_are_those_of_the_study() -> None:
    solver = Solver(PARTNERS, 4)
    values = [
        solver.value(position).lower_bound
        for position in deals(DealKind("4", PARTNERS, 12, 9), 3, 0)
    ]
    assert values == [solved.value for solved in read(STUDY_OUTPUT)]


def test_seed_determines_the_deals() -> None:
    dealt = DealKind("4", PARTNERS, 12, 9)
    assert next(deals(dealt, 1, 0)) == next(deals(dealt, 1, 0)) != next(deals(dealt, 1, 1))


def test_output_of_the_study_is_parsed() -> None:
    assert read(STUDY_OUTPUT)[0] == Solved(0.0015, 34857, 17)
    plainly = STUDY_OUTPUT.replace("0 -1 17 0 34857", "0 17 -1 211205 0")
    assert read(plainly, plain=True)[0] == Solved(0.0015, 211205, 17)


def test_missing_study_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(NoStudyError, match="not at hand"):
        Study(None, tmp_path)
    with pytest.raises(NoStudyError, match=r"no cmp13\.cpp"):
        Study(str(tmp_path), tmp_path)


def test_rows_without_a_reference_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(fast.SETTING, raising=False)
    figures = tmp_path / "figures.json"
    fast.main(["--quick", "--rows", "two,double10", "--megabytes", "4", "--json", str(figures)])
    printed = capsys.readouterr().out
    assert "two hands, 12 tricks" in printed
    assert "not at hand" in printed
    rows = json.loads(figures.read_text())["rows"]
    assert [row["name"] for row in rows] == ["two", "double10"]
    assert all(row["figures"]["Aces Around"]["number"] == 4 for row in rows)


def test_unknown_row_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fast.main(["--rows", "five"])
    assert "no row is called five" in capsys.readouterr().err
