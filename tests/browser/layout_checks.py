"""Whether everything on a page has its place: nothing leaves the screen, is cut off or overlaps.

`KNOWN` are the faults that are still there, by screen, each a pattern of what is said of it and the
reason. It is strict: a pattern that nothing matches any more fails as a fault does.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

SCRIPT: Final = (Path(__file__).parent / "boxes.js").read_text(encoding="utf-8")

SIZES: Final[dict[str, tuple[int, int]]] = {
    "little": (320, 568),
    "phone": (390, 844),
    "lying": (844, 390),
    "tablet": (768, 1024),
    "desktop": (1280, 720),
    "large": (1920, 1080),
}

KNOWN: Final[dict[str, dict[str, tuple[str, ...]]]] = {}


def find_layout_faults(page: Page) -> list[str]:
    """What is wrong with the boxes of a page as it stands."""
    found: list[str] = page.evaluate(SCRIPT)
    return found


def news(screen: str, found: Iterable[str]) -> list[str]:
    """What was found on a screen and is not known, and what is known and was not found."""
    found = list(found)
    known = [pattern for patterns in KNOWN.get(screen, {}).values() for pattern in patterns]
    fresh = [one for one in found if not any(fnmatchcase(one, pattern) for pattern in known)]
    stale = [
        f"no longer so, take it from KNOWN: {pattern}"
        for pattern in known
        if not any(fnmatchcase(one, pattern) for one in found)
    ]
    return [f"{screen}, {one}" for one in fresh + stale]
