"""A real server for the browser: a process of its own on loopback, and tables set up beforehand.

`python -m tests.browser.server FOLDER PORT` serves with bots that do not wait and with chance
that always falls alike, so that a test meets the same cards every time.
"""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from itsdangerous import URLSafeTimedSerializer

from acesaround import bots, variants
from acesaround.server import Settings, serve
from acesaround.server import chance as drawn
from acesaround.server.settings import Pace
from acesaround.store import Store
from acesaround.table import Config, Person, Table, after, begin, fold, think
from acesaround.table import entries as log
from acesaround.table.listing import games_kept, keys, summary
from tests.command import ENVIRONMENT, ROOT

T = TypeVar("T")
SECRET = "a secret only for tests"
RULES = "rules"  # in a server's folder: sheets that are offered to everybody
PATIENCE = 20.0  # seconds a server may take to answer on a busy machine


class Alike(random.Random):
    """Chance that shuffles a deck of one size always into the same order; seat 0 deals first.

    It must be seeded, or bots that draw lots would differ from run to run.
    """

    def shuffle(self, x: Any) -> None:
        random.Random(f"pinochle {len(x)}").shuffle(x)

    def randrange(self, *bounds: Any) -> int:
        return 0


class Server:
    """A server on one port and one database, which can be killed and started again."""

    def __init__(self, folder: Path, *, pace: float = 0) -> None:
        self.folder, self.pace = folder, pace
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; back when it answers."""
        with (self.folder / "server.log").open("ab") as written:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "tests.browser.server",
                    str(self.folder),
                    str(self.port),
                    str(self.pace),
                ],
                cwd=ROOT,
                env=ENVIRONMENT,
                stdout=written,
                stderr=written,
            )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it; back when it has ended."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def said(self) -> str:
        """What it wrote."""
        return (self.folder / "server.log").read_text()

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=1):
                return True
        except OSError:
            return False

    def cookie(self, person: Person) -> Any:
        """The cookie by which the server knows that person again, for a browser."""
        signer = URLSafeTimedSerializer(SECRET, salt="acesaround.guest")
        value = signer.dumps({"id": person.id, "name": person.name})
        return {"name": "acesaround", "value": value, "url": self.url}

    def lay(self, name: str, entries: tuple[Any, ...]) -> str:
        """Put a table into the database, as a log of entries; its address."""
        tables = [fold(entries[:1])]
        for entry in entries[1:]:
            tables.append(after(tables[-1], entry)[0])
        table = tables[-1]
        people = [seat.person.id for seat in table.seats if seat.person is not None]

        async def create() -> None:
            store = await Store.open(database(self.folder))
            try:
                await store.create(
                    name,
                    [log.encode(entry) for entry in entries],
                    config=msgspec.json.encode(table.config),
                    public=table.config.public,
                    summary=summary(table),
                    keys=keys(table),
                    games={n: msgspec.json.encode(one) for n, one in games_kept(tables).items()},
                    people=people,
                )
            finally:
                await store.close()

        in_a_thread(create())
        return f"{self.url}/t/{name}"


def prepared(
    config: Config,
    host: Person,
    until: Callable[[Table], object],
    *,
    others: tuple[Person, ...] = (),
    dealer: int = 0,
) -> tuple[Any, ...]:
    """The log of a table at which bots have played for everybody until it looks as wanted."""
    for seed in range(50):
        entries = list(begin(config, host))
        entries += [log.Sat(seat, person) for seat, person in enumerate(others, 1)]
        entries.append(log.Begun(dealer))
        chance = random.Random(seed)
        table = fold(entries)
        while table.playing:
            if until(table):
                return tuple(entries)
            entries.append(think(table, chance, bot="thumb"))
            table, _ = after(table, entries[-1])
        if until(table):
            return tuple(entries)
    raise AssertionError("no game ever looked as wanted")


def in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine: the thread of a test runs the browser's loop already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def database(folder: Path) -> str:
    """The address of the database in a folder."""
    return f"sqlite:///{folder / 'tables.sqlite'}"


def main(folder: str, port: str, pace: str) -> int:
    """Serve until told to stop."""
    drawn.SOURCE = Alike(1)
    bots.usual = lambda rules=None: "thumb"  # which plays alike from the first moment on
    waits = float(pace)
    settings = Settings(
        database_url=database(Path(folder)),
        secret=SECRET,
        pace=Pace(waits, waits, waits, waits, 0.0),
        credits=10_000,  # no person is as quick as these tests
        http_credits=10_000,
        tables=1_000,  # nor sits at so many: one server stands for all of them
        sheets=variants.folder(rules) if (rules := Path(folder, RULES)).is_dir() else {},
    )
    return serve.run(settings, "127.0.0.1", int(port))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
