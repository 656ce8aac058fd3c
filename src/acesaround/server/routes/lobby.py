"""The lobby: which public tables stand on which page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from acesaround.store import LobbyTable

PAGE: Final = 20
"""Tables on a page."""
EACH: Final = 2
"""Tables of one host on a page: who opens many hides nobody else's."""


def pages_of(spots: Iterable[LobbyTable], present: Collection[str]) -> list[list[LobbyTable]]:
    """The tables page by page, the ones to sit down at first.

    Those are where somebody is present and a seat is free. Within both parts the table changed last
    comes first. Whatever a page has no place for stands on a later one.
    """
    waiting = sorted(
        spots, key=lambda spot: (not (spot.free and spot.id in present), -spot.changed, spot.id)
    )
    found: list[list[LobbyTable]] = []
    while waiting:
        page: list[LobbyTable] = []
        later: list[LobbyTable] = []
        hosts: Counter[str] = Counter()
        for spot in waiting:
            fits = len(page) < PAGE and hosts[spot.host] < EACH
            hosts[spot.host] += fits
            (page if fits else later).append(spot)
        found.append(page)
        waiting = later
    return found
