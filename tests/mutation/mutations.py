"""The small changes that a source can be given: one operator, number, flag or word at a time.

Types, assertions and sentences are left as they are: they decide nothing in a game.
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
"""The packages whose sources are changed."""
SKIPPED: Final = {
    *("rules/__init__.py", "rules/options.py", "rules/support.py"),
    *("game/__init__.py", "game/events.py", "game/narration.py"),
}
"""Their files that hold no rule of the game."""

_COMPARED: Final = {
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
_COUNTED: Final = {
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
_WORDS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Change(NamedTuple):
    """One small change of a source: in characters `start` to `end` stands `new` instead.

    `file`: from the root of the repository. `place`: the names of the classes and the function
    around it. `was` and `now`: the line before and after, without its indentation. `turn`: 1, 2,
    ..., where the place has the very same change of the very same line more than once.
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
        """What it is known by, wherever in the file the line stands."""
        return "\n".join((self.file, self.place, self.was, self.now, str(self.turn)))

    def applied(self, source: str) -> str:
        """The source with the change made."""
        return source[: self.start] + self.new + source[self.end :]


def files() -> list[Path]:
    """The sources that are changed."""
    top = ROOT / "src" / "acesaround"
    found = [path for package in PACKAGES for path in (top / package).glob("*.py")]
    return sorted(path for path in found if str(path.relative_to(top)) not in SKIPPED)


def every() -> list[Change]:
    """Every small change of every source."""
    return [
        change
        for path in files()
        for change in changes(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    ]


def changes(file: str, source: str) -> list[Change]:
    """Every small change of one source."""
    text = _Text(source)
    seen: dict[tuple[str, str, str], int] = {}
    found = []
    for place, start, end, new in _Finder(text).found(ast.parse(source)):
        line, was, now = text.lines(start, end, new)
        turn = seen[place, was, now] = seen.get((place, was, now), 0) + 1
        found.append(Change(file, place, was, now, turn, line, start, end, new))
    return found


class _Text:
    """A source and where things stand in it, in characters from its beginning."""

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
        """Where an expression begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._characters(node.lineno, node.col_offset),
            self._characters(node.end_lineno, node.end_col_offset),
        )

    def _characters(self, line: int, column: int) -> int:
        """A place that `ast` gives in bytes."""
        start = self._starts[line - 1]
        text = self.source[start : self._starts[line]]
        return start + len(text.encode()[:column].decode())

    def between(self, left: ast.expr, right: ast.expr) -> tuple[int, int, str]:
        """The operator between two expressions, and where it stands."""
        first, last = self.span(left)[1], self.span(right)[0]
        tokens = [token for token in self._tokens if first <= token[0] and token[1] <= last]
        return tokens[0][0], tokens[-1][1], " ".join(token[2] for token in tokens)

    def lines(self, start: int, end: int, new: str) -> tuple[int, str, str]:
        """The number of the line where a change begins, and the line before and after it."""
        number = self.source.count("\n", 0, start)
        first = self._starts[number]
        last = end + len(self.source[end:].partition("\n")[0])
        was = self.source[first:last]
        now = self.source[first:start] + new + self.source[end:last]
        return number + 1, " ".join(was.split()), " ".join(now.split())


class _Finder:
    """Walks a source and finds what can be changed: (place, start, end, new)."""

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
                    for new in _COMPARED[sign]:
                        yield start, end, new
            case ast.BoolOp(_, values):
                for one, other in pairwise(values):
                    start, end, sign = text.between(one, other)
                    yield start, end, _COUNTED[sign]
            case ast.BinOp(left, _, other):
                start, end, sign = text.between(left, other)
                if sign in _COUNTED:
                    yield start, end, _COUNTED[sign]
            case ast.AugAssign(ast.expr() as target, _, value):
                start, end, sign = text.between(target, value)
                if sign.removesuffix("=") in _COUNTED:
                    yield start, end, _COUNTED[sign.removesuffix("=")] + "="
            case ast.UnaryOp(sign):
                start = text.span(node)[0]
                yield start, start + (3 if isinstance(sign, ast.Not) else 1), ""
            case ast.Constant(bool() as flag):
                yield *text.span(node), str(not flag)
            case ast.Constant(int() as number):
                for other_number in (number + 1, number - 1) if number > 0 else (1,):
                    yield *text.span(node), str(other_number)
            case ast.Call(ast.Name(word) as called) if word in _WORDS:
                yield *text.span(called), _WORDS[word]


def _deciding(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that decide something: no type, assertion, sentence or make of class."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "keywords", "decorator_list") and not isinstance(
            node, ast.Call
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.Assert | ast.JoinedStr) or not isinstance(child, ast.AST):
                continue
            match child:
                case ast.Call(ast.Name("isinstance"), [asked, _]):
                    yield asked
                case ast.AnnAssign(annotation=ast.Name("TypeAlias")):
                    continue
                case _:
                    yield child
