"""The databases that a server is measured on: an SQLite file, or a temporary PostgreSQL server.

The PostgreSQL server is the one of the tests, but with durable commits.
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
    """A database for tables. `processor` and `commits` are known only for PostgreSQL.

    SQLite runs inside the server process, so its work is part of the server's.
    """

    def __init__(self, url: str, postgres: Any = None) -> None:
        self.url = url
        self._postgres = postgres

    @property
    def processor(self) -> float:
        """Processor seconds used so far by all processes of PostgreSQL."""
        if self._postgres is None:
            return 0.0
        data = self._postgres.folder / "data"
        main = int((data / "postmaster.pid").read_text().split()[0])
        spent = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:  # the process has ended
                continue
            if int(stat.parent.name) == main:
                spent += sum(int(field) for field in fields[11:15])  # with ended children
            elif int(fields[1]) == main:
                spent += int(fields[11]) + int(fields[12])
        return spent / os.sysconf("SC_CLK_TCK")

    @property
    def commits(self) -> int:
        """Transactions committed by PostgreSQL so far, as far as it has counted them."""
        if self._postgres is None:
            return 0
        query = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        return int(self._postgres.sql(self.url, query))


@contextmanager
def lite(folder: Path) -> Iterator[Database]:
    """Yield an SQLite database in a folder."""
    yield Database(f"sqlite:///{folder / 'tables.sqlite'}")


@contextmanager
def postgres() -> Iterator[Database]:
    """Yield a new database on a temporary PostgreSQL server."""
    sys.path.append(str(_ROOT))
    from tests.postgres import MISSING, Postgres
    from tests.preflight import find_postgres_folder

    found = find_postgres_folder()
    if found is None:
        raise SystemExit(MISSING)
    server = Postgres(found, Path(tempfile.mkdtemp(prefix="acesaround-pg-")), durable=True)
    with server.kept():
        server.make()
        yield Database(server.url(), server)
