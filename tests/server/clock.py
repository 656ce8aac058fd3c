"""Clocks of event loops under the control of a test.

`Clock` advances the clock of a running loop. It is for servers with a database and sockets, whose
work takes real time.

`run_without_waiting` runs work on a loop that never waits: when nothing else is to do, its clock
jumps to the next timer. Only work without threads, files and sockets may run there. Such a loop
(like those of looptime and async-solipsism) does not see work in threads, and all timers would
expire meanwhile.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from starlette.testclient import TestClient, WebSocketTestSession

T = TypeVar("T")


class Clock:
    """The clock of a loop: real time plus what it was advanced by."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._ahead = 0.0
        real = loop.time
        loop.time = lambda: real() + self._ahead  # type: ignore[method-assign]

    def advance(self, seconds: float) -> None:
        """Advance the clock by `seconds`, from any thread."""
        self._ahead += seconds
        self._loop.call_soon_threadsafe(lambda: None)  # wakes the loop


def get_clock(connected: TestClient | WebSocketTestSession) -> Clock:
    """Return the clock of the server to which a test client, or a socket of one, is connected."""
    assert connected.portal is not None
    return Clock(connected.portal.call(asyncio.get_running_loop))


class _JumpingLoop(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next timer instead of waiting."""

    def __init__(self) -> None:
        self._now = 0.0
        jump = self._jump

        class Selector(selectors.SelectSelector):
            def select(self, timeout: float | None = None) -> Any:
                jump(timeout or 0.0)
                return super().select(0)

        super().__init__(Selector())

    def _jump(self, seconds: float) -> None:
        self._now += max(0.0, seconds)

    def time(self) -> float:
        return self._now


def run_without_waiting(work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of work on a loop that never waits."""

    async def done() -> T:
        return await work()

    with asyncio.Runner(loop_factory=_JumpingLoop) as runner:
        return runner.run(done())


async def wait_until_settled() -> None:
    """Wait until no task can continue without time or external events."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    while True:
        await asyncio.sleep(0)
        if not ready:
            return
