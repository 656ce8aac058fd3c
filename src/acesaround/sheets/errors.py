"""The faults of a rule sheet: line, field and a sentence for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from acesaround.errors import RulesError


class SheetFault(NamedTuple):
    """A fault of a sheet: its line, from 1, the path of its field, and a sentence.

    `path` is empty for a fault that concerns the whole sheet.
    """

    line: int
    path: str
    sentence: str


class SheetError(RulesError):
    """A sheet that gives no valid rules. The message has a line for each of its `faults`."""

    def __init__(self, source: str, faults: Sequence[SheetFault]) -> None:
        super().__init__(source, faults)
        self.source = source
        self.faults: tuple[SheetFault, ...] = tuple(sorted(faults))

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each fault, in the order of the sheet."""
        return tuple(f"{self.source}:{line}: {text}" for line, _, text in self.faults)

    def __str__(self) -> str:
        return "\n".join(self.lines)


class FolderError(RulesError):
    """A folder of sheets of which at least one is invalid. `lines`: all faults."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each fault, sheet by sheet."""
        return tuple(str(line) for line in self.args)

    def __str__(self) -> str:
        return "\n".join(self.lines)
