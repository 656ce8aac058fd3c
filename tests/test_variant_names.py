"""A variant is data: no code and no part of the page compares its name."""

from __future__ import annotations

import ast
import re

from acesaround import variants
from acesaround.sheets.fields import section_types
from tests.cli_runner import ROOT

SOURCE = ROOT / "src" / "acesaround"


def test_no_code_names_a_variant() -> None:
    """Outside `variants/` no variant's name stands in the code."""
    names = set(variants.VARIANTS) - set(section_types())
    for path in SOURCE.rglob("*.py"):
        if "variants" not in path.relative_to(SOURCE).parts:
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            found = [node.value for node in tree if isinstance(node, ast.Constant)]
            assert names.isdisjoint(found), path


def test_the_page_names_no_variant() -> None:
    """It is told which games there are, and which is offered first."""
    names = "|".join(re.escape(name) for name in variants.VARIANTS if name not in section_types())
    for path in (ROOT / "frontend" / "src").rglob("*"):
        if path.suffix in (".svelte", ".ts"):
            found = re.findall(rf"[\"'`/](?:{names})[\"'`/]", path.read_text(encoding="utf-8"))
            assert found == [], path
