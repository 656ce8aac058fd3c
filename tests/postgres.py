"""A PostgreSQL server for tests in a temporary folder, reached by a socket in it.

Its databases are temporary, so it runs without fsync; no test kills the server during a write.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from tests.preflight import CI_VARIABLE, LOCALE, find_postgres_folder, is_enterable_by_postgres
from tests.waiting import PATIENCE_SECONDS

_LOCALE: Final = LOCALE if sys.platform == "linux" else "C"
_LONGEST: Final = 60  # letters of a folder's name, for those of a socket in it are limited to 107
_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30  # bytes: some hundred databases of 8 MB each, and room for others
MISSING = (
    "There is no PostgreSQL here, so nothing is tested on it: install Debian's package"
    " `postgresql`, or put `initdb` and `postgres` of another on the PATH."
)


class Postgres:
    """One server. `make` starts it; `url` creates an empty database and returns its URL.

    `durable`: with fsync.
    """

    def __init__(self, programs: Path, folder: Path, *, durable: bool = False) -> None:
        self._programs = programs
        self.folder = folder
        self._durable = durable
        self._made = 0
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        if self._user is not None:
            owner = pwd.getpwnam(self._user)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        folder.chmod(0o755)

    def make(self) -> None:
        """Create the data folder and start the server."""
        flags = ["--auth=trust", "--username=tester", "--encoding=UTF8", "--no-sync"]
        flags.append(f"--locale={_LOCALE}")
        self._run("initdb", "--pgdata", str(self.folder / "data"), *flags)
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        disk = "on" if self._durable else "off"
        settings = f"-c listen_addresses= -c fsync={disk} -c unix_socket_directories={self.folder}"
        log = str(self.folder / "log")
        patience = str(int(PATIENCE_SECONDS))
        self._control("start", "--wait", "--timeout", patience, "--options", settings, "--log", log)

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server at once, as a crash would, or `fast`, which disconnects clients."""
        self._control("stop", "--wait", "--mode", mode)

    def url(self) -> str:
        """Create an empty database and return its URL."""
        self._made += 1
        name = f"test{self._made}"
        self._run("createdb", *self._where, name)
        return self.url_of(name)

    def url_of(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://tester@/{name}?host={quote(str(self.folder))}"

    def sql(self, url: str, statement: str) -> str:
        """Return the output of `psql` without headings."""
        name = url.partition("@/")[2].partition("?")[0]
        answer = ["--no-align", "--tuples-only", "--command", statement, name]
        return self._run("psql", *self._where, *answer).strip()

    @property
    def _where(self) -> list[str]:
        return ["--host", str(self.folder), "--username", "tester"]

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Remove the server after the block, also when the tests are killed."""
        over = 'read _; "$0" --pgdata "$1/data" stop --mode immediate; rm -rf "$1"'
        control = str(self._programs / "pg_ctl")
        with subprocess.Popen(
            ["sh", "-c", over, control, str(self.folder)],
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not for it
        ):
            yield  # its input ends with this block, or with this process

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "--pgdata", str(self.folder / "data"), *arguments)

    def _run(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            cwd="/",
            env={**os.environ, "LC_ALL": _LOCALE},  # the machine's own locale may not be installed
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "psql" else subprocess.DEVNULL,
            stderr=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{program} {arguments}: {done.stderr}\n{self._said()}")
        return done.stdout or ""

    def _said(self) -> str:
        log = self.folder / "log"
        return log.read_text() if log.is_file() else ""


@contextmanager
def running() -> Iterator[Postgres]:
    """Run a server; without PostgreSQL skip the tests, or fail if it is required."""
    found = find_postgres_folder()
    if found is None:
        if os.environ.get(CI_VARIABLE):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    # Not in pytest's folder: a socket's path may have 107 characters, and this user must reach it.
    server = Postgres(found, Path(tempfile.mkdtemp(prefix="acesaround-pg-", dir=_parent())))
    with server.kept():
        server.make()
        yield server


def _parent() -> Path:
    """Return a folder in memory, which no disk makes wait, where there is one with room.

    Else return the folder for temporary files, or `/tmp` where that folder's name is long or others
    may not enter it.
    """
    if os.access(_MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
        return _MEMORY
    usual = Path(tempfile.gettempdir())
    return usual if len(str(usual)) < _LONGEST and is_enterable_by_postgres(usual) else Path("/tmp")
