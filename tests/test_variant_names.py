"""No name of a variant occurs in the code or the page, as variants are data."""

from __future__ import annotations

import ast
import re

from acesaround import variants
from acesaround.sheets.fields import section_types
from tests.cli_runner import ROOT

SOURCE = ROOT / "src" / "acesaround"


def test_the_code_outside_variants_names_no_variant() -> None:
    names = set(variants.VARIANTS) - set(section_types())
    for path in SOURCE.rglob("*.py"):
        if "variants" not in path.relative_to(SOURCE).parts:
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            found = [node.value for node in tree if isinstance(node, ast.Constant)]
            assert names.isdisjoint(found), path


def test_the_page_names_no_variant() -> None:
    names = "|".join(re.escape(name) for name in variants.VARIANTS if name not in section_types())
    for path in (ROOT / "frontend" / "src").rglob("*"):
        if path.suffix in (".svelte", ".ts"):
            found = re.findall(rf"[\"'`/](?:{names})[\"'`/]", path.read_text(encoding="utf-8"))
            assert found == [], path
