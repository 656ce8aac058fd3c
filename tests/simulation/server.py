"""A simulated server: the real application, on a store in memory, which can crash at any await."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from acesaround.bots.advice import Advice
from acesaround.bots.pool.request import BotRequest, NoAnswer, decide
from acesaround.server import app as server_app
from acesaround.server.settings import Settings
from acesaround.store import Store
from tests.simulation.environment import PROCESS, Process

if TYPE_CHECKING:
    from tests.simulation.memory_store import MemoryStore
    from tests.simulation.network import Connection
    from tests.simulation.world import World

_NO_ANSWER_RATE: Final = 0.05


class SimulatedServer:
    """One server of a world. It is started, stopped, and killed; each start is a new process."""

    def __init__(self, world: World, name: str, settings: Settings) -> None:
        self.world, self.name = world, name
        self.settings = replace(settings, database_url=name)
        self.is_up = False
        self.connections: dict[Connection, None] = {}
        self.app: Any = None
        self.store: MemoryStore | None = None  # of the process that runs now
        self.process = Process(name)
        self._context = contextvars.copy_context()
        self._stop = asyncio.Event()
        self._starts = 0

    def start(self) -> None:
        """Start a new process on the world's database."""
        self._starts += 1
        self.process = Process(f"{self.name}.{self._starts}")
        self._context = contextvars.Context()
        self._context.run(PROCESS.set, self.process)
        self._stop = asyncio.Event()
        self._context.run(self._create)

    def _create(self) -> None:
        self.app = server_app.create_app(self.settings)
        asyncio.create_task(self._live(self.app), name=f"life of {self.process.name}")

    async def _live(self, app: Any) -> None:
        async with app.router.lifespan_context(app):
            self.is_up = True
            self.world.note("server up", self.process.name)
            await self._stop.wait()
            self.is_up = False
        self.world.note("server stopped", self.process.name)

    def serve(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve a request or a WebSocket in this process."""
        scope["app"] = self.app
        self._context.copy().run(self._create_task, scope, receive, send)

    def _create_task(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        task = asyncio.create_task(self.app(scope, receive, send), name=f"request {scope['path']}")
        task.add_done_callback(self._note_error)

    def _note_error(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.fail("error", f"{task.get_name()} ended with {error!r}", error)

    def crash(self) -> None:
        """End the process: none of its tasks goes on, and its memory is gone."""
        self.is_up = False
        self.process.is_alive = False
        if self.store is not None:
            self.store.kill()
        self.world.abandon(self.process.tasks)
        for connection in list(self.connections):
            connection.reset()
        self.connections.clear()

    def stop(self) -> None:
        """End the process as after SIGTERM."""
        self._stop.set()


def install(world: World) -> None:
    """Let the servers of this process use the database and the worker pools of a world."""

    class Opener:
        @staticmethod
        async def open(url: str) -> Store:
            """Open the world's database for the server that is named in the URL."""
            return world.open_store(url)

    server_app.Store = Opener  # type: ignore[misc,assignment,attr-defined]
    server_app.make_bot_pool = lambda _: SimulatedPool(world)  # type: ignore[assignment]


class SimulatedPool:
    """A worker pool whose searching bots are `thumb`, after a simulated time to think."""

    number = 2
    ready = True

    def __init__(self, world: World) -> None:
        self._rng = world.choices.stream("bots")
        self.changed: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Do nothing: there are no workers to start."""

    async def ask(self, question: BotRequest) -> Advice:
        """Return the answer of `thumb`. Now and then there is none."""
        await asyncio.sleep(self._rng.random() * 2.0)
        if self._rng.random() < _NO_ANSWER_RATE:
            raise NoAnswer
        return decide(replace(question, bot="thumb"))

    async def close(self) -> None:
        """Do nothing: there are no workers to stop."""
