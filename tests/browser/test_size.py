"""The page is small: what is fetched at first, and all of it with what is fetched when wanted."""

from __future__ import annotations

from tests.browser.built import PAGE, sizes

FIRST = 70_000  # bytes
MOST = 86_000


def test_what_is_fetched_at_first_is_at_most_70_kilobytes_compressed(page_built: None) -> None:
    index = PAGE.read_text(encoding="utf-8")
    first = {name: size for name, size in sizes().items() if name == "index.html" or name in index}
    assert len(first) >= 3, first
    assert sum(first.values()) <= FIRST, first


def test_the_whole_page_is_at_most_86_kilobytes_compressed(page_built: None) -> None:
    found = sizes()
    assert {"index.html"} < set(found)
    assert sum(found.values()) <= MOST, found
