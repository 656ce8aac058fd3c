"""The mutations of a source: one operator, number, flag or function name at a time.

Types, assertions and texts are not changed, because they decide nothing in a game.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent.parent
PACKAGES: Final = ("rules", "game", "game/phases", "table")
"""The packages whose sources are mutated."""
SKIPPED: Final = {
    *("rules/__init__.py", "rules/options.py", "rules/feature_support.py"),
    *("game/__init__.py", "game/events.py", "game/narration.py"),
}
"""Their files without rules of the game."""

_COMPARISONS: Final = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
}
_OPERATORS: Final = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "//": "*",
    "%": "+",
    "&": "|",
    "|": "&",
    "<<": ">>",
    ">>": "<<",
    "and": "or",
    "or": "and",
}
_FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Change(NamedTuple):
    """One mutation of a source: characters `start` to `end` are replaced by `new`.

    `file`: from the root of the repository. `place`: the names of the classes and the function
    around it. `was` and `now`: the line before and after, without its indentation. `turn`: the
    number of this change among equal changes of equal lines of the place.
    """

    file: str
    place: str
    was: str
    now: str
    turn: int
    line: int
    start: int
    end: int
    new: str

    @property
    def name(self) -> str:
        """Return the name of the change, which does not depend on the line number."""
        return "\n".join((self.file, self.place, self.was, self.now, str(self.turn)))

    def applied(self, source: str) -> str:
        """Return the source with the change applied."""
        return source[: self.start] + self.new + source[self.end :]


def files() -> list[Path]:
    """Return the sources that are mutated."""
    top = ROOT / "src" / "acesaround"
    found = [path for package in PACKAGES for path in (top / package).glob("*.py")]
    return sorted(path for path in found if str(path.relative_to(top)) not in SKIPPED)


def all_changes() -> list[Change]:
    """Return every change of every source."""
    return [
        change
        for path in files()
        for change in changes(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    ]


def changes(file: str, source: str) -> list[Change]:
    """Return every change of one source."""
    text = _Text(source)
    seen: dict[tuple[str, str, str], int] = {}
    found = []
    for place, start, end, new in _Finder(text).found(ast.parse(source)):
        line, was, now = text.lines(start, end, new)
        turn = seen[place, was, now] = seen.get((place, was, now), 0) + 1
        found.append(Change(file, place, was, now, turn, line, start, end, new))
    return found


class _Text:
    """A source with positions in characters from its start."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        reader = io.StringIO(source).readline
        self._tokens = [
            (self._at(*token.start), self._at(*token.end), token.string)
            for token in tokenize.generate_tokens(reader)
            if token.type in (tokenize.OP, tokenize.NAME) and token.string not in "()"
        ]

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Return the start and end of an expression."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._characters(node.lineno, node.col_offset),
            self._characters(node.end_lineno, node.end_col_offset),
        )

    def _characters(self, line: int, column: int) -> int:
        """Return the character position for a line and a column in bytes, as `ast` has it."""
        start = self._starts[line - 1]
        text = self.source[start : self._starts[line]]
        return start + len(text.encode()[:column].decode())

    def between(self, left: ast.expr, right: ast.expr) -> tuple[int, int, str]:
        """Return start, end and text of the operator between two expressions."""
        first, last = self.span(left)[1], self.span(right)[0]
        tokens = [token for token in self._tokens if first <= token[0] and token[1] <= last]
        return tokens[0][0], tokens[-1][1], " ".join(token[2] for token in tokens)

    def lines(self, start: int, end: int, new: str) -> tuple[int, str, str]:
        """Return the number of the line where a change begins, and the line before and after it."""
        number = self.source.count("\n", 0, start)
        first = self._starts[number]
        last = end + len(self.source[end:].partition("\n")[0])
        was = self.source[first:last]
        now = self.source[first:start] + new + self.source[end:last]
        return number + 1, " ".join(was.split()), " ".join(now.split())


class _Finder:
    """Finds all changes of a source: (place, start, end, new)."""

    def __init__(self, text: _Text) -> None:
        self._text = text
        self._around: list[str] = []

    def found(self, node: ast.AST) -> Iterator[tuple[str, int, int, str]]:
        named = node if isinstance(node, ast.FunctionDef | ast.ClassDef) else None
        if named is not None:
            self._around.append(named.name)
        for start, end, new in self._changes(node):
            yield ".".join(self._around), start, end, new
        for child in _deciding(node):
            yield from self.found(child)
        if named is not None:
            self._around.pop()

    def _changes(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        text = self._text
        match node:
            case ast.Compare(left, _, right):
                for one, other in pairwise((left, *right)):
                    start, end, sign = text.between(one, other)
                    for new in _COMPARISONS[sign]:
                        yield start, end, new
            case ast.BoolOp(_, values):
                for one, other in pairwise(values):
                    start, end, sign = text.between(one, other)
                    yield start, end, _OPERATORS[sign]
            case ast.BinOp(left, _, other):
                start, end, sign = text.between(left, other)
                if sign in _OPERATORS:
                    yield start, end, _OPERATORS[sign]
            case ast.AugAssign(ast.expr() as target, _, value):
                start, end, sign = text.between(target, value)
                if sign.removesuffix("=") in _OPERATORS:
                    yield start, end, _OPERATORS[sign.removesuffix("=")] + "="
            case ast.UnaryOp(sign):
                start = text.span(node)[0]
                yield start, start + (3 if isinstance(sign, ast.Not) else 1), ""
            case ast.Constant(bool() as flag):
                yield *text.span(node), str(not flag)
            case ast.Constant(int() as number):
                for other_number in (number + 1, number - 1) if number > 0 else (1,):
                    yield *text.span(node), str(other_number)
            case ast.Call(ast.Name(word) as called) if word in _FUNCTIONS:
                yield *text.span(called), _FUNCTIONS[word]


def _deciding(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node except types, assertions, texts and decorators."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "keywords", "decorator_list") and not isinstance(
            node, ast.Call
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.Assert | ast.JoinedStr) or not isinstance(child, ast.AST):
                continue
            match child:
                case ast.Call(ast.Name("isinstance"), [value, _]):
                    yield value
                case ast.AnnAssign(annotation=ast.Name("TypeAlias")):
                    continue
                case _:
                    yield child
