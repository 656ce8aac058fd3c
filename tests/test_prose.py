"""The rules of CONTRIBUTING about names, docstrings and commits that a program can check.

ruff checks that the first line of a docstring is in the imperative (D401).
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
SOURCES: Final = sorted((ROOT / "src").rglob("*.py"))
BANNED_IN_NAMES: Final = frozenset(
    (
        *("afar", "anew", "asked", "beside", "crowd", "door", "hereafter", "its", "meanwhile"),
        *("noticing", "pulse", "riddle", "there", "thereby", "told", "toward", "whatever"),
        *("whereby", "whoever", "whom", "whose"),
    )
)
"""Words that new readers do not understand in a name: metaphors, pronouns and adverbs."""
BANNED_AT_THE_START: Final = re.compile(
    r"(?:It|That|This|What|Who|Whose|Whatever|Likewise|The same)\b"
)
BANNED_PHRASES: Final = re.compile(
    r"\b(?:who asks|whoever|what is kept|nothing any more|nobody any more|comes? of it|anew)\b"
)
MAX_SUBJECT: Final = 72
SUBJECT: Final = re.compile(r"[\w./-]+(?:, [\w./-]+)*: [A-Z]\S* ")
FIRST_CHECKED: Final = "12cf61994fdc84a707077b5e3f1e54490dccac68"
"""Commits after this one follow the rule of subjects."""

DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line, name and docstring of each module, class and function, and of each parameter."""
    tree = ast.parse(path.read_text())
    yield 1, path.stem, ast.get_docstring(tree) or ""
    for node in ast.walk(tree):
        if isinstance(node, DEFINITION):
            yield node.lineno, node.name, ast.get_docstring(node) or ""
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg, ""


def words(name: str) -> set[str]:
    """Return the words of a name in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("hand_on", {"hand", "on"}), ("BotRequest", {"bot", "request"}), ("_its", {"its"})],
)
def test_names_are_split_into_words(name: str, expected: set[str]) -> None:
    assert words(name) == expected


def test_names_are_plain() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in SOURCES
        for line, name, _ in definitions(path)
        if words(name) & BANNED_IN_NAMES
    ]
    assert found == []


def test_docstrings_are_plain() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {doc.splitlines()[0]}"
        for path in SOURCES
        for line, _, doc in definitions(path)
        if BANNED_AT_THE_START.match(doc) or BANNED_PHRASES.search(doc)
    ]
    assert found == []


def test_commit_subjects_name_a_component_and_are_short() -> None:
    """A copy without history, such as a source archive, is not checked."""
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%s", f"{FIRST_CHECKED}..HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    subjects = log.stdout.splitlines() if log.returncode == 0 else []
    assert [one for one in subjects if len(one) > MAX_SUBJECT or not SUBJECT.match(one)] == []
