"""Plain error messages, with line numbers, for a text that the TOML reader refuses."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from typing import Final

from acesaround.sheets.errors import Wrong
from acesaround.sheets.format_values import LARGEST, NONE

_PLACE: Final = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")
_WORD: Final = re.compile(r"=\s*(yes|no|none)\b", re.IGNORECASE)
_WORDS: Final = {"yes": "true", "no": "false", NONE: f'"{NONE}"'}
_PLAINLY: Final = {
    r"Illegal character '\n'": "a text in quotes has no end on its line",
    "Illegal character": "a sign that is not seen has to be left out",
    "Unterminated string": "a text in quotes has no end",
    "Expected \"'": "a text in quotes has no end",
    "Unescaped '\\'": "a backslash in a text has to be written twice",
    "Expected newline": "something stands behind the end of a value",
    "Expected '='": "a name needs a = and a value behind it",
    "Expected ']": "the name of a section needs a ] behind it",
    "Invalid statement": "a line is a name with a = and a value, or a [section]",
    "Cannot overwrite": "a name is there twice",
    "Cannot declare": "a section is there twice",
    "Unclosed array": "a list has no ], or no comma between two values",
    "Unclosed inline table": "what begins with { has no } on its line",
}
"""Plain sentences by the beginning of the TOML reader's message."""


def unreadable(text: str, error: Exception) -> Wrong:
    """Return the fault of a text that the TOML reader refused with `error`."""
    if isinstance(error, tomllib.TOMLDecodeError):
        return _no_toml(str(error), text)
    line = _first(text, type(error))
    if isinstance(error, RecursionError):
        return Wrong(line, "", "This is no TOML: lists within lists without end.")
    return Wrong(line, "", f"A number cannot be so large: numbers go to {LARGEST}.")


def _no_toml(message: str, text: str) -> Wrong:
    lines = text.split("\n")
    place = _PLACE.search(message)
    line = int(place["line"]) if place and place["line"] else len(lines)
    what = _PLACE.sub("", message)
    plainly = next((said for begins, said in _PLAINLY.items() if what.startswith(begins)), "")
    sentence = f"This is no TOML: {plainly or what[:1].lower() + what[1:]}."
    if word := _WORD.search(lines[line - 1]):
        sentence += f" For {word[1]} write {_WORDS[word[1].lower()]}."
    return Wrong(line, "", sentence)


def _first(text: str, error: type[Exception]) -> int:
    """Return the first line at which the TOML reader raises `error`, which names no line.

    Found by binary search over the prefixes of the text.
    """
    lines = text.split("\n")

    def refused(number: int) -> bool:
        try:
            tomllib.loads("\n".join(lines[:number]))
        except tomllib.TOMLDecodeError:
            return False
        except error:
            return True
        return False

    return bisect_left(range(1, len(lines)), True, key=refused) + 1
