"""The page is small: what is fetched at first is little, and the rest is fetched when wanted."""

from __future__ import annotations

import zlib

from tests.browser.build_page import PAGE, sizes

FIRST = 80_000  # bytes
# Bytes of all that runs or styles. Words, guidance and replays of deals are fetched when wanted.
# Pictures of cards are not counted: only people who choose them fetch them.
CODE = 176_000
# A Python with zlib-ng compresses the same page to so much more.
ZLIB = 1.02 if "ng" in zlib.ZLIB_RUNTIME_VERSION else 1


def test_what_is_fetched_at_first_is_at_most_80_kilobytes_compressed(built_page: None) -> None:
    index = PAGE.read_text(encoding="utf-8")
    first = {name: size for name, size in sizes().items() if name == "index.html" or name in index}
    assert len(first) >= 3, first
    assert sum(first.values()) <= FIRST * ZLIB, first


def test_all_the_code_of_the_page_is_at_most_176_kilobytes_compressed(built_page: None) -> None:
    found = {
        name: size for name, size in sizes().items() if name.endswith((".js", ".css", ".html"))
    }
    assert {"index.html"} < set(found)
    assert sum(found.values()) <= CODE * ZLIB, found
