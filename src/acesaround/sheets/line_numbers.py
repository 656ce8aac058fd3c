"""The line of a sheet on which a value begins.

Python's TOML reader reports no positions. A sheet is short, so `Lines` parses its first line, its
first two lines, and so on. The value begins after the longest prefix that can be parsed and does
not contain it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any


class Lines:
    """The lines of a sheet that is valid TOML."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._read: list[dict[str, Any] | None] = [{}]
        """The parsed values of the first n lines, by n; None if line n ends within a value."""

    def of(self, path: Sequence[str]) -> int | None:
        """Return the line, from 1, on which the value of `path` begins; None if it is not set."""
        begins = 0
        for number in range(len(self._lines) + 1):
            told = self._of_first(number)
            if told is None:
                continue
            if _says(told, path):
                return begins + 1
            begins = number
        return None

    def _of_first(self, number: int) -> dict[str, Any] | None:
        while len(self._read) <= number:
            try:
                self._read.append(tomllib.loads("\n".join(self._lines[: len(self._read)])))
            except tomllib.TOMLDecodeError:
                self._read.append(None)
        return self._read[number]


def _says(told: Any, path: Sequence[str]) -> bool:
    for key in path:
        if not isinstance(told, dict) or key not in told:
            return False
        told = told[key]
    return True
