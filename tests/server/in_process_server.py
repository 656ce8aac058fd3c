"""A server in the process of the test, with a real socket."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import uvicorn

from acesaround.server.limits import capacity
from acesaround.server.startup import _listen
from acesaround.server.transport.http_protocol import HTTPProtocol
from acesaround.server.transport.paced_server import PacedServer
from acesaround.server.transport.websocket_protocol import WebSocketProtocol
from tests.waiting import wait_until_async


class RecordedConnection(HTTPProtocol):
    """A connection that records its received bytes, whether its buffer is full, and its end."""

    received_bytes = 0
    is_full = False
    is_closed = False

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.received_bytes += len(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_full = False

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.is_closed = True


@contextlib.asynccontextmanager
async def serve_in_process(
    server: Any, made: list[RecordedConnection] | None = None
) -> AsyncIterator[int]:
    """Serve in this process as `serve` does, and yield the port; `made` collects connections."""

    class Made(RecordedConnection):
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
async def open_connection(
    port: int, limit: int = 1 << 16
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection that buffers about `limit` unread bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=limit)
    try:
        yield reader, writer
    finally:
        writer.close()
