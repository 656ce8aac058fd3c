"""Reading of table logs, so that a damaged log affects only its own table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from acesaround.store import CorruptData
from acesaround.table import Entry, entries

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)
_MAX_REPORTED_TABLES: Final = 1000


class LogReader:
    """A reader of table logs that reports each damaged log once, in the server's log."""

    def __init__(self) -> None:
        self._reported_tables: set[str] = set()

    def read(
        self,
        table_id: str,
        bodies: Iterable[bytes],
        consume: Callable[[Iterable[Entry]], T],
        first_seq: int = 0,
    ) -> T:
        """Return the result of `consume` for the entries of a log, numbered from `first_seq`.

        Raises CorruptData for any error, because an invalid or misplaced entry may fail in any way.
        """
        seq = first_seq - 1

        def decoded_entries() -> Iterator[Entry]:
            nonlocal seq
            for body in bodies:
                seq += 1
                yield entries.decode(body)

        try:
            return consume(decoded_entries())
        except Exception as error:
            self.report(table_id, f"its log is damaged at entry {seq}", error)
            raise CorruptData(f"its log is damaged at entry {seq}") from None

    def report(self, table_id: str, problem: str, error: Exception) -> None:
        """Write a table's problem and its cause to the server's log, once for each table."""
        if (
            table_id not in self._reported_tables
            and len(self._reported_tables) < _MAX_REPORTED_TABLES
        ):
            self._reported_tables.add(table_id)
            message = " ".join(str(error).split()) or type(error).__name__
            _LOG.error("table %s: %s: %s", table_id, problem, message)
