"""The check that a page of this server sent a request."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection


def is_same_origin(connection: HTTPConnection, public_url: str | None) -> bool:
    """Return whether a page of this server, or no page at all, sent the request.

    Browsers let any page open a WebSocket to any server, cookies included. Only this check prevents
    a foreign page from playing in the name of its visitor. Browsers always send the origin of the
    page.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    origin_host = _host(origin)
    own_hosts = {connection.headers.get("host", "").lower()}
    if public_url is not None:
        own_hosts.add(_host(public_url))
    return origin_host != "" and origin_host in own_hosts


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""
