"""The page, built if it is missing or older than what it is made from."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

from tests.command import ROOT

PAGE = ROOT / "src" / "acesaround" / "static" / "index.html"
FRONTEND = ROOT / "frontend"


def _newest() -> float:
    """When what the page is made from was last changed."""
    newest = 0.0
    for folder, folders, files in os.walk(FRONTEND):
        folders[:] = [name for name in folders if name != "node_modules"]
        newest = max([newest, *(Path(folder, name).stat().st_mtime for name in files)])
    return newest


def build() -> str:
    """Build the page where that is needed; a sentence if it cannot be."""
    if PAGE.is_file() and PAGE.stat().st_mtime >= _newest():
        return ""
    from frontend.check import fetched, npm

    if not fetched():
        return "The page of the browser table is not built: its npm packages cannot be had here."
    if npm("run", "--silent", "build"):
        return "The page of the browser table does not build: `npm run build` in frontend says why."
    os.utime(PAGE)  # building writes the types of the messages, which are newer else
    return ""


def sizes() -> dict[str, int]:
    """Bytes of every file of the built page as the server sends it, compressed."""
    files = sorted(path for path in PAGE.parent.rglob("*") if path.is_file())
    return {
        path.relative_to(PAGE.parent).as_posix(): len(gzip.compress(path.read_bytes()))
        for path in files
    }
