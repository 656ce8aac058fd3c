"""The examples and links in the documentation."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

import acesaround
from acesaround import cli
from acesaround import rules as parts
from acesaround.record import from_text, to_text, verify
from acesaround.record.model import decode
from acesaround.rules import Rules
from acesaround.sheets import SheetError, read
from acesaround.variants import VARIANTS
from tests.public_types import internal_modules, public_modules

ROOT = Path(__file__).parent.parent
PARTS: Final[dict[str, Any]] = {
    "deal": parts.DealRules,
    "auction": parts.Auction,
    "exchange": parts.Exchange,
    "melds": parts.MeldTable,
    "play": parts.PlayRules,
    "scoring": parts.Scoring,
    "ending": parts.Ending,
}
PAGES = (
    "README.md",
    "docs/environments.md",
    "docs/notation.md",
    "docs/record.md",
    "docs/review.md",
    "docs/sheets.md",
    "docs/simulating.md",
    "docs/solving.md",
)


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of a page in a language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def examples(block: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with its output."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to an empty folder with links to the sources and tests."""
    for name in ("src", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_command(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the output of a line `acesaround ...` or `echo ... | acesaround ...`."""
    words = shlex.split(command)
    if words[0] == "echo":
        at = words.index("|")
        given = " ".join(words[1:at]) + "\n"
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        words = words[at + 1 :]
    assert words[0] == "acesaround"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert cli.main(words[1:]) == 0
    return printed.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_the_output_on_the_page(
    page: str, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sheet in blocks(page, "toml"):
        (empty_folder / sheet.split()[1]).write_text(sheet, encoding="utf-8")
    found = [example for block in blocks(page, "console") for example in examples(block)]
    assert bool(found) == (
        page not in ("docs/environments.md", "docs/notation.md", "docs/record.md")
    )
    for command, shown in found:
        assert run_command(command, monkeypatch) == shown, command


def test_the_invalid_sheet_on_the_page_is_refused_as_shown() -> None:
    page = (ROOT / "docs/sheets.md").read_text("utf-8")
    (sheet,) = (one for one in blocks("docs/sheets.md", "toml") if one.startswith("# wrong.toml"))
    with pytest.raises(SheetError) as found:
        read(sheet, "wrong", VARIANTS, "wrong.toml")
    for line in str(found.value).split("\n"):
        assert f"\nacesaround: {line}\n" in page


def test_the_python_of_the_readme_runs(
    empty_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts = [block for block in blocks("README.md", "python") if ">>>" not in block]
    assert len(scripts) == 1
    exec(compile(scripts[0], "README.md", "exec"), {})
    assert re.fullmatch(r"Side \d wins after \d+ deals: \(.*\)\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/bots.md",
        "docs/kernels.md",
        "docs/library.md",
        "docs/simulating.md",
        "docs/worlds.md",
    ],
)
def test_python_sessions_print_the_output_on_the_page(page: str, empty_folder: Path) -> None:
    session = "\n".join(block for block in blocks(page, "python") if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    assert len(test.examples) > 5
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0


def python_pages() -> list[str]:
    """Return the pages with Python."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    names = [page.relative_to(ROOT).as_posix() for page in pages]
    return [name for name in names if blocks(name, "python")]


def imported_modules(source: str) -> set[str]:
    """Return the modules of the package that a program imports, or imports names from."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "acesaround":
            modules |= {f"acesaround.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
    return {module for module in modules if module.startswith("acesaround")}


@pytest.mark.parametrize("page", python_pages())
def test_the_python_of_a_page_imports_only_public_modules(page: str) -> None:
    found = set()
    for block in blocks(page, "python"):
        session = "".join(one.source for one in doctest.DocTestParser().get_examples(block))
        found |= imported_modules(session if ">>>" in block else block)
    assert found
    assert found <= set(public_modules())


def test_the_page_of_the_library_lists_modules_with_their_stability() -> None:
    listed = public_modules()
    assert len(listed) > 30
    for stability in listed.values():
        assert re.fullmatch(r"stable|may change(: .+)?", stability)
    assert not set(internal_modules()) & set(listed)
    for module in (*listed, *internal_modules()):
        path = ROOT / "src" / Path(*module.split("."))
        assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), module


def test_the_example_of_the_text_notation_round_trips() -> None:
    (example,) = [b for b in blocks("docs/notation.md", "") if b.startswith("acesaround/")]
    record = from_text(example)
    assert verify(record) == []
    assert without_rules(to_text(record)) == example


def test_the_example_of_the_text_notation_may_omit_result_lines() -> None:
    (example,) = [b for b in blocks("docs/notation.md", "") if b.startswith("acesaround/")]
    typed = "".join(x for x in example.splitlines(keepends=True) if not x.startswith("="))
    assert typed != example
    assert without_rules(to_text(from_text(typed))) == example


def without_rules(text: str) -> str:
    """Return a text without its line of rules, as people write it."""
    lines = text.splitlines(keepends=True)
    assert sum(line.startswith("rules {") for line in lines) == 1
    return "".join(line for line in lines if not line.startswith("rules {"))


@pytest.mark.parametrize("part", [None, *PARTS])
def test_the_page_of_the_rules_object_names_every_field(part: str | None) -> None:
    """Each part has a section with its own fields and no others."""
    head, *sections = (ROOT / "docs/rules-object.md").read_text("utf-8").split("\n## ")
    by_part = {one.split("`")[1]: one for one in sections}
    assert list(by_part) == list(PARTS)
    lines = (by_part[part] if part else head).splitlines()
    rows = [line.split("|")[1] for line in lines if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    owner = PARTS[part] if part else Rules
    assert sorted(named) == sorted(set(owner.__struct_fields__) - (set() if part else set(PARTS)))


def test_the_example_of_the_json_record_verifies() -> None:
    (example,) = blocks("docs/record.md", "json")
    record = decode(example)
    assert record.winner is not None
    assert verify(record) == []


def test_the_json_on_the_page_about_solving_is_what_is_printed(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = blocks("docs/solving.md", "json")
    (first, *_) = [one for b in blocks("docs/solving.md", "console") for one in examples(b)]
    shown, printed = json.loads(example), json.loads(run_command(f"{first[0]} --json", monkeypatch))
    assert list(shown) == list(printed)
    for told in (shown, printed):
        del told["nodes"], told["seconds"]
        del told["cards"][1:], told["cards"][0]["nodes"]  # the page shows one card
    assert shown == printed


def json_shape(value: object) -> object:
    """Return the keys and types of a JSON value."""
    if isinstance(value, dict):
        return {name: json_shape(field) for name, field in value.items()}
    if isinstance(value, list):
        return [json_shape(value[0])] if value else []
    return type(value)


def test_the_json_on_the_simulating_page_has_the_printed_fields(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (example,) = blocks("docs/simulating.md", "json")
    words = "acesaround simulate partnership --fast --deals 1000 --json"
    assert json_shape(json.loads(example)) == json_shape(
        json.loads(run_command(words, monkeypatch))
    )


@pytest.mark.parametrize(
    "page",
    [
        *PAGES,
        "docs/architecture.md",
        "docs/arena.md",
        "docs/worlds.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ],
)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert "://" in target or ((ROOT / page).parent / target).exists(), target


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    prose = re.sub(r"^ *```.*?^ *```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        *sorted(str(one.relative_to(ROOT)) for one in (ROOT / "docs").glob("*.md")),
    ],
)
def test_links_have_existing_targets_and_anchors(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for file, _, anchor in re.findall(r"\]\((?!\w+:)([^)#\s]*)(#([^)\s]+))?\)", text):
        target = (ROOT / page).parent / file if file else ROOT / page
        assert target.exists(), file
        if anchor:
            assert anchor in anchors(target), f"{file}#{anchor}"


def source_file(name: str) -> Path:
    """Return the path of a file that docs/finding-your-way.md names."""
    return ROOT / ("" if name.startswith("frontend/") else "src/acesaround") / name


def test_the_files_of_the_questions_have_what_they_are_named_for() -> None:
    page = (ROOT / "docs/finding-your-way.md").read_text("utf-8")
    rows = re.findall(r"^\| .+\? \| `(.+?)` \| (.+) \|$", page, re.MULTILINE)
    assert len(rows) == page.count("\n| ") - page.count("\n| question ") >= 20  # all but heads
    for file, hints in rows:
        path = source_file(file)
        first, *others = re.findall(r"`(.+?)`", hints)
        assert (
            "/" in first or first == "strings.ts" or first.split(".")[-1] in path.read_text("utf-8")
        )
        for other in (one for one in (first, *others) if "/" in one):
            assert source_file(other).exists(), other


def test_the_citation_agrees_with_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == acesaround.__version__
    assert citation["title"] == project["description"]
    assert (citation["authors"], citation["license"]) == (project["authors"], project["license"])
