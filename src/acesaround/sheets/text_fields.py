"""Checks of the texts of a sheet that people read in lists: maximum length and readability."""

from __future__ import annotations

from typing import Final

from acesaround.text_checks import MAX_STACKED_MARKS, has_stacked_marks, visible_line

MAX_LENGTHS: Final = {"title": 60, "short": 24, "description": 160, "author": 40, "source": 200}
"""The maximum number of letters of each text, by field path."""
REQUIRED_TEXT: Final = "title"
"""The only text that cannot be empty."""


def why_invalid_text(path: str, text: object) -> str:
    """Return why a field cannot have that text, without its name; empty if it can."""
    if path not in MAX_LENGTHS or not isinstance(text, str):
        return ""
    max_length = MAX_LENGTHS[path]
    if path == REQUIRED_TEXT and not visible_line(text):
        return f"cannot be blank: expected a name of 1 to {max_length} letters."
    if len(text) > max_length:
        return f"cannot have {len(text)} letters: expected {max_length} at most."
    if text != visible_line(text):
        return (
            "cannot have invisible characters, a second line or extra spaces: expected "
            "words on one line, with one space between them."
        )
    if has_stacked_marks(text):
        return f"has too many marks on one letter: expected {MAX_STACKED_MARKS} at most."
    return ""
