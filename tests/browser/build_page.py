"""The page, built if it is missing or older than what it is made from."""

from __future__ import annotations

import gzip

from frontend.build import BUILT, npm, stale
from frontend.check import fetched

PAGE = BUILT


def build() -> str:
    """Build the page where that is needed; a sentence if it cannot be."""
    if not stale():
        return ""
    if not fetched():
        return "The page of the browser table is not built: its npm packages cannot be had here."
    if npm("run", "--silent", "build"):
        return "The page of the browser table does not build: `npm run build` in frontend says why."
    return ""


def sizes() -> dict[str, int]:
    """Bytes of every file of the built page, compressed as well as can be."""
    files = sorted(path for path in PAGE.parent.rglob("*") if path.is_file())
    return {
        path.relative_to(PAGE.parent).as_posix(): len(gzip.compress(path.read_bytes(), 9))
        for path in files
    }
