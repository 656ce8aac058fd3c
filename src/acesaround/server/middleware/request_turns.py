"""A limit on the requests of one address that are handled at the same time.

Requests take turns at the event loop. Without this limit, an address with hundreds of connections
would have hundreds of turns for each one of another address.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Final
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Receive, Scope, Send

from acesaround.server.limits.rates import rate_limit_keys

MAX_REQUESTS_PER_ADDRESS: Final = 32
"""The requests of one address in progress at a time. More wait."""


class RequestTurnsMiddleware:
    """ASGI middleware that lets the requests of an address wait for each other."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an HTTP request in its turn, and anything else at once."""
        client = scope.get("client") if scope["type"] == "http" else None
        async with AsyncExitStack() as held_turns:
            for key, factor in rate_limit_keys(client and client[0]).items():
                new_turns = asyncio.Semaphore(factor * MAX_REQUESTS_PER_ADDRESS)
                await held_turns.enter_async_context(self._turns.setdefault(key, new_turns))
            await self._app(scope, receive, send)
