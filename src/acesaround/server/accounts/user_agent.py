"""What a device is called, by what its browser says of itself: "Firefox on Android"."""

from __future__ import annotations

from typing import Final

# The first that is named counts: most browsers name others as well, whose pages they want.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def device_name(agent: str) -> str:
    """The name of a device by its User-Agent: of these words alone, whatever that says."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "A browser")
    system = next((name for sign, name in _SYSTEMS if sign in agent), None)
    return browser if system is None else f"{browser} on {system}"
