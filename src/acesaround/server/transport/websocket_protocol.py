"""The WebSocket protocol: raw bytes for text frames, a slow-reader timeout, and refusals.

Text frames reach the application as bytes, so invalid UTF-8 is rejected like any other unreadable
message. uvicorn would log a traceback for it, and a longer one if a close frame follows at once.

A client that reads nothing would fill the send buffer, even while the connection is closing. Such a
client is disconnected after a timeout.

An unreadable upgrade request is refused: too many or too long headers, or a body. uvicorn would
keep the connection open and never answer.
"""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from acesaround.server.limits.connections import ConnectionLimiter

UNREAD_SECONDS: Final = 10.0
"""The timeout of a client that does not read."""
BAD_REQUEST_RESPONSE: Final = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"connection: close\r\ncontent-length: 28\r\n\r\nThat request cannot be read."
)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """The WebSocket protocol of uvicorn, without text decoding and with a slow-reader timeout."""

    _timer: asyncio.TimerHandle | None = None
    _limiter: ConnectionLimiter | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Count the connection as a WebSocket."""
        super().connection_made(transport)
        self._limiter = self.app_state.get("connections")
        if self._limiter is not None:
            self._limiter.open_websocket(self.client)

    def data_received(self, data: bytes) -> None:
        """Process bytes, and refuse an unreadable request."""
        super().data_received(data)
        if not self.handshake_initiated:
            self._refuse_unreadable()

    def _refuse_unreadable(self) -> None:
        """Answer an unreadable request. It is complete, but uvicorn would wait for more."""
        answer = b"".join(self.conn.data_to_send()) or BAD_REQUEST_RESPONSE
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

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
