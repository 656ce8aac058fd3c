"""A command that is refused: why, for people and for programs."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from acesaround.errors import AcesAroundError
from acesaround.table.entries import Entry
from acesaround.table.messages import RefusalCode


class Refused(AcesAroundError):  # noqa: N818 - it reads as what it is, like a refused action
    """A command that is refused; the table is unchanged. `code` is for programs."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


class No(msgspec.Struct, frozen=True):
    """Why a command is refused: `ask` raises it as Refused, `allowed` only looks whether it is."""

    code: RefusalCode
    sentence: str


Asked: TypeAlias = tuple[Entry, ...] | No
"""The entries that a command adds to the log, or why it adds none."""
