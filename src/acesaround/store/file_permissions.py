"""Files for their owner alone: a database holds the cards of games that are still played."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_LOG: Final = logging.getLogger(__name__)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def create_owner_only(path: Path) -> None:
    """Make an empty file that only its owner may read, if there is none. Raises OSError.

    SQLite takes it for a new database, and gives what it writes beside it the same rights.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def restrict_permissions(paths: Iterable[Path]) -> None:
    """Take files from the eyes of others, and say so in the log. Some may not be there."""
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & _OTHERS:
                path.chmod(mode & ~_OTHERS)
                _LOG.warning("%s could be read by others on this machine: now by nobody else", path)
        except FileNotFoundError:
            continue
        except OSError as error:
            _LOG.warning("%s can be read by others on this machine: %s", path, error.strerror)


def database_files(database: Path) -> Iterator[Path]:
    """The files of an SQLite database, and its copies where docs/hosting.md says to put them."""
    for folder in (database.parent, database.parent / "backup"):
        for end in ("", "-wal", "-shm", "-journal"):
            yield folder / f"{database.name}{end}"
        yield folder / "cookie.key"
