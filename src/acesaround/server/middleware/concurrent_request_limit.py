"""A limit on the requests of one address that are handled at the same time.

Without this limit, an address with hundreds of connections would be served hundreds of times for
each request of another address. A request counts from its complete
body to the beginning of its response, so that slow clients hold up nobody.

Requests also wait in the same queue as the messages of WebSockets (`FairQueue`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import AsyncExitStack
from typing import Final
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acesaround.server.limits.client_addresses import rate_limit_keys
from acesaround.server.limits.fair_queue import FairQueue

MAX_REQUESTS_PER_ADDRESS: Final = 32
"""The requests of one address in progress at a time. More wait."""
_MAX_BODY_BYTES: Final = 64 * 1024  # more than any route accepts


class ConcurrentRequestLimitMiddleware:
    """ASGI middleware that limits how many requests of an address are handled at the same time."""

    def __init__(self, app: ASGIApp, fair_queue: FairQueue) -> None:
        self._app = app
        self._fair_queue = fair_queue
        self._semaphores: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an HTTP request or a new WebSocket when its address is next."""
        client = scope.get("client")
        address = client[0] if client else None
        keys = rate_limit_keys(address) if scope["type"] == "http" else {}
        if not keys:
            if scope["type"] != "lifespan":
                await self._fair_queue.wait(address)
            await self._app(scope, receive, send)
            return
        received = await _receive_body(receive)
        async with AsyncExitStack() as held_semaphores:
            for key, factor in keys.items():
                new_semaphore = asyncio.Semaphore(factor * MAX_REQUESTS_PER_ADDRESS)
                await held_semaphores.enter_async_context(
                    self._semaphores.setdefault(key, new_semaphore)
                )

            await self._fair_queue.wait(address)

            async def receive_again() -> Message:
                return received.popleft() if received else await receive()

            async def release_and_send(message: Message) -> None:
                await held_semaphores.aclose()
                await send(message)

            await self._app(scope, receive_again, release_and_send)


async def _receive_body(receive: Receive) -> deque[Message]:
    """Return the messages with the body of a request, or those received before it was too long."""
    received = deque([await receive()])
    size = len(received[-1].get("body", b""))
    while received[-1].get("more_body") and size <= _MAX_BODY_BYTES:
        received.append(await receive())
        size += len(received[-1].get("body", b""))
    return received
