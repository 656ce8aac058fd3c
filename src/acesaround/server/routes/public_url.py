"""The URL by which others reach the server, as far as known, and QR codes of URLs."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import segno
from starlette.requests import Request

from acesaround.server.context import context_of


def public_base_url(request: Request) -> str:
    """Return the base URL for others, without a trailing slash.

    The public URL of the settings comes first, then the URL in the local network if this request
    used a loopback name, then the base URL of this request (the `Host` has been checked).
    """
    settings = context_of(request).settings
    if settings.public_url is not None:
        return settings.public_url.rstrip("/")
    if settings.lan_url is not None and _is_loopback_host(request.url.hostname or ""):
        return settings.lan_url.rstrip("/")
    return f"{request.url.scheme}://{request.url.netloc}"


def is_loopback_url(link: str) -> bool:
    """Return whether a URL works only on the requester's own machine."""
    return _is_loopback_host(urlsplit(link).hostname or "")


def qr_data_uri(link: str) -> str:
    """Return a QR code of a link, as the data URI of an SVG picture."""
    return segno.make(link, error="m").svg_data_uri(border=3, light="#fff", omitsize=True)


def _is_loopback_host(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
