"""A first start: how compiling affects players, compared with the same server afterwards.

The server runs in its own process and compiles everything into an empty cache, while four persons
at each table act 50 times a second in all. Server and compiler share one core; this client has the
other. When the server is ready, the same people play on. Other work on the machine disturbs both
halves; the time that the server waited for its core is counted by the kernel. `--src` serves
another version of the project in the same way.
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
    TURN_SECONDS,
    WARM_SECONDS,
    Server,
    Table,
    clear_figures,
    make_all,
    open_table,
    pin_to_core,
    quantile_ms,
    raise_file_limit,
    running_server,
    serve,
    wait_until_ready,
)

SECONDS: Final = 5.0  # of play between two checks


async def measure(server: Server, number: int, seconds: float) -> None:
    """Play until the bots are ready, then `seconds` longer; print the figures of both."""
    waiting = asyncio.create_task(wait_until_ready(server.port))
    tables = await make_all(lambda n: open_table([server.port], n, start=True), number)
    await play(tables, WARM_SECONDS)
    spent = Costs(server, tables)
    while not waiting.done():
        await play(tables, SECONDS)
    await waiting
    spent.report("compiling")
    await play(tables, WARM_SECONDS)
    spent = Costs(server, tables)
    while spent.duration < seconds:
        await play(tables, SECONDS)
    spent.report("compiled")


async def play(tables: list[Table], seconds: float) -> None:
    """Let every table act in turn."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for step in range(int(seconds / TURN_SECONDS * len(tables))):
        await asyncio.sleep(max(0.0, began + step * TURN_SECONDS / len(tables) - loop.time()))
        tables[step % len(tables)].act()


class Costs:
    """Latency and cost of actions since this object was made."""

    def __init__(self, server: Server, tables: list[Table]) -> None:
        self._server, self._tables = server, tables
        clear_figures(tables)
        self._began, self._cpu, self._waited = time.monotonic(), server.cpu, seconds_waited(server)

    @property
    def duration(self) -> float:
        """The time since this object was made, in seconds."""
        return time.monotonic() - self._began

    def report(self, when: str) -> None:
        """Print the figures."""
        took = [second for table in self._tables for second in table.seconds]
        delay = (seconds_waited(self._server) - self._waited) / max(1, len(took))
        print(
            f"{when:10} {self.duration:6.1f} s {len(took) / self.duration:6.1f}/s"
            f"   p50 {quantile_ms(took, 0.5):6.1f} ms   p99 {quantile_ms(took, 0.99):6.1f} ms"
            f"   worst {quantile_ms(took, 1):6.1f} ms"
            f"   server {(self._server.cpu - self._cpu) / self.duration:4.0%} busy,"
            f" waited {1000 * delay:.2f} ms an action for its core",
            flush=True,
        )


def seconds_waited(server: Server) -> float:
    """Return the seconds that the server was ready to run but its core was busy."""
    fields = Path(f"/proc/{server.process.pid}/schedstat").read_text().split()
    return int(fields[1]) / 1e9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="tables of four (default 100)")
    parser.add_argument("--seconds", type=float, default=30, help="after compiling (default 30)")
    parser.add_argument("--src", help="the sources of another version, to be served instead")
    options = parser.parse_args()
    if options.src is not None:
        os.environ["PYTHONPATH"] = options.src
    raise_file_limit(4 * options.tables + 200)
    pin_to_core(-1)
    with tempfile.TemporaryDirectory() as made:
        os.environ["XDG_CACHE_HOME"] = str(Path(made) / "cache")
        with database.lite(Path(made)) as data, running_server(*serve(data.url)) as server:
            asyncio.run(measure(server, options.tables, options.seconds))


if __name__ == "__main__":
    main()
