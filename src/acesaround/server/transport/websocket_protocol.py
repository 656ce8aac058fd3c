"""The WebSocket protocol: raw bytes for text frames, a slow-reader timeout, and refusals.

Text frames reach the application as bytes, so invalid UTF-8 is rejected like any other unreadable
message. uvicorn would log a traceback for it, and a longer one if a close frame follows at once.

A client that reads nothing would fill the send buffer, even while the connection is closing. Such a
client is disconnected after a timeout.

A client may send frames only as fast as their cost is refilled: their bytes, and a fixed cost for
each frame of any kind, because even an empty frame takes work. Beyond that the server stops reading
for a while. A client that goes on all the time, or that splits a message into very many fragments,
is disconnected.

The application can send a ping and is told when bytes arrive, so that it notices a client that does
not answer.

An unreadable upgrade request is refused: too many or too long headers, or a body. uvicorn would
keep the connection open and never answer.
"""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from collections.abc import Callable
from typing import Final

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from acesaround.server.limits.client_addresses import plain_client
from acesaround.server.limits.connections import ConnectionLimiter
from acesaround.server.limits.fair_queue import FairQueue
from acesaround.server.table_client import CONNECTION_EXTENSION

UNREAD_SECONDS: Final = 10.0
"""The timeout of a client that does not read."""
FRAME_COST: Final = 256
"""The cost of a frame in addition to its bytes, in bytes."""
MAX_COST: Final = 128 * 1024
"""The cost that a client may send at once."""
COST_PER_SECOND: Final = 16 * 1024
FLOOD_SECONDS: Final = 10.0
"""The timeout of a client that sends more than this all the time."""
MAX_FRAGMENTS: Final = 100
_PART_BYTES: Final = 1024  # bytes parsed in a turn, which may be some hundred frames
_FLOOD_CODE: Final = 1008
_SWITCHING_PROTOCOLS: Final = 101
BAD_REQUEST_RESPONSE: Final = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"connection: close\r\ncontent-length: 28\r\n\r\nThat request cannot be read."
)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """The WebSocket protocol of uvicorn, without text decoding and with a slow-reader timeout."""

    _timer: asyncio.TimerHandle | None = None
    _limiter: ConnectionLimiter | None = None
    _unparsed = b""
    _credit = float(MAX_COST)
    _credited_at: float | None = None
    _frame_count = 0
    _throttled_since: float | None = None
    _parse_timer: asyncio.TimerHandle | None = None
    on_received: Callable[[], None] = staticmethod(lambda: None)
    _waits_for_turn = False
    _fair_queue: FairQueue

    def connection_made(self, transport: BaseTransport) -> None:
        """Count the connection as a WebSocket."""
        super().connection_made(transport)
        self.client = plain_client(self.client)
        self._fair_queue = self.app_state.get("fair_queue") or FairQueue()
        self._limiter = self.app_state.get("connections")
        if self._limiter is not None:
            self._limiter.register_websocket(self.client)

    def handle_connect(self, event: Request) -> None:
        """Begin to serve the WebSocket, and pass the application this connection."""
        super().handle_connect(event)
        if self.response.status_code == _SWITCHING_PROTOCOLS:
            extensions: dict[object, object] = self.scope["extensions"]  # type: ignore[assignment]
            extensions[CONNECTION_EXTENSION] = self

    @property
    def is_being_read(self) -> bool:
        """Whether the server reads what the client sends: no command waits, and no bytes."""
        return not self.read_paused and not self._is_behind

    def send_ping(self) -> None:
        """Send a ping without payload, which keeps the pings of uvicorn apart."""
        if not (self.close_sent or self.transport.is_closing()):
            self.conn.send_ping(b"")
            self.transport.write(b"".join(self.conn.data_to_send()))

    def data_received(self, data: bytes) -> None:
        """Process bytes as far as their cost allows, and refuse an unreadable request."""
        self.on_received()
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated:
                self._refuse_unreadable()
            return
        self._unparsed += data
        if self._is_behind:
            self.transport.pause_reading()
        else:
            self._parse_in_turn()

    @property
    def _is_behind(self) -> bool:
        """Whether bytes that have arrived are parsed later."""
        return self._parse_timer is not None or self._waits_for_turn

    def _parse_in_turn(self) -> None:
        """Parse a part of the bytes that have arrived, in the turn of the client's address."""
        self._parse_timer, self._waits_for_turn = None, True
        client = self.scope["client"]  # a trusted proxy has named it
        self._fair_queue.call(client[0] if client else None, self._parse)

    def _parse(self) -> None:
        """Parse a part of the bytes that have arrived. The rest has to wait for another turn.

        If the client has spent its credit, go on later.
        """
        self._waits_for_turn = False
        if self.transport.is_closing():
            return
        self._refill_credit()
        if self._credit < 0:
            self._throttle()
            return
        part, self._unparsed = self._unparsed[:_PART_BYTES], self._unparsed[_PART_BYTES:]
        self._frame_count = 0
        super().data_received(part)
        self._credit -= len(part) + FRAME_COST * self._frame_count
        if len(self.frames) > MAX_FRAGMENTS:
            self._disconnect("The message has too many fragments.")
        if self.transport.is_closing():
            return
        if self._unparsed:
            self.transport.pause_reading()
            self._parse_in_turn()
        elif not self.read_paused:
            self.transport.resume_reading()

    def _refill_credit(self) -> None:
        now = self.loop.time()
        if self._credited_at is not None:
            refill = (now - self._credited_at) * COST_PER_SECOND
            self._credit = min(float(MAX_COST), self._credit + refill)
        self._credited_at = now
        if self._credit > MAX_COST / 2:
            self._throttled_since = None

    def _throttle(self) -> None:
        """Stop reading until the client has credit again, or disconnect it after a timeout."""
        now = self.loop.time()
        if self._throttled_since is None:
            self._throttled_since = now
        if now - self._throttled_since >= FLOOD_SECONDS:
            self._disconnect("Too much was sent.")
            return
        self.transport.pause_reading()
        self._parse_timer = self.loop.call_later(
            -self._credit / COST_PER_SECOND, self._parse_in_turn
        )

    def _disconnect(self, reason: str) -> None:
        """Close the connection because the client abuses it."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": _FLOOD_CODE})
        self.conn.fail(_FLOOD_CODE, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self._unparsed = b""
        self.transport.close()

    def handle_ping(self) -> None:
        """Answer a ping frame."""
        self._frame_count += 1
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Handle a pong frame."""
        self._frame_count += 1
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Handle a further fragment of a message."""
        self._frame_count += 1
        super().handle_cont(event)

    def _refuse_unreadable(self) -> None:
        """Refuse an unreadable request, because uvicorn would wait for more bytes forever."""
        answer = b"".join(self.conn.data_to_send()) or BAD_REQUEST_RESPONSE
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message. While the client is throttled, wait without reading."""
        message = await super().receive()
        if self._is_behind:
            self.transport.pause_reading()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message. Mark the handshake as complete after a refusal with a body."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # otherwise uvicorn logs an error

    def pause_writing(self) -> None:
        """Start the slow-reader timeout, because the send buffer is full."""
        super().pause_writing()
        self._timer = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the slow-reader timeout, because the client reads again."""
        super().resume_writing()
        self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer and the counting of this WebSocket."""
        self._stop_timer()
        if self._parse_timer is not None:
            self._parse_timer.cancel()
        if self._limiter is not None:
            self._limiter.release_websocket(self.client)
        super().connection_lost(exc)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def handle_text(self, event: Frame) -> None:
        """Handle a text frame as a binary frame."""
        self.handle_bytes(event)

    def handle_bytes(self, event: Frame) -> None:
        """Handle the first frame of a message."""
        self._frame_count += 1
        super().handle_bytes(event)
