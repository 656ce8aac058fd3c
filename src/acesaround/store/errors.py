"""Why the store did not do what it was asked."""

from __future__ import annotations


class SequenceConflict(Exception):  # noqa: N818 - a fact about the log, not a fault
    """Somebody else appended that seq first."""


class DatabaseUnavailable(Exception):  # noqa: N818 - likewise
    """The database could not take or give what was asked: full, gone or unreachable."""


class CorruptData(DatabaseUnavailable):
    """What was asked for can never be read: the database is damaged there, or was tampered with."""


class LockTimeout(DatabaseUnavailable):
    """Another transaction has not let go in time of what this one was to write."""
