"""Every import points strictly backwards along one line."""

from __future__ import annotations

import ast

import pytest

from tests.line_of_imports import LINE, PAGES, ROOT, SOURCE, imported, written


def test_every_module_has_its_place() -> None:
    """A new file at the top must be put on the line."""
    places = {p.stem for p in SOURCE.iterdir() if p.name[0] != "_" and p.name != "static"}
    assert places - {"py"} <= set(LINE)


def test_imports_point_strictly_backwards() -> None:
    """A module imports only from places before its own."""
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if place == "__init__":
            assert imported(path) == set()
            continue
        for other in imported(path):
            assert other == place or LINE.index(other) < LINE.index(place), f"{path} -> {other}"


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_show_the_line_as_it_is(page: str) -> None:
    """`make line` writes them again."""
    assert (ROOT / page).read_text(encoding="utf-8") == written(page)


def test_no_rule_asks_for_a_variant_by_name() -> None:
    """Outside `variants/` no variant's name stands in the code."""
    names = {p.stem.replace("_", "-") for p in (SOURCE / "variants").glob("[a-z]*.py")}
    for path in SOURCE.rglob("*.py"):
        if "variants" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                for part in ast.walk(node):
                    assert not (isinstance(part, ast.Constant) and part.value in names), path
