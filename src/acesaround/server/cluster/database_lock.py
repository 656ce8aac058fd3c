"""The lock that allows one server for each SQLite database.

A second process would not notice what the first one appends. The server locks the database file
itself, so the name by which another process opens it does not matter: a link, a mounted folder, or
another spelling. A second file next to it contains the address of the server. That file is locked
as well, because somebody may replace the database file by a copy. The operating system releases
both locks however the server ends.
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
"""A byte offset beyond any database. SQLite's own locks start at the first gigabyte."""


class ServedAlreadyError(ServeError):
    """Another server holds the database. `address`: its address, as written in the lock file."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(f"These tables are being served already, at {address}: close that first.")


@contextlib.contextmanager
def hold_database(database_url: str, address: str) -> Iterator[None]:
    """Lock a database inside the `with` block. Raises ServedAlreadyError and OSError.

    `address`: the address of this server, for the lock file.
    """
    found = sqlite_file(database_url)
    if found is None:  # PostgreSQL can serve several processes
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
    """Return whether a server holds an SQLite database now. Raises OSError.

    Do not call this while this process has the database open, because closing the file a second
    time releases SQLite's own locks.
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
    """Lock the database file inside the `with` block; yield whether the lock was free.

    `flock` conflicts with SQLite's own locks on some systems. A lock of the process is lost when
    SQLite closes the file. So this is an open file description lock.
    """
    command = getattr(fcntl, "F_OFD_SETLK", None)
    if command is None:  # only Linux has these locks in Python; without them the lock file must do
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
    except (BlockingIOError, PermissionError):  # EAGAIN or EACCES: another process has the lock
        return False
    return True
