"""The meta tags in the head of the page, which crawlers and messengers read for a preview.

The tags replace the text between two comments in the built page. A page without these comments is
sent unchanged.
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
    """Return the built page with the tags for a link, given its URL and its picture's URL."""
    page = _built(index)
    return _PLACE.sub(lambda _: _head(about, address, picture), page, count=1)


def _built(index: Path) -> str:
    """Return the built page, cached until the file changes. Raises OSError."""
    built = index.stat().st_mtime
    held = _pages.get(index)
    if held is None or held[0] != built:
        held = _pages[index] = built, index.read_text(encoding="utf-8")
    return held[1]


def _head(about: About, address: str, picture: str) -> str:
    named = about.title if NAME in about.title else f"{about.title} · {NAME}"
    of_page = {"description": about.description, "twitter:card": "summary_large_image"}
    if about.alone:  # people get this link from each other, never from a search engine
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
