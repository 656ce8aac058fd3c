"""The faults of a world: the rate of each is drawn from the seed.

In the first phase of a world everything may fail; then the faults stop.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from acesaround.retention import close_table, delete_person, remove_table
from acesaround.store import DatabaseUnavailable
from tests.simulation.curiosity import inspect
from tests.simulation.environment import PROCESS, WORLD, Process
from tests.simulation.loop import OUTSIDE
from tests.simulation.memory_store import Operation, StoreFaults
from tests.simulation.network import Connection

if TYPE_CHECKING:
    from tests.simulation.server import SimulatedServer
    from tests.simulation.world import World

_TICK_SECONDS: Final = 0.25
_OFFSETS: Final = (-3600.0, -5.0, 5.0, 90_000.0, 0.0)
_COMMON_OFFSETS: Final = (-12.0, -5.0, 5.0, 12.0, 0.0)
"""Seconds by which the clocks of several servers may be wrong: they may differ by half a minute."""
RATES: Final = {
    # in each tick
    "crash": (0.0, 0.0, 0.02, 0.06),
    "terminate": (0.0, 0.0, 0.02),
    "outage": (0.0, 0.0, 0.02),
    "deafness": (0.0, 0.0, 0.03),
    "clock": (0.0, 0.0, 0.05),
    "forgotten": (0.0, 0.0, 0.1),
    "operator": (0.0, 0.0, 0.02, 0.05),
    # in each operation of the store
    "store slow": (0.0, 0.0, 0.02, 0.2),
    "store fails": (0.0, 0.0, 0.02, 0.1),
    "store lies": (0.0, 0.0, 0.02, 0.1),
    "store crash": (0.0, 0.0, 0.005),
    "notice late": (0.0, 0.0, 0.2),
    # for each connection in each tick
    "cut": (0.0, 0.0, 0.01, 0.05),
    "reset": (0.0, 0.0, 0.01, 0.05),
    "stall": (0.0, 0.0, 0.02, 0.05),
    "deaf client": (0.0, 0.0, 0.02),
    # for each command and each request
    "doubled": (0.0, 0.0, 0.05, 0.3),
    "lost answer": (0.0, 0.0, 0.1),
}
"""The rates from which a seed draws one for each fault."""


class Faults(StoreFaults):
    """Causes the faults of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        rng = world.choices.stream("faults")
        self.rates = {kind: rng.choice(rates) for kind, rates in RATES.items()}
        if world.is_curious:
            self.rates["operator"] = max(RATES["operator"])
        self._latency = rng.choice((0.0, 0.003))  # seconds that each operation of the store takes
        self._notice_latency = rng.choice((0.0, 0.003, 0.06))
        self._rng = rng
        self.is_calm = False
        self._outage_until = -1.0
        self._deaf_until = -1.0

    def happens(self, kind: str) -> bool:
        """Draw whether a fault happens now."""
        rate = self.rates[kind]
        if not rate or self.is_calm or not self._world.choices.happens(kind, rate):
            return False
        self._world.invariants.trouble_at = WORLD.now
        return True

    def _note_trouble_after(self, seconds: float) -> None:
        """Count a part as broken for some seconds, unless all faults stop."""
        self._world.network.later(seconds, self._note_trouble)

    def _note_trouble(self) -> None:
        if not self.is_calm:
            self._world.invariants.trouble_at = WORLD.now

    def stop(self) -> None:
        """Stop all faults, and repair the broken parts."""
        self._note_trouble()
        self.is_calm = True
        self._outage_until = self._deaf_until = -1.0
        for connection in list(self._world.network.connections):
            if not connection.is_reading:
                connection.read_again()

    # from time to time

    def tick(self) -> None:
        """Cause a fault by chance, and run again a little later."""
        if self.is_calm:
            return
        world = self._world
        for server in world.servers:
            if server.is_up:
                self._break_server(server)
        for connection in list(world.network.connections):
            if connection.is_open and not connection.has_ended:
                self._break_connection(connection)
        if self.happens("outage"):
            seconds = self._rng.uniform(0.5, 8.0)
            world.note("the database is gone", seconds)
            self._outage_until = WORLD.now + seconds
            self._note_trouble_after(seconds)
        if len(world.servers) > 1 and self.happens("deafness"):
            seconds = self._rng.uniform(0.5, 15.0)
            world.note("the servers do not hear each other", seconds)
            self._deaf_until = WORLD.now + seconds
            self._note_trouble_after(seconds)
            for server in world.servers:
                world.database.disconnect(server.process.name)
        if world.invariants.logs and self.happens("operator"):
            self._operate()
        world.network.later(_TICK_SECONDS, self.tick)

    def _break_server(self, server: SimulatedServer) -> None:
        world = self._world
        if self.happens("crash"):
            server.process.steps_left = self._rng.randrange(1, 200)
            server.process.on_last_step = self._crash
        elif self.happens("terminate"):
            server.stop()
        elif self.happens("clock"):
            offsets = _OFFSETS if len(world.servers) == 1 else _COMMON_OFFSETS
            server.process.clock_offset = self._rng.choice(offsets)
            world.note("clock", server.process.name, server.process.clock_offset)
        elif self.happens("forgotten"):
            world.note("caches forgotten", server.process.name)
            server.forget_caches()

    def _crash(self, process: Process) -> None:
        for server in self._world.servers:
            if server.process is process and process.is_alive:
                server.crash()

    def _break_connection(self, connection: Connection) -> None:
        world = self._world
        if self.happens("cut"):
            world.note("cut", connection.number)
            connection.cut()
        elif self.happens("reset"):
            world.note("reset", connection.number)
            connection.reset()
        elif self.happens("stall"):
            seconds = self._rng.uniform(0.2, 4.0)
            world.note("stall", connection.number, seconds)
            connection.stall(seconds)
        elif self.happens("deaf client"):
            seconds = self._rng.uniform(1.0, 20.0)
            world.note("does not read", connection.number, seconds)
            connection.is_reading = False
            world.network.later(seconds, connection.read_again)
            self._note_trouble_after(seconds)

    def _operate(self) -> None:
        """Let the operator close or remove a table, or delete a person."""
        world = self._world
        table_id = self._rng.choice(list(world.invariants.logs))
        what = self._rng.choice(("close", "remove", "delete", "delete"))
        if world.is_curious:
            what = self._rng.choice(("close", "remove", "delete", *["inspect"] * 27))
        people = [
            seat.person.id
            for seat in world.invariants.logs[table_id].table.seats
            if seat.person is not None
        ]
        if what == "delete" and not people:
            return
        subject = self._rng.choice(people) if what == "delete" else table_id
        world.note("operator", what, subject)
        store = world.database.open_store("operator", faults=self, is_shared=len(world.servers) > 1)

        async def operate() -> None:
            if what == "close":
                await close_table.close_table(store, table_id)
            elif what == "remove":
                await remove_table.remove_table(store, table_id, "removed")
            elif what == "inspect":
                await inspect(store, table_id, self._rng)
            else:
                world.invariants.deleted.add(subject)
                await delete_person.delete_person(store, subject)
                world.invariants.deletions_done.add(subject)
            world.note("operator done", what, subject)

        OUTSIDE.copy().run(world.start_task, operate())

    # the store

    async def before(self, operation: Operation) -> None:
        latency = self._notice_latency if operation.kind == "notify" else self._latency
        if latency:
            await asyncio.sleep(latency)
        if self.is_calm:
            return
        if operation.store == "operator":
            return
        if operation.kind in ("connect", "notify"):
            if WORLD.now < max(self._deaf_until, self._outage_until):
                raise OSError("the database cannot be reached")
            return
        if WORLD.now < self._outage_until:
            self._world.invariants.trouble_at = WORLD.now
            self._note_store_trouble()
            raise DatabaseUnavailable("the database is gone")
        if self.happens("store slow"):
            await asyncio.sleep(self._rng.uniform(0.05, 6.0))
            self._note_store_trouble()
        if self.happens("store fails"):
            self._note_store_trouble()
            self._world.note("store fails", operation.store, operation.kind)
            raise DatabaseUnavailable("the database has refused")
        if self.happens("store crash"):
            await self._die()

    def _note_store_trouble(self) -> None:
        self._world.invariants.store_trouble_at = WORLD.now

    async def after(self, operation: Operation) -> None:
        invariants = self._world.invariants
        table_ids = list(operation.table_ids)
        if operation.store == "operator":
            table_ids = list(invariants.logs)
        elif operation.kind == "write":  # perhaps of a new table
            table_ids = self._world.database.table_ids()
        for table_id in table_ids:
            invariants.catch_up(table_id)
        if self.is_calm or operation.store == "operator":
            return
        if operation.kind in ("append", "write"):
            if self.happens("store lies"):
                self._note_store_trouble()
                self._world.note("store lies", operation.store, operation.kind)
                raise DatabaseUnavailable("the answer of the database was lost")
            if self.happens("store crash"):
                await self._die()

    async def _die(self) -> None:
        """Crash the current process, and never return."""
        self._crash(PROCESS.get())
        await asyncio.Event().wait()

    def notice_delay(self, sender: str, receiver: str, message: str) -> float | None:
        if self.happens("notice late"):
            return self._rng.uniform(0.1, 3.0)
        return 0.001
