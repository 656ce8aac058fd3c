"""The databases that a server is measured on: an SQLite file, or a PostgreSQL of the bench's own.

That one is made as the tests make theirs, but waits for the disk as a real one does.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).parent.parent


class Database:
    """Where tables are kept. `processor` and `commits` are of PostgreSQL; of SQLite there are none.

    SQLite works inside the server, and its commits are the server's own to know.
    """

    def __init__(self, url: str, postgres: Any = None) -> None:
        self.url = url
        self._postgres = postgres

    @property
    def processor(self) -> float:
        """Seconds of the processor that PostgreSQL has used so far, all its processes together."""
        if self._postgres is None:
            return 0.0
        data = self._postgres.folder / "data"
        main = int((data / "postmaster.pid").read_text().split()[0])
        spent = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            if int(stat.parent.name) == main:
                spent += sum(int(field) for field in fields[11:15])  # with those that have ended
            elif int(fields[1]) == main:
                spent += int(fields[11]) + int(fields[12])
        return spent / os.sysconf("SC_CLK_TCK")

    @property
    def commits(self) -> int:
        """Transactions that PostgreSQL has committed so far, as far as it has counted."""
        if self._postgres is None:
            return 0
        asked = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        return int(self._postgres.sql(self.url, asked))


@contextmanager
def lite(folder: Path) -> Iterator[Database]:
    """A file in a folder."""
    yield Database(f"sqlite:///{folder / 'tables.sqlite'}")


@contextmanager
def postgres() -> Iterator[Database]:
    """A new database on a PostgreSQL that is gone afterwards."""
    sys.path.append(str(_ROOT))
    from tests.postgres import MISSING, Postgres
    from tests.preflight import postgres_programs

    found = postgres_programs()
    if found is None:
        raise SystemExit(MISSING)
    server = Postgres(found, Path(tempfile.mkdtemp(prefix="acesaround-pg-")), durable=True)
    with server.kept():
        server.make()
        yield Database(server.url(), server)
