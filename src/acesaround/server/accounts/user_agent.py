"""Default names of devices, derived from the User-Agent header: "Firefox on Android"."""

from __future__ import annotations

from typing import Final

# The first match counts, because most browsers also name others for compatibility.
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


def device_name(user_agent: str) -> str:
    """Return the name of a device, composed only of the fixed words above."""
    browser = next((name for marker, name in _BROWSERS if marker in user_agent), "A browser")
    system = next((name for marker, name in _SYSTEMS if marker in user_agent), None)
    return browser if system is None else f"{browser} on {system}"
