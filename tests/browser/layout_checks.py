"""Layout checks: nothing on a page leaves the screen, is cut off or overlaps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

SCRIPT: Final = (Path(__file__).parent / "layout_faults.js").read_text(encoding="utf-8")

SIZES: Final[dict[str, tuple[int, int]]] = {
    "little": (320, 568),
    "phone": (390, 844),
    "lying": (844, 390),
    "tablet": (768, 1024),
    "desktop": (1280, 720),
    "large": (1920, 1080),
}


def find_layout_faults(page: Page) -> list[str]:
    """Return a sentence for each fault in the layout of a page."""
    found: list[str] = page.evaluate(SCRIPT)
    return found
