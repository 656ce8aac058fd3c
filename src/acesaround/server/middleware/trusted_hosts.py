"""The host names that a request may use for this server, in its `Host` header.

Another site can let its own name point to this machine ("DNS rebinding"), and a browser then treats
both as one site. That site cannot use the names of this server, so only these are accepted: this
machine's name in its network, the public host, names from `--allowed-host`, and IP addresses, which
cannot be rebound.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from acesaround.server.routes.responses import message_response

_HOST_PATTERN: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(:[0-9]{1,5})?", re.ASCII)
_LOCAL_SUFFIXES: Final = (".local", ".lan", ".home.arpa", ".internal")
"""Suffixes that a router or mDNS adds to a machine's name; they are not registered publicly."""


class AllowedHosts:
    """The accepted host names.

    `public_url`: see `Settings.public_url`; `extra_names`: see `Settings.allowed_hosts`.
    """

    def __init__(self, public_url: str | None, extra_names: Iterable[str] = ()) -> None:
        machine_name = socket.gethostname().lower().partition(".")[0]
        self._names = {
            socket.gethostname().lower(),
            machine_name,
            *(machine_name + suffix for suffix in _LOCAL_SUFFIXES),
        }
        self._names |= {name.lower().rstrip(".") for name in extra_names}
        if public_url is not None:
            self._names.add((urlsplit(public_url).hostname or "").lower().rstrip("."))

    def allows(self, host: str) -> bool:
        """Return whether a `Host` is accepted. An empty one is, because no browser sends it."""
        if not host:
            return True
        match = _HOST_PATTERN.fullmatch(host.lower())
        if match is None:
            return False
        name = match[1]
        if name == "localhost" or name.endswith(".localhost") or name in self._names:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


class TrustedHostsMiddleware:
    """ASGI middleware that refuses requests and WebSockets with a foreign `Host`."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or refuse with status 421 and a sentence."""
        if scope["type"] == "lifespan" or self._hosts.allows(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            response = PlainTextResponse(FOREIGN_HOST_SENTENCE, 421)
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await message_response(Request(scope), FOREIGN_HOST_SENTENCE, 421)(scope, receive, send)


FOREIGN_HOST_SENTENCE: Final = (
    "This server does not accept that host name: its operator can allow it with --allowed-host."
)
