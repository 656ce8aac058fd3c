"""The lobby: the pages of the list of public tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import NotationError
from acesaround.server.context import context_of
from acesaround.server.routes.responses import json_response
from acesaround.server.routes.tables import list_tables
from acesaround.store import LobbyTable, table_lists

TABLES_PER_PAGE: Final = 20
"""The number of tables on a page."""
MAX_TABLES_PER_HOST: Final = 2
"""The maximum number of tables of one host on a page, so that they cannot crowd out the others."""


async def lobby(request: Request) -> Response:
    """Return a page of the public tables: `?page=2`. Raises NotationError.

    If there are more, the response names the next page as `Link: <...>; rel="next"`.
    """
    server = context_of(request)
    number = _page_number(request)
    present = server.registry.occupied_table_ids
    all_pages = split_into_pages(
        await table_lists.lobby_tables(server.store, extra_ids=present), present
    )
    spots = all_pages[number - 1] if number <= len(all_pages) else ()
    listings = await table_lists.listings(server.store, [spot.id for spot in spots])
    response = json_response(list_tables(server, listings))
    if number < len(all_pages):
        response.headers["link"] = f'<{request.url.path}?page={number + 1}>; rel="next"'
    return response


def _page_number(request: Request) -> int:
    """Return the requested page number of a list, 1 by default. Raises NotationError."""
    text = request.query_params.get("page", "1")
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) > 0):
        raise NotationError(f"{text[:20]!r} is not a page number: expected 1, 2, 3 and so on.")
    return int(text)


def split_into_pages(
    tables: Iterable[LobbyTable], present: Collection[str]
) -> list[list[LobbyTable]]:
    """Return the tables page by page, tables to sit down at first.

    Such a table has a person present and a free seat. Within both groups, the table changed last
    comes first. A table beyond a page's limits goes to a later page.
    """
    waiting = sorted(
        tables, key=lambda spot: (not (spot.free and spot.id in present), -spot.changed, spot.id)
    )
    pages: list[list[LobbyTable]] = []
    while waiting:
        page: list[LobbyTable] = []
        later: list[LobbyTable] = []
        hosts: Counter[str] = Counter()
        for table in waiting:
            fits = len(page) < TABLES_PER_PAGE and hosts[table.host] < MAX_TABLES_PER_HOST
            hosts[table.host] += fits
            (page if fits else later).append(table)
        pages.append(page)
        waiting = later
    return pages
