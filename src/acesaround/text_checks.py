"""Checks of text that others read: one line, without invisible characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

MAX_STACKED_MARKS: Final = 3
"""The most marks above each other on a letter; no language needs more."""
_INVISIBLE_CHARACTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters that Unicode classes as letters, marks or pictures."""


def one_line(text: str) -> str:
    """Return a text on one line, in NFKC form, without invisible characters."""
    return visible_line(unicodedata.normalize("NFKC", text))


def visible_line(text: str) -> str:
    """Return a text on one line without invisible characters, in its original form."""
    return " ".join("".join(_visible_characters(text)).split())


def has_stacked_marks(text: str) -> bool:
    """Return whether a letter has more marks than any language needs."""
    marks = "".join("m" if unicodedata.category(letter) in ("Mn", "Me") else "." for letter in text)
    return "m" * (MAX_STACKED_MARKS + 1) in marks


def _visible_characters(text: str) -> Iterator[str]:
    for letter in text:
        category = unicodedata.category(letter)
        if (
            category == "Cf"
            or letter in _INVISIBLE_CHARACTERS
            or "VARIATION SELECTOR" in unicodedata.name(letter, "")
        ):
            continue
        yield letter if letter.isprintable() else " "
