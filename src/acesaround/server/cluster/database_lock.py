"""The lock that allows one server for each SQLite database.

A second process would not notice what the first one appends. The server locks a file beside the
database that contains the server's address. The operating system releases the lock however the
server ends. The database file itself is not locked, because `flock` conflicts with SQLite's own
locks on some systems. If it is moved or replaced, the store refuses to work with it.

A file with a hard link is refused: SQLite would keep a WAL file for each name, and damage it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from acesaround.server.settings import ServeError
from acesaround.store import file_permissions
from acesaround.store.engine import sqlite_file


class DatabaseInUseError(ServeError):
    """Another server holds the database. `address`: its address, as written in the lock file."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(f"A server at {address} already uses this database: stop it first.")


@contextlib.contextmanager
def lock_database(database_url: str, address: str) -> Iterator[None]:
    """Lock a database inside the `with` block. Raises ServeError and OSError.

    `address`: the address of this server, for the lock file.
    """
    database = sqlite_file(database_url)
    if database is None:  # PostgreSQL can serve several processes
        yield
        return
    if database.exists() and database.stat().st_nlink > 1:
        raise ServeError(
            f"{database} has a hard link: copy the file to another name, and serve the copy."
        )
    path = _lock_file(database)
    file_permissions.create_owner_only(path)
    with open(path, "r+", encoding="utf-8") as file:
        if not _lock(file):
            raise DatabaseInUseError(file.read().strip() or "another address")
        file.truncate(0)
        file.write(address)
        file.flush()
        yield


def is_locked(database: Path) -> bool:
    """Return whether a server holds an SQLite database now. Raises OSError."""
    try:
        with open(_lock_file(database), "rb") as file:
            return not _lock(file, shared=True)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _lock_file(database: Path) -> Path:
    """Return the path of the lock file, which is the same for all symbolic links to a database."""
    database = database.resolve()
    return database.with_name(f"{database.name}.served")


def _lock(file: IO[str] | IO[bytes], *, shared: bool = False) -> bool:
    """Lock a file until it is closed, and return whether the lock was free.

    Without `fcntl` (on Windows) nothing is locked.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
