"""One person at two processes on one PostgreSQL: a pairing code of one works at the other."""

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
    """A browser that sends each request to a given server."""

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

    def connect_to_table(self, server: Server, table: str) -> Any:
        headers = {"cookie": self.cookie}
        return connect(
            f"ws://127.0.0.1:{server.port}/ws/{table}",
            additional_headers=headers,
            proxy=None,
            open_timeout=PATIENCE_SECONDS,
            ping_interval=None,
        )


async def own_seat(socket: Any) -> int | None:
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "state":
            seat: int | None = message["table"]["you"]
            return seat
    raise AssertionError


async def test_pairing_and_sign_out_apply_at_both_processes(two_servers: list[Server]) -> None:
    first, second = two_servers
    phone, laptop = Browser(), Browser()
    await phone.ask(first, "/api/me", {"name": "Ann"})
    await laptop.ask(second, "/api/me", {"name": "Bob"})
    assert (await laptop.ask(first, "/api/me"))["name"] == "Bob"
    opened = await phone.ask(
        first, "/api/tables", {"variant": "partnership", "bots": "thumb", "start": True}
    )
    code = (await phone.ask(first, "/api/devices/code", {}))["code"]
    async with laptop.connect_to_table(first, opened["id"]) as before:
        assert await own_seat(before) is None
        await laptop.ask(second, "/api/devices/take", {"code": code})
        assert (await laptop.ask(first, "/api/me"))["name"] == "Ann"  # by its new cookie
        await wait_until_signed_out(before)

    async with (
        phone.connect_to_table(first, opened["id"]) as lost,
        laptop.connect_to_table(second, opened["id"]) as kept,
    ):
        assert await own_seat(lost) == await own_seat(kept) == 0
        await laptop.ask(second, "/api/devices/out", {"which": "others"})
        await wait_until_signed_out(lost)
        assert (await phone.ask(first, "/api/me"))["name"] is None
        async with phone.connect_to_table(first, opened["id"]) as nobody:
            assert await own_seat(nobody) is None


async def wait_until_signed_out(socket: Any) -> None:
    """Read until the socket is closed because the device was signed out."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        with suppress(ConnectionClosed):
            while True:  # steady: the timeout above ends it
                await socket.recv()
    assert socket.close_code == SIGNED_OUT_CODE
