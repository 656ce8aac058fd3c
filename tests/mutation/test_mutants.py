"""The program that changes the rules: what it changes, and that it tells who notices."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.__main__ import equal, sample
from tests.mutation.mutations import ROOT, changes, every, files


def told(source: str) -> list[str]:
    """The lines that a source can be changed to."""
    return [change.now for change in changes("some.py", source)]


@pytest.mark.parametrize(
    ("line", "now"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a == b != c", ["a != b != c", "a == b == c"]),
        ("a is not b", ["a is b"]),
        ("a not in (b)", ["a in (b)"]),
        ("a and b and c", ["a or b and c", "a and b or c"]),
        ("(a) + (b)", ["(a) - (b)"]),
        ("a // b", ["a * b"]),
        ("a += b", ["a -= b"]),
        ("f(not a)", ["f( a)"]),
        ("-a & ~b", ["-a | ~b", "a & ~b", "-a & b"]),
        ("f(10)", ["f(11)", "f(9)"]),
        ("f(0, True)", ["f(1, True)", "f(0, False)"]),
        ("min(a, all(b))", ["max(a, all(b))", "min(a, any(b))"]),
        ("'♥', a + b", ["'♥', a - b"]),
    ],
)
def test_one_operator_number_flag_or_word_is_changed(line: str, now: list[str]) -> None:
    assert told(line) == now


@pytest.mark.parametrize(
    "line",
    [
        "a: int | None",
        "def f(a: int | None) -> int | None: ...",
        "assert a < b",
        "isinstance(a, int | str)",
        "class A(B, frozen=True): ...",
        "f'{a + b}'",
        "'10 < 11'",
    ],
)
def test_types_assertions_and_sentences_are_left_as_they_are(line: str) -> None:
    assert told(line) == []


def test_the_same_change_of_the_same_line_is_known_by_its_turn() -> None:
    first, *_ = changes("a.py", "if a:\n    x = 1\nelse:\n    x = 1\n")
    found = changes("a.py", "if a:\n    x = 1\nelse:\n    x = 1\n")
    assert [change.turn for change in found if change.now == first.now] == [1, 2]
    assert len({change.name for change in found}) == len(found)


def test_a_change_is_known_wherever_its_line_stands() -> None:
    (here, *_) = changes("a.py", "def f():\n    return a < b\n")
    (there, *_) = changes("a.py", "x = y\n\ndef f():\n    return a < b\n")
    assert here.name == there.name
    assert (here.place, here.line, there.line) == ("f", 2, 4)
    assert here.applied("def f():\n    return a < b\n") == "def f():\n    return a <= b\n"


def test_rules_phases_scoring_melds_view_and_table_are_changed() -> None:
    top = Path("src/acesaround")
    names = {str(path.relative_to(ROOT / top)) for path in files()}
    assert names >= {"rules/model.py", "rules/scoring.py", "rules/melds.py"}
    assert names >= {"game/phases/play.py", "game/view.py"}
    assert names >= {"table/client_state.py", "table/table.py", "table/claiming.py"}
    assert {change.file for change in every()} <= {str(top / name) for name in names}


def test_a_seed_draws_the_same_changes_whatever_else_is_edited() -> None:
    source = "\n".join(f"x{n} = a{n} < b{n}" for n in range(50))
    all_of_them = changes("a.py", source)
    drawn = {change.name for change in sample(all_of_them, 20, seed=1)}
    assert drawn == {change.name for change in sample(all_of_them, 20, seed=1)}
    assert drawn != {change.name for change in sample(all_of_them, 20, seed=2)}
    moved = {change.name for change in sample(changes("a.py", "y = z\n" + source), 20, seed=1)}
    assert drawn == moved


def test_changes_named_as_equal_still_stand() -> None:
    assert equal() <= {change.name for change in every()}


TRIED = """
import sys
from tests.mutation.mutations import every
from tests.mutation.runner import own_tests, run

file, was, now = "src/acesaround/rules/tricks.py", "return card < other", "return card <= other"
(change,) = [one for one in every() if (one.file, one.was, one.now) == (file, was, now)]
sys.stdout.write(f"{run(own_tests(file), change, limit=600).killer}\\n")
sys.stdout.write(f"{run(own_tests(file), limit=600).killer}\\n")
sys.stdout.write(f"{run([sys.argv[1]], limit=2).killer}\\n")
"""


def test_a_change_is_noticed_by_a_test_or_by_running_on_and_no_file_is_touched(
    tmp_path: Path,
) -> None:
    """In a process that has not loaded the rules, as `make mutants` is one."""
    before = (ROOT / "src/acesaround/rules/tricks.py").read_bytes()
    endless = tmp_path / "test_endless.py"
    endless.write_text("def test_endless():\n    while True:\n        pass\n", encoding="utf-8")
    command = [sys.executable, "-c", TRIED, str(endless)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    changed, unchanged, ran_on = done.stdout.splitlines()
    assert changed.startswith("tests/rules/test_tricks.py::")
    assert (unchanged, ran_on) == ("None", "ran on and on")
    assert (ROOT / "src/acesaround/rules/tricks.py").read_bytes() == before
