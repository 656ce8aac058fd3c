"""The line of imports, and what the pages show of it: `make line` writes them again.

`LINE` is the one list: tests/test_import_order.py holds every import to it, and the pages to this.
"""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "acesaround"

LINE = [
    "errors",
    "extras",
    "letters",
    "cards",
    "options",
    "rules",
    "sheets",
    "variants",
    "actions",
    "tricks",
    "melds",
    "laydown",
    "scoring",
    "supported",
    "rulebook",
    "events",
    "sentences",
    "state",
    "phases",
    "game",
    "view",
    "record",
    "weights",
    "fast",
    "bots",
    "simulate",
    "ask",
    "report",
    "picture",
    "elsewhere",
    "arena",
    "solve",
    "odds",
    "minds",
    "table",
    "terminal",
    "store",
    "keep",
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


def uses() -> dict[str, set[str]]:
    """For each place the other places it imports from."""
    found: dict[str, set[str]] = {place: set() for place in LINE}
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if place in found:
            found[place] |= imported(path) - {place}
    return found


def line() -> str:
    """The line itself."""
    text = textwrap.fill(" ->@".join(LINE), 100, subsequent_indent="       ")
    return f"```\n{text.replace('@', ' ')}\n```"


def picture() -> str:
    """Which place uses which. An arrow that follows from others is left out."""
    used = uses()
    behind: dict[str, set[str]] = {}
    arrows = []
    for place in LINE:
        behind[place] = used[place].union(*(behind[other] for other in used[place]))
        for other in sorted(used[place], key=LINE.index):
            if not any(other in behind[between] for between in used[place]):
                arrows.append(f"    {_node(other)} --> {_node(place)}")
    return "\n".join(["```mermaid", "flowchart TD", *arrows, "```"])


def _node(place: str) -> str:
    return "main[__main__]" if place == "__main__" else place


def rooms() -> str:
    """A table of all places and what each says of itself in its first sentence."""
    rows = []
    for place in LINE:
        path = SOURCE / f"{place}.py"
        path = path if path.exists() else SOURCE / place / "__init__.py"
        told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        rows.append(f"| `{place}` | {' '.join(told.split(chr(10) * 2)[0].split())} |")
    return "\n".join(["| room | what it is |", "|---|---|", *rows])


PAGES = {
    "CONTRIBUTING.md": {"line": line},
    "docs/architecture.md": {"picture": picture, "rooms": rooms},
}
"""The pages, and what stands in each between `<!-- NAME -->` and `<!-- end of NAME -->`."""


def written(page: str) -> str:
    """A page as it should stand."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, block in PAGES[page].items():
        between = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        body = block().replace("\\", r"\\")
        text, number = between.subn(rf"\1{body}\n\2", text)
        assert number == 1, f"{page} has {number} places for {name}"
    return text


if __name__ == "__main__":
    for page in PAGES:
        (ROOT / page).write_text(written(page), encoding="utf-8")
