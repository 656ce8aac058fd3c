"""The sizes of screens on which the page is tested."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import ViewportSize

SMALL_PHONE: Final[ViewportSize] = {"width": 320, "height": 568}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
LANDSCAPE_PHONE: Final[ViewportSize] = {"width": 844, "height": 390}
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
"""The viewport of a visitor for whom a test names no other."""

VIEWPORTS: Final[dict[str, ViewportSize]] = {
    "small-phone": SMALL_PHONE,
    "phone": PHONE,
    "landscape-phone": LANDSCAPE_PHONE,
    "tablet": {"width": 768, "height": 1024},
    "desktop": {"width": 1280, "height": 720},
    "large-desktop": {"width": 1920, "height": 1080},
}
"""The viewports on which the layout of every screen is checked."""
