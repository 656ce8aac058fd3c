"""The request log: an id, a duration and a log line for each request and each WebSocket.

The id is in every line that is logged during the request. The header `X-Request-ID` of the response
has it too, so that an operator can find the log lines of a reported error. A trusted proxy may set
the id in the request. Other clients may not, because they could then write into the log.
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
_SHORT: Final = 4  # a path parameter of at most so many letters is no secret
_LONGEST: Final = 200
_FILES: Final = "files"
_BROKEN: Final = 500
_ERROR: Final = 1011  # close code after a server error
_WELL: Final = (200, 206, 304)


class RequestLogMiddleware:
    """ASGI middleware that gives each request an id, measures it and logs it.

    `proxy`: see `Settings.trusted_proxies`; `routes`: all routes but static files; `metrics`: finds
    the metrics of the running server; `access`: log a line for each request and socket.
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
        # For the inner app, this replaces the proxy's address by the client's address.
        self._proxies = None if proxy is None else ProxyHeadersMiddleware(app, proxy)  # type: ignore[arg-type]
        self._app: Any = self._proxies or app
        self._routes: dict[Any, list[Route | WebSocketRoute]] = {}
        for route in routes:
            self._routes.setdefault(route.endpoint, []).append(route)
        self._metrics = metrics
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a WebSocket, and record its result."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request = self._id(scope)
        scope["request_id"] = request
        REQUEST.set(request)  # never reset, because this task serves nothing else
        if scope["type"] == "http":
            await self._http(scope, receive, send, request)
        else:
            await self._socket(scope, receive, send, request)

    def _id(self, scope: Scope) -> str:
        """Return the request id that a trusted proxy has set, or a new one."""
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
            metrics.http_request_seconds.labels(self._route(scope)).observe(took)
            metrics.http_responses.labels(str(status)).inc()
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
        opened, code = False, None  # `code`: the close code, or the HTTP status of a refusal

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
            self._metrics(scope).count_close(code)
            if self._access:
                what = "closed" if opened else "refused"
                seconds = round(perf_counter() - began, 3)
                self._say(
                    f"{what} {self._shown(scope, 200 if opened else code)} {code}",
                    scope,
                    {"code": code, "seconds": seconds, "heard": heard, "said": said},
                )

    def _route(self, scope: Scope) -> str:
        """Return the path pattern of the route, one of a fixed set that suits metric labels."""
        for route in self._routes.get(scope.get("endpoint"), ()):
            if route.path_regex.match(scope["path"]):
                return route.path
        return _FILES

    def _shown(self, scope: Scope, status: int) -> str:
        """Return the requested path for the log, without tokens and query string."""
        route = self._route(scope)
        if route != _FILES:
            for name, value in scope.get("path_params", {}).items():
                short = str(value) if len(str(value)) <= _SHORT else token_alias(str(value))
                route = route.replace(f"{{{name}}}", short)
            return route
        path: str = scope["path"]
        if status not in _WELL:  # the path may be a mistyped share link
            path = _LIKE_A_TOKEN.sub(lambda found: token_alias(found[0]), path)
        return path[:_LONGEST]

    def _say(self, words: str, scope: Scope, fields: dict[str, object]) -> None:
        client = scope.get("client")  # the client's address even behind a trusted proxy
        address = "-" if not client else str(client[0])
        _LOG.info(
            "%s", words, extra={FIELDS: {"address": address, "route": self._route(scope), **fields}}
        )
