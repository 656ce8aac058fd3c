"""The web app: its manifest and service worker, and the page without network or server."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from playwright.sync_api import Page, expect

from acesaround import variants
from acesaround.rulebook import page as rules_page
from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.page_objects.browser_page import STYLESHEETS_LOADED
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.viewports import PHONE
from tests.server.http_client import read_png_size

# What Chromium says of a lost network: of a worker's script, of a file that a worker cannot get.
NETWORK_ERRORS = (
    r"net::ERR_INTERNET_DISCONNECTED|net::ERR_FAILED|Failed to fetch|fetching the script"
)


def list_cached_paths(page: Page) -> list[str]:
    """Return the paths in the cache of the service worker."""
    paths: list[str] = page.evaluate(
        """async () => {
          await navigator.serviceWorker.ready;
          const all = [];
          for (const key of await caches.keys())
            for (const request of await (await caches.open(key)).keys())
              all.push(new URL(request.url).pathname);
          return all;
        }"""
    )
    return paths


def wait_until_controlled(page: Page) -> None:
    """Wait until the service worker serves the page."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_page_starts_offline_and_shows_the_rules(
    new_visitor: NewVisitor,
) -> None:
    ann: Visitor = new_visitor(viewport=PHONE, worker=True)
    ann.expected_errors.append(NETWORK_ERRORS)
    ann.open_home()
    wait_until_controlled(ann.page)
    ann.context.set_offline(True)
    ann.page.reload()
    notice = ann.page.get_by_role("status").filter(has_text="No network")
    expect(notice).to_contain_text("No network. Your games are saved.")
    games = ann.page.get_by_role("heading", name="Games", exact=True)
    expect(games).to_have_count(0)  # it would stand over nothing
    expect(ann.page.get_by_text("They appear when the server answers.")).to_be_visible()
    expect(ann.page.get_by_text("no public tables")).to_have_count(0)
    notice.get_by_role("button", name="Read the rules").click()
    dialog = ann.page.get_by_role("dialog", name="Rules of the games")
    choice = dialog.get_by_label("Game")
    for name, rules in variants.VARIANTS.items():
        choice.select_option(name)
        first = rules_page(rules).splitlines()[0].lstrip("# ")
        expect(dialog.get_by_role("heading", name=first)).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    ann.context.set_offline(False)
    expect(notice).to_be_hidden()
    expect(games).to_be_visible()
    expect(ann.page.get_by_text("once the server answers")).to_have_count(0)
    ann.button("Play now").first.click()
    ann.page.wait_for_url("**/t/*")


def test_no_game_can_be_started_while_the_network_is_lost(new_visitor: NewVisitor) -> None:
    ann: Visitor = new_visitor(viewport=PHONE)
    ann.expected_errors.append(NETWORK_ERRORS)
    ann.open_home()
    starts = ann.button("Play now")
    expect(starts.first).to_be_enabled()
    expect(starts.last).to_be_enabled()
    ann.context.set_offline(True)
    expect(starts.first).to_be_disabled()
    expect(starts.last).to_be_disabled()
    ann.context.set_offline(False)
    expect(starts.first).to_be_enabled()


def test_part_that_cannot_be_fetched_is_loaded_when_the_server_returns(
    new_visitor: NewVisitor, proxy: CuttableProxy
) -> None:
    ann: Visitor = new_visitor(at=proxy, viewport=PHONE)
    ann.expected_errors.append(f"ERR_CONNECTION|ERR_EMPTY|ERR_SOCKET|{NETWORK_ERRORS}")
    ann.open_home()
    friends = ann.page.get_by_role("link", name="Play with friends")
    proxy.cut()
    friends.click()
    ann.page.get_by_role("alert").wait_for()
    ann.page.get_by_role("link", name="Back").click()
    friends.click()
    expect(ann.page.get_by_role("alert")).to_have_text("The server cannot be reached.")
    proxy.restore()
    ann.page.get_by_role("heading", name="Which game?").wait_for()
    ann.page.wait_for_function(STYLESHEETS_LOADED)


def test_dialog_that_cannot_be_fetched_says_so_and_opens_later(new_visitor: NewVisitor) -> None:
    ann: Visitor = new_visitor(viewport=PHONE)
    parts = [f"**/assets/{part}-*" for part in ("AvatarDialog", "LessonOffer", "VariantQuiz")]
    for part in parts:
        ann.page.route(part, lambda route: route.abort("connectionrefused"))
    ann.expected_errors.append("ERR_CONNECTION_REFUSED")
    ann.open_home()
    buttons = [ann.button("Choose your picture"), ann.button("Find your game")]
    for button in buttons:
        button.click()
        expect(ann.page.get_by_role("alert")).to_have_text("The server cannot be reached.")
        ann.button("Try again").click()
        expect(ann.page.get_by_role("alert")).to_have_count(0)
    for part in parts:
        ann.page.unroute(part)
    for button in buttons:
        button.click()
        ann.page.get_by_role("dialog").wait_for()
        ann.page.keyboard.press("Escape")


