"""Requests of one address take turns; slow clients delay nobody."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from acesaround.server.middleware import concurrent_request_limit
from tests.server.http_client import make_app
from tests.server.in_process_server import RecordedConnection, open_connection, serve_in_process
from tests.waiting import PATIENCE_SECONDS, wait_until_async

HEALTH = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
HALF = "POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"


async def test_requests_of_one_address_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concurrent_request_limit, "MAX_REQUESTS_PER_ADDRESS", 1)
    made: list[RecordedConnection] = []
    begun: list[int] = []
    go_on = asyncio.Event()
    server = make_app(tmp_path, trusted_proxies="*")

    async def ping() -> None:
        begun.append(len(begun))
        await go_on.wait()

    async with (
        serve_in_process(server, made) as port,
        open_connection(port) as (_, half),
        open_connection(port) as (first_reader, first),
        open_connection(port) as (second_reader, second),
        open_connection(port) as (others_reader, other),
    ):
        monkeypatch.setattr(server.state.server_context.store, "ping", ping)

        async def send(writer: asyncio.StreamWriter, request: str, address: str) -> None:
            sent = f"{request}X-Forwarded-For: {address}\r\n\r\n".encode()
            heard = sum(one.received_bytes for one in made)
            writer.write(sent)
            await wait_until_async(
                lambda: sum(one.received_bytes for one in made) == heard + len(sent)
            )

        try:
            await send(half, HALF, "192.0.2.1")
            await send(first, HEALTH, "192.0.2.1")
            await wait_until_async(lambda: len(begun) == 1)
            await send(second, HEALTH, "192.0.2.1")
            await send(other, HEALTH, "192.0.2.2")
            await wait_until_async(lambda: len(begun) > 1)
            assert len(begun) == 2
        finally:
            go_on.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            for reader in (first_reader, second_reader, others_reader):
                assert b" 200 OK" in await reader.read()
        assert len(begun) == 3
