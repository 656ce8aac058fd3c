"""A simulated server: the real application, on a store in memory, which can crash at any await."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio.to_thread
from msgspec.structs import replace

from acesaround.bots.advice import Advice
from acesaround.bots.pool.request import BotRequest, NoAnswer, WorkerTask, decide
from acesaround.server import app as server_app
from acesaround.server.settings import Settings
from acesaround.store import DatabaseUnavailable, Store
from tests.simulation.environment import PROCESS, Process
from tests.simulation.loop import run_without_thread
from tests.simulation.network import ClientDisconnected

T = TypeVar("T")

if TYPE_CHECKING:
    from tests.simulation.memory_store import MemoryStore
    from tests.simulation.network import Connection
    from tests.simulation.world import World

_NO_ANSWER_RATE: Final = 0.05
_GRACE_SECONDS: Final = 5.0


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
        self.starts = 0
        self._requests: dict[asyncio.Task[None], None] = {}

    def start(self) -> None:
        """Start a new process on the world's database."""
        self.starts += 1
        self.process = Process(f"{self.name}.{self.starts}")
        self._context = contextvars.Context()
        self._context.run(PROCESS.set, self.process)
        self._stop = asyncio.Event()
        self._context.run(self._create)

    def _create(self) -> None:
        self.app = server_app.create_app(self.settings)
        self._life = asyncio.create_task(self._live(self.app), name=f"life of {self.process.name}")
        self._life.add_done_callback(self._note_death)

    def _note_death(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.fail("error", f"{self.process.name} ended with {error!r}", error)

    async def _live(self, app: Any) -> None:
        try:
            async with app.router.lifespan_context(app):
                self.is_up = True
                self.world.note("server up", self.process.name)
                await self._stop.wait()
                self.is_up = False
                for connection in list(self.connections):
                    connection.shut_down()
                await self._finish_requests()
        except DatabaseUnavailable as error:  # at the start
            self.world.note("server fails", self.process.name, str(error))
        self.is_up = False
        self._end_process()
        self.world.on_server_down(self)

    async def _finish_requests(self) -> None:
        """Wait for the requests to end, and cancel those that do not, as uvicorn does."""
        if self._requests:
            await asyncio.wait(self._requests, timeout=_GRACE_SECONDS)
        for task in self._requests:
            task.cancel()
        if self._requests:
            await asyncio.wait(self._requests)

    def _end_process(self) -> None:
        """End a process that has shut down by itself."""
        left = [
            task.get_name()
            for task in self.process.tasks
            if not task.done() and task is not self._life
        ]
        self.world.note("server stopped", self.process.name)
        if left:
            self.world.fail("left", f"{self.process.name} has stopped, but not {sorted(left)}")
        if self.store is not None:
            self.store.kill()

    def serve(
        self, scope: dict[str, Any], receive: Any, send: Any,
        on_end: Callable[[object], None] = lambda _: None,
    ) -> None:  # fmt: skip
        """Serve a request or a WebSocket in this process. `on_end`: called when that is done."""
        scope["app"] = self.app
        self._context.copy().run(self._create_task, scope, receive, send, on_end)

    def run_in_process(self, callback: Callable[[], None]) -> None:
        """Call back in the process that runs now."""
        self._context.copy().run(callback)

    def _create_task(
        self, scope: dict[str, Any], receive: Any, send: Any, on_end: Callable[[object], None]
    ) -> None:
        task = asyncio.create_task(self.app(scope, receive, send), name=f"request {scope['path']}")
        self._requests[task] = None
        task.add_done_callback(self._note_end)
        task.add_done_callback(on_end)

    def _note_end(self, task: asyncio.Task[None]) -> None:
        self._requests.pop(task, None)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if not isinstance(error, ClientDisconnected):
            self.world.fail("error", f"{task.get_name()} ended with {error!r}", error)

    def crash(self) -> None:
        """End the process: its tasks stop, and its memory is lost."""
        self.world.note("crash", self.process.name)
        self.is_up = False
        self.process.is_alive = False
        if self.store is not None:
            self.store.kill()
        self.world.abandon(self.process.tasks)
        for connection in list(self.connections):
            self.world.watch_loss(connection)
            connection.reset()
        self.connections.clear()
        self._requests.clear()
        self.world.on_server_down(self)

    def forget_caches(self) -> None:
        """Empty the caches of this process, as if their entries had been dropped."""
        self._context.copy().run(self._forget_caches)

    def _forget_caches(self) -> None:
        parts = self.app.state.server_context
        parts.records._records.clear()
        parts.records.byte_count = 0
        parts.sessions._identities.clear()
        for live in parts.registry.loaded_tables:
            live._log._recent_steps.clear()
            live.note_log_advance(None)

    def stop(self) -> None:
        """End the process as after SIGTERM."""
        self._stop.set()


def install(world: World) -> None:
    """Let the servers of this process use the database and the worker pools of a world."""

    class Opener:
        @staticmethod
        async def open(url: str, _: object) -> Store:
            """Open the world's database for the server that is named in the URL."""
            return world.open_store(url)

    anyio.to_thread.run_sync = run_without_thread  # type: ignore[assignment]
    server_app.Store = Opener  # type: ignore[assignment,attr-defined]
    server_app.make_bot_pool = lambda _: SimulatedPool(world)  # type: ignore[assignment]
    server_app.measure_loop_lag = _measure_nothing  # type: ignore[assignment,attr-defined]


def _measure_nothing(_: object) -> contextlib.nullcontext[None]:
    """Measure no lag, because simulated time has none."""
    return contextlib.nullcontext()


class SimulatedPool:
    """A worker pool whose searching bots are `thumb`, after a simulated time to think."""

    max_running = 2
    ready = True

    def __init__(self, world: World) -> None:
        self._rng = world.choices.stream("bots")
        self.on_resize: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Do nothing: there are no workers to start."""

    async def ask(self, request: BotRequest) -> Advice:
        """Return the answer of `thumb`. Now and then there is none."""
        await asyncio.sleep(self._rng.random() * 2.0)
        if self._rng.random() < _NO_ANSWER_RATE:
            raise NoAnswer
        return decide(replace(request, bot="thumb"))

    async def run(self, task: WorkerTask[T]) -> T:
        """Return the result of a task. The simulation asks for none."""
        return task.run()

    async def close(self) -> None:
        """Do nothing: there are no workers to stop."""
