"""Every import points strictly backwards along one line."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "acesaround"

LINE = [
    "errors",
    "extras",
    "cards",
    "options",
    "rules",
    "variants",
    "actions",
    "tricks",
    "melds",
    "laydown",
    "scoring",
    "rulebook",
    "events",
    "state",
    "phases",
    "game",
    "view",
    "record",
    "fast",
    "bots",
    "simulate",
    "ask",
    "report",
    "picture",
    "arena",
    "solve",
    "odds",
    "terminal",
    "table",
    "store",
    "server",
    "cli",
    "__main__",
]


def room(module: str) -> str | None:
    """The place on the line of a module of the package."""
    parts = module.split(".")
    if parts[0] != "acesaround" or len(parts) == 1:
        return None
    return parts[1]


def imported(path: Path) -> set[str]:
    """The places on the line that a file imports from, wherever in the file it does."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "acesaround":
                found |= {a.name for a in node.names if a.name in LINE}
            elif (place := room(node.module)) is not None:
                found.add(place)
        elif isinstance(node, ast.Import):
            found |= {place for alias in node.names if (place := room(alias.name)) is not None}
    return found


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