def test_page_notices_that_the_server_is_back(new_visitor: NewVisitor, own_server: Server) -> None:
    ann: Visitor = new_visitor(at=own_server, worker=True)
    ann.expected_errors.append(f"ERR_CONNECTION|ERR_SOCKET|{NETWORK_ERRORS}")
    ann.open_home()
    wait_until_controlled(ann.page)
    own_server.stop()
    ann.page.reload()
    notice = ann.page.get_by_role("status").filter(has_text="The server cannot be reached")
    expect(notice).to_be_visible()
    own_server.start()
    expect(notice).to_be_hidden()
    expect(ann.button("Play now").first).to_be_enabled()


def test_table_opened_offline_continues_online(
    new_visitor: NewVisitor,
) -> None:
    ann: Visitor = new_visitor(worker=True)
    ann.expected_errors.append(NETWORK_ERRORS)
    ann.expected_errors.append("WebSocket connection to")
    ann.open_home()
    wait_until_controlled(ann.page)
    ann.button("Play now").first.click()
    ann.page.wait_for_url("**/t/*")
    ann.context.set_offline(True)
    ann.page.reload()
    expect(ann.page.get_by_text("Connection lost. Trying again")).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.page).to_have_title("Partnership · Aces Around")
    expect(ann.page.get_by_text("Connection lost. Trying again")).to_be_hidden()


def test_cache_contains_no_data_of_people_or_tables(new_visitor: NewVisitor) -> None:
    ann: Visitor = new_visitor(worker=True)
    ann.open_home()
    wait_until_controlled(ann.page)
    ann.button("Play now").first.click()
    ann.page.wait_for_url("**/t/*")
    ann.page.reload()
    ann.page.goto(ann.url)
    paths = list_cached_paths(ann.page)
    assert {"/", "/rules.json"} < set(paths)
    assert all(path in ("/", "/rules.json") or path.startswith("/assets/") for path in paths), paths


def test_new_build_replaces_an_old_cache(new_visitor: NewVisitor) -> None:
    ann: Visitor = new_visitor(worker=True)
    ann.open_home()
    wait_until_controlled(ann.page)
    ann.page.evaluate(  # as if an old build had been kept
        """async () => {
          const [key] = await caches.keys();
          const cache = await caches.open(key);
          await cache.put("/", new Response("<title>An old page</title>",
            { headers: { "content-type": "text/html" } }));
          for (const old of ["acesaround 1", "acesaround 2"]) await caches.open(old);
        }"""
    )
    ann.page.reload()
    expect(ann.page).to_have_title("Aces Around")
    ann.button("Play now").first.wait_for()


def fetch_path(server: Server, path: str) -> tuple[bytes, Any]:
    """Return the body and the headers of a path."""
    with urllib.request.urlopen(server.url + path) as answer:
        return answer.read(), answer.headers


def test_manifest_icons_exist_in_their_sizes(server: Server) -> None:
    body, headers = fetch_path(server, "/manifest.webmanifest")
    assert headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(body)
    assert manifest["display"] == "standalone"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        body, headers = fetch_path(server, icon["src"])
        assert headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert "x".join(map(str, read_png_size(body))) == icon["sizes"]
    body, _ = fetch_path(server, "/apple-touch-icon.png")
    assert read_png_size(body) == (180, 180)


def test_service_worker_script_is_not_cached(server: Server) -> None:
    body, headers = fetch_path(server, "/worker.js")
    assert headers["cache-control"] == "no-cache"
    assert "default-src 'self'" in headers["content-security-policy"]
    assert b"__FILES__" not in body
    assert b"__VERSION__" not in body


def test_install_button_appears_when_the_browser_offers_it(new_visitor: NewVisitor) -> None:
    ann: Visitor = new_visitor(worker=True)
    ann.open_home()
    assert ann.button("Install as an app").count() == 0
    ann.page.evaluate(
        """() => {
          const offer = new Event("beforeinstallprompt", { cancelable: true });
          offer.prompt = async () => { window.asked = true; return { outcome: "accepted" }; };
          dispatchEvent(offer);
        }"""
    )
    ann.button("Install as an app").click()
    assert ann.page.evaluate("() => window.asked") is True
    expect(ann.button("Install as an app")).to_have_count(0)
