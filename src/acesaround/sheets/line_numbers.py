"""The line of a sheet on which a value begins.

Python's TOML reader reports no positions. A sheet is short, so `LineLocator` parses its first line,
its first two lines, and so on. The value begins after the longest prefix that can be parsed and
does not contain it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any


class LineLocator:
    """The lines of a sheet that is valid TOML."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._parsed_prefixes: list[dict[str, Any] | None] = [{}]
        """The parsed values of the first n lines, by n; None if line n ends within a value."""

    def line_of(self, path: Sequence[str]) -> int | None:
        """Return the line, from 1, on which the value of `path` begins; None if it is not set."""
        last_number = 0
        for number in range(len(self._lines) + 1):
            values = self._parse_prefix(number)
            if values is None:
                continue
            if _has_path(values, path):
                return last_number + 1
            last_number = number
        return None

    def _parse_prefix(self, number: int) -> dict[str, Any] | None:
        while len(self._parsed_prefixes) <= number:
            try:
                self._parsed_prefixes.append(
                    tomllib.loads("\n".join(self._lines[: len(self._parsed_prefixes)]))
                )
            except tomllib.TOMLDecodeError:
                self._parsed_prefixes.append(None)
        return self._parsed_prefixes[number]


def _has_path(values: Any, path: Sequence[str]) -> bool:
    for key in path:
        if not isinstance(values, dict) or key not in values:
            return False
        values = values[key]
    return True
