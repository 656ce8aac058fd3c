"""HTML responses: plain pages for errors, and the built page of the browser table."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Final

from starlette.responses import HTMLResponse, Response

_NO_CACHE: Final = {"cache-control": "no-cache"}

_PLAIN_TEMPLATE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title} - Aces Around</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root {{ color-scheme: light dark; --page: #f3f4ef; --ink: #17211c; --quiet: #526059;
--main: #1d6b4f; --on: #fff }}
@media (prefers-color-scheme: dark) {{ :root {{ --page: #101614; --ink: #e7eeea;
--quiet: #a3b3ab; --main: #7cc9a5; --on: #0b1b14 }} }}
body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 0; background: var(--page);
color: var(--ink) }}
main {{ min-height: 90vh; max-width: 32rem; margin: auto; padding: 0 1.5rem; display: grid;
place-content: center; justify-items: center; text-align: center }}
h1 {{ font-size: 1.75rem; line-height: 1.2; margin: 0 }} p {{ color: var(--quiet) }}
a {{ display: inline-block; padding: .6rem 1.2rem; border-radius: 12px; background: var(--main);
color: var(--on); font-weight: 600; text-decoration: none }}
</style></head>
<body><main><h1>{title}</h1><p>{sentence}</p>{more}</main></body></html>
"""
_HOME_LINK: Final = '<p><a href="/">All tables</a></p>'


def html_page(title: str, sentence: str, status: int, *, has_home_link: bool = True) -> Response:
    """Return a page with a heading and a sentence.

    `has_home_link`: add a link to the first page.
    """
    home_link = _HOME_LINK if has_home_link else ""
    html = _PLAIN_TEMPLATE.format(title=escape(title), sentence=escape(sentence), more=home_link)
    return HTMLResponse(html, status, headers=_NO_CACHE)


def table_page(static: Path, render: Callable[[Path], str]) -> Response:
    """Return the page of the browser table, or instructions if it has not been built.

    `render`: makes the page from the path of the built one.
    """
    index = static / "index.html"
    if index.is_file():
        return HTMLResponse(render(index), headers=_NO_CACHE)
    return html_page(
        "The browser table is not built",
        "The server runs, but its page has not been built: run `make play` in the project's"
        " folder, or install a published wheel, which carries it.",
        503,
        has_home_link=False,
    )
