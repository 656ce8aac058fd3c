"""Greedy guests beside honest ones: what others wait for hints, easy tables and lists.

A server in a process of its own, first calm, then with one guest who plays at many tables of
expert bots as fast as they let him, or with a new guest at each table (`--newcomers`), each at an
address of its own (`--addresses`). Two others, who have played a deal, play on as before: one asks
for a hint at each decision, the other plays against easy bots. In the end the list of games is
asked for of a table with a log full of talk. `--src` serves another version of the project, to be
compared with.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from load import choice, running_server, serve, wait_until_ready
from websocket_client import Socket, ask, frame, open_socket

WARM_SECONDS: Final = 5.0  # seconds of the attack before anything is measured


class Player:
    """A guest at a table of their own against bots, who answers every decision at once."""

    def __init__(self, port: int, bots: str, hints: bool = False, address: str = "") -> None:
        self.hints: list[float] = []
        self.turns: list[float] = []
        self.deals = 0
        self._headers = f"X-Forwarded-For: {address}\r\n" if address else ""
        self._port, self._bots, self._asks = port, bots, hints
        self._socket: Socket | None = None
        self._sent = self._acted = 0.0
        self._seq = -1
        self._steps = 0

    async def sit(self, cookie: str) -> str:
        """Open a table and start the game; return the table's id."""
        wanted = {"variant": "partnership", "bots": self._bots, "start": True}
        answer = await ask(self._port, "/api/tables", wanted, cookie, more=self._headers)
        found: str = answer.json()["id"]
        path = f"/ws/{found}"
        self._socket = await open_socket(self._port, path, self._hear, cookie, self._headers)
        return found

    def _hear(self, text: bytes) -> None:
        if self._socket is None:  # still being opened
            asyncio.get_running_loop().call_soon(self._hear, text)
            return
        message = msgspec.json.decode(text)
        now = time.perf_counter()
        if message["type"] == "hint":
            self.hints.append(now - self._sent)
            self._act()
        elif message["type"] == "state":
            self._state = message
            self._steps += 1
            self.deals = max(self.deals, len(message["sheet"]))
            if message["table"]["over"] and not message["table"]["rematch"]:
                self._send(type="rematch")
            elif message["decision"] is not None and message["seq"] != self._seq:
                self._seq = message["seq"]
                if self._acted and self._steps > 1:
                    self.turns.append((now - self._acted) / (self._steps - 1))
                if self._asks:
                    self._sent = now
                    self._send(type="hint")
                else:
                    self._act()
        elif self._asks and self._sent:  # a refused hint
            self.hints.append(now - self._sent)
            self._act()

    def _act(self) -> None:
        self._acted, self._steps, self._sent = time.perf_counter(), 0, 0.0
        self._send(type="act", seq=self._state["seq"], action=choice(self._state))

    def _send(self, **message: Any) -> None:
        assert self._socket is not None
        self._socket.write(frame(msgspec.json.encode(message)))

    @property
    def open(self) -> bool:
        """True while the server has not closed the socket."""
        return self._socket is not None and not self._socket.closed.done()

    def close(self) -> None:
        """Drop the connection to the table."""
        assert self._socket is not None
        self._socket.transport.abort()


async def measure(arguments: argparse.Namespace, port: int, database: Path) -> None:
    """Measure calm, attack and lists, and print the figures."""
    await wait_until_ready(port)
    ann, ben, *greedy = [(await ask(port, "/api/me")).cookie for _ in range(2 + arguments.tables)]
    honest = [Player(port, "expert", hints=True), Player(port, "easy")]
    for player, cookie in zip(honest, (ann, ben), strict=True):
        await player.sit(cookie)
    while not all(player.deals for player in honest):
        await asyncio.sleep(0.1)
    report("calm", honest, await play_on(arguments.seconds, honest))
    numbers = range(arguments.tables)
    addresses = [f"192.0.2.{number * arguments.addresses + 1}" for number in numbers]
    tables = [Player(port, "expert", address=address) for address in addresses]
    for number, player in enumerate(tables):
        await player.sit(greedy[number * arguments.newcomers])
    await asyncio.sleep(WARM_SECONDS)
    remaining = [player for player in tables if player.open]  # the server may close some at once
    report(f"{len(remaining)} expert tables", honest, await play_on(arguments.seconds, honest))
    for player in (*tables, *honest):
        player.close()
    await asyncio.sleep(1)
    await measure_lists(arguments.talk, port, database, greedy[-1])


async def play_on(seconds: float, players: list[Player]) -> float:
    """Reset the figures and let all play on for `seconds`; return the duration."""
    for player in players:
        player.hints.clear()
        player.turns.clear()
    await asyncio.sleep(seconds)
    return seconds


def report(when: str, honest: list[Player], seconds: float) -> None:
    """Print the waiting times of the honest players."""
    for label, figures in (("a hint", honest[0].hints), ("an easy step", honest[1].turns)):
        if not figures:
            print(f"{when:20} {label:14} none in {seconds:.0f} s", flush=True)
            continue
        middle, worst = statistics.median(figures), max(figures)
        print(f"{when:20} {label:14} {middle:7.3f} s, worst {worst:7.3f} s, {len(figures)} of them")


async def measure_lists(talk: int, port: int, database: Path, cookie: str) -> None:
    """Measure the lists of a table with `talk` chat entries in its log."""
    wanted = {"variant": "partnership", "bots": "thumb", "start": True}
    name = (await ask(port, "/api/tables", wanted, cookie)).json()["id"]
    with sqlite3.connect(database) as connection:
        chat = '{"type":"said","seat":0,"phrase":"hello"}'
        counted = connection.execute("SELECT count(*) FROM entries WHERE table_id = ?", (name,))
        size = counted.fetchone()[0]
        rows = ((name, size + number, 0, chat) for number in range(talk))
        connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
    waits: dict[str, Callable[[], Any]] = {
        "its games": lambda: ask(port, f"/api/tables/{name}/games", cookie=cookie),
        "the lobby": lambda: ask(port, "/api/tables", cookie=cookie),
        "own tables": lambda: ask(port, "/api/mine", cookie=cookie),
    }
    for label, request in waits.items():
        began = time.perf_counter()
        answer = await request()
        print(
            f"{talk} phrases said   {label:14} {time.perf_counter() - began:7.3f} s", answer.status
        )


def main() -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=30, help="of the greedy guest")
    parser.add_argument("--newcomers", action="store_true", help="a new guest at each table")
    parser.add_argument("--addresses", action="store_true", help="an address for each table")
    parser.add_argument("--seconds", type=float, default=30.0, help="of calm, and of attack")
    parser.add_argument("--talk", type=int, default=200_000, help="phrases in a log")
    parser.add_argument("--src", help="the sources of another version, to be served instead")
    options = parser.parse_args()
    if options.src is not None:
        os.environ["PYTHONPATH"] = options.src
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "tables.sqlite"
        command = *serve(f"sqlite:///{database}"), "--trusted-proxies", "127.0.0.1"
        with running_server(*command, pinned=False) as server:
            asyncio.run(measure(options, server.port, database))


if __name__ == "__main__":
    main()
