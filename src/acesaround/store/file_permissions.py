"""Owner-only file permissions, because a database holds the cards of games in progress."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_LOG: Final = logging.getLogger(__name__)
_OTHERS_MODE: Final = stat.S_IRWXG | stat.S_IRWXO


def create_owner_only(path: Path) -> None:
    """Create an empty file that only its owner can read, unless it exists. Raises OSError.

    SQLite treats it as a new database, and gives its extra files the same permissions.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def restrict_permissions(paths: Iterable[Path]) -> None:
    """Remove other users' permissions from files, and log a warning. Skip missing files."""
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & _OTHERS_MODE:
                path.chmod(mode & ~_OTHERS_MODE)
                _LOG.warning(
                    "other users of this machine could read %s: removed their permission", path
                )
        except FileNotFoundError:
            continue
        except OSError as error:
            _LOG.warning("other users of this machine can read %s: %s", path, error.strerror)


def database_files(database: Path) -> Iterator[Path]:
    """Yield the files of an SQLite database and of its backups as in docs/hosting.md."""
    for folder in (database.parent, database.parent / "backup"):
        for suffix in ("", "-wal", "-shm", "-journal"):
            yield folder / f"{database.name}{suffix}"
        yield folder / "cookie.key"
