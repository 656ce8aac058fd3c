"""Security headers, which restrict scripts, framing and referrers in the browser."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HOST: Final = re.compile(r"[A-Za-z0-9.:\[\]_-]+", re.ASCII)
_HSTS_SECONDS: Final = 182 * 86_400
_FIXED_HEADERS: Final = {
    "referrer-policy": "same-origin",  # a URL with a table's token gives access to the table
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",  # for browsers that do not know frame-ancestors
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(
        f"{what}=()"
        for what in (
            "accelerometer", "browsing-topics", "camera", "display-capture", "geolocation",
            "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment",
            "publickey-credentials-get", "serial", "usb", "xr-spatial-tracking",
        )
    ),
}  # fmt: skip


class SecurityHeadersMiddleware:
    """ASGI middleware that adds the security headers to every HTTP response.

    `public_url`: see `Settings.public_url`.
    """

    def __init__(self, app: ASGIApp, public_url: str | None) -> None:
        self._app = app
        self._public_url = public_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, and add the headers to an HTTP response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_security_headers(MutableHeaders(scope=message), host, self._public_url)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def add_security_headers(headers: MutableHeaders, host: str, public_url: str | None) -> None:
    """Add the security headers to a response. `host`: the `Host` of the request."""
    public = urlsplit(public_url or "")
    for name, value in _FIXED_HEADERS.items():
        headers.setdefault(name, value)
    if public.scheme == "https":
        headers.setdefault("strict-transport-security", f"max-age={_HSTS_SECONDS}")
    headers.setdefault("content-security-policy", _content_security_policy(host, public.netloc))


def _content_security_policy(*hosts: str) -> str:
    """Return the content security policy: a page may load resources from this server only.

    In older browsers `'self'` does not cover WebSocket URLs, so the policy also lists the hosts.
    """
    own_hosts = dict.fromkeys(host for host in hosts if _HOST.fullmatch(host))
    return (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
        + " ".join(["connect-src 'self'", *(f"ws://{host} wss://{host}" for host in own_hosts)])
        + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
