"""The names by which people may ask for this server, in the `Host` of a request.

A page of another site can have its own name point to this machine ("DNS rebinding"), and a browser
then takes both for one site. What it cannot have is our name. So a request is answered if it names
this machine as its network does, the public address, or a name that was given with `--host-name`;
or an address in digits, which nobody can make point elsewhere.
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

from acesaround.server.routes import pages

_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(:[0-9]{1,5})?", re.ASCII)
_AT_HOME: Final = (".local", ".lan", ".home.arpa", ".internal")
"""Ends that a home's router or mDNS puts to a machine's name; in the world nobody can have them."""


class AllowedHosts:
    """The names that are known. `public_url` and `named` as the settings have them."""

    def __init__(self, public_url: str | None, named: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower().partition(".")[0]
        self._known = {socket.gethostname().lower(), own, *(own + end for end in _AT_HOME)}
        self._known |= {name.lower().rstrip(".") for name in named}
        if public_url is not None:
            self._known.add((urlsplit(public_url).hostname or "").lower().rstrip("."))

    def allows(self, host: str) -> bool:
        """Whether a `Host` names this server. Without one no browser asks."""
        if not host:
            return True
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found[1]
        if name == "localhost" or name.endswith(".localhost") or name in self._known:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


class TrustedHostsMiddleware:
    """Refuses requests and sockets that ask for another server than this one."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it pass, or answer with a sentence."""
        if scope["type"] == "lifespan" or self._hosts.allows(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            refusal = PlainTextResponse(SENTENCE, 421)
            await WebSocket(scope, receive, send).send_denial_response(refusal)
        else:
            await pages.message_response(Request(scope), SENTENCE, 421)(scope, receive, send)


SENTENCE: Final = (
    "This server does not go by that name: whoever runs it can allow it with --host-name."
)
