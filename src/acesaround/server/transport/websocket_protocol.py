"""WebSocket frames: text is handed on as the bytes it came as, and nobody is written to for ever.

What is no UTF-8 is then refused like any other message that cannot be read. uvicorn itself writes a
traceback for it into the log, a longer one if a closing frame follows at once.

A socket whose other end reads nothing would keep what is to be sent to it, also while it is being
closed: after a while it is cut.

A request for a socket that cannot be read, for its headers are too many or too long or a body comes
with it, is refused: uvicorn would keep the connection and never answer.
"""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from acesaround.server.limits.connections import ConnectionLimiter

UNREAD: Final = 10.0
"""Seconds for which the other end may read nothing of what waits for it."""
UNREADABLE: Final = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"connection: close\r\ncontent-length: 28\r\n\r\nThat request cannot be read."
)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's own protocol, but that it decodes no text and cuts who does not read."""

    _cut: asyncio.TimerHandle | None = None
    _door: ConnectionLimiter | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """A request has become a socket."""
        super().connection_made(transport)
        self._door = self.app_state.get("door")
        if self._door is not None:
            self._door.sits(self.client)

    def data_received(self, data: bytes) -> None:
        """Take in bytes."""
        super().data_received(data)
        if not self.handshake_initiated:
            self._refuse()

    def _refuse(self) -> None:
        """Answer a request that cannot be read: it came whole, and uvicorn would wait for more."""
        said = b"".join(self.conn.data_to_send()) or UNREADABLE
        if not self.transport.is_closing():
            self.transport.write(said)
            self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        """Send it. Who has been refused with a sentence has been answered."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # or uvicorn takes it for an error, and logs one

    def pause_writing(self) -> None:
        """More waits for the other end than it takes in: its time begins."""
        super().pause_writing()
        self._cut = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """The other end reads again."""
        super().resume_writing()
        self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self._go_on()
        if self._door is not None:
            self._door.websocket_closed(self.client)
        super().connection_lost(exc)

    def _go_on(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None

    def handle_text(self, event: Frame) -> None:
        """Take in a frame of text as one of bytes."""
        self.handle_bytes(event)
