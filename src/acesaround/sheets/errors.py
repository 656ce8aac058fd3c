"""What is wrong with a sheet, a line each: where it stands, and what can be written there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from acesaround.errors import RulesError


class Wrong(NamedTuple):
    """One thing that is wrong: the line, from 1, the field's path, and what is the matter.

    `path` is empty where it is no field, but the sheet itself.
    """

    line: int
    path: str
    sentence: str


class SheetError(RulesError):
    """A sheet of which no game can be made. The message has a line for each of its `faults`."""

    def __init__(self, source: str, faults: Sequence[Wrong]) -> None:
        super().__init__(source, faults)
        self.source = source
        self.faults = tuple(sorted(faults))

    @property
    def lines(self) -> tuple[str, ...]:
        """One for each fault, by their places."""
        return tuple(f"{self.source}:{line}: {text}" for line, _, text in self.faults)

    def __str__(self) -> str:
        return "\n".join(self.lines)


class FolderError(RulesError):
    """A folder of sheets that cannot all be played. `lines`: all that is wrong."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """One for each fault, sheet by sheet."""
        return tuple(str(line) for line in self.args)

    def __str__(self) -> str:
        return "\n".join(self.lines)
