"""Requests whose end a proxy might see elsewhere are refused, with all that follows them."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from unittest.mock import Mock

import pytest
import uvicorn

from acesaround.server.transport.http_protocol import HTTPProtocol
from acesaround.server.transport.websocket_protocol import WebSocketProtocol
from tests.server.http_client import make_app
from tests.server.in_process_server import open_connection, serve_in_process
from tests.waiting import PATIENCE_SECONDS

GET = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n"
LAST = GET + b"Connection: close\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


async def read_statuses(folder: Path, *parts: bytes) -> list[bytes]:
    """Return the statuses of all responses on one connection, to which the parts are sent."""
    async with (
        serve_in_process(make_app(folder)) as port,
        open_connection(port) as (reader, writer),
    ):
        for part in parts:
            writer.write(part)
            await writer.drain()
        async with asyncio.timeout(PATIENCE_SECONDS):
            answers = await reader.read()
    return [answer[:3] for answer in answers.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.parametrize(
    "head",
    [
        GET.replace(b"\r\n", b"\n") + b"\n",
        GET + b"X: a\nY: b\r\n\r\n",
        GET + b"X: a\n\r\n",
        GET + b"\n",
        b"\n" + GET + b"\r\n",
        POST + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n",
        POST + CHUNKED.upper() + b"content-length: 5\r\n\r\n0\r\n\r\n",
    ],
)
async def test_ambiguous_request_ends_the_connection(head: bytes, tmp_path: Path) -> None:
    assert await read_statuses(tmp_path, head + LAST) == [b"400"]
    assert await read_statuses(tmp_path, GET + b"\r\n" + head + LAST) == [b"200", b"400"]


@pytest.mark.parametrize("end", [b"\r\n", b""])
async def test_long_head_is_refused(end: bytes, tmp_path: Path) -> None:
    """Parsing a query of many parts would block the event loop."""
    fitting = GET + b"X: " + b"a" * 12_000 + b"\r\n\r\n"
    long_head = GET + b"X: " + b"a" * 17_000 + b"\r\n" + end
    assert await read_statuses(tmp_path, fitting + long_head) == [b"200", b"400"]
    long_line = GET.replace(b"/health", b"/health?" + b"a&" * 2_100) + b"\r\n"
    assert await read_statuses(tmp_path, GET + b"\r\n" + long_line) == [b"200", b"400"]


async def test_many_header_lines_are_refused(tmp_path: Path) -> None:
    """Reading thousands of headers would block the event loop."""
    fitting, many = (GET + b"a:\r\n" * number + b"\r\n" for number in (90, 3_000))
    assert await read_statuses(tmp_path, fitting + many) == [b"200", b"400"]
    begun = POST + CHUNKED + b"\r\n0\r\n"
    assert await read_statuses(tmp_path, begun + b"a:\r\n" * 3_000 + b"\r\n" + LAST) == [b"400"]


@pytest.mark.parametrize("path", [b"/api/me", b"/health", b"/api/sheet/file"])
async def test_body_of_many_chunks_ends_the_connection(path: bytes, tmp_path: Path) -> None:
    """Reading chunks of one byte each would block the event loop, also after the response."""
    begun = POST.replace(b"/api/me", path) + CHUNKED + b"\r\n"
    async with (
        serve_in_process(make_app(tmp_path)) as port,
        open_connection(port) as (reader, writer),
    ):
        async with asyncio.timeout(PATIENCE_SECONDS):
            writer.write(begun + b"1\r\n \r\n" * 99)
            if path == b"/health":  # refuses the method at once
                assert (await reader.readuntil(b"</html>\n")).startswith(b"HTTP/1.1 404 ")
            writer.write(b"1\r\n \r\n" * 5_000 + b"0\r\n\r\n" + LAST)
            answers = b""
            with contextlib.suppress(ConnectionResetError):  # what was not read is lost
                answers = await reader.read()
    assert b"HTTP/1.1 200" not in answers


async def test_each_request_may_have_a_hundred_chunks(tmp_path: Path) -> None:
    body = b'{"name": "Ann"}'
    parts = b"".join(b"1\r\n%c\r\n" % letter for letter in body.ljust(90))
    chunked = POST + CHUNKED + b"\r\n" + parts + b"0\r\n\r\n"
    assert await read_statuses(tmp_path, chunked * 3 + LAST) == [b"200"] * 4


async def test_bare_newline_in_a_trailer_ends_the_connection(tmp_path: Path) -> None:
    begun = POST + CHUNKED + b"\r\n"
    assert await read_statuses(tmp_path, begun + b"0\r\nX: a\n\r\n" + LAST) == [b"400"]


@pytest.mark.parametrize("rest", [b"zz\r\n", b"0\r\nX: a\n\r\n"])
async def test_invalid_body_after_the_response_leaves_no_traceback(
    rest: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        serve_in_process(make_app(tmp_path)) as port,
        open_connection(port) as (reader, writer),
    ):
        writer.write(POST.replace(b"/api/me", b"/health") + CHUNKED + b"\r\n")
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert (await reader.readuntil(b"</html>\n")).startswith(b"HTTP/1.1 404 ")
            writer.write(rest + LAST)
            assert await reader.read() == b""
    assert [one for one in caplog.records if one.exc_info] == []


async def test_body_may_have_any_bytes_and_come_in_parts(tmp_path: Path) -> None:
    body = b'\n\n{"name":\n\n"Ann"}\n\n'
    whole = POST + b"Content-Length: %d\r\n\r\n" % len(body) + body
    chunked = POST + CHUNKED + b"\r\n%x\r\n%s\r\n0\r\nX: a\r\n\r\n" % (len(body), body)
    sent = whole + chunked + LAST
    parts = [sent[at : at + 7] for at in range(0, len(sent), 7)]
    assert await read_statuses(tmp_path, *parts) == [b"200", b"200", b"200"]


@pytest.mark.parametrize("protocol", [HTTPProtocol, WebSocketProtocol])
async def test_an_ipv4_client_of_an_ipv6_socket_keeps_its_address(
    protocol: type[HTTPProtocol | WebSocketProtocol], tmp_path: Path
) -> None:
    """Otherwise a trusted proxy would not be recognized, and all its visitors would be local."""
    config = uvicorn.Config(make_app(tmp_path), log_config=None)
    config.load()
    addresses = {}
    for name in ("::ffff:192.0.2.1", "2001:db8::1"):
        transport = Mock(spec=asyncio.Transport)
        peer = Mock()
        peer.getpeername.return_value = (name, 5000, 0, 0)
        transport.get_extra_info.side_effect = {"socket": peer}.get
        connection = protocol(config, uvicorn.server.ServerState(), {})
        connection.connection_made(transport)
        addresses[name] = connection.client
        connection.connection_lost(None)
    assert addresses == {
        "::ffff:192.0.2.1": ("192.0.2.1", 5000),
        "2001:db8::1": ("2001:db8::1", 5000),
    }
