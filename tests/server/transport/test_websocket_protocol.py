"""WebSocket clients that do not read, flood or send invalid requests harm nobody.

A client that reads nothing is disconnected; one that reads slowly is not. Floods of frames are read
slowly, so that they delay nobody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn

from acesaround.server.table_client import CONNECTION_EXTENSION
from acesaround.server.transport import websocket_protocol
from tests.server.clock import Clock
from tests.waiting import PATIENCE_SECONDS, wait_until_async

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class RecordingProtocol(websocket_protocol.WebSocketProtocol):
    """A WebSocket that records whether its client reads."""

    full = False
    lost = False
    resumed = 0
    handled = 0
    most_unparsed = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.most_unparsed = max(self.most_unparsed, len(self._unparsed))

    def handle_ping(self) -> None:
        self.handled += 1
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        self.handled += 1
        super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        self.handled += 1
        super().handle_cont(event)

    def handle_bytes(self, event: Any) -> None:
        self.handled += 1
        super().handle_bytes(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.full = False
        self.resumed += 1

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.lost = True


class SendingApp:
    """An application that sends more than any buffer holds, and records its end."""

    def __init__(self, messages: int) -> None:
        self.messages = messages
        self.said = 0
        self.ended = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        with contextlib.suppress(Exception):  # whatever sending to a lost socket raises
            for _ in range(self.messages):
                await send({"type": "websocket.send", "text": "x" * 500_000})
                self.said += 1
        while (await receive())["type"] != "websocket.disconnect":
            pass
        self.ended.set()


@contextlib.asynccontextmanager
async def serve_app(app: Any, made: list[RecordingProtocol] | None = None) -> AsyncIterator[int]:
    """Serve an application and yield the port; `made` collects its connections."""

    class CollectedProtocol(RecordingProtocol):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            if made is not None:
                made.append(self)

    config = uvicorn.Config(
        app, port=0, ws=CollectedProtocol, lifespan="off", log_level="critical",
        ws_ping_interval=None,  # test clients do not answer pings
    )  # fmt: skip
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    try:
        await wait_until_async(lambda: server.started)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running


@pytest.mark.parametrize(
    "more",
    [
        b"X-Long: " + b"x" * 9000,
        b"\r\n".join(b"X-%d: x" % number for number in range(140)),
        b"Content-Length: 5",
        b"Transfer-Encoding: chunked",
    ],
    ids=["long", "many", "body", "chunked"],
)
async def test_invalid_handshake_is_refused_and_closed(more: bytes) -> None:
    async with serve_app(SendingApp(0)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE.removesuffix(b"\r\n") + more + b"\r\n\r\n")
        said = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
        assert said.startswith(b"HTTP/1.1 4")
        assert b"\r\n\r\n" in said
        writer.close()


async def test_refused_handshake_logs_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def refuses(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.http.response.start", "status": 421, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"Not here."})

    made: list[RecordingProtocol] = []
    async with serve_app(refuses, made) as port:
        log = logging.getLogger("uvicorn.error")  # does not propagate
        log.setLevel(logging.ERROR)
        log.addHandler(caplog.handler)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE)
        said = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
        assert said.startswith(b"HTTP/1.1 421")
        assert said.endswith(b"Not here.")
        writer.close()
        await wait_until_async(lambda: made[0].lost and not made[0].tasks)
    log.removeHandler(caplog.handler)
    assert [record.getMessage() for record in caplog.records] == []


async def test_client_that_reads_nothing_is_disconnected() -> None:
    app, made, clock = (
        SendingApp(1000),
        list[RecordingProtocol](),
        Clock(asyncio.get_running_loop()),
    )
    async with serve_app(app, made) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(HANDSHAKE)

        def ended() -> bool:
            if made and made[0].full:
                clock.advance(websocket_protocol.UNREAD_SECONDS)
            return app.ended.is_set()

        await wait_until_async(ended)
        assert app.said < 1000
        writer.transport.abort()


async def test_slow_reader_is_not_disconnected() -> None:
    """The time limit restarts whenever the buffer shrinks."""
    app, made, clock = SendingApp(40), list[RecordingProtocol](), Clock(asyncio.get_running_loop())
    async with serve_app(app, made) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(HANDSHAKE)
        read, resumed, waited = 0, 0, 0
        while read < 40 * 500_000:
            part = await reader.read(200_000)
            assert part, "disconnected"
            read += len(part)
            if made[0].full and made[0].resumed > resumed:
                clock.advance(0.6 * websocket_protocol.UNREAD_SECONDS)
                resumed, waited = made[0].resumed, waited + 1
        assert waited > 1  # longer than the limit in total
        assert app.said == 40
        writer.transport.abort()
        await wait_until_async(app.ended.is_set)


MASK = b"\x80\0\0\0\0"  # of an empty frame
FLOODS = {
    "pings": b"\x89" + MASK,
    "pongs": b"\x8a" + MASK,
    "messages": b"\x82" + MASK,
    "long messages": b"\x82\xfe\x0f\xa0" + bytes(4 + 4000),
    "fragments": b"\x02" + MASK + 48 * (b"\0" + MASK) + b"\x80" + MASK,
}
FRAMES = dict.fromkeys(FLOODS, 1) | {"fragments": 50}
"""How many frames each of these is."""


class ReceivingApp:
    """An application that counts messages, and records the close code."""

    def __init__(self) -> None:
        self.messages = 0
        self.code: int | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            self.messages += 1
        self.code = message["code"]


@contextlib.asynccontextmanager
async def open_websocket(port: int) -> AsyncIterator[asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    try:
        yield writer
    finally:
        writer.transport.abort()


@pytest.mark.parametrize("kind", FLOODS)
async def test_flood_of_frames_is_read_slowly(kind: str) -> None:
    made: list[RecordingProtocol] = []
    async with serve_app(ReceivingApp(), made) as port, open_websocket(port) as flooding:
        frame_bytes = len(FLOODS[kind]) // FRAMES[kind]
        flooding.write(FLOODS[kind] * (240_000 // len(FLOODS[kind])))
        await wait_until_async(lambda: made[0].handled > 0)
        async with open_websocket(port):  # somebody else is served meanwhile
            frame_cost = websocket_protocol.FRAME_COST + frame_bytes
            largest_part = websocket_protocol._PART_BYTES // frame_bytes + 1
            most = websocket_protocol.MAX_COST // frame_cost + 2 * largest_part
            assert made[0].handled <= most


@pytest.mark.parametrize("kind", FLOODS)
async def test_permanent_flood_is_disconnected(kind: str) -> None:
    app, made, clock = ReceivingApp(), list[RecordingProtocol](), Clock(asyncio.get_running_loop())
    async with serve_app(app, made) as port, open_websocket(port) as flooding:
        units = 2_400_000 // len(FLOODS[kind])
        flooding.write(FLOODS[kind] * units)

        def ended() -> bool:
            clock.advance(0.5)
            return app.code is not None

        await wait_until_async(ended)
        assert app.code == 1008
        assert made[0].handled < units * FRAMES[kind]
        assert made[0].most_unparsed < 1_000_000  # it stopped reading


async def test_application_sends_pings_and_is_told_of_answers() -> None:
    made: list[RecordingProtocol] = []
    async with serve_app(ReceivingApp(), made) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        await wait_until_async(lambda: made[0].handshake_complete)
        assert dict[str, Any](made[0].scope["extensions"])[CONNECTION_EXTENSION] is made[0]
        received: list[None] = []
        made[0].on_received = lambda: received.append(None)
        made[0].send_ping()
        assert await asyncio.wait_for(reader.readexactly(2), PATIENCE_SECONDS) == b"\x89\x00"
        assert not received
        writer.write(b"\x8a\x80\x00\x00\x00\x00")
        await wait_until_async(lambda: received)
        assert made[0].is_being_read
        writer.transport.abort()
        await wait_until_async(lambda: made[0].lost)
        made[0].send_ping()  # does nothing


async def test_message_of_many_fragments_is_refused() -> None:
    app = ReceivingApp()
    async with serve_app(app) as port, open_websocket(port) as flooding:
        flooding.write(b"\x02" + MASK + (b"\0" + MASK) * 300)
        await wait_until_async(lambda: app.code is not None)
        assert app.code == 1008
        assert app.messages == 0


async def test_client_that_pauses_regains_its_credit() -> None:
    app, clock = ReceivingApp(), Clock(asyncio.get_running_loop())
    async with serve_app(app) as port, open_websocket(port) as writer:
        for times in range(1, 9):
            writer.write(FLOODS["messages"] * 400)
            await wait_until_async(lambda so_far=400 * times: app.messages == so_far)  # type: ignore[misc]
            clock.advance(websocket_protocol.FLOOD_SECONDS)
        assert app.code is None
