"""Every import points strictly backwards along one line."""

from __future__ import annotations

import ast
import re

import pytest

from acesaround import variants
from acesaround.sheets.fields import parts
from tests.import_layers import LINE, PAGES, ROOT, SOURCE, imported, written


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


def test_no_code_names_a_variant() -> None:
    """Outside `variants/` no variant's name stands in the code."""
    names = set(variants.VARIANTS) - set(parts())
    for path in SOURCE.rglob("*.py"):
        if "variants" not in path.relative_to(SOURCE).parts:
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            found = [node.value for node in tree if isinstance(node, ast.Constant)]
            assert names.isdisjoint(found), path


def test_the_page_names_no_variant() -> None:
    """It is told which games there are, and which is offered first."""
    names = "|".join(re.escape(name) for name in variants.VARIANTS if name not in parts())
    for path in (ROOT / "frontend" / "src").rglob("*"):
        if path.suffix in (".svelte", ".ts"):
            found = re.findall(rf"[\"'`/](?:{names})[\"'`/]", path.read_text(encoding="utf-8"))
            assert found == [], path
