"""Addresses take turns at the event loop, however much one of them sends."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path

from acesaround.server.limits.fair_queue import FairQueue
from tests.server.http_client import make_app
from tests.server.in_process_server import serve_in_process
from tests.waiting import PATIENCE_SECONDS, wait_until_async
from websocket_client import Socket, frame


async def test_each_loop_turn_starts_some_work_of_each_address() -> None:
    queue, order = FairQueue(2), list[str]()
    for name in ("a1", "a2", "a3", "a4", "b1", "c1"):
        address = f"192.0.2.{ord(name[0])}"
        queue.call(address, lambda name=name: order.append(name))  # type: ignore[misc]
    assert order == ["a1", "a2"]
    assert queue.waiting_count == 4
    await asyncio.sleep(0)
    assert order == ["a1", "a2", "a3", "b1"]
    await asyncio.sleep(0)
    assert order == ["a1", "a2", "a3", "b1", "c1", "a4"]
    await asyncio.sleep(0)
    await queue.wait("192.0.2.1")  # nothing waits
    assert queue.waiting_count == 0


async def test_networks_of_one_ipv6_site_share_turns() -> None:
    queue, order = FairQueue(1), list[str]()
    for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "2001:db8:1::1"):
        queue.call(address, lambda address=address: order.append(address))  # type: ignore[misc]
    for _ in range(4):
        await asyncio.sleep(0)
    assert order == ["2001:db8::1", "2001:db8::2", "2001:db8:1::1", "2001:db8:0:1::1"]


async def test_a_cancelled_wait_takes_no_turn_from_others() -> None:
    queue = FairQueue(1)
    queue.call("192.0.2.1", lambda: None)
    cancelled = asyncio.create_task(queue.wait("192.0.2.1"))
    other = asyncio.create_task(queue.wait("192.0.2.1"))
    await asyncio.sleep(0)
    cancelled.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await cancelled
    async with asyncio.timeout(PATIENCE_SECONDS):
        await other


def upgrade_request(table: str, address: str) -> bytes:
    return (
        f"GET /ws/{table} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nX-Forwarded-For: {address}\r\n\r\n"
    ).encode()


async def test_a_flood_on_many_sockets_does_not_delay_another_address(tmp_path: Path) -> None:
    """Without turns, the server would handle all messages that have arrived before the ping."""
    server, flood = make_app(tmp_path, trusted_proxies="*"), 10 * 90
    answered: list[bytes] = []
    ping = frame(json.dumps({"type": "ping"}).encode())
    async with serve_in_process(server) as port:
        table = await open_table(port)

        async def join(address: str) -> Socket:
            loop = asyncio.get_running_loop()
            _, socket = await loop.create_connection(
                lambda: Socket(upgrade_request(table, address), lambda _: None), "127.0.0.1", port
            )
            await socket.opened
            return socket

        flooding = [await join("192.0.2.1") for _ in range(10)]
        honest = await join("192.0.2.2")
        honest._on_text = lambda text: answered.append(text) if b"pong" in text else None
        metrics = server.state.server_context.metrics
        before = metrics.messages_received._value.get()
        for socket in flooding:
            socket.transport.write(ping * 90)
        honest.transport.write(ping)
        await wait_until_async(lambda: bool(answered))
        assert metrics.messages_received._value.get() - before < flood
        await wait_until_async(lambda: metrics.messages_received._value.get() - before == flood + 1)
        for socket in (*flooding, honest):
            socket.transport.close()


async def open_table(port: int) -> str:
    """Return the watch link of a new table."""
    body = json.dumps({"variant": "partnership", "bots": "thumb"}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    )
    answer = await reader.read()
    writer.close()
    opened: str = json.loads(answer.partition(b"\r\n\r\n")[2])["id"]
    return opened
