"""Measurements of this machine for `capacity.py`: servers, databases, bots."""

from __future__ import annotations

import argparse
import asyncio
import platform
import random
import sqlite3
import statistics
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import msgspec

import database
from acesaround import bots, game, variants
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from capacity import Measured
from load import (
    SEQ,
    Server,
    choice,
    commits,
    load,
    make_all,
    open_table,
    raise_file_limit,
    running_server,
    serve,
    wait_until_ready,
)
from websocket_client import Socket, ask, frame, open_socket

TABLES: Final = 200  # tables of four persons, who act as soon as they can
ALONE: Final = 500  # tables of one person and three bots, who pause before acting
SECONDS: Final = 20.0
IDLE: Final = 1000
DECISIONS: Final = 120  # decisions measured for each level: some deals
VARIANT: Final = "partnership"


def measured() -> Measured:
    """Return all figures, measured one after the other."""
    raise_file_limit(4000)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        lite = commits(folder)
        (folder / "four").mkdir()
        with database.lite(folder / "four") as data:
            four = asyncio.run(load(data, _load_options(postgres=False)))
            entry = _entry_bytes(folder / "four" / "tables.sqlite")
        with database.postgres() as data:
            pg = asyncio.run(load(data, _load_options(postgres=True)))
            pg_commits = _postgres_commits(data)
        one = asyncio.run(_lone_person_cost(database.lite(folder / "one")))
        rest, each = asyncio.run(_idle_memory(database.lite(folder / "idle")))
    actions = len(four.seconds)
    pg_actions = len(pg.seconds)
    return Measured(
        machine=f"{_processor()}, Python {platform.python_version()}",
        server_one=round(one, 2),
        server_four=round(1000 * four.cpu["server 1"] / actions, 2),
        postgres=round(1000 * pg.cpu["postgres"] / pg_actions, 2),
        postgres_server=round(1000 * pg.cpu["server 1"] / pg_actions, 2),
        sqlite_commits=round(lite),
        postgres_commits=round(pg_commits),
        socket_kb=round(each, 1),
        rest_mb=round(rest),
        message_bytes=four.size,
        entry_bytes=round(entry),
        thinking={level: round(_thinking(level), 3) for level in ("easy", "medium", "hard")}
        | {"expert": round(_thinking("expert"), 3), "hint": 1.0},
    )


def _load_options(*, postgres: bool) -> argparse.Namespace:
    return argparse.Namespace(
        tables=TABLES, seconds=SECONDS, servers=1, sticky=True, flat_out=True, postgres=postgres
    )


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} cores of {names[0]}" if names else platform.machine()


def _entry_bytes(file: Path) -> float:
    """Return the mean size of an entry in the database, in bytes."""
    connection = sqlite3.connect(file)
    try:
        query = "SELECT avg(length(table_id) + length(CAST(body AS BLOB)) + 12) FROM entries"
        return float(connection.execute(query).fetchone()[0])
    finally:
        connection.close()


def _postgres_commits(data: database.Database, seconds: float = 3.0) -> float:
    """Return the durable commits per second of one client that waits for each."""
    import asyncpg  # type: ignore[import-untyped]  # as in `store.postgres_notifications`

    async def commit() -> float:
        connection = await asyncpg.connect(data.url)
        try:
            await connection.execute("CREATE TABLE bare (number serial, body text)")
            began, number = time.perf_counter(), 0
            while time.perf_counter() - began < seconds:
                await connection.execute("INSERT INTO bare (body) VALUES ($1)", "x" * 80)
                number += 1
            return number / (time.perf_counter() - began)
        finally:
            await connection.close()

    return asyncio.run(commit())


class _LonePerson:
    """A person with three easy bots, who acts as soon as it is their turn."""

    def __init__(self) -> None:
        self.seq = 0
        self.socket: Socket

    def on_text(self, text: bytes) -> None:
        """Act on a state message, if it is this person's turn."""
        if (found := SEQ.match(text)) is None:
            return
        self.seq = int(found[1])
        state = msgspec.json.decode(text)
        if state["decision"] is not None:
            action = {"type": "act", "seq": state["seq"], "action": choice(state)}
            self.socket.write(frame(msgspec.json.encode(action)))


async def _lone_person_cost(data: AbstractContextManager[database.Database]) -> float:
    """Return the server's processor ms per entry, at tables of one person and three easy bots."""
    with data as db, running_server(*serve(db.url)) as server:
        await wait_until_ready(server.port)

        async def table(number: int) -> _LonePerson:
            person = _LonePerson()
            guest = (await ask(server.port, "/api/me")).cookie
            wanted = {"variant": VARIANT, "bots": "easy"}
            opened_at = (await ask(server.port, "/api/tables", wanted, guest)).json()
            person.socket = await open_socket(
                server.port, f"/ws/{opened_at['id']}", person.on_text, guest
            )
            person.socket.send(type="start")
            return person

        tables: list[_LonePerson] = await make_all(table, ALONE)
        await asyncio.sleep(3)
        entries, cpu = sum(person.seq for person in tables), server.cpu
        await asyncio.sleep(SECONDS)
        return 1000 * (server.cpu - cpu) / (sum(person.seq for person in tables) - entries)


async def _idle_memory(data: AbstractContextManager[database.Database]) -> tuple[float, float]:
    """Return the MB of an idle server, and the kB more for each person at a table of four."""
    with data as db, running_server(*serve(db.url)) as server:
        await wait_until_ready(server.port)
        rest = server.rss
        await make_all(lambda n: open_table([server.port], n, start=False), 2)
        before = server.rss
        await make_all(lambda n: open_table([server.port], n, start=False), IDLE // 4)
        return rest, 1024 * (_settled(server) - before) / IDLE


def _settled(server: Server) -> float:
    time.sleep(2)
    return server.rss


def _thinking(level: str) -> float:
    """Return the processor seconds per unforced decision, bids and cards alike."""
    rng = random.Random(7)
    player, quick = bots.make(level, random.Random(1)), bots.make("thumb", random.Random(1))
    rules = variants.get(VARIANT)
    state, took = game.start(rules, 0), list[float]()
    while len(took) <= DECISIONS and state.phase is not None:
        decision = game.decision(state)
        if decision.seat is None:
            action = decision.legal.sample(rng)
        else:
            seen = view_for(state, decision.seat)
            if decision.kind is not DecisionKind.PLAY or len(list(decision.legal)) > 1:
                began = time.process_time()
                player.choose(seen, decision)
                took.append(time.process_time() - began)
            action = quick.choose(seen, decision)
        state, _ = game.apply(state, action)
    return statistics.fmean(took[1:])  # the first includes the warm-up
