"""Logs as they are read from the store. One that is garbled is its own table's trouble alone."""

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
    """Reads logs, and says of each that is damaged so once."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def read(
        self,
        table_id: str,
        bodies: Iterable[bytes],
        use: Callable[[Iterable[Entry]], T],
        first: int = 0,
    ) -> T:
        """What `use` makes of the entries of a log, from number `first` on. Raises Damaged.

        An entry that is no entry, or that cannot follow on those before it, may fail in any way.
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
