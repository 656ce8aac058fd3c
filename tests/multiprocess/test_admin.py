"""An admin command while two processes serve: a table is removed in mid-game."""

from __future__ import annotations

import asyncio
import contextlib
import io
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from acesaround import cli
from tests.multiprocess.client import Player
from tests.multiprocess.server import Server
from tests.waiting import PATIENCE_SECONDS


async def run_admin(url: str, *words: str) -> str:
    """Run an admin command in this process, and return its output."""
    output = io.StringIO()

    def run() -> int:
        with contextlib.redirect_stdout(output):
            return cli.main(["admin", "--database-url", url, *words])

    assert await asyncio.to_thread(run) == 0
    return output.getvalue()


class Viewer:
    """A person with an open socket. `seen`: set when a message came."""

    def __init__(self, port: int, table: str, cookie: str) -> None:
        self.seen = asyncio.Event()
        self._where = f"ws://127.0.0.1:{port}/ws/{table}"
        self._cookie = cookie

    async def closed(self) -> tuple[int, str]:
        """Read until the socket is closed; return the close code and reason."""
        async with connect(
            self._where,
            additional_headers={"cookie": self._cookie},
            proxy=None,
            open_timeout=PATIENCE_SECONDS,
            ping_interval=None,
        ) as socket:
            try:
                while True:  # steady: ends when the server closes, and faulthandler watches
                    await socket.recv()
                    self.seen.set()
            except ConnectionClosed:
                return socket.close_code or 0, socket.close_reason or ""


async def test_a_removed_table_closes_its_sockets_at_every_process(
    two_servers: list[Server], url: str, tmp_path: Path
) -> None:
    people = [
        Player(name, [server.port]) for name, server in zip(("A", "B"), two_servers, strict=True)
    ]
    for player in people:
        await player.enter()
    table = await people[0].open_table(variant="partnership", start=True)
    viewers = [
        Viewer(server.port, table, player.cookie)
        for server, player in zip(two_servers, people, strict=True)
    ]
    ends = [asyncio.create_task(viewer.closed()) for viewer in viewers]
    for viewer in viewers:
        await viewer.seen.wait()
    await run_admin(url, "remove", table, "--yes")
    for end in ends:
        code, why = await end
        assert (code, why) == (4410, "The operator of this server has removed this table.")
    assert await run_admin(url, "tables") == ""
    for place in range(2):
        assert "Traceback" not in (tmp_path / f"log{place}").read_text()
