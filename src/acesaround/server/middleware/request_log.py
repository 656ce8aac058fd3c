"""Each request and each socket on its way through: its id, its time, its line in the log.

The id stands in every line that is logged meanwhile, and goes back in the header `X-Request-ID`, so
that somebody who was told of an error can be helped. A proxy that was named may have given it one
already. What anybody else says is ignored, or they could write in our log what they like.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from acesaround.server.observability.logging import FIELDS, REQUEST, token_alias
from acesaround.server.observability.metrics import Metrics

HEADER: Final = "x-request-id"
_LOG: Final = logging.getLogger("acesaround.access")
_GIVEN: Final = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
_LIKE_A_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{10,}", re.ASCII)
_SHORT: Final = 4  # letters of a part of an address that are no secret
_LONGEST: Final = 200
_FILES: Final = "files"
_BROKEN: Final = 500
_ERROR: Final = 1011  # the code of a socket that we broke
_WELL: Final = (200, 206, 304)


class RequestLogMiddleware:
    """`proxy`: as the settings have it; `routes`: all but those to files.

    `metrics`: those of the running server; `access`: whether each visit has its line in the log.
    """

    def __init__(
        self,
        app: ASGIApp,
        proxy: str | None,
        routes: Iterable[Route | WebSocketRoute],
        metrics: Callable[[Scope], Metrics],
        *,
        access: bool,
    ) -> None:
        # It replaces the address of the proxy by the one that the proxy tells, for all within.
        self._proxies = None if proxy is None else ProxyHeadersMiddleware(app, proxy)  # type: ignore[arg-type]
        self._app: Any = self._proxies or app
        self._routes: dict[Any, list[Route | WebSocketRoute]] = {}
        for route in routes:
            self._routes.setdefault(route.endpoint, []).append(route)
        self._metrics = metrics
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, and see what comes of it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request = self._id(scope)
        scope["request_id"] = request
        REQUEST.set(request)  # of this task, which serves nothing else
        if scope["type"] == "http":
            await self._http(scope, receive, send, request)
        else:
            await self._socket(scope, receive, send, request)

    def _id(self, scope: Scope) -> str:
        """What a named proxy calls it, else one of our own."""
        client = scope.get("client")
        by_proxy = self._proxies is not None and client and client[0] in self._proxies.trusted_hosts
        given = Headers(scope=scope).get(HEADER, "")
        if by_proxy and _GIVEN.fullmatch(given):
            return given
        return secrets.token_hex(8)

    async def _http(self, scope: Scope, receive: Receive, send: Send, request: str) -> None:
        began, status, size = perf_counter(), _BROKEN, 0

        async def sending(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            took = perf_counter() - began
            metrics = self._metrics(scope)
            metrics.http(self._route(scope), took)
            metrics.answered[str(status)] += 1
            if self._access:
                self._say(
                    f"{scope['method']} {self._shown(scope, status)} {status}",
                    scope,
                    {
                        "method": scope["method"],
                        "status": status,
                        "bytes": size,
                        "seconds": round(took, 4),
                    },
                )

    async def _socket(self, scope: Scope, receive: Receive, send: Send, request: str) -> None:
        began, heard, said = perf_counter(), 0, 0
        opened, code = False, None  # what it was closed with, or refused

        async def receiving() -> Message:
            nonlocal code, heard
            message = await receive()
            if message["type"] == "websocket.receive":
                heard += 1
            elif message["type"] == "websocket.disconnect":
                code = message.get("code") or 1005
            return message

        async def sending(message: Message) -> None:
            nonlocal code, said, opened
            kind = message["type"]
            if kind == "websocket.send":
                said += 1
            elif kind == "websocket.accept":
                opened = True
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[HEADER] = request
                if self._access:
                    self._say(f"opened {self._shown(scope, 200)}", scope, {})
            elif kind == "websocket.close":
                code = message.get("code", 1000)
            elif kind == "websocket.http.response.start":
                code = message["status"]
                MutableHeaders(scope=message)[HEADER] = request
            await send(message)

        try:
            await self._app(scope, receiving, sending)
        except BaseException:
            code = code or _ERROR
            raise
        finally:
            code = code or _ERROR
            self._metrics(scope).close(code)
            if self._access:
                what = "closed" if opened else "refused"
                seconds = round(perf_counter() - began, 3)
                self._say(
                    f"{what} {self._shown(scope, 200 if opened else code)} {code}",
                    scope,
                    {"code": code, "seconds": seconds, "heard": heard, "said": said},
                )

    def _route(self, scope: Scope) -> str:
        """The form of the address that was asked for: one of few, whatever people ask for."""
        for route in self._routes.get(scope.get("endpoint"), ()):
            if route.path_regex.match(scope["path"]):
                return route.path
        return _FILES

    def _shown(self, scope: Scope, status: int) -> str:
        """The address that was asked for, without tokens and what follows a question mark."""
        route = self._route(scope)
        if route != _FILES:
            for name, value in scope.get("path_params", {}).items():
                short = str(value) if len(str(value)) <= _SHORT else token_alias(str(value))
                route = route.replace(f"{{{name}}}", short)
            return route
        path: str = scope["path"]
        if status not in _WELL:  # it may be a link with something wrong about it
            path = _LIKE_A_TOKEN.sub(lambda found: token_alias(found[0]), path)
        return path[:_LONGEST]

    def _say(self, words: str, scope: Scope, fields: dict[str, object]) -> None:
        client = scope.get("client")  # by now as a proxy tells it
        address = "-" if not client else str(client[0])
        _LOG.info(
            "%s", words, extra={FIELDS: {"address": address, "route": self._route(scope), **fields}}
        )
