"""Checks of the texts of a sheet that people read in lists: maximum length and readability."""

from __future__ import annotations

from typing import Final

from acesaround.text_checks import MARKS, has_stacked_marks, seen

LONGEST: Final = {"title": 60, "short": 24, "description": 160, "author": 40, "source": 200}
"""The maximum number of letters of each text, by field path."""
_NEEDED: Final = "title"


def why_not(path: str, text: object) -> str:
    """Return why a field cannot have that text, as a sentence; empty if it can."""
    if path not in LONGEST or not isinstance(text, str):
        return ""
    most = LONGEST[path]
    if path == _NEEDED and not seen(text):
        return f"{path} cannot be blank: expected a name of 1 to {most} letters."
    if len(text) > most:
        return f"{path} cannot have {len(text)} letters: expected {most} at most."
    if text != seen(text):
        return (
            f"{path} cannot have signs that are not seen, a second line, or spaces that separate "
            "no words: expected words on one line, with one space between them."
        )
    if has_stacked_marks(text):
        return f"{path} cannot have so many marks on one letter: expected {MARKS} at most."
    return ""
