"""Clocks of event loops that a test owns: time passes when the test says so, not by waiting.

`Clock` puts the clock of a running loop forward. It is for servers with a database and sockets:
their work takes real time, and limits of a minute have room for all of it.

`at_once` runs work on a loop that never waits: whenever nothing else is to be done, its clock goes
on to the next timer. Only work without threads, files and sockets may run there. To such a loop
(looptime's and async-solipsism's are alike in that) a statement that a thread of SQLite carries out
is nothing to be done, and every limit would run out meanwhile.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from starlette.testclient import TestClient, WebSocketTestSession

T = TypeVar("T")


class Clock:
    """The clock of a loop: real time, and in addition whatever it was put forward by."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._ahead = 0.0
        real = loop.time
        loop.time = lambda: real() + self._ahead  # type: ignore[method-assign]

    def forward(self, seconds: float) -> None:
        """Let so many seconds pass at once. Any thread may call it."""
        self._ahead += seconds
        self._loop.call_soon_threadsafe(lambda: None)  # or it would wait on for what is due now


def clock_of(connected: TestClient | WebSocketTestSession) -> Clock:
    """The clock of the server to which a test client, or a socket of one, is connected."""
    assert connected.portal is not None
    return Clock(connected.portal.call(asyncio.get_running_loop))


class _Jumping(asyncio.SelectorEventLoop):
    """A loop that never waits: its clock goes on to the next thing to be done."""

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


def at_once(work: Callable[[], Awaitable[T]]) -> T:
    """What comes of some work on a loop that never waits."""

    async def done() -> T:
        return await work()

    with asyncio.Runner(loop_factory=_Jumping) as runner:
        return runner.run(done())


async def settled() -> None:
    """Return when every task that can go on without time and news has gone on."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    while True:
        await asyncio.sleep(0)
        if not ready:  # what is to be done after this
            return
