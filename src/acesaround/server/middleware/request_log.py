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

from acesaround.server.observability.logging import (
    CURRENT_REQUEST,
    FIELDS_ATTRIBUTE,
    token_pseudonym,
)
from acesaround.server.observability.metrics import Metrics

REQUEST_ID_HEADER: Final = "x-request-id"
_LOG: Final = logging.getLogger("acesaround.access")
_VALID_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
_TOKEN_LIKE: Final = re.compile(r"[A-Za-z0-9_-]{10,}", re.ASCII)
_MAX_PUBLIC_PARAM_LENGTH: Final = 4  # a path parameter of at most so many letters is no secret
_MAX_PATH_LENGTH: Final = 200
_STATIC_ROUTE: Final = "files"
_SERVER_ERROR: Final = 500
_SERVER_ERROR_CLOSE_CODE: Final = 1011  # close code after a server error
_FOUND_STATUSES: Final = (200, 206, 304)


class RequestLogMiddleware:
    """ASGI middleware that gives each request an id, measures it and logs it.

    `trusted_proxies`: see `Settings.trusted_proxies`; `routes`: all routes but static files;
    `find_metrics`: finds the metrics of the running server; `log_access`: log a line for each
    request and socket.
    """

    def __init__(
        self,
        app: ASGIApp,
        trusted_proxies: str | None,
        routes: Iterable[Route | WebSocketRoute],
        find_metrics: Callable[[Scope], Metrics],
        *,
        log_access: bool,
    ) -> None:
        # For the inner app, this replaces the proxy's address by the client's address.
        self._proxy_headers = (
            None if trusted_proxies is None else ProxyHeadersMiddleware(app, trusted_proxies)  # type: ignore[arg-type]
        )
        self._app: Any = self._proxy_headers or app
        self._routes_by_endpoint: dict[Any, list[Route | WebSocketRoute]] = {}
        for route in routes:
            self._routes_by_endpoint.setdefault(route.endpoint, []).append(route)
        self._find_metrics = find_metrics
        self._logs_access = log_access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a WebSocket, and record its result."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id = self._request_id(scope)
        scope["request_id"] = request_id
        CURRENT_REQUEST.set(request_id)  # never reset, because this task serves nothing else
        if scope["type"] == "http":
            await self._serve_http(scope, receive, send, request_id)
        else:
            await self._serve_websocket(scope, receive, send, request_id)

    def _request_id(self, scope: Scope) -> str:
        """Return the request id that a trusted proxy has set, or a new one."""
        client = scope.get("client")
        is_from_proxy = (
            self._proxy_headers is not None
            and client
            and client[0] in self._proxy_headers.trusted_hosts
        )
        proposed_id = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        if is_from_proxy and _VALID_REQUEST_ID.fullmatch(proposed_id):
            return proposed_id
        return secrets.token_hex(8)

    async def _serve_http(
        self, scope: Scope, receive: Receive, send: Send, request_id: str
    ) -> None:
        started_at, status, body_bytes = perf_counter(), _SERVER_ERROR, 0

        async def send_with_id(message: Message) -> None:
            nonlocal status, body_bytes
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = request_id
            else:
                body_bytes += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            seconds = perf_counter() - started_at
            metrics = self._find_metrics(scope)
            metrics.http_request_seconds.labels(self._route_pattern(scope)).observe(seconds)
            metrics.http_responses.labels(str(status)).inc()
            if self._logs_access:
                self._log_line(
                    f"{scope['method']} {self._loggable_path(scope, status)} {status}",
                    scope,
                    {
                        "method": scope["method"],
                        "status": status,
                        "bytes": body_bytes,
                        "seconds": round(seconds, 4),
                    },
                )

    async def _serve_websocket(
        self, scope: Scope, receive: Receive, send: Send, request_id: str
    ) -> None:
        started_at, received_count, sent_count = perf_counter(), 0, 0
        was_accepted, code = False, None  # `code`: the close code, or the HTTP status of a refusal

        async def counting_receive() -> Message:
            nonlocal code, received_count
            message = await receive()
            if message["type"] == "websocket.receive":
                received_count += 1
            elif message["type"] == "websocket.disconnect":
                code = message.get("code") or 1005
            return message

        async def counting_send(message: Message) -> None:
            nonlocal code, sent_count, was_accepted
            kind = message["type"]
            if kind == "websocket.send":
                sent_count += 1
            elif kind == "websocket.accept":
                was_accepted = True
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = request_id
                if self._logs_access:
                    self._log_line(f"opened {self._loggable_path(scope, 200)}", scope, {})
            elif kind == "websocket.close":
                code = message.get("code", 1000)
            elif kind == "websocket.http.response.start":
                code = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, counting_receive, counting_send)
        except BaseException:
            code = code or _SERVER_ERROR_CLOSE_CODE
            raise
        finally:
            code = code or _SERVER_ERROR_CLOSE_CODE
            self._find_metrics(scope).count_close(code)
            if self._logs_access:
                outcome = "closed" if was_accepted else "refused"
                seconds = round(perf_counter() - started_at, 3)
                self._log_line(
                    f"{outcome} {self._loggable_path(scope, 200 if was_accepted else code)} {code}",
                    scope,
                    {"code": code, "seconds": seconds, "heard": received_count, "said": sent_count},
                )

    def _route_pattern(self, scope: Scope) -> str:
        """Return the path pattern of the route, one of a fixed set that suits metric labels."""
        for route in self._routes_by_endpoint.get(scope.get("endpoint"), ()):
            if route.path_regex.match(scope["path"]):
                return route.path
        return _STATIC_ROUTE

    def _loggable_path(self, scope: Scope, status: int) -> str:
        """Return the requested path for the log, without tokens and query string."""
        route = self._route_pattern(scope)
        if route != _STATIC_ROUTE:
            for name, value in scope.get("path_params", {}).items():
                shown_value = (
                    str(value)
                    if len(str(value)) <= _MAX_PUBLIC_PARAM_LENGTH
                    else token_pseudonym(str(value))
                )
                route = route.replace(f"{{{name}}}", shown_value)
            return route
        path: str = scope["path"]
        if status not in _FOUND_STATUSES:  # the path may be a mistyped share link
            path = _TOKEN_LIKE.sub(lambda found: token_pseudonym(found[0]), path)
        return path[:_MAX_PATH_LENGTH]

    def _log_line(self, text: str, scope: Scope, fields: dict[str, object]) -> None:
        client = scope.get("client")  # the client's address even behind a trusted proxy
        address = "-" if not client else str(client[0])
        _LOG.info(
            "%s",
            text,
            extra={
                FIELDS_ATTRIBUTE: {
                    "address": address,
                    "route": self._route_pattern(scope),
                    **fields,
                }
            },
        )
