"""Reading of table logs, so that a damaged log affects only its own table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from acesaround.store import CorruptData
from acesaround.table import Entry
from acesaround.table import entries as log

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_REMEMBERED: Final = 1000


class LogReader:
    """A reader of table logs that reports each damaged log once, in the server's log."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def read(
        self,
        table_id: str,
        bodies: Iterable[bytes],
        use: Callable[[Iterable[Entry]], T],
        first: int = 0,
    ) -> T:
        """Return the result of `use` for the entries of a log, numbered from `first`.

        Raises CorruptData for any error, because an invalid or misplaced entry may fail in any way.
        """
        at = first - 1

        def entries() -> Iterator[Entry]:
            nonlocal at
            for body in bodies:
                at += 1
                yield log.decode(body)

        try:
            return use(entries())
        except Exception as error:
            if table_id not in self._told and len(self._told) < _REMEMBERED:
                self._told.add(table_id)
                said = " ".join(str(error).split()) or type(error).__name__
                _LOG.error("table %s: its log is damaged at entry %d: %s", table_id, at, said)
            raise CorruptData(f"its log is damaged at entry {at}") from None
