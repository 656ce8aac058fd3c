"""A simulated world: servers, database, network and people, all drawn from one seed.

First everything may fail, and people do what they like. Then the faults stop, everybody who is not
gone for ever plays on, and the world ends when the games are over and nobody is connected.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
from collections.abc import Collection, Coroutine, Iterable
from pathlib import Path
from traceback import format_exception
from typing import Any, Final

import msgspec

from acesaround import variants
from acesaround.errors import AcesAroundError
from acesaround.server import random_source
from acesaround.server.settings import BotDelays, Settings
from tests.simulation import server as servers
from tests.simulation.choices import Choices, Happening
from tests.simulation.clients import Device
from tests.simulation.curiosity import CURIOUS_REMAINDER, WORLDS_PER_CURIOUS_WORLD, be_curious, look
from tests.simulation.endings import check_ending
from tests.simulation.entry_checks import AWAY_SECONDS
from tests.simulation.environment import WORLD
from tests.simulation.faults import Faults
from tests.simulation.invariants import Invariants, command_of
from tests.simulation.loop import SimulatedLoop
from tests.simulation.memory_store import MemoryDatabase, MemoryStore
from tests.simulation.network import Connection, Exchange, Headers, Network
from tests.simulation.server import SimulatedServer
from tests.simulation.shadow_log import ShadowLog
from tests.simulation.wishes import Message

_SECRET: Final = "a secret only for the simulation"
_NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
_LOOKS: Final = (
    "/api/tables", "/api/mine", "/api/devices", "/api/me", "/health", "/api/tables/TABLE/games",
    "/api/tables/TABLE/record.json", "/api/tables/TABLE/replay?game=1&deal=1",
    "/api/tables/TABLE/why?game=1&deal=1&step=3",
)  # fmt: skip
"""The paths that people request for their tables."""
_STORM_SECONDS: Final = (3.0, 5.0, 10.0, 25.0)
_CALM_SECONDS: Final = 200.0
"""Seconds after the end of the faults until unfinished games are left."""
_BEGIN_SECONDS: Final = 3.0
_TICK_SECONDS: Final = 1.0
_CURIOSITY_RATE: Final = 0.3
_TICKS_PER_LOG_CHECK: Final = 4


class Failed(Exception):  # noqa: N818 - named after the check
    """A check failed. `rule`: its name."""

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(f"{rule}: {sentence}")
        self.rule, self.sentence = rule, sentence


class Outcome(msgspec.Struct):
    """The outcome of a world. `digest`: a hash of everything that was sent and stored.

    `actions`: the actions of people that were acknowledged; `commands`: these and all their other
    commands that counted. `rule`: the name of the check that failed, if any, `failure` what it
    found, and `step` where in the story.
    """

    seed: int
    digest: str
    actions: int
    commands: int
    messages: int
    seconds: float
    is_played_out: bool
    rule: str | None
    failure: str
    step: int
    happened: list[Happening]
    story: list[tuple[Any, ...]]


class World:
    """One simulated world. `kept`: the only chance events that may occur (see `choices`).

    `is_full`: it has two servers, and eight people at two tables of four.
    """

    def __init__(
        self, seed: int, kept: Collection[Happening] | None = None, *, is_full: bool = False
    ) -> None:
        WORLD.start(f"{seed}:secrets")
        random_source.RNG = random.Random(f"{seed}:server")
        self.seed, self.secret, self._is_full = seed, _SECRET, is_full
        self.is_curious = seed % WORLDS_PER_CURIOUS_WORLD == CURIOUS_REMAINDER
        self.choices = Choices(seed, kept)
        self.rng = self.choices.stream("world")
        self.loop = SimulatedLoop()
        thread_rng = self.choices.stream("threads")
        self.loop.thread_delay = lambda: thread_rng.random() * 0.01
        self.loop.set_exception_handler(self._on_loop_error)
        self.story: list[tuple[Any, ...]] = []
        self.failure: Failed | None = None
        self.failed_step = 0
        self.is_played_out = False
        self._ticks = 0
        self._digest = hashlib.blake2b()
        self._abandoned: list[asyncio.Task[Any]] = []
        self._tasks: list[asyncio.Task[Any]] = []
        self._failed = asyncio.Event()
        self.network = Network(self)
        self.database = MemoryDatabase()
        self.invariants = Invariants(self)
        self.faults = Faults(self)
        servers.install(self)
        logging.getLogger("acesaround").handlers = [_LogWatcher(self)]
        logging.getLogger("acesaround").propagate = False
        self.settings = self._draw_settings()
        self.servers = [
            SimulatedServer(self, f"server-{number}", self.settings)
            for number in range(1, (2 if is_full else self.rng.choice((1, 2))) + 1)
        ]
        second_table_rate = 1.0 if is_full else 1 / 3
        self.tables = [""] * (1 + self.choices.happens("second table", second_table_rate))
        self.devices = [
            Device(self, name, number % len(self.tables))
            for number, name in enumerate(_NAMES[: 8 if is_full else self.rng.randrange(2, 9)])
            if number < len(self.tables) or self.choices.happens("person", 1.0)
        ]
        for host in self.devices[: len(self.tables)]:
            host.is_host = True
        self.storm_seconds = self.rng.choice(
            _STORM_SECONDS[-1:] if self.is_curious else _STORM_SECONDS
        )
        self.wants_rematch = self.rng.random() < 0.1
        self.has_doorkeepers = self.choices.stream("doors").random() < 0.3
        self.give_up_rate = self.rng.choice((0.0, 0.02))
        self._leave_rate, self._people_rate = (
            self.rng.choice((0, 0.02, 0.1)),
            self.rng.choice((0, 0.05)),
        )

    def _draw_settings(self) -> Settings:
        return Settings(
            database_url="",
            secret=_SECRET,
            allowed_hosts=("testserver",),
            static_folder=Path("/nowhere"),
            bot_delays=BotDelays(0.05, 0.1, 0.2, 0.2, 0.05),
            away_seconds=AWAY_SECONDS,
            ping_seconds=0.5,
            answer_seconds=1.0,
            max_chat_lines=self.rng.choice((10, 3)),
            max_spectators_per_table=2 if self.is_curious else 500,
        )

    @property
    def is_calm(self) -> bool:
        """Whether the faults have stopped."""
        return self.faults.is_calm

    @property
    def is_time_to_begin(self) -> bool:
        """Whether hosts begin to play."""
        return WORLD.now > _BEGIN_SECONDS

    def run(self) -> Outcome:
        """Run the world, and return its outcome."""
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_until_complete(self._live())
        except Failed as error:
            self.failure = self.failure or error
        failure = self.failure
        return Outcome(
            self.seed, self._digest.hexdigest()[:32], self.invariants.actions,
            self.invariants.ledger.counted, self.invariants.messages, WORLD.now,
            self.is_played_out, None if failure is None else failure.rule, _text(failure),
            self.failed_step or len(self.story), self.choices.happened, self.story,
        )  # fmt: skip

    async def _live(self) -> None:
        for server in self.servers:
            server.start()
        await self.pass_time(0.5)
        for device in self.devices:
            device.enter()
        self.faults.tick()
        self._tick()
        await self.pass_time(self.storm_seconds)
        self.note("calm")
        self.faults.stop()
        for device in self.devices:
            device.is_away = False
            device.connect()
        await check_ending(self, _CALM_SECONDS)

    async def pass_time(self, seconds: float) -> None:
        """Let some seconds pass. Raises Failed."""
        try:
            async with asyncio.timeout(seconds):
                await self._failed.wait()
        except TimeoutError:
            return
        assert self.failure is not None
        raise self.failure

    def _tick(self) -> None:
        self._ticks += 1
        self.invariants.check_progress()
        if self._ticks % _TICKS_PER_LOG_CHECK == 0:
            self.invariants.check_logs()
        for device in self.devices:
            if device.connection is not None:
                device.think_later()
            if not self.is_calm:
                self._stir(device)
            elif self._looks_late(device):
                look(device, device.curious_rng)
        self.network.later(_TICK_SECONDS, self._tick)

    def _looks_late(self, device: Device) -> bool:
        """Return whether a person requests something now, after the faults."""
        is_looking = self.is_curious and not device.is_gone
        return is_looking and self.choices.happens("late look", _CURIOSITY_RATE)

    def _stir(self, device: Device) -> None:
        """Let a person do something other than playing."""
        happens, rng = self.choices.happens, device.rng
        if self.is_curious and happens("curiosity", _CURIOSITY_RATE):
            be_curious(device, device.curious_rng, self.tables)
        if happens("leave", self._leave_rate):
            device.leave_for(rng.choice((0.3, 3.0, 15.0, 30.0)))
        elif happens("rename", self._people_rate):
            device.rename()
        elif happens("look", self._people_rate):
            device.ask("GET", rng.choice(_LOOKS).replace("TABLE", device.token or "none"))
        elif happens("flood", self._people_rate / 5):
            device.flood(rng.choice((12, 150)))
        elif happens("pair", self._people_rate):
            device.pair(rng.sample(self.devices, rng.choice((1, 2))))
        elif happens("sign out", self._people_rate / 5):
            device.ask("POST", "/api/devices/out", {"which": "others"})
        elif happens("vanish", self._people_rate / 5):
            device.vanish()

    # what happens

    def note(self, kind: str, *facts: object) -> None:
        """Add a step to the story."""
        step = (round(WORLD.now, 6), kind, *facts)
        self.story.append(step)
        self._digest.update(repr(step).encode())

    def fail(self, rule: str, sentence: str, cause: BaseException | None = None) -> None:
        """End the world, because a check failed."""
        if self.failure is None:
            self.failure = Failed(rule, sentence)
            self.failure.__cause__ = cause
            self.failed_step = len(self.story)
            self._failed.set()

    def abandon(self, tasks: Iterable[asyncio.Task[Any]]) -> None:
        """Keep references to stopped tasks, so that Python closes nothing of them before the world
        ends."""
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            self._abandoned.append(task)

    def start_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that belongs to no server."""
        self._tasks.append(asyncio.create_task(work))

    def _on_loop_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.fail("error", f"{context.get('message')}: {error!r}", error)

    # the servers

    def open_store(self, name: str) -> MemoryStore:
        """Open the database for a server."""
        server = next(one for one in self.servers if one.name == name)
        process = server.process
        server.store = self.database.open_store(
            process.name,
            faults=self.faults,
            clock=lambda: int(1000 * WORLD.time_of_day()),
            is_shared=len(self.servers) > 1,
        )
        return server.store

    def some_server(self, rng: random.Random) -> SimulatedServer:
        """Return the server that a request reaches."""
        return rng.choice(self.servers)

    def on_server_down(self, server: SimulatedServer) -> None:
        """Start a server again after a while."""
        self.invariants.trouble_at = WORLD.now
        self.network.later(0.2 + 2 * self.rng.random(), server.start)

    # the tables

    def table_wish(self, host: Device) -> Message:
        """Return the request of a host for a table: any game with any number of players, but a
        short one."""
        names = sorted(variants.VARIANTS)
        while True:
            variant = variants.VARIANTS[name := self.rng.choice(names)]
            players = self.rng.choice(variant.players[:3])
            options = self.rng.choice(({"target": 1}, {"hands": 1}, {"target": 100}))
            if self._is_full:
                players, options = 4, {"hands": 3}
            try:
                variants.get(name, players, options)
            except AcesAroundError:
                continue
            begins = self.is_curious and host.curious_rng.random() < 0.3
            return {
                "variant": name, "players": players, "options": options,
                "public": self.rng.random() < 0.5, "bots": self.rng.choice(("thumb", "random")),
                "clock": self.rng.choice((None, None, 5, 20)),
                **({"start": True} if begins else {}),
            }  # fmt: skip

    def announce_table(self, host: Device, table_id: str) -> None:
        """Let everybody come to a new table."""
        self.tables[host.place] = table_id
        for device in self.devices:
            if device.place == host.place and device.cookie:
                self.come_to_table(device)

    def come_to_table(self, device: Device) -> None:
        """Let a person open the link that is valid now, as soon as there is a table."""
        table_id = self.tables[device.place]
        if table_id:
            shadow = self.invariants.logs.get(table_id)
            links = None if shadow is None else shadow.table.links
            device.token = (links and links.play) or table_id
            if links is not None and links.watch and device.only_watches and not device.is_host:
                device.token = links.watch
            device.connect()

    def has_connected_player(self, shadow: ShadowLog) -> bool:
        """Return whether a seated person has a working connection."""
        return any(
            device.connection is not None
            and device.connection.is_whole
            and device.connection.table_id == shadow.table_id
            and device.connection.link_kind == "play"
            and any(
                shadow.table.seat_of(person) is not None
                for person in self.invariants.persons_of(device.connection.device_id)
            )
            for device in self.devices
        )

    # what is watched

    def watch_arrival(self, connection: Connection, scope: dict[str, Any]) -> None:
        """Record that a connection has reached its server."""
        connection.persons = self.invariants.persons_of(connection.device_id)
        self.invariants.note_accepted(connection)

    def watch_receipt(self, connection: Connection, data: str | bytes) -> None:
        """Record that a server reads a message of a client."""
        command, persons = command_of(data), self.invariants.persons_of(connection.device_id)
        self.invariants.limits.note_received(connection, persons, command)
        if command is not None:
            self.invariants.ledger.receive(connection.table_id, persons, command)

    def watch_message(self, connection: Connection, text: str) -> None:
        """Check a message that a server sends."""
        self._digest.update(text.encode())
        self.story.append((WORLD.now, "sent", connection.number, text))
        self.invariants.check_message(connection, text)

    def watch_close(self, connection: Connection, code: int, reason: str) -> None:
        """Record that a server closes a connection."""
        self.note("close", connection.number, code, reason)

    def watch_loss(self, connection: Connection) -> None:
        """Record that a server has lost a client."""
        self.invariants.attendance.note_left(connection)

    def watch_answer(self, exchange: Exchange, status: int, headers: Headers, body: bytes) -> None:
        """Check the answer to a request."""
        self.note("answer", exchange.path, status, body)
        self.invariants.check_answer(exchange, status, body)


class _LogWatcher(logging.Handler):
    """Fails the world when a server logs an error that has a traceback."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.INFO)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        self._world.note("log", record.levelname, record.getMessage())
        if record.exc_info and record.exc_info[1] is not None:
            self._world.fail("error", record.getMessage(), record.exc_info[1])


def _text(failure: Failed | None) -> str:
    """Return a failure with the traceback of its cause."""
    if failure is None:
        return ""
    cause = failure.__cause__
    return str(failure) + ("" if cause is None else "\n" + "".join(format_exception(cause)))
