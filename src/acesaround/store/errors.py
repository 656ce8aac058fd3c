"""Errors of the store."""

from __future__ import annotations


class SequenceConflict(Exception):  # noqa: N818 - a fact about the log, not a fault
    """Another writer appended an entry with that sequence number first."""


class DatabaseUnavailable(Exception):  # noqa: N818 - a state of the database
    """The database could not read or write: it is full, missing or unreachable."""


class CorruptData(DatabaseUnavailable):
    """The requested data is unreadable, because the database is damaged or was tampered with."""


class LockTimeout(DatabaseUnavailable):
    """Another transaction holds a lock that this transaction needs."""
