"""One person at two processes on one PostgreSQL: a code of one is taken at the other."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from acesaround.server.accounts.sessions import SIGNED_OUT_CODE
from tests.multiprocess.server import Server
from tests.waiting import PATIENCE_SECONDS


class Browser:
    """A browser that asks whichever process it is told to."""

    def __init__(self) -> None:
        self.cookie = ""

    async def ask(self, server: Server, path: str, sent: object = None) -> Any:
        url = f"http://127.0.0.1:{server.port}{path}"
        async with httpx2.AsyncClient(trust_env=False, timeout=PATIENCE_SECONDS) as client:
            method = "GET" if sent is None else "POST"
            headers = {"cookie": self.cookie} if self.cookie else {}
            answer = await client.request(method, url, json=sent, headers=headers)
        assert answer.status_code < 400, answer.text
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer.json()

    def at(self, server: Server, table: str) -> Any:
        headers = {"cookie": self.cookie}
        return connect(
            f"ws://127.0.0.1:{server.port}/ws/{table}",
            additional_headers=headers,
            proxy=None,
            open_timeout=PATIENCE_SECONDS,
            ping_interval=None,
        )


async def seated(socket: Any) -> int | None:
    """The seat that a socket shows as one's own."""
    async for said in socket:
        message = json.loads(said)
        if message["type"] == "state":
            seat: int | None = message["table"]["you"]
            return seat
    raise AssertionError


async def test_what_happens_at_one_process_is_so_at_the_other(two: list[Server]) -> None:
    here, there = two
    phone, laptop = Browser(), Browser()
    await phone.ask(here, "/api/me", {"name": "Ann"})
    await laptop.ask(there, "/api/me", {"name": "Bob"})
    assert (await laptop.ask(here, "/api/me"))["name"] == "Bob"  # which that process remembers
    opened = await phone.ask(
        here, "/api/tables", {"variant": "partnership", "bots": "thumb", "start": True}
    )
    code = (await phone.ask(here, "/api/devices/code", {}))["code"]
    async with laptop.at(here, opened["id"]) as before:
        assert await seated(before) is None
        await laptop.ask(there, "/api/devices/take", {"code": code})
        assert (await laptop.ask(here, "/api/me"))["name"] == "Ann"  # at once, by its new cookie
        await closed(before)

    async with phone.at(here, opened["id"]) as lost, laptop.at(there, opened["id"]) as kept:
        assert await seated(lost) == await seated(kept) == 0
        await laptop.ask(there, "/api/devices/out", {"which": "others"})
        await closed(lost)
        assert (await phone.ask(here, "/api/me"))["name"] is None
        async with phone.at(here, opened["id"]) as nobody:
            assert await seated(nobody) is None


async def closed(socket: Any) -> None:
    """Read on until a socket is closed, as one of a device that is somebody else now."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        with suppress(ConnectionClosed):
            while True:  # steady: the timeout above ends it
                await socket.recv()
    assert socket.close_code == SIGNED_OUT_CODE
