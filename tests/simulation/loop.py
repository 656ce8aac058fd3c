"""An event loop with simulated time: when nothing is ready, its clock jumps to the next timer.

It has no threads, sockets or selector. Work for a thread runs in the loop after a simulated delay.
Callbacks of a process that has crashed never run.
"""

from __future__ import annotations

import asyncio
import contextvars
import heapq
from collections.abc import Callable
from typing import Any, Final

from tests.simulation.environment import PROCESS, WORLD, Process

_MIN_CANCELLED: Final = 200  # cancelled timers after which they are removed from the heap
_NOBODY: Final = Process("network")


class Deadlock(Exception):  # noqa: N818 - named after what happened
    """No task is ready and no timer runs, but the world has not ended."""


class NumberedTask(asyncio.Task[Any]):
    """A task whose hash is its number, so that sets of tasks iterate in the same order always."""

    number = 0

    def __init__(self, coroutine: Any, **options: Any) -> None:
        NumberedTask.number += 1
        self._number = NumberedTask.number
        super().__init__(coroutine, **options)

    def __hash__(self) -> int:
        return self._number


class SimulatedLoop(asyncio.BaseEventLoop):
    """The event loop of one world. `thread_delay`: returns the seconds that a thread takes."""

    def __init__(self) -> None:
        super().__init__()
        NumberedTask.number = 0
        self.thread_delay: Callable[[], float] = lambda: 0.0
        self.set_task_factory(self._make_task)

    def _make_task(
        self, loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any
    ) -> asyncio.Task[Any]:
        task = NumberedTask(coroutine, loop=loop, **options)
        if (process := PROCESS.get(None)) is not None:
            process.tasks.add(task)
        return task

    def time(self) -> float:
        """Return the simulated seconds since the world began."""
        return WORLD.now

    def _run_once(self) -> None:
        ready, timers = self._ready, self._scheduled  # type: ignore[attr-defined]
        if self._timer_cancelled_count > max(_MIN_CANCELLED, len(timers) // 2):  # type: ignore[has-type]
            for timer in timers:
                if timer._cancelled:
                    timer._scheduled = False
            timers[:] = [timer for timer in timers if not timer._cancelled]
            heapq.heapify(timers)
            self._timer_cancelled_count = 0
        if not ready:
            while timers and timers[0]._cancelled:
                self._timer_cancelled_count -= 1
                heapq.heappop(timers)._scheduled = False
            if not timers:
                raise Deadlock
            WORLD.now = max(WORLD.now, timers[0]._when)
        while timers and timers[0]._when <= WORLD.now:
            timer = heapq.heappop(timers)
            timer._scheduled = False
            if timer._cancelled:
                self._timer_cancelled_count -= 1
            else:
                ready.append(timer)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if handle._cancelled:
                continue
            process = handle._context.get(PROCESS, _NOBODY)
            if process.steps_left:
                process.steps_left -= 1
                if not process.steps_left:
                    process.on_last_step(process)
            if process.is_alive:
                handle._run()

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run work in the loop after a simulated delay, in place of a thread."""
        future = self.create_future()

        def run() -> None:
            if future.done():
                return
            try:
                future.set_result(func(*args))
            except BaseException as error:
                future.set_exception(error)

        self.call_later(self.thread_delay(), run)
        return future

    def _write_to_self(self) -> None:
        """Do nothing: there is no other thread."""

    def _process_events(self, event_list: Any) -> None:
        """Do nothing: there are no sockets."""


async def run_without_thread(work: Callable[..., Any], *args: Any, **_options: object) -> Any:
    """Run work in the loop, in place of `anyio.to_thread.run_sync`."""
    return await asyncio.get_running_loop().run_in_executor(None, work, *args)


OUTSIDE: Final = contextvars.Context()
"""The context of the network and the clients, which no crash of a server stops."""
