"""Layout checks: nothing on a page leaves the screen, is cut off or overlaps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

LAYOUT_FAULTS_SCRIPT: Final = (Path(__file__).parent / "layout_faults.js").read_text("utf-8")
# The fonts of some phones are wider by a fifth, which is as much as this space between letters.
WIDE_FONT: Final = "* { letter-spacing: 0.1em !important }"
LARGE_TEXT: Final = "html { font-size: 200% }"


def find_layout_faults(page: Page) -> list[str]:
    """Return a sentence for each fault in the layout of a page."""
    faults: list[str] = page.evaluate(LAYOUT_FAULTS_SCRIPT)
    return faults
