"""Errors of the store, and what the errors of a database driver mean."""

from __future__ import annotations

import sqlite3
from typing import Final

from acesaround.errors import AcesAroundError

_LOCK_TIMEOUT_CODE: Final = "55P03"  # PostgreSQL's code for a lock timeout
_CORRUPT_CODES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class SequenceConflict(Exception):  # noqa: N818 - a fact about the log, not a fault
    """Another writer appended an entry with that sequence number first."""


class DatabaseUnavailable(Exception):  # noqa: N818 - a state of the database
    """The database could not read or write: it is full, missing or unreachable."""


class CorruptData(DatabaseUnavailable):
    """The requested data is unreadable, because the database is damaged or was tampered with."""


class LockTimeout(DatabaseUnavailable):
    """Another transaction holds a lock that this transaction needs."""


class StoreError(AcesAroundError):
    """The database cannot be used at all."""


def is_lock_timeout(error: Exception) -> bool:
    """Return whether an error is a lock timeout."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) == _LOCK_TIMEOUT_CODE


def is_damage(error: Exception) -> bool:
    """Return whether an error reports damage of the database."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _CORRUPT_CODES


def error_message(error: Exception) -> str:
    """Return the database's own error message, without SQLAlchemy's additions."""
    message = str(getattr(error, "orig", None) or error).strip().rstrip(".")
    return message or (
        "it does not answer" if isinstance(error, TimeoutError) else type(error).__name__
    )
