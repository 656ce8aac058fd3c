"""The pages of the site and their order, as `navigation.toml` lists them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
GAMES: Final = "games"
REFERENCE: Final = "reference"
GENERATED: Final = (GAMES, REFERENCE)
"""Entries that stand for pages which are generated."""


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A page with a title of its own."""

    page: str
    title: str


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    """A part of the site."""

    title: str
    pages: list[_Entry | str]


class _Group(msgspec.Struct, forbid_unknown_fields=True):
    """A group of modules whose docstrings are shown."""

    title: str
    modules: list[str]


class _Navigation(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file."""

    part: list[_Part]
    reference: list[_Group]


class Part(NamedTuple):
    """A part of the site. `pages`: the title, or an empty one, of each file of the repository."""

    title: str
    pages: dict[str, str]


class Navigation(NamedTuple):
    """All parts of the site, and the modules of each group of the reference."""

    parts: list[Part]
    reference: dict[str, list[str]]

    @property
    def files(self) -> list[str]:
        """All pages that are files of the repository, in order."""
        return [page for part in self.parts for page in part.pages if page not in GENERATED]


def read_navigation() -> Navigation:
    """Return what `navigation.toml` lists. Raises ValueError for a page that is listed twice."""
    text = (HERE / "navigation.toml").read_text("utf-8")
    raw = msgspec.convert(tomllib.loads(text), _Navigation)
    parts = [
        Part(
            one.title, dict((x, "") if isinstance(x, str) else (x.page, x.title) for x in one.pages)
        )
        for one in raw.part
    ]
    listed = sum(len(one.pages) for one in raw.part)
    if listed != len({page for part in parts for page in part.pages}):
        raise ValueError("navigation.toml lists a page twice.")
    return Navigation(parts, {one.title: one.modules for one in raw.reference})
