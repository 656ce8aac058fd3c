"""The address by which others reach the server, as far as that is known, and that as a QR code."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import segno
from starlette.requests import Request

from acesaround.server.context import context_of


def public_base_url(request: Request) -> str:
    """It, without a slash at its end; else the one by which somebody asks, which is ours."""
    settings = context_of(request).settings
    if settings.public_url is not None:
        return settings.public_url.rstrip("/")
    if settings.home_url is not None and _loopback(request.url.hostname or ""):
        return settings.home_url.rstrip("/")
    return f"{request.url.scheme}://{request.url.netloc}"


def is_loopback_url(link: str) -> bool:
    """Whether an address leads nowhere but on the machine of who asks."""
    return _loopback(urlsplit(link).hostname or "")


def qr_data_uri(link: str) -> str:
    """A link as a QR code: the address of a picture that holds it."""
    return segno.make(link, error="m").svg_data_uri(border=3, light="#fff", omitsize=True)


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
