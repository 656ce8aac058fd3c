"""A limit on the requests of one address that are handled at the same time.

Requests take turns at the event loop. Without this limit, an address with hundreds of connections
would have hundreds of turns for each one of another address. A request counts from its complete
body to the beginning of its response, so that slow clients hold up nobody.

The requests of all addresses also take turns with each other and with the messages of WebSockets
(`LoopTurns`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import AsyncExitStack
from typing import Final
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acesaround.server.limits.rates import rate_limit_keys
from acesaround.server.limits.turns import LoopTurns

MAX_REQUESTS_PER_ADDRESS: Final = 32
"""The requests of one address in progress at a time. More wait."""
_MAX_BODY_BYTES: Final = 64 * 1024  # more than any route accepts


class RequestTurnsMiddleware:
    """ASGI middleware that lets the requests of an address wait for each other."""

    def __init__(self, app: ASGIApp, loop_turns: LoopTurns) -> None:
        self._app = app
        self._loop_turns = loop_turns
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an HTTP request or a new WebSocket in its turn."""
        client = scope.get("client")
        address = client[0] if client else None
        keys = rate_limit_keys(address) if scope["type"] == "http" else {}
        if not keys:
            if scope["type"] != "lifespan":
                await self._loop_turns.wait(address)
            await self._app(scope, receive, send)
            return
        received = await _receive_body(receive)
        async with AsyncExitStack() as held_turns:
            for key, factor in keys.items():
                new_turns = asyncio.Semaphore(factor * MAX_REQUESTS_PER_ADDRESS)
                await held_turns.enter_async_context(self._turns.setdefault(key, new_turns))

            await self._loop_turns.wait(address)

            async def receive_again() -> Message:
                return received.popleft() if received else await receive()

            async def end_turn_and_send(message: Message) -> None:
                await held_turns.aclose()
                await send(message)

            await self._app(scope, receive_again, end_turn_and_send)


async def _receive_body(receive: Receive) -> deque[Message]:
    """Return the messages with the body of a request, or those received before it was too long."""
    received = deque([await receive()])
    size = len(received[-1].get("body", b""))
    while received[-1].get("more_body") and size <= _MAX_BODY_BYTES:
        received.append(await receive())
        size += len(received[-1].get("body", b""))
    return received
