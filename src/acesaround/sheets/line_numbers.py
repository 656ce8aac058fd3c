"""The line of a sheet on which a value begins.

Python's TOML reader reports no positions. So `LineLocator` parses prefixes of the sheet. The value
begins after the longest prefix that can be parsed and does not contain it, which is found by binary
search.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any


class LineLocator:
    """The lines of a sheet that is valid TOML."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._parsed_prefixes: dict[int, dict[str, Any] | None] = {0: {}}
        """The parsed values of the first n lines, by n; None if line n ends within a value."""

    def line_of(self, path: Sequence[str]) -> int | None:
        """Return the line, from 1, on which the value of `path` begins; None if it is not set."""
        without, complete = 0, len(self._lines)
        if not _has_path(self._parse_prefix(complete), path):
            return None
        while (number := self._sound_prefix_between(without, complete)) is not None:
            if _has_path(self._parse_prefix(number), path):
                complete = number
            else:
                without = number
        return without + 1

    def _sound_prefix_between(self, low: int, high: int) -> int | None:
        """Return a number between these of lines that can be parsed, near the middle, or None."""
        middle = (low + high) // 2
        candidates = (*range(middle, low, -1), *range(middle + 1, high))
        return next((one for one in candidates if self._parse_prefix(one) is not None), None)

    def _parse_prefix(self, number: int) -> dict[str, Any] | None:
        if number not in self._parsed_prefixes:
            try:
                values = tomllib.loads("\n".join(self._lines[:number]))
            except tomllib.TOMLDecodeError:
                values = None
            self._parsed_prefixes[number] = values
        return self._parsed_prefixes[number]


def _has_path(values: Any, path: Sequence[str]) -> bool:
    for key in path:
        if not isinstance(values, dict) or key not in values:
            return False
        values = values[key]
    return True
