"""A command that is refused: why, for people and for programs."""

from __future__ import annotations

from typing import NoReturn

from acesaround.errors import AcesAroundError
from acesaround.table.messages import RefusalCode


class Refused(AcesAroundError):  # noqa: N818 - it reads as what it is, like a refused action
    """A command that is refused; the table is unchanged. `code` is for programs."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


def refuse(code: RefusalCode, sentence: str) -> NoReturn:
    """Raise Refused."""
    raise Refused(code, sentence)
