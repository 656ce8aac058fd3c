"""The head of the page, written anew for a link: what crawlers and messengers read of it.

The page as it was built has a place for it between two comments; one without is sent as it is.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Final

from acesaround.server.previews.content import NAME, About
from acesaround.server.previews.image import HEIGHT, WIDTH

_PLACE: Final = re.compile(r"<!-- about -->.*?<!-- end of about -->", re.DOTALL)
_pages: dict[Path, tuple[float, str]] = {}


def with_meta_tags(index: Path, about: About, address: str, picture: str) -> str:
    """The built page for a link at that address, whose picture is at another."""
    page = _built(index)
    return _PLACE.sub(lambda _: _head(about, address, picture), page, count=1)


def _built(index: Path) -> str:
    """The page as it was built, read again when it has been built again. Raises OSError."""
    built = index.stat().st_mtime
    held = _pages.get(index)
    if held is None or held[0] != built:
        held = _pages[index] = built, index.read_text(encoding="utf-8")
    return held[1]


def _head(about: About, address: str, picture: str) -> str:
    named = about.title if NAME in about.title else f"{about.title} · {NAME}"
    of_page = {"description": about.description, "twitter:card": "summary_large_image"}
    if about.alone:  # who has the link has it from somebody, and from nobody's index
        of_page["robots"] = "noindex"
    of_link = {
        "og:site_name": NAME,
        "og:type": "website",
        "og:title": about.title,
        "og:description": about.description,
        "og:url": address,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": about.title,
    }
    return "\n    ".join(
        [
            f"<title>{escape(named)}</title>",
            *(f'<meta name="{name}" content="{escape(said)}" />' for name, said in of_page.items()),
            *(
                f'<meta property="{name}" content="{escape(said)}" />'
                for name, said in of_link.items()
            ),
            f'<link rel="canonical" href="{escape(address)}" />',
        ]
    )
