"""One server to an SQLite database: a second process would not hear of what the first appends.

The server holds a lock on a file beside the database, which says where the tables are served. The
system lets go of it however the server ends.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator

from acesaround.server.settings import ServeError
from acesaround.store.store import sqlite_file


class ServedAlreadyError(ServeError):
    """Another server holds the database; `address` is where it says that it serves."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(f"These tables are being served already, at {address}: close that first.")


@contextlib.contextmanager
def alone(database_url: str, address: str) -> Iterator[None]:
    """Hold a database while it is served at an address. Raises ServedAlreadyError and OSError."""
    database = sqlite_file(database_url)
    if database is None:  # PostgreSQL tells every process what the others do
        yield
        return
    with open(database.with_name(f"{database.name}.served"), "a+", encoding="utf-8") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held.seek(0)
            raise ServedAlreadyError(held.read().strip() or "another address") from None
        held.truncate(0)
        held.write(address)
        held.flush()
        yield
