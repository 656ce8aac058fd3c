"""Words that others read: on one line, and of letters that can be seen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

MARKS: Final = 3
"""Marks that may stand one above another; no language needs more."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""What shows nothing, although Unicode calls it a letter, a mark or a picture."""


def one_line(text: str) -> str:
    """Words as they are shown: what cannot be seen is left out, and they stand on one line."""
    return seen(unicodedata.normalize("NFKC", text))


def seen(text: str) -> str:
    """The same in the letters in which it was written."""
    return " ".join("".join(_visible(text)).split())


def has_stacked_marks(text: str) -> bool:
    """Whether marks stand one above another, more than any language needs."""
    marks = "".join("m" if unicodedata.category(letter) in ("Mn", "Me") else "." for letter in text)
    return "m" * (MARKS + 1) in marks


def _visible(text: str) -> Iterator[str]:
    for letter in text:
        kind = unicodedata.category(letter)
        if kind == "Cf" or letter in _BLANK or "VARIATION SELECTOR" in unicodedata.name(letter, ""):
            continue
        yield letter if letter.isprintable() else " "
