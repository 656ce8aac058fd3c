"""A first start: what compiling does to those who play, beside the same server once it is done.

A server in a process of its own compiles everything anew, in a cache of its own, while four persons
at each table act 50 times a second in all. Server and compiler share one core, this client has the
other. When the server says that it is ready, the same people go on playing. Other work on the
machine disturbs both halves; what the server waited for its core is the kernel's own count. `--src`
serves another version of the project in the same way.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import Final

import database
from load import (
    EVERY,
    WARM,
    Server,
    Table,
    at,
    forget,
    may_open,
    on_core,
    opened,
    ready,
    running,
    seated,
    serve,
)

SECONDS: Final = 5.0  # of play between two checks


async def measured(server: Server, number: int, seconds: float) -> None:
    """Play until the bots are ready, then `seconds` longer; print the figures of both."""
    waiting = asyncio.create_task(ready(server.port))
    tables = await opened(lambda n: seated([server.port], n, start=True), number)
    await play(tables, WARM)
    spent = Spent(server, tables)
    while not waiting.done():
        await play(tables, SECONDS)
    await waiting
    spent.report("compiling")
    await play(tables, WARM)
    spent = Spent(server, tables)
    while spent.duration < seconds:
        await play(tables, SECONDS)
    spent.report("compiled")


async def play(tables: list[Table], seconds: float) -> None:
    """Let every table act in turn."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for step in range(int(seconds / EVERY * len(tables))):
        await asyncio.sleep(max(0.0, began + step * EVERY / len(tables) - loop.time()))
        tables[step % len(tables)].act()


class Spent:
    """Latency and cost of actions since this object was made."""

    def __init__(self, server: Server, tables: list[Table]) -> None:
        self._server, self._tables = server, tables
        forget(tables)
        self._began, self._cpu, self._waited = time.monotonic(), server.cpu, waited(server)

    @property
    def duration(self) -> float:
        """The time since this object was made, in seconds."""
        return time.monotonic() - self._began

    def report(self, when: str) -> None:
        """Print the figures."""
        took = [second for table in self._tables for second in table.seconds]
        delay = (waited(self._server) - self._waited) / max(1, len(took))
        print(
            f"{when:10} {self.duration:6.1f} s {len(took) / self.duration:6.1f}/s"
            f"   p50 {at(took, 0.5):6.1f} ms   p99 {at(took, 0.99):6.1f} ms"
            f"   worst {at(took, 1):6.1f} ms"
            f"   server {(self._server.cpu - self._cpu) / self.duration:4.0%} busy,"
            f" waited {1000 * delay:.2f} ms an action for its core",
            flush=True,
        )


def waited(server: Server) -> float:
    """Return the seconds that the server was ready to run but its core was busy."""
    said = Path(f"/proc/{server.process.pid}/schedstat").read_text().split()
    return int(said[1]) / 1e9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="tables of four (default 100)")
    parser.add_argument("--seconds", type=float, default=30, help="after compiling (default 30)")
    parser.add_argument("--src", help="the sources of another version, to be served instead")
    asked = parser.parse_args()
    if asked.src is not None:
        os.environ["PYTHONPATH"] = asked.src
    may_open(4 * asked.tables + 200)
    on_core(-1)
    with tempfile.TemporaryDirectory() as made:
        os.environ["XDG_CACHE_HOME"] = str(Path(made) / "cache")
        with database.lite(Path(made)) as data, running(*serve(data.url)) as server:
            asyncio.run(measured(server, asked.tables, asked.seconds))


if __name__ == "__main__":
    main()
