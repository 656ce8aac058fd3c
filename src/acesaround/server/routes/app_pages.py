"""Routes of the browser page: the first page, and the page of a table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from acesaround.server.accounts.cookie import Guest
from acesaround.server.context import context_of
from acesaround.server.routes import link_preview
from acesaround.server.routes.requests import (
    with_guest,
)
from acesaround.server.routes.share_links import resolve_link
from acesaround.store import table_lists


async def index_page(request: Request) -> Response:
    """Return the page, even if the database does not answer."""
    response = link_preview.page_with_preview(request, link_preview.HOME)
    context_of(request).sessions.ensure_cookie(request, response)
    return response


@with_guest
async def table(request: Request, guest: Guest) -> Response:
    """Return the page for an existing table."""
    return link_preview.page_with_preview(request, await _table_preview(request))


async def _table_preview(request: Request) -> link_preview.About:
    """Return the preview of a link to a table. A replaced link gets the general one."""
    link = await resolve_link(request, "play", "watch")
    listings = (
        await table_lists.listings(context_of(request).store, [link.table_id])
        if link.is_current
        else []
    )
    if not listings:
        return link_preview.TABLE
    return link_preview.describe_table(listings[0].summary, play=link.kind == "play")
