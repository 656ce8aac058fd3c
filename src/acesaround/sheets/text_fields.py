"""The words of a sheet that others read in lists: how long they are, and that they can be read."""

from __future__ import annotations

from typing import Final

from acesaround.text_checks import MARKS, has_stacked_marks, seen

LONGEST: Final = {"title": 60, "short": 24, "description": 160, "author": 40, "source": 200}
"""Letters that each of them may have, by the path of its field."""
_NEEDED: Final = "title"


def why_not(path: str, text: object) -> str:
    """Why those words cannot stand there, in a sentence; empty where they can."""
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
