"""On which line of a sheet something is said.

The TOML reader of Python says what is written, and not where. A sheet is short, so its beginnings
are read: of one line, of two, and so on. Where a value is there for the first time, it ends, and
it began after the last beginning that could be read without it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any


class Lines:
    """The lines of a sheet that can be read as a whole."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._read: list[dict[str, Any] | None] = [{}]
        """What the first lines say, by how many; None where they end within a value."""

    def of(self, path: Sequence[str]) -> int | None:
        """The line on which the value of that path begins, from 1; None where it is not said."""
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
