"""The lobby: the pages of the list of public tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from acesaround.store import LobbyTable

TABLES_PER_PAGE: Final = 20
"""The number of tables on a page."""
MAX_TABLES_PER_HOST: Final = 2
"""The maximum number of tables of one host on a page, so that they cannot crowd out the others."""


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
