"""One server to an SQLite database: a second process would not hear of what the first appends.

The server holds a lock on the database file itself, so that it makes no difference by which of its
names another finds it: a link, a mounted folder, another spelling. Beside it a second file says
where the tables are served, and is locked as well, for a copy may be put in the file's place. The
system lets go of both locks however the server ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from acesaround.server.settings import ServeError
from acesaround.store import file_permissions
from acesaround.store.store import sqlite_file

_BEYOND: Final = 1 << 40
"""A byte that no database reaches: SQLite's own locks are on bytes from the first gigabyte on."""


class ServedAlreadyError(ServeError):
    """Another server holds the database; `address` is where it says that it serves."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(f"These tables are being served already, at {address}: close that first.")


@contextlib.contextmanager
def hold_database(database_url: str, address: str) -> Iterator[None]:
    """Hold a database while it is served at an address. Raises ServedAlreadyError and OSError."""
    found = sqlite_file(database_url)
    if found is None:  # PostgreSQL tells every process what the others do
        yield
        return
    database = found.resolve()
    file_permissions.create_owner_only(database)
    said = database.with_name(f"{database.name}.served")
    file_permissions.create_owner_only(said)
    with open(said, "r+", encoding="utf-8") as where, _held(database) as first:
        try:
            fcntl.flock(where, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            first = False
        if not first:
            raise ServedAlreadyError(where.read().strip() or "another address")
        where.truncate(0)
        where.write(address)
        where.flush()
        yield


def is_served(database: Path) -> bool:
    """Whether a server holds an SQLite database now. Raises OSError.

    Not to be asked while this process has it open: by closing the file once more SQLite's own locks
    would be lost.
    """
    with _held(database.resolve()) as first:
        said = database.resolve().with_name(f"{database.resolve().name}.served")
        if first and said.exists():
            with open(said, "rb") as where:
                try:
                    fcntl.flock(where, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    return True
        return not first


@contextlib.contextmanager
def _held(database: Path) -> Iterator[bool]:
    """Hold the file itself meanwhile; whether nobody else does.

    Not by `flock`, which SQLite's own locks get in the way of on some systems, and not by a lock
    of the process, which is lost when SQLite closes the file: by one of this opening of it.
    """
    command = getattr(fcntl, "F_OFD_SETLK", None)
    if command is None:  # no system but Linux has them in Python: there the name has to do
        yield True
        return
    held = os.open(database, os.O_RDWR)
    try:
        yield _locked(held, command)
    finally:
        os.close(held)


def _locked(held: int, command: int) -> bool:
    wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _BEYOND, 1, 0)
    try:
        fcntl.fcntl(held, command, wanted)
    except (BlockingIOError, PermissionError):  # EAGAIN or EACCES: somebody else has it
        return False
    return True
