"""The cost of cleanup, counting and deleting for a person who plays: SQLite, one process.

A database is filled with abandoned tables, and a server started on it. A person pauses and resumes
a game four times a second, and waits each time for the answer, which is after the commit. This is
measured first alone, then during a cleanup, then while an operator deletes a person, and last while
the file is rewritten.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, Final

import msgspec

from acesaround.store import Store
from acesaround.table import (
    Config,
    Entry,
    Person,
    apply_entry,
    automatic_actor,
    automatic_entry,
    begin,
    entries,
    fold,
)
from acesaround.table.list_columns import changed_summaries, list_columns, list_summary
from load import quantile_ms, running_server, serve
from websocket_client import Socket, ask, open_socket

FIRST: Final = 55.0  # somewhat less than the seconds from a server's start to its first cleanup
YEAR_MS: Final = 365 * 24 * 60 * 60 * 1000  # milliseconds


def old_log(seed: int) -> list[Entry]:
    """Return the log of a table where bots played a deal or two."""
    rng = random.Random(seed)
    host = Person(f"person-{seed}", f"Player {seed}")
    new_entries: list[Entry] = [
        *begin(Config("partnership", 4, bots="random"), host),
        entries.SeatLeft(0),
        entries.Begun(0),
    ]
    table = fold(new_entries)
    while automatic_actor(table) is not None and len(new_entries) < 200:
        new_entries.append(automatic_entry(table, rng))
        table, _ = apply_entry(table, new_entries[-1])
    return new_entries


async def fill(path: Path, tables: int) -> None:
    """Create a database with `tables` tables, two years old."""
    store = await Store.open(f"sqlite:///{path}")
    for number in range(min(tables, 20)):
        new_entries = old_log(number)
        found = [fold(new_entries[:1])]
        for entry in new_entries[1:]:
            found.append(apply_entry(found[-1], entry)[0])
        games = {n: msgspec.json.encode(line) for n, line in changed_summaries(found).items()}
        await store.create(
            f"t{number}",
            [entries.encode(entry) for entry in new_entries],
            config=b"{}",
            public=False,
            summary=list_summary(found[-1]),
            list_columns=list_columns(found[-1]),
            games=games,
            people=[f"person-{number}"],
        )
    await store.close()
    with sqlite3.connect(path) as connection:
        for table, key in (("tables", "id"), ("entries", "table_id"), ("games", "table_id")):
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            rest = ", ".join(name for name in columns if name != key)
            for copy in range(1, tables // 20):
                connection.execute(
                    f"INSERT INTO {table} ({key}, {rest})"
                    f" SELECT {key} || 'x{copy}', {rest} FROM {table} WHERE {key} NOT LIKE '%x%'"
                )
        connection.execute("UPDATE tables SET changed_ms = changed_ms - ?", (2 * YEAR_MS,))
        connection.execute("UPDATE entries SET appended_ms = appended_ms - ?", (2 * YEAR_MS,))
    connection.close()


class Player:
    """A person who pauses and resumes, and waits for the result."""

    def __init__(self) -> None:
        self._heard = asyncio.Event()
        self._socket: Socket | None = None

    async def sit(self, port: int) -> None:
        """Open a table and start the game."""
        cookie = (await ask(port, "/api/me", {"name": "Ann"})).cookie
        wanted = {"variant": "partnership", "bots": "thumb", "start": True}
        table = (await ask(port, "/api/tables", wanted, cookie)).json()["id"]
        self._socket = await open_socket(port, f"/ws/{table}", self._hear, cookie)

    def _hear(self, text: bytes) -> None:
        message: dict[str, Any] = msgspec.json.decode(text)
        if message["type"] == "state":
            self._paused = message["table"]["paused"]
            self._heard.set()
        else:
            raise SystemExit(f"refused: {message}")

    async def play(self, until: float) -> list[float]:
        """Pause and resume until a time; return the seconds that each took."""
        assert self._socket is not None
        took = []
        while time.monotonic() < until:
            wanted = not self._paused
            began = time.perf_counter()
            self._socket.send(type="pause" if wanted else "resume")
            while self._paused != wanted:
                self._heard.clear()
                await asyncio.wait_for(self._heard.wait(), 30)
            took.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, 0.25 - took[-1]))
        return took


def print_figures(what: str, took: list[float]) -> None:
    """Print a line of figures."""
    middle, late, worst = quantile_ms(took, 0.5), quantile_ms(took, 0.99), quantile_ms(took, 1.0)
    sys.stdout.write(f"{what:40} {middle:8.1f} {late:8.1f} {worst:8.1f} ms  ({len(took)} times)\n")
    sys.stdout.flush()


async def measure(path: Path, port: int, seconds: float) -> None:
    """Measure each of the four situations."""
    player, began = Player(), time.monotonic()
    await player.sit(port)
    await asyncio.sleep(8.0)  # lets the server's first count of the database finish
    print_figures("nothing else", await player.play(began + FIRST))
    await asyncio.sleep(8.0)
    before = count_tables(path)
    print_figures("while tables are cleared", await player.play(time.monotonic() + seconds))
    sys.stdout.write(f"  {before - count_tables(path)} tables went meanwhile\n")
    deleting = asyncio.create_task(run_admin(path, "delete", "person-19"))
    print_figures("while a person is deleted", await play_until_done(player, deleting))
    tidying = asyncio.create_task(run_admin(path, "tidy"))
    print_figures("while the file is written anew", await play_until_done(player, tidying))


async def play_until_done(player: Player, done: Awaitable[Any]) -> list[float]:
    """Play until a task is done; return the seconds of each action."""
    task, took = asyncio.ensure_future(done), []
    while not task.done():
        took += await player.play(time.monotonic() + 0.5)
    await task
    return took


async def run_admin(path: Path, *what: str) -> None:
    """Run an admin command as an operator does, and print how long it took."""
    words = ["admin", *what, "--yes", "--database-url", f"sqlite:///{path}"]
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "acesaround", *words, stdout=subprocess.DEVNULL
    )
    assert await process.wait() == 0
    sys.stdout.write(
        f"  {what[0]} took {time.perf_counter() - began:.1f} s,"
        f" {os.path.getsize(path) / 1e6:.0f} MB are left\n"
    )


def count_tables(path: Path) -> int:
    """Return the number of tables."""
    with sqlite3.connect(path) as connection:
        found: int = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
    connection.close()
    return found


def main() -> None:
    """Fill a database, serve it and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.sqlite"
        asyncio.run(fill(path, options.tables))
        sys.stdout.write(f"{count_tables(path)} tables, {os.path.getsize(path) / 1e6:.0f} MB\n")
        sys.stdout.write(f"{'':40} {'median':>8} {'p99':>8} {'worst':>8}\n")
        url = f"sqlite:///{path}"
        with running_server(*serve(url), "--retention", "90d", pinned=False) as server:
            asyncio.run(measure(path, server.port, options.seconds))


if __name__ == "__main__":
    main()
