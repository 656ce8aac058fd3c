"""A small WebSocket and HTTP client on plain asyncio, fast enough to load a server from one core.

It works frame by frame, so that tests can also send what a well-behaved client would not.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Callable
from typing import Any, Final

TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
_OPENED: Final = b"HTTP/1.1 101 "


class Closed(Exception):  # noqa: N818 - a fact about a socket, not a fault
    """The server has closed the socket, or never opened it. `code`: the close code, if any."""

    def __init__(self, code: int | None, said: str = "") -> None:
        self.code = code
        super().__init__(f"closed with {code} {said}")


def frame(payload: bytes, opcode: int = TEXT, *, final: bool = True) -> bytes:
    """Return a frame as a client sends it: masked, with a zero key, which changes nothing."""
    size = len(payload)
    if size < 126:
        head = bytes([opcode | 0x80 * final, 0x80 | size])
    elif size < 1 << 16:
        head = bytes([opcode | 0x80 * final, 0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([opcode | 0x80 * final, 0x80 | 127]) + size.to_bytes(8, "big")
    return head + b"\0\0\0\0" + payload


class Socket(asyncio.Protocol):
    """A WebSocket. Text goes to `on_text` as it arrives; `closed` is done at the end.

    `closed` then has the close code, and `close_reason` the reason that the server gave.
    """

    def __init__(self, request: bytes, on_text: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[int | None] = loop.create_future()
        self._request = request
        self._on_text = on_text
        self._held = bytearray()
        self._code: int | None = None
        self.close_reason = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the upgrade request."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        """Finish the futures `opened` and `closed`."""
        if not self.opened.done():
            self.opened.set_exception(Closed(None, "before it opened"))
        if not self.closed.done():
            self.closed.set_result(self._code)

    def data_received(self, data: bytes) -> None:
        """Read the answer to the upgrade, then frames."""
        self._held += data
        if not self.opened.done() and not self._upgraded():
            return
        while self._frame():
            pass

    def _upgraded(self) -> bool:
        head, end, rest = bytes(self._held).partition(b"\r\n\r\n")
        if not end:
            return False
        if head.startswith(_OPENED):
            self._held = bytearray(rest)
            self.opened.set_result(None)
            return True
        self.opened.set_exception(Closed(int(head.split()[1]), "instead of an upgrade"))
        self.transport.close()
        return False

    def _frame(self) -> bool:
        """Process one frame of the buffer; return whether one was complete."""
        held = self._held
        if len(held) < 2:
            return False
        at, size = 2, held[1] & 0x7F
        if size == 126:
            at, size = 4, int.from_bytes(held[2:4], "big")
        elif size == 127:
            at, size = 10, int.from_bytes(held[2:10], "big")
        if len(held) < at + size:
            return False
        opcode, payload = held[0] & 0xF, bytes(held[at : at + size])
        del held[: at + size]
        if opcode == TEXT:
            self._on_text(payload)
        elif opcode == PING:
            self.write(frame(payload, PONG))
        elif opcode == CLOSE:
            self._code = int.from_bytes(payload[:2], "big") if payload else None
            self.close_reason = payload[2:].decode()
            self.write(frame(payload, CLOSE))
            self.transport.close()
        return True

    def write(self, data: bytes) -> None:
        """Send raw bytes: whole frames, or malformed data for a test."""
        self.transport.write(data)

    def send(self, **message: Any) -> None:
        """Send a message as JSON."""
        self.write(frame(json.dumps(message).encode()))

    def close(self) -> None:
        """Start the closing handshake."""
        self.write(frame((1000).to_bytes(2, "big"), CLOSE))


async def open_socket(
    port: int, path: str, on_text: Callable[[bytes], None], cookie: str = "", more: str = ""
) -> Socket:
    """Return an open WebSocket to this machine. Raises Closed if it is refused."""
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        f"{_cookie(cookie)}{more}\r\n"
    )
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(request.encode(), on_text), "127.0.0.1", port
    )
    await socket.opened
    return socket


class Answer:
    """An HTTP response."""

    def __init__(self, raw: bytes) -> None:
        head, _, self.body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }

    @property
    def cookie(self) -> str:
        """The cookie that the response sets, as a client sends it back."""
        return self.headers.get("set-cookie", "").partition(";")[0]

    def json(self) -> Any:
        """Return the body, parsed as JSON."""
        return json.loads(self.body)


async def ask(
    port: int, path: str, sent: object = None, cookie: str = "", method: str = "", more: str = ""
) -> Answer:
    """Send an HTTP request to this machine on a new connection; POST if there is a body."""
    body = b"" if sent is None else json.dumps(sent).encode()
    request = (
        f"{method or ('GET' if sent is None else 'POST')} {path} HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
        f"{_cookie(cookie)}{more}\r\n"
    )
    return Answer(await exchange(port, request.encode() + body))


async def exchange(port: int, raw: bytes) -> bytes:
    """Send bytes on a new connection; return all bytes until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(raw)
        await writer.drain()
        return await reader.read()
    finally:
        writer.close()


def _cookie(cookie: str) -> str:
    return f"Cookie: {cookie}\r\n" if cookie else ""
