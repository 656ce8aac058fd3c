"""Tables read from their whole logs, which may be damaged."""

from __future__ import annotations

from acesaround.errors import AcesAroundError
from acesaround.table import Table, entries, fold


class CorruptLogError(AcesAroundError):
    """A log that cannot be read."""

    def __init__(self, table_id: str) -> None:
        super().__init__(
            f"The log of table {table_id} is damaged and cannot be read: you can only remove the "
            "table."
        )


def load_table(table_id: str, bodies: list[bytes]) -> tuple[list[entries.Entry], Table]:
    """Return the entries of a whole log, and its table. Raises CorruptLogError."""
    try:
        log_entries = [entries.decode(body) for body in bodies]
        return log_entries, fold(log_entries)
    except Exception:  # decoding and folding garbled entries may raise any error
        raise CorruptLogError(table_id) from None
