"""Build the page if it is missing or older than its sources."""

from __future__ import annotations

import gzip

from frontend.build import BUILT, is_stale, npm
from frontend.check import install_packages

BUILT_PAGE = BUILT


def build_page() -> str:
    """Build the page if needed; return a sentence if that fails, else ""."""
    if not is_stale():
        return ""
    if not install_packages():
        return "The page of the browser table is not built: its npm packages cannot be had here."
    if npm("run", "--silent", "build"):
        return "The page of the browser table does not build: `npm run build` in frontend says why."
    return ""


def compressed_sizes() -> dict[str, int]:
    """Return the compressed size in bytes of each file of the built page."""
    files = sorted(path for path in BUILT_PAGE.parent.rglob("*") if path.is_file())
    return {
        path.relative_to(BUILT_PAGE.parent).as_posix(): len(gzip.compress(path.read_bytes(), 9))
        for path in files
    }
