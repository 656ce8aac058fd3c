"""A command that is refused: why, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from acesaround.errors import AcesAroundError
from acesaround.table.entries import EndKind, Entry
from acesaround.table.messages import RefusalCode

ENDED: Final[Mapping[EndKind, str]] = {
    "closed": "This table has been closed by who runs the server.",
    "removed": "This table has been removed by who runs the server.",
    "cleared": "This table was cleared: nobody had played here for a long time.",
}
"""What is said of a table at which nothing happens any more; short enough to close a socket."""


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
