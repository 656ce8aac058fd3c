"""Responses for link previews: the page with its meta tags, and the picture of a link."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from acesaround.server.context import context_of
from acesaround.server.limits.rates import rate_limit_key
from acesaround.server.previews.content import About
from acesaround.server.previews.meta_tags import with_meta_tags
from acesaround.server.routes import pages
from acesaround.server.routes.public_url import public_base_url

PICTURE = "preview.png"
_KEPT = 3600  # seconds


def page(request: Request, about: About) -> Response:
    """Return the page of the browser table, with meta tags that describe the link."""
    address = public_base_url(request) + quote(request.url.path)
    content = sha256(msgspec.json.encode(about)).hexdigest()[:12]  # a new URL for a new picture
    picture = f"{address.rstrip('/')}/{PICTURE}?v={content}"
    static = context_of(request).settings.static
    return pages.table_page(static, lambda index: with_meta_tags(index, about, address, picture))


async def picture(request: Request, about: About) -> Response:
    """Return the picture of a link. Other sites may embed it, because people post links there."""
    drawn = await context_of(request).gallery.get(await rate_limit_account(request), about)
    headers = {
        "cache-control": f"private, max-age={_KEPT}",
        "cross-origin-resource-policy": "cross-origin",
        "x-robots-tag": "noindex",
    }
    return Response(drawn, media_type="image/png", headers=headers)


async def rate_limit_account(request: Request) -> str:
    """Return the account that work is queued for: the guest, or the address of an unknown guest."""
    guest = await context_of(request).people.guest_or_none(request)
    if guest is not None:
        return guest.id
    return rate_limit_key(None if request.client is None else request.client.host) or ""
