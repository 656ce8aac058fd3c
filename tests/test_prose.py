"""The rules of CONTRIBUTING about names, docstrings and commits that a program can check.

ruff checks that the first line of a docstring is in the imperative (D401).
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE_SOURCES: Final = sorted((ROOT / "src").rglob("*.py"))
SOURCES: Final = [
    *PACKAGE_SOURCES,
    *(
        path
        for folder in ("bench", "deploy", "docs", "examples")
        for path in (ROOT / folder).rglob("*.py")
    ),
    *(ROOT / "frontend").glob("*.py"),
    ROOT / "hatch_build.py",
]
BANNED_IN_NAMES: Final = frozenset(
    (
        *("afar", "anew", "asked", "beside", "crowd", "door", "hereafter", "its", "meanwhile"),
        *("noticing", "pulse", "riddle", "there", "thereby", "told", "toward", "whatever"),
        *("whereby", "whoever", "whom", "whose"),
    )
)
"""Words that new readers do not understand in a name: metaphors, pronouns and adverbs."""
BANNED_IN_PAGE_NAMES: Final = BANNED_IN_NAMES | {"feasted", "heard", "hushed", "said", "went"}
OPTION_NAMES: Final = {"all_asked", "nine_beside"}  # as in records of games, so they stay
PAGE_DECLARATION: Final = re.compile(
    r"(?:\b(?:const|let|function|interface|type|class|import|as)\s+|@const\s+|\bprivate\s+"
    r"|\bget\s+|^\s+)#?(?P<name>[A-Za-z_$][\w$]*)\s*(?=[:=(<?,]|=>)",
    re.MULTILINE,
)
"""A name that a file of the page declares, or the key of an object on a line of its own."""
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

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
DEFINITION = FUNCTION | ast.ClassDef
DOCUMENTED = DEFINITION | ast.Module
PACKAGE: Final = ROOT / "src/acesaround"
PYTHON_NAMES: Final = frozenset((*keyword.kwlist, *dir(builtins)))
FIELDS_ABOVE_A_COLON: Final = re.compile(r"((?:`[a-z_]\w*`(?:, | and |, and )?)+):")
"""Names before a colon, as in "`a`, `b`: the points of each side"."""
VALUES_IN_DOCSTRINGS: Final = frozenset(
    (
        ("ReasonTemplate", "others"),
        ("ReasonTemplate", "bid"),
        ("ReasonTemplate", "limit"),
        ("PeerMessage", "here"),
        ("PeerMessage", "hello"),
        ("PeerMessage", "whole"),
        ("PeerMessage", "alive"),
        ("PeerMessage", "bye"),
        ("answer_legal_query", "trick"),
        ("answer_legal_query", "broken"),
        ("answer_legal_query", "phase"),
        ("preview_code", "leaves"),
    )
)
"""Words before a colon that are values or keys of JSON, by class or function."""


def definitions(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line, name and docstring of each module, class and function, and of each parameter."""
    tree = ast.parse(path.read_text())
    yield 1, path.stem, ast.get_docstring(tree) or ""
    for node in ast.walk(tree):
        if isinstance(node, DEFINITION):
            yield node.lineno, node.name, ast.get_docstring(node) or ""
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg, ""


def docstrings(tree: ast.Module) -> Iterator[tuple[DOCUMENTED | None, int, str]]:
    """Yield each docstring with its node and line; those of fields and constants have no node."""
    for node in ast.walk(tree):
        if not isinstance(node, DOCUMENTED):
            continue
        for number, statement in enumerate(node.body):
            if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
                continue
            if isinstance(text := statement.value.value, str):
                yield None if number else node, statement.lineno, text


def names_in(tree: ast.Module) -> set[str]:
    """Return the identifiers in a file, and the words in its strings other than docstrings."""
    texts = {text for _, _, text in docstrings(tree)}
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("name", "id", "attr", "arg", "asname", "module"):
            if isinstance(value := getattr(node, field, None), str):
                found.update(value.split("."))
        if isinstance(node, ast.Constant) and isinstance(text := node.value, str):
            found.update(() if text in texts else re.findall(r"[A-Za-z_]\w*", text))
    return found


def names_by_folder(trees: Mapping[Path, ast.Module]) -> dict[Path, set[str]]:
    """Return the names of the functions and classes of the modules in each folder."""
    found: dict[Path, set[str]] = {}
    for path, tree in trees.items():
        names = found.setdefault(path.parent, set())
        names.update(node.name for node in ast.walk(tree) if isinstance(node, DEFINITION))
    return found


