"""The command that measures the fast kernels: what it deals, reads and prints; never how fast."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fast
from acesaround.fast import Solver
from cpp_reference import NoStudyError, Solved, Study, read
from fast_deals import PARTNERS, Dealt, deals

# What the study printed for its first deals of nine tricks: number, value by the plain search (not
# asked here), by the other, nodes of both.
PRINTED = """0 -1 17 0 34857
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


def test_the_deals_are_those_of_the_study() -> None:
    solver = Solver(PARTNERS, 4)
    values = [solver.value(position).low for position in deals(Dealt("4", PARTNERS, 12, 9), 3, 0)]
    assert values == [solved.value for solved in read(PRINTED)]


def test_other_seeds_are_other_deals() -> None:
    dealt = Dealt("4", PARTNERS, 12, 9)
    assert next(deals(dealt, 1, 0)) == next(deals(dealt, 1, 0)) != next(deals(dealt, 1, 1))


def test_times_and_nodes_of_the_study_are_read() -> None:
    assert read(PRINTED)[0] == Solved(0.0015, 34857, 17)
    plainly = PRINTED.replace("0 -1 17 0 34857", "0 17 -1 211205 0")
    assert read(plainly, plain=True)[0] == Solved(0.0015, 211205, 17)


def test_a_study_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(NoStudyError, match="not at hand"):
        Study(None, tmp_path)
    with pytest.raises(NoStudyError, match=r"no cmp13\.cpp"):
        Study(str(tmp_path), tmp_path)


def test_rows_without_a_reference_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(fast.SETTING, raising=False)
    kept = tmp_path / "figures.json"
    fast.main(["--quick", "--rows", "two,double10", "--megabytes", "4", "--json", str(kept)])
    said = capsys.readouterr().out
    assert "two hands, 12 tricks" in said
    assert "not at hand" in said
    rows = json.loads(kept.read_text())["rows"]
    assert [row["name"] for row in rows] == ["two", "double10"]
    assert all(row["figures"]["Aces Around"]["number"] == 4 for row in rows)


def test_a_row_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fast.main(["--rows", "five"])
    assert "no row is called five" in capsys.readouterr().err
