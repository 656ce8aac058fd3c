"""WebSocket frames: text is handed on as the bytes it came as, and nobody is written to for ever.

What is no UTF-8 is then refused like any other message that cannot be read. uvicorn itself writes a
traceback for it into the log, a longer one if a closing frame follows at once.

A socket whose other end reads nothing would keep what is to be sent to it, also while it is being
closed: after a while it is cut.

A request for a socket that cannot be read, for its headers are too many or too long or a body comes
with it, is refused: uvicorn would keep the connection and never answer.

A socket may be handed on to another process (`homes`) before it is opened: from then on its bytes
pass through here as they are, and nobody here looks at them.
"""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from collections.abc import Iterable
from typing import Any, Final, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from acesaround.server.door import Door
from acesaround.server.inner import connect

UNREAD: Final = 10.0
"""Seconds for which the other end may read nothing of what waits for it."""
EXTENSION: Final = "acesaround.frames"
"""The extension of a scope that is this object: by it a socket can be handed on."""


UNREADABLE: Final = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"connection: close\r\ncontent-length: 28\r\n\r\nThat request cannot be read."
)


class Frames(WebSocketsSansIOProtocol):
    """uvicorn's own protocol, but that it decodes no text, cuts who does not read and hands on."""

    _cut: asyncio.TimerHandle | None = None
    _door: Door | None = None
    _passage: Passage | None = None
    _early = b""  # what came behind the request before it was answered

    def connection_made(self, transport: BaseTransport) -> None:
        """A request has become a socket."""
        super().connection_made(transport)
        self.client = self.app_state.get("client", self.client)
        self._door = self.app_state.get("door")
        if self._door is not None:
            self._door.sits(self.client)

    def handle_connect(self, event: Any) -> None:
        """Somebody asks for a socket."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"] or {}
            self.scope["extensions"] = {**extensions, EXTENSION: self}  # type: ignore[dict-item]

    def data_received(self, data: bytes) -> None:
        """Take in bytes, or hand them on."""
        if self._passage is not None:
            self._passage.write(data)
            return
        if self.handshake_initiated and not self.handshake_complete:
            self._early += data  # not much: reading pauses with the first message
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

    async def hand_on(
        self, address: str, headers: Iterable[tuple[bytes, bytes]]
    ) -> asyncio.Future[None]:
        """Let the process at that inner address serve this socket, asked for with these headers.

        What is returned is done when the socket has ended. Raises OSError; then nothing has
        happened, and it can be served here.
        """
        assert not self.handshake_complete
        query = b"?" + self.scope["query_string"] if self.scope["query_string"] else b""
        lines = [b"GET %s%s HTTP/1.1" % (self.scope["raw_path"], query)]
        lines += [b"%s: %s" % pair for pair in headers]
        passage = Passage(self, b"\r\n".join(lines) + b"\r\n\r\n" + self._early)
        try:
            await connect(address, passage)
            await passage.answered
            if self.disconnected:
                passage.leave()
        except BaseException:
            passage.leave()
            raise
        return passage.ended

    def passes(self, passage: Passage) -> None:
        """From now on the bytes of this socket go that way, for it has answered."""
        self._passage = passage
        if self._door is not None:  # it takes the room of two
            self._door.sits(None)
        self.handshake_complete = self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def cut(self) -> None:
        """End a socket that was handed on: its person comes again."""
        self.transport.abort()

    def pause_writing(self) -> None:
        """More waits for the other end than it takes in: its time begins."""
        super().pause_writing()
        if self._passage is not None:
            self._passage.pause()
        self._cut = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """The other end reads again."""
        super().resume_writing()
        if self._passage is not None:
            self._passage.resume()
        self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self._go_on()
        if self._passage is not None:
            self._passage.leave()
        if self._door is not None:
            self._door.stands(self.client)
            if self._passage is not None:
                self._door.stands(None)
        super().connection_lost(exc)

    def _go_on(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None

    def handle_text(self, event: Frame) -> None:
        """Take in a frame of text as one of bytes."""
        self.handle_bytes(event)


class Passage(asyncio.Protocol):
    """The way from a socket to the process that serves it. `request`: what is asked there."""

    def __init__(self, frames: Frames, request: bytes) -> None:
        loop = asyncio.get_running_loop()
        self.answered: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()
        self._frames = frames
        self._request = request
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        self._transport = transport = cast(asyncio.Transport, transport)  # uvloop's is none by name
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Whatever comes is for the socket."""
        if not self.answered.done():
            self._frames.passes(self)
            self.answered.set_result(None)
        if not self._frames.transport.is_closing():  # gone meanwhile: the way is ended next
            self._frames.transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The way ends: without an answer nothing has happened, and else so does the socket."""
        if not self.answered.done():
            self.answered.set_exception(exc or ConnectionResetError("it was not let in"))
        else:
            self._frames.transport.close()
        if not self.ended.done():
            self.ended.set_result(None)

    def pause_writing(self) -> None:
        """The home takes in less than comes."""
        if not self._frames.transport.is_closing():
            self._frames.transport.pause_reading()

    def resume_writing(self) -> None:
        """The home takes in more."""
        if not self._frames.transport.is_closing():
            self._frames.transport.resume_reading()

    def write(self, data: bytes) -> None:
        """Send it to the home."""
        if self._transport is not None:
            self._transport.write(data)

    def pause(self) -> None:
        """Bring no more for now."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume(self) -> None:
        """Bring more again."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def leave(self) -> None:
        """Go this way no longer."""
        if not self.answered.done():
            self.answered.cancel()
        if self._transport is not None:
            self._transport.abort()
