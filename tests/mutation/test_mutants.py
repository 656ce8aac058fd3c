"""The mutation program: its changes, its samples and its results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.__main__ import equal_names, sample
from tests.mutation.mutations import ROOT, all_changes, changes, files


def changed_lines(source: str) -> list[str]:
    """Return the line after each change of a source."""
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
def test_operators_numbers_flags_and_functions_are_changed(line: str, now: list[str]) -> None:
    assert changed_lines(line) == now


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
def test_types_assertions_and_texts_are_not_changed(line: str) -> None:
    assert changed_lines(line) == []


def test_equal_changes_of_equal_lines_are_numbered() -> None:
    first, *_ = changes("a.py", "if a:\n    x = 1\nelse:\n    x = 1\n")
    found = changes("a.py", "if a:\n    x = 1\nelse:\n    x = 1\n")
    assert [change.turn for change in found if change.now == first.now] == [1, 2]
    assert len({change.name for change in found}) == len(found)


def test_the_name_of_a_change_does_not_depend_on_the_line_number() -> None:
    (change, *_) = changes("a.py", "def f():\n    return a < b\n")
    (moved, *_) = changes("a.py", "x = y\n\ndef f():\n    return a < b\n")
    assert change.name == moved.name
    assert (change.place, change.line, moved.line) == ("f", 2, 4)
    assert change.applied("def f():\n    return a < b\n") == "def f():\n    return a <= b\n"


def test_sources_of_rules_game_and_table_are_mutated() -> None:
    top = Path("src/acesaround")
    names = {str(path.relative_to(ROOT / top)) for path in files()}
    assert names >= {"rules/model.py", "rules/scoring.py", "rules/melds.py"}
    assert names >= {"game/phases/play.py", "game/view.py"}
    assert names >= {"table/client_state.py", "table/table.py", "table/trick_claims.py"}
    assert {change.file for change in all_changes()} <= {str(top / name) for name in names}


def test_a_sample_depends_on_its_seed_and_not_on_other_lines() -> None:
    source = "\n".join(f"x{n} = a{n} < b{n}" for n in range(50))
    all_of_them = changes("a.py", source)
    drawn = {change.name for change in sample(all_of_them, 20, seed=1)}
    assert drawn == {change.name for change in sample(all_of_them, 20, seed=1)}
    assert drawn != {change.name for change in sample(all_of_them, 20, seed=2)}
    moved = {change.name for change in sample(changes("a.py", "y = z\n" + source), 20, seed=1)}
    assert drawn == moved


def test_changes_in_equal_toml_exist() -> None:
    assert equal_names() <= {change.name for change in all_changes()}


PROGRAM = """
import sys
from tests.mutation.mutations import all_changes
from tests.mutation.runner import own_tests, run

file, was, now = "src/acesaround/rules/tricks.py", "return card < other", "return card <= other"
(change,) = [c for c in all_changes() if (c.file, c.was, c.now) == (file, was, now)]
sys.stdout.write(f"{run(own_tests(file), change, limit=600).killer}\\n")
sys.stdout.write(f"{run(own_tests(file), limit=600).killer}\\n")
sys.stdout.write(f"{run([sys.argv[1]], limit=2).killer}\\n")
"""


def test_a_mutant_is_killed_by_a_test_or_its_time_limit_without_changing_files(
    tmp_path: Path,
) -> None:
    """Runs in a process that has not loaded the rules, as `make mutants` does."""
    before = (ROOT / "src/acesaround/rules/tricks.py").read_bytes()
    endless = tmp_path / "test_endless.py"
    endless.write_text("def test_endless():\n    while True:\n        pass\n", encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, str(endless)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    changed, unchanged, ran_on = done.stdout.splitlines()
    assert changed.startswith("tests/rules/test_tricks.py::")
    assert (unchanged, ran_on) == ("None", "ran on and on")
    assert (ROOT / "src/acesaround/rules/tricks.py").read_bytes() == before