def names_of(node: DOCUMENTED | None) -> set[str]:
    """Return the parameters of a function, or of a class the fields, methods and attributes."""
    if isinstance(node, FUNCTION):
        arguments = node.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        extra = (one for one in (arguments.vararg, arguments.kwarg) if one)
        return {one.arg for one in (*every, *extra)}
    found: set[str] = set()
    for one in ast.walk(node) if isinstance(node, ast.ClassDef) else ():
        if isinstance(one, FUNCTION):
            found |= {one.name} | (names_of(one) if one.name == "__init__" else set())
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            found.add(one.id)
        elif isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
            found.add(one.attr)
    return found


def unknown_words(trees: Mapping[Path, ast.Module]) -> list[str]:
    """Return the words in backticks that are no names, and the errors that do not exist."""
    modules = {path.stem for path in trees} | {path.parent.name for path in trees}
    by_folder = names_by_folder(trees)
    by_file = {path: names_in(tree) for path, tree in trees.items()}
    every = set().union(*by_file.values()) | PYTHON_NAMES
    found = []
    for path, tree in trees.items():
        known = by_file[path] | modules | by_folder[path.parent] | PYTHON_NAMES
        for _, line, text in docstrings(tree):
            unknown = set(re.findall(r"`([a-z_][a-z0-9_]*)`", text)) - known
            unknown |= set(re.findall(r"\b[A-Z][A-Za-z]*Error\b", text)) - every
            found += [f"{path.name}:{line}: {word}" for word in sorted(unknown)]
    return found


def unknown_fields(trees: Mapping[Path, ast.Module]) -> list[str]:
    """Return the words before a colon that are neither parameters nor fields."""
    found = []
    for path, tree in trees.items():
        classes = {one.name: one for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}
        for node, line, text in docstrings(tree):
            if not isinstance(node, DEFINITION):
                continue
            known = names_of(node)
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                known |= names_of(classes.get(ast.unparse(base)))
            found += [
                f"{path.name}:{line}: {node.name}: {word}"
                for names in FIELDS_ABOVE_A_COLON.findall(text)
                for word in re.findall(r"`(\w+)`", names)
                if word not in known and (node.name, word) not in VALUES_IN_DOCSTRINGS
            ]
    return found


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


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("  told = $state('');", "told"),
        ("const told: string[] = [];", "told"),
        ("function told(event: GameEvent): string {", "told"),
        ("{@const beside = asideOf(width)}", "beside"),
        ("    told: string; // the step in a sentence", "told"),
        ("    told,", "told"),
        ("  #asked = 0;", "asked"),
    ],
)
def test_declarations_of_the_page_are_found(line: str, name: str) -> None:
    assert name in [found["name"] for found in PAGE_DECLARATION.finditer(line)]


def test_names_of_the_page_are_plain() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for pattern in ("*.ts", "*.svelte")
        for path in sorted((ROOT / "frontend/src").rglob(pattern))
        for name in {
            declared["name"] for declared in PAGE_DECLARATION.finditer(path.read_text("utf-8"))
        }
        if words(name) & BANNED_IN_PAGE_NAMES and name not in OPTION_NAMES
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


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for path in SOURCES}


def test_words_in_backticks_are_names(trees: dict[Path, ast.Module]) -> None:
    """A rename has to change the docstrings too."""
    assert unknown_words(trees) == []


def test_docstrings_explain_parameters_and_fields_that_exist(
    trees: dict[Path, ast.Module],
) -> None:
    assert unknown_fields(trees) == []


PLANTED: Final = '''
class Seat:
    """A seat. `person`: its holder; `covered`: a bot plays. See `fold`. Raises GoneError."""

    person: str
    bot: str
    """The bot of `persn`."""


def play(card: int) -> None:
    """Play `card` from `hand`.

    `card`, `trump`: the kinds. Raises ValueError.
    """
'''


def test_wrong_names_in_docstrings_are_found() -> None:
    planted = {PACKAGE / "planted.py": ast.parse(PLANTED)}
    assert unknown_words(planted) == [
        *("planted.py:3: GoneError", "planted.py:3: covered", "planted.py:3: fold"),
        *("planted.py:7: persn", "planted.py:11: hand", "planted.py:11: trump"),
    ]
    assert unknown_fields(planted) == ["planted.py:3: Seat: covered", "planted.py:11: play: trump"]
