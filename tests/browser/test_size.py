"""The page is small: all of it, the replay too, which is fetched only when it is wanted."""

from __future__ import annotations

from tests.browser.built import sizes

MOST = 80_000  # bytes


def test_the_whole_page_is_at_most_80_kilobytes_compressed(page_built: None) -> None:
    found = sizes()
    assert {"index.html"} < set(found)
    assert sum(found.values()) <= MOST, found
