"""The compressed size of the page: of what the first page fetches, and of all its code."""

from __future__ import annotations

import zlib

from tests.browser.build_page import BUILT_PAGE, compressed_sizes

MAX_FIRST_PAGE_BYTES = 80_000
# Of all code and styles, with what is fetched later: glossary, replays, lessons and the like.
# Pictures of cards do not count: only people who choose them fetch them.
MAX_CODE_BYTES = 195_000
# A Python with zlib-ng compresses the same page less.
ZLIB_NG_FACTOR = 1.02 if "ng" in zlib.ZLIB_RUNTIME_VERSION else 1


def test_first_page_is_at_most_80_kilobytes_compressed(built_page: None) -> None:
    index = BUILT_PAGE.read_text(encoding="utf-8")
    first_page_sizes = {
        name: size
        for name, size in compressed_sizes().items()
        if name == "index.html" or name in index
    }
    assert len(first_page_sizes) >= 3, first_page_sizes
    assert sum(first_page_sizes.values()) <= MAX_FIRST_PAGE_BYTES * ZLIB_NG_FACTOR, first_page_sizes


def test_code_of_the_page_is_at_most_195_kilobytes_compressed(built_page: None) -> None:
    code_sizes = {
        name: size
        for name, size in compressed_sizes().items()
        if name.endswith((".js", ".css", ".html"))
    }
    assert {"index.html"} < set(code_sizes)
    assert sum(code_sizes.values()) <= MAX_CODE_BYTES * ZLIB_NG_FACTOR, code_sizes
