"""The HTTP protocol of uvicorn, with limits on connections and timeouts for slow clients.

uvicorn itself has a timeout for idle connections only.

A request is refused if a proxy and h11 might disagree about where it ends: if a line ends with LF
alone, or if it has both Content-Length and Transfer-Encoding. Otherwise one client could smuggle a
request into the connection of another.

It is also refused if its head is long or has many lines, because a query of many parts takes long
to read, and so do many headers. So do many chunks: a body in chunks of one byte takes the server
more than a second a megabyte, in which nobody else is served.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

from h11 import IDLE, SEND_RESPONSE, LocalProtocolError
from h11._receivebuffer import ReceiveBuffer
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from acesaround.server.limits.client_addresses import plain_client
from acesaround.server.limits.connections import FULL, ConnectionLimiter, ConnectionRefusal

HEADERS_SECONDS: Final = 10.0
"""The timeout of the request headers, from the opening of the connection."""
BODY_SECONDS: Final = 10.0
"""The timeout of the request body. Bodies are short."""
UNREAD_SECONDS: Final = 30.0
"""The timeout of a client that does not read its response."""
MAX_HEAD_BYTES: Final = 16 * 1024
"""The bytes of all header lines of a request, the request line included."""
MAX_REQUEST_LINE_BYTES: Final = 4 * 1024
MAX_HEAD_LINES: Final = 100
"""The lines of the head of a request, and of the trailer of its body. Browsers send some twenty."""
MAX_CHUNKS: Final = 100
"""The chunks of the body of a request. Browsers send none, and proxies some kilobytes in each."""
_TIMED_OUT: Final = ConnectionRefusal(
    HTTPStatus.REQUEST_TIMEOUT, "The request took too long to arrive."
)


class _StrictReceiveBuffer(ReceiveBuffer):
    """The buffer in which h11 finds the lines of a request's head and of a body's trailer."""

    def __init__(self) -> None:
        super().__init__()
        self._chunk_count = 0  # the chunks of the request that is being read

    def maybe_extract_next_line(self) -> bytearray | None:
        """Return the line before a chunk if it is there. Raise LocalProtocolError."""
        line = super().maybe_extract_next_line()
        if line is not None:
            self._chunk_count += 1
            if self._chunk_count > MAX_CHUNKS:
                raise LocalProtocolError("a body has too many chunks")
        return line

    def maybe_extract_lines(self) -> list[bytearray] | None:
        """Return the lines up to a blank one if it is there. Raise LocalProtocolError."""
        length_before = len(self)
        lines = super().maybe_extract_lines()
        unread_length = len(self) if lines is not None else 0
        if length_before - unread_length > MAX_HEAD_BYTES:
            raise LocalProtocolError("a head is too long")
        if lines is not None:
            self._chunk_count = 0
            if lines and len(lines[0]) > MAX_REQUEST_LINE_BYTES:
                raise LocalProtocolError("a line of the head is too long")
            if len(lines) > MAX_HEAD_LINES:
                raise LocalProtocolError("a head has too many lines")
            if length_before - len(self) != sum(len(line) + 2 for line in (*lines, b"")):
                raise LocalProtocolError("a line ends with LF alone")
            names = {bytes(line).partition(b":")[0].lower() for line in lines}
            if names >= {b"content-length", b"transfer-encoding"}:
                raise LocalProtocolError("both Content-Length and Transfer-Encoding")
        return lines


class HTTPProtocol(H11Protocol):
    """One HTTP connection."""

    _limiter: ConnectionLimiter | None = None
    _refusal: ConnectionRefusal | None = None
    _timer: asyncio.TimerHandle | None = None
    _awaited: tuple[float, RequestResponseCycle | None] | None = None
    _unread = False
    _released = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and start the timeout of the first request."""
        super().connection_made(transport)
        self.conn._receive_buffer = _StrictReceiveBuffer()  # h11 has no public way to set it
        self.client = plain_client(self.client)
        self._limiter = self.app_state.get("connections")
        if self._limiter is not None:
            self._refusal = self._limiter.register(self)
        self._set_timer()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request, or answer with the refusal."""
        if self._refusal is not None:
            self._answer(*self._refusal)
            return
        super().data_received(data)
        self._set_timer()

    def send_400_response(self, msg: str) -> None:
        """Refuse an unreadable request, or only close the connection if a response has begun."""
        if self.conn.our_state in (IDLE, SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def on_response_complete(self) -> None:
        """Start the timeout of the next request."""
        super().on_response_complete()
        self._set_timer()

    def pause_writing(self) -> None:
        """Start the slow-reader timeout, because the send buffer is full."""
        super().pause_writing()
        self._unread = True
        self._set_timer()

    def resume_writing(self) -> None:
        """Stop the slow-reader timeout, because the client reads again."""
        super().resume_writing()
        self._unread = False
        self._set_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer and release the connection."""
        self._release()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Turn the connection into a WebSocket, which is counted as one from now on."""
        if self._limiter is not None and not self._limiter.has_websocket_capacity():
            self._answer(*FULL)
            return
        self._release()
        super().handle_websocket_upgrade(event)

    def abort(self) -> None:
        """Close the connection at once, and release it."""
        self._release()
        self.transport.abort()

    def _release(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._limiter is not None and not self._released:
            self._limiter.release(self)
        self._released = True

    def _set_timer(self) -> None:
        """Start the timeout of the client's next step, unless it is running."""
        awaited = self._awaited_step()
        if awaited == self._awaited or self._released or self.transport.is_closing():
            return
        if self._timer is not None:
            self._timer.cancel()
        self._awaited = awaited
        self._timer = None if awaited is None else self.loop.call_later(awaited[0], self._time_out)
        if self._limiter is not None:
            self._limiter.set_waiting(self, waiting=awaited is not None)

    def _awaited_step(self) -> tuple[float, RequestResponseCycle | None] | None:
        """Return the timeout of the client's next step with its request, or None if none is due."""
        if self._unread:
            return UNREAD_SECONDS, self.cycle
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:
            return HEADERS_SECONDS, cycle
        return (BODY_SECONDS, cycle) if cycle.more_body else None

    def _time_out(self) -> None:
        """Close the connection, with an answer if none has begun."""
        cycle: RequestResponseCycle | None = self.cycle
        begun = cycle is not None and cycle.response_started and not cycle.response_complete
        if self._unread or begun:
            self.transport.abort()
        else:
            self._answer(*_TIMED_OUT)

    def _answer(self, status: HTTPStatus, sentence: str) -> None:
        """Send a response without the application, and close the connection."""
        if not self.transport.is_closing():
            self.transport.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\n"
                "content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
                f"retry-after: 60\r\ncontent-length: {len(sentence)}\r\n\r\n{sentence}".encode()
            )
            self.transport.close()
