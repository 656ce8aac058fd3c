"""A server process for browser tests, and tables that are stored in its database beforehand.

`python -m tests.browser.server_process FOLDER PORT PACE HINTS` serves with bots that do not wait
and with a fixed order of cards, so that a test meets the same cards every time.
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from itsdangerous import URLSafeTimedSerializer

from acesaround import bots, variants
from acesaround.server import Settings, startup
from acesaround.server import random_source as drawn
from acesaround.server.bots import scheduler
from acesaround.server.live import review_jobs
from acesaround.server.settings import BotDelays
from acesaround.store import Store
from acesaround.table import (
    Person,
    apply_entry,
    find_or_draw_key,
    fold,
    new_link,
)
from acesaround.table import entries as log
from acesaround.table.list_columns import (
    changed_summaries,
    encode_summary,
    list_columns,
    list_summary,
)
from tests.cli_runner import ENVIRONMENT, ROOT
from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS, wait_until

T = TypeVar("T")
SECRET = "a secret only for tests"
RULES = "rules"  # in a server's folder: sheets that are offered to everybody
HINT_SECONDS = 0.01  # which means a fixed number of playouts
_COMPILE_SECONDS = 240.0  # for kernels that are not in the cache


SEED_BITS = 62
"""The number of bits of the seed of a bot request, as in `server.bots.dispatch`."""


class FixedRandom(random.Random):
    """A random generator that always shuffles a deck into the same order; seat 0 deals first.

    It must be seeded, or bots that draw random numbers would differ from run to run.
    """

    def shuffle(self, x: Any) -> None:
        random.Random(f"pinochle {len(x)}").shuffle(x)

    def randrange(self, *bounds: Any) -> int:
        return 0

    def getrandbits(self, k: int) -> int:
        """Return random bits, but 1 as the seed of a bot request, so that hints never differ."""
        return 1 if k == SEED_BITS else super().getrandbits(k)


class Server:
    """A server on one port and one database, which can be killed and started again.

    `hints`: `start` waits until the bots that give hints are ready.
    """

    def __init__(self, folder: Path, *, pace: float = 0, hints: bool = False) -> None:
        self.folder, self.pace, self.hints = folder, pace, hints
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "server.log").open("ab") as written:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "tests.browser.server_process",
                    str(self.folder),
                    str(self.port),
                    str(self.pace),
                    "hints" if self.hints else "",
                ],
                cwd=ROOT,
                env=ENVIRONMENT,
                stdout=written,
                stderr=written,
            )
        wait_until(self._metrics, "the server answers")
        if self.hints:
            self._wait_for_hints()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal and wait until the server has ended."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE_SECONDS)
            self._process = None

    def read_log(self) -> str:
        """Return what the server has written."""
        return (self.folder / "server.log").read_text()

    def _metrics(self) -> bytes:
        """Return the metrics, empty while the server does not answer."""
        assert self._process is not None
        assert self._process.poll() is None, self.read_log()
        try:
            with urllib.request.urlopen(f"{self.url}/metrics", timeout=PATIENCE_SECONDS) as answer:
                figures: bytes = answer.read()
                return figures
        except OSError:
            return b""

    def _wait_for_hints(self) -> None:
        deadline = time.monotonic() + _COMPILE_SECONDS
        while b"\nacesaround_bot_pool_ready 1.0\n" not in self._metrics():
            assert time.monotonic() < deadline, f"no bot is ready to give hints: {self.read_log()}"
            time.sleep(0.1)  # of a loop that asks again

    def cookie(self, person: Person) -> Any:
        """Return the cookie of a person, for a browser."""
        signer = URLSafeTimedSerializer(SECRET, salt="acesaround.guest")
        value = signer.dumps({"id": person.id, "name": person.name})
        return {"name": "acesaround", "value": value, "url": self.url}

    def store_table(self, name: str, entries: tuple[Any, ...]) -> str:
        """Store a table with a log of entries, and return its URL."""
        chance = random.Random(name)
        key = find_or_draw_key(None, chance)
        links = [new_link("watch", key, chance), new_link("replay", key, chance)]
        entries = (entries[0], *links, *entries[1:])
        tables = [fold(entries[:1])]
        for entry in entries[1:]:
            tables.append(apply_entry(tables[-1], entry)[0])
        table = tables[-1]
        people = [seat.person.id for seat in table.seats if seat.person is not None]

        async def create() -> None:
            store = await Store.open(database_url(self.folder))
            try:
                await store.create(
                    name,
                    [log.encode(entry) for entry in entries],
                    config=msgspec.json.encode(table.config),
                    public=table.config.public,
                    summary=list_summary(table),
                    list_columns=list_columns(table),
                    games={
                        n: encode_summary(one, store.now())
                        for n, one in changed_summaries(tables).items()
                    },
                    people=people,
                    links={link.token: link.link for link in links},
                )
            finally:
                await store.close()

        run_in_thread(create())
        return f"{self.url}/t/{name}"


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread, because Playwright runs an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def database_url(folder: Path) -> str:
    """Return the URL of the database in a folder."""
    return f"sqlite:///{folder / 'tables.sqlite'}"


def main(folder: str, port: str, pace: str, hints: str) -> int:
    """Serve until a signal ends the process."""
    drawn.RNG = FixedRandom(1)
    scheduler._HINT_SECONDS = HINT_SECONDS  # type: ignore[misc]
    review_jobs.SECONDS = HINT_SECONDS  # type: ignore[misc]
    bots.default_bot = lambda rules=None: "thumb"  # which plays alike from the first moment on
    waits = float(pace)
    settings = Settings(
        database_url=database_url(Path(folder)),
        secret=SECRET,
        bot_delays=BotDelays(waits, waits, waits, waits, 0.0),
        max_messages_per_websocket=10_000,  # no person is as quick as these tests
        max_creations_per_guest=10_000,
        max_unfinished_tables=1_000,  # nor sits at so many: one server stands for all of them
        start_bots_early=bool(hints),
        bot_workers=1,
        max_bot_seconds=PATIENCE_SECONDS,
        extra_games=variants.load_folder(rules) if (rules := Path(folder, RULES)).is_dir() else {},
    )
    return startup.run(settings, "127.0.0.1", int(port))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
