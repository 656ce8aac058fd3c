"""Plain error messages, with line numbers, for a text that the TOML reader refuses."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from typing import Final

from acesaround.rules.number_limits import MAX_POINTS
from acesaround.sheets.errors import SheetFault
from acesaround.sheets.format_values import NONE

_POSITION: Final = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")
_BARE_WORD: Final = re.compile(r"=\s*(yes|no|none)\b", re.IGNORECASE)
_WORD_REPLACEMENTS: Final = {"yes": "true", "no": "false", NONE: f'"{NONE}"'}
_PLAIN_MESSAGES: Final = {
    r"Illegal character '\n'": "a text in quotes has no end on its line",
    "Illegal character": "a character is invisible: leave it out",
    "Unterminated string": "a text in quotes has no end",
    "Expected \"'": "a text in quotes has no end",
    "Unescaped '\\'": "a backslash in a text has to be written twice",
    "Expected newline": "more text follows the end of a value",
    "Expected '='": "a name needs a = and a value after it",
    "Expected ']": "the name of a section needs a ] after it",
    "Invalid statement": "a line is a name with a = and a value, or a [section]",
    "Cannot overwrite": "a name occurs twice",
    "Cannot declare": "a section occurs twice",
    "Unclosed array": "a list has no ], or no comma between two values",
    "Unclosed inline table": "a { has no } on its line",
}
"""Plain sentences by the beginning of the TOML reader's message."""


def toml_fault(text: str, error: Exception) -> SheetFault:
    """Return the fault of a text that the TOML reader refused with `error`."""
    if isinstance(error, tomllib.TOMLDecodeError):
        return _syntax_fault(str(error), text)
    line = _first_failing_line(text, type(error))
    if isinstance(error, RecursionError):
        return SheetFault(line, "", "This is not TOML: its lists are nested too deeply.")
    return SheetFault(line, "", f"A number cannot be so large: numbers go to {MAX_POINTS}.")


def _syntax_fault(message: str, text: str) -> SheetFault:
    lines = text.split("\n")
    position = _POSITION.search(message)
    line = int(position["line"]) if position and position["line"] else len(lines)
    reason = _POSITION.sub("", message)
    plain_message = next(
        (plain for beginning, plain in _PLAIN_MESSAGES.items() if reason.startswith(beginning)), ""
    )
    sentence = f"This is not TOML: {plain_message or reason[:1].lower() + reason[1:]}."
    if word := _BARE_WORD.search(lines[line - 1]):
        sentence += f" For {word[1]} write {_WORD_REPLACEMENTS[word[1].lower()]}."
    return SheetFault(line, "", sentence)


def _first_failing_line(text: str, error: type[Exception]) -> int:
    """Return the first line at which the TOML reader raises `error`, which names no line.

    Found by binary search over the prefixes of the text.
    """
    lines = text.split("\n")

    def refused(line_count: int) -> bool:
        try:
            tomllib.loads("\n".join(lines[:line_count]))
        except tomllib.TOMLDecodeError:
            return False
        except error:
            return True
        return False

    return bisect_left(range(1, len(lines)), True, key=refused) + 1
