"""A socket whose other end reads nothing is cut; one that reads slowly is not. What asks for a
socket in a way that cannot be read is refused."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

import pytest
import uvicorn

from acesaround.server import frames

PATIENCE = 20.0
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Talker:
    """An application that says more than any buffer holds, and notes how it ended."""

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
async def serving(app: Any) -> Any:
    config = uvicorn.Config(app, port=0, ws=frames.Frames, lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
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
async def test_a_handshake_that_cannot_be_read_is_refused_and_not_kept(more: bytes) -> None:
    async with serving(Talker(0)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE.removesuffix(b"\r\n") + more + b"\r\n\r\n")
        said = await asyncio.wait_for(reader.read(), PATIENCE)
        assert said.startswith(b"HTTP/1.1 4")
        assert b"\r\n\r\n" in said
        writer.close()


async def test_who_is_refused_with_a_sentence_leaves_no_error_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def refuses(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.http.response.start", "status": 421, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"Not here."})

    async with serving(refuses) as port:
        log = logging.getLogger("uvicorn.error")  # of which others hear nothing
        log.setLevel(logging.ERROR)
        log.addHandler(caplog.handler)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE)
        said = await asyncio.wait_for(reader.read(), PATIENCE)
        assert said.startswith(b"HTTP/1.1 421")
        assert said.endswith(b"Not here.")
        writer.close()
        await asyncio.sleep(0.1)
        log.removeHandler(caplog.handler)
    assert [record.getMessage() for record in caplog.records] == []


async def test_who_reads_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_UNREAD", 0.2)
    app = Talker(1000)
    async with serving(app) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(HANDSHAKE)
        await asyncio.wait_for(app.ended.wait(), PATIENCE)
        assert app.said < 1000
        writer.transport.abort()


async def test_who_reads_slowly_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time that what waits has gone down, the time begins anew."""
    monkeypatch.setattr(frames, "_UNREAD", 1.0)
    app = Talker(40)
    async with serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(HANDSHAKE)
        read = 0
        while read < 40 * 500_000:
            part = await asyncio.wait_for(reader.read(200_000), PATIENCE)
            assert part, "cut"
            read += len(part)
            await asyncio.sleep(0.01)
        assert app.said == 40
        writer.transport.abort()
        await asyncio.wait_for(app.ended.wait(), PATIENCE)
