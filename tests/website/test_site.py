"""The built site, also in a browser."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from acesaround.variants import VARIANTS
from docs.website.build import build
from tests.browser.chromium import CHROMIUM_FLAGS

pytestmark = pytest.mark.soak
_PATIENCE_MS = 120_000


class _SilentHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *arguments: object) -> None:
        del format, arguments


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site."""
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("The builder of the documentation is not installed: `make docs` installs it.")
    folder = tmp_path_factory.mktemp("documentation") / "site"
    assert build(folder) == []
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Serve the site on a free port and return its address."""
    handler = functools.partial(_SilentHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Launch Debian's chromium. Without it, skip the test."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("There is no chromium here: `make test` installs it where apt-get can.")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=program, args=CHROMIUM_FLAGS, timeout=_PATIENCE_MS
        )
        yield launched
        launched.close()


@pytest.fixture(params=[390, 1280])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """Open an empty page of a width."""
    with browser.new_context(viewport={"width": request.param, "height": 900}) as context:
        context.set_default_timeout(_PATIENCE_MS)
        yield context.new_page()


def test_the_rules_of_every_game_are_there(site: Path) -> None:
    for name in VARIANTS:
        assert "House options" in (site / "games" / name / "index.html").read_text("utf-8")


def test_the_reference_shows_docstrings_and_signatures(site: Path) -> None:
    text = (site / "reference/game/index.html").read_text("utf-8")
    for name in ("acesaround.game.apply", "acesaround.game.view_for", "acesaround.game.GameState"):
        assert f'id="{name}"' in text


@pytest.mark.parametrize(
    "path", ["/", "/games/partnership/", "/reference/cards/", "/hosting/", "/changelog/"]
)
def test_a_page_fits_and_loads_nothing_from_another_host(
    page: Page, address: str, path: str
) -> None:
    requested: list[str] = []
    failed: list[str] = []
    page.on("request", lambda one: requested.append(one.url))
    page.on("response", lambda one: failed.append(one.url) if one.status >= 400 else None)
    page.goto(address + path)
    page.wait_for_load_state("networkidle")
    hosts = {urlsplit(one).netloc for one in requested if urlsplit(one).scheme != "data"}
    assert hosts == {urlsplit(address).netloc}
    assert failed == []
    root = page.locator("html")
    assert root.evaluate("root => root.scrollWidth <= window.innerWidth")


def test_the_search_finds_a_game(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")  # before, the key does nothing
    page.keyboard.press("Control+k")
    page.locator("input:focus").fill("firehouse")
    found = page.locator("a:visible", has_text="Firehouse pinochle")
    expect(found.first).to_be_visible(timeout=_PATIENCE_MS)
    found.first.click()
    expect(page.locator("h1")).to_contain_text("Firehouse pinochle", timeout=_PATIENCE_MS)
