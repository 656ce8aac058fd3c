"""A server in the process of the test, with a real socket."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import uvicorn

from acesaround.server.limits import capacity
from acesaround.server.serve import _listen
from acesaround.server.transport.http_protocol import HTTPProtocol
from acesaround.server.transport.paced_server import PacedServer
from acesaround.server.transport.websocket_protocol import WebSocketProtocol
from tests.waiting import wait_until_async


class Noted(HTTPProtocol):
    """A connection that records received bytes, full buffers and its end."""

    heard = 0
    full = False
    lost = False

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.heard += len(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.full = False

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.lost = True


@contextlib.asynccontextmanager
async def inside(server: Any, made: list[Noted] | None = None) -> AsyncIterator[int]:
    """Serve in this process as `serve` does, and yield the port; `made` collects connections."""

    class Made(Noted):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            if made is not None:
                made.append(self)

    config = uvicorn.Config(
        server, http=Made, ws=WebSocketProtocol, lifespan="on", log_config=None,
        log_level="warning",
        timeout_keep_alive=600,  # longer than any test
    )  # fmt: skip
    running = PacedServer(config, capacity.current_capacity().accepts_per_turn)
    listening = _listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    task = asyncio.create_task(running.serve([listening]))
    try:
        await wait_until_async(lambda: running.started)
        yield port
    finally:
        running.should_exit = True
        await task


@contextlib.asynccontextmanager
async def talking(
    port: int, limit: int = 1 << 16
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection that buffers about `limit` unread bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=limit)
    try:
        yield reader, writer
    finally:
        writer.close()
