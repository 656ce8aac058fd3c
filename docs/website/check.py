"""Reads the built site and finds broken links, files from other hosts, and pages without a link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

_LOADED: Final = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href",),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href",),
    "video": ("src", "poster"),
}
"""Attributes whose addresses a browser fetches without a click."""
_CSS_ADDRESS: Final = re.compile(
    r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""", re.IGNORECASE
)
_NOT_FOUND: Final = "404.html"


class Page(NamedTuple):
    """The addresses on a page. `loaded` is fetched at once, `links` after a click."""

    loaded: list[str]
    links: list[str]
    anchors: set[str]


class _Reader(HTMLParser):
    """Collects the addresses and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page([], [], set())
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.page.anchors.add(value)
            elif tag == "a" and name == "href":
                self.page.links.append(value)
            elif name == "srcset" and name in _LOADED.get(tag, ()):
                self.page.loaded.extend(one.split()[0] for one in value.split(",") if one.strip())
            elif name.removeprefix("xlink:") in _LOADED.get(tag, ()):
                self.page.loaded.append(value)
            elif name == "style":
                self.page.loaded.extend(css_addresses(value))

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.page.loaded.extend(css_addresses(data))

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False


def css_addresses(text: str) -> list[str]:
    """Return the addresses that a style sheet loads."""
    return [first or second for first, second in _CSS_ADDRESS.findall(text)]


def read_page(text: str) -> Page:
    """Return what a page in HTML refers to."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.page


def _target(file: Path, address: str, site: Path) -> Path:
    """Return the file of the site that an address on a page or in a style sheet leads to."""
    path = unquote(urlsplit(address).path)
    if not path:
        return file
    target = site / path.lstrip("/") if path.startswith("/") else file.parent / path
    target = target.resolve()
    return target / "index.html" if target.is_dir() else target


def find_faults(site: Path) -> list[str]:
    """Return a sentence for each fault of the site in a folder."""
    site = site.resolve()
    pages = {file: read_page(file.read_text("utf-8")) for file in sorted(site.rglob("*.html"))}
    if site / "index.html" not in pages:
        return [f"{site} has no start page."]
    faults: list[str] = []
    for file, page in pages.items():
        faults += _page_faults(file, page, pages, site)
    for file in sorted(site.rglob("*.css")):
        for address in css_addresses(file.read_text("utf-8")):
            faults += _loading_faults(file, address, site)
    faults += [f"No link leads to {file.relative_to(site)}." for file in _unreached(pages, site)]
    return faults


def _page_faults(file: Path, page: Page, pages: dict[Path, Page], site: Path) -> Iterator[str]:
    """Yield the faults of a page."""
    name = file.relative_to(site)
    for address in page.loaded:
        yield from _loading_faults(file, address, site)
    for address in page.links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = _target(file, address, site)
        if not target.exists():
            yield f"{name} links to {address}, which does not exist."
        elif (
            parts.fragment
            and target in pages
            and unquote(parts.fragment) not in pages[target].anchors
        ):
            yield f"{name} links to {address}, but that page has no such heading."


def _loading_faults(file: Path, address: str, site: Path) -> Iterator[str]:
    """Yield the fault of an address that is fetched without a click, if it has one."""
    parts = urlsplit(address)
    name = file.relative_to(site)
    if parts.scheme == "data":
        return
    if parts.scheme or parts.netloc:
        yield f"{name} loads {address} from another host."
    elif parts.path and not _target(file, address, site).exists():
        yield f"{name} loads {address}, which does not exist."


def _unreached(pages: dict[Path, Page], site: Path) -> list[Path]:
    """Return the pages to which no chain of links leads from the start page."""
    reached: set[Path] = set()
    waiting = [site / "index.html"]
    while waiting:
        file = waiting.pop()
        if file in reached or file not in pages:
            continue
        reached.add(file)
        local = (one for one in pages[file].links if not urlsplit(one).scheme)
        waiting += [_target(file, one, site) for one in local]
    return [file for file in pages if file not in reached and file != site / _NOT_FOUND]
