"""The requests of an address wait for each other, and for nobody else's."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from acesaround.server.middleware import request_turns
from tests.server.http_client import app
from tests.server.inside import Noted, inside, talking
from tests.waiting import PATIENCE_SECONDS, wait_until_async
from websocket_client import ask


async def test_a_request_waits_for_those_of_its_address_and_for_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_turns, "MAX_REQUESTS_PER_ADDRESS", 1)
    made: list[Noted] = []
    async with inside(app(tmp_path, trusted_proxies="*"), made) as port:
        cookie = (await ask(port, "/api/me")).cookie

        def parts(name: str, address: str) -> tuple[bytes, bytes]:
            body = json.dumps({"name": name}).encode()
            head = (
                f"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                f"X-Forwarded-For: {address}\r\nCookie: {cookie}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            return head.encode(), body

        async with talking(port) as (slow_reader, slow), talking(port) as (reader, writer):
            head, body = parts("First", "192.0.2.1")
            slow.write(head)
            await wait_until_async(lambda: any(one.heard == len(head) for one in made))
            second = b"".join(parts("Second", "192.0.2.1"))
            writer.write(second)
            await wait_until_async(lambda: any(one.heard == len(second) for one in made))
            async with asyncio.timeout(PATIENCE_SECONDS), talking(port) as (others_reader, other):
                other.write(b"".join(parts("Other", "192.0.2.2")))
                assert b" 200 OK" in await others_reader.read()
                slow.write(body)
                assert b" 200 OK" in await slow_reader.read()
                assert b" 200 OK" in await reader.read()
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        assert database.execute("SELECT name FROM people").fetchall() == [("Second",)]
