"""A world: servers, database, network and people, all of it drawn from one seed."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Collection, Iterable
from pathlib import Path
from traceback import format_exception
from typing import Any, Final

import msgspec

from acesaround.server import chance
from acesaround.server.settings import Pace, Settings
from tests.simulation import server as servers
from tests.simulation.choices import Choices, Happening
from tests.simulation.clients import Device, Message
from tests.simulation.environment import WORLD
from tests.simulation.invariants import Invariants
from tests.simulation.loop import SimulatedLoop
from tests.simulation.memory_store import MemoryDatabase, MemoryStore
from tests.simulation.network import Connection, Exchange, Headers, Network
from tests.simulation.server import SimulatedServer

_SECRET: Final = "a secret only for the simulation"
_NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")


class Failed(Exception):  # noqa: N818 - named after the check
    """Something that always holds did not. `rule`: its name."""

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(f"{rule}: {sentence}")
        self.rule, self.sentence = rule, sentence


class Outcome(msgspec.Struct):
    """What came of a world. `digest`: a hash of everything that was sent and stored.

    `rule`: the name of the check that failed, if any, and `failure` what it found.
    """

    seed: int
    digest: str
    steps: int
    actions: int
    seconds: float
    rule: str | None
    failure: str
    happened: list[Happening]
    story: list[tuple[Any, ...]]


class World:
    """One universe. `kept`: the only happenings that may occur (see `choices`)."""

    def __init__(self, seed: int, kept: Collection[Happening] | None = None) -> None:
        WORLD.start(f"{seed}:secrets")
        chance.RNG = random.Random(f"{seed}:server")
        self.seed = seed
        self.choices = Choices(seed, kept)
        self.rng = self.choices.stream("world")
        self.loop = SimulatedLoop()
        self.loop.thread_delay = lambda: 0.002
        self.loop.set_exception_handler(self._on_loop_error)
        self.story: list[tuple[Any, ...]] = []
        self.failure: Failed | None = None
        self._digest = hashlib.blake2b()
        self._abandoned: list[asyncio.Task[Any]] = []
        self._ended = self.loop.create_future()
        self.network = Network(self)
        self.database = MemoryDatabase()
        self.invariants = Invariants(self)
        servers.install(self)
        self.settings = Settings(
            database_url="",
            secret=_SECRET,
            allowed_hosts=("testserver",),
            static_folder=Path("/nowhere"),
            pace=Pace(0.05, 0.1, 0.2, 0.2, 0.05),
        )
        self.servers = [
            SimulatedServer(self, f"server-{number}", self.settings)
            for number in range(1, self.rng.choice((1, 2)) + 1)
        ]
        self.devices = [Device(self, name) for name in _NAMES[: self.rng.randrange(2, 9)]]
        self._waiting: list[Device] = []
        self.tables: list[str] = []
        self.devices[0].is_host = True

    def run(self) -> Outcome:
        """Let everything happen, and return what came of it."""
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_until_complete(self._live())
        except Failed as failure:
            self.failure = failure
        return Outcome(
            self.seed, self._digest.hexdigest()[:32], len(self.story), self.invariants.actions,
            WORLD.now, None if self.failure is None else self.failure.rule, _text(self.failure),
            self.choices.happened, self.story,
        )  # fmt: skip

    async def _live(self) -> None:
        for server in self.servers:
            server.start()
        await asyncio.sleep(1.0)
        for device in self.devices:
            device.enter()
        await asyncio.wait([self._ended], timeout=600)
        if self.failure is not None:
            raise self.failure
        if not self._ended.done():
            raise Failed("liveness", "the game did not end")

    def end(self) -> None:
        """End the world."""
        if not self._ended.done():
            self._ended.set_result(None)

    # what happens

    def note(self, kind: str, *facts: object) -> None:
        """Write down a step of the story."""
        step = (round(WORLD.now, 6), kind, *facts)
        self.story.append(step)
        self._digest.update(repr(step).encode())

    def fail(self, rule: str, sentence: str, cause: BaseException | None = None) -> None:
        """End the world, because something that always holds did not."""
        if self.failure is None:
            self.failure = Failed(rule, sentence)
            self.failure.__cause__ = cause
            self.end()

    def abandon(self, tasks: Iterable[asyncio.Task[Any]]) -> None:
        """Keep tasks that never go on, so that nothing of them is closed before the world ends."""
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            self._abandoned.append(task)

    def _on_loop_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.fail("error", f"{context.get('message')}: {error!r}", error)

    # the servers

    def open_store(self, name: str) -> MemoryStore:
        """Open the database for a server."""
        server = next(one for one in self.servers if one.name == name)
        server.store = self.database.open_store(
            server.process.name, faults=self.invariants, is_shared=len(self.servers) > 1
        )
        return server.store

    def some_server(self, rng: random.Random) -> SimulatedServer:
        """Return the server that a request reaches."""
        return rng.choice(self.servers)

    # the tables

    def table_wish(self, host: Device) -> Message:
        """Return what a host asks for."""
        return {
            "variant": "partnership", "bots": "thumb", "options": {"target": 1}, "public": True,
        }  # fmt: skip

    def announce_table(self, host: Device, table_id: str) -> None:
        """Let everybody come to a new table."""
        self.tables.append(table_id)
        host.table = table_id
        host.connect()
        for device in self._waiting:
            device.table = table_id
            device.connect()

    def wait_for_table(self, device: Device) -> None:
        """Let a person come as soon as there is a table."""
        if self.tables:
            device.table = self.tables[0]
            device.connect()
        else:
            self._waiting.append(device)

    def is_table_ready(self, host: Device, table: Message) -> bool:
        """Return whether a host should begin."""
        return WORLD.now > 5 or not table["may"]["sit"]

    def on_shut_out(self, device: Device, code: int) -> None:
        """Note that a device may not come back."""

    # what is watched

    def watch_message(self, connection: Connection, text: str) -> None:
        """Check a message that a server sends."""
        self._digest.update(text.encode())
        self.story.append((WORLD.now, "sent", connection.number, text))
        self.invariants.check_message(connection, text)

    def watch_close(self, connection: Connection, code: int, reason: str) -> None:
        """Note that a server closes a connection."""
        self.note("close", connection.number, code, reason)

    def watch_answer(self, exchange: Exchange, status: int, headers: Headers, body: bytes) -> None:
        """Check the answer to a request."""
        self.note("answer", exchange.path, status, body)

    def watch_command(self, device: Device, wish: Message) -> None:
        """Note what a person sends."""
        self.note("say", device.name, wish)


def _text(failure: Failed | None) -> str:
    """Return a failure with the traceback of its cause."""
    if failure is None:
        return ""
    cause = failure.__cause__
    return str(failure) + ("" if cause is None else "\n" + "".join(format_exception(cause)))
