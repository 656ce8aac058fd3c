"""Admin commands while two processes serve: a person is deleted, a table removed in mid-game."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from acesaround import cli
from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.table.anonymize import FORMER_PLAYER
from tests.multiprocess.client import Player
from tests.multiprocess.server import Server
from tests.waiting import PATIENCE_SECONDS, wait_until_async


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

    def __init__(self, port: int, table: str, cookie: str, sit: int | None = None) -> None:
        self.seen = asyncio.Event()
        self._where = f"ws://127.0.0.1:{port}/ws/{table}"
        self._cookie, self._sit = cookie, sit

    async def closed(self) -> tuple[int, str]:
        """Read until the socket is closed; return the close code and reason."""
        async with connect(
            self._where,
            additional_headers={"cookie": self._cookie},
            proxy=None,
            open_timeout=PATIENCE_SECONDS,
            ping_interval=None,
        ) as socket:
            if self._sit is not None:
                await socket.send(json.dumps({"type": "sit", "seat": self._sit}))
            try:
                while True:  # steady: ends when the server closes, and faulthandler watches
                    await socket.recv()
                    self.seen.set()
            except ConnectionClosed:
                return socket.close_code or 0, socket.close_reason or ""


async def test_game_goes_on_when_a_person_at_another_process_is_deleted(
    two_servers: list[Server], url: str, tmp_path: Path
) -> None:
    """The socket at the second process is closed; the player at the first has no refusal."""
    ann, bob = Player("Ann", [two_servers[0].port]), Player("Bobolink", [two_servers[1].port])
    await ann.enter()
    await bob.enter()
    table = await ann.open_table(variant="partnership", options={"hands": 2})
    sitting = asyncio.create_task(Viewer(two_servers[1].port, table, bob.cookie, sit=1).closed())
    playing = asyncio.create_task(ann.play(table, waits=1))
    bobs = json.loads(await run_admin(url, "people", "Bobolink", "--json"))["id"]
    await wait_until_async(lambda: ann.seen and ann.seen[-1]["view"] is not None, "cards are dealt")
    await run_admin(url, "delete", bobs, "--yes")
    code, why = await sitting
    assert (code, why.startswith("Your data on this server was deleted")) == (4410, True)
    await playing
    assert ann.refused.get("unsaved", 0) == 0
    assert ann.seen[-1]["table"]["over"]
    assert "Bobolink" not in json.dumps(ann.seen[-1])
    for place in range(2):
        record = await Player("", [two_servers[place].port]).get(f"/api/tables/{table}/record.json")
        assert b"Bobolink" not in record
        assert verify(decode(record)) == []
        assert FORMER_PLAYER in [seat.name for seat in decode(record).seats]
        assert "Traceback" not in (tmp_path / f"log{place}").read_text()


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
