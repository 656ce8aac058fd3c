"""The web app: what it says to be installed, and what it does without a network."""

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
from tests.server.http_client import png_size

# What Chromium says of a lost network: of a worker's script, of a file that a worker cannot get.
LOST = r"net::ERR_INTERNET_DISCONNECTED|net::ERR_FAILED|Failed to fetch|fetching the script"


def cached_paths(page: Page) -> list[str]:
    """The addresses of all that the service worker keeps."""
    found: list[str] = page.evaluate(
        """async () => {
          await navigator.serviceWorker.ready;
          const all = [];
          for (const key of await caches.keys())
            for (const request of await (await caches.open(key)).keys())
              all.push(new URL(request.url).pathname);
          return all;
        }"""
    )
    return found


def wait_until_controlled(page: Page) -> None:
    """Wait until the service worker serves the page."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_the_page_starts_without_a_network_says_so_and_has_the_rules(
    new_visitor: NewVisitor,
) -> None:
    ann: Visitor = new_visitor(viewport=PHONE, worker=True)
    ann.expected_errors.append(LOST)
    ann.open_home()
    wait_until_controlled(ann.page)
    ann.context.set_offline(True)
    ann.page.reload()
    said = ann.page.get_by_role("status").filter(has_text="No network")
    expect(said).to_contain_text("No network. Your games wait.")
    games = ann.page.get_by_role("heading", name="Games", exact=True)
    expect(games).to_have_count(0)  # it would stand over nothing
    expect(ann.page.get_by_text("They are shown once the server answers.")).to_be_visible()
    expect(ann.page.get_by_text("no open tables")).to_have_count(0)
    said.get_by_role("button", name="Read the rules").click()
    dialog = ann.page.get_by_role("dialog", name="Rules of the games")
    choice = dialog.get_by_label("Game")
    for name, rules in variants.VARIANTS.items():
        choice.select_option(name)
        first = rules_page(rules).splitlines()[0].lstrip("# ")
        expect(dialog.get_by_role("heading", name=first)).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    ann.context.set_offline(False)
    expect(said).to_be_hidden()
    expect(games).to_be_visible()
    expect(ann.page.get_by_text("once the server answers")).to_have_count(0)
    ann.button("Play now").first.click()
    ann.page.wait_for_url("**/t/*")


def test_a_page_that_cannot_be_fetched_has_a_way_back_and_comes_with_the_server(
    new_visitor: NewVisitor, proxy: CuttableProxy
) -> None:
    ann: Visitor = new_visitor(at=proxy, viewport=PHONE)
    ann.expected_errors.append(f"ERR_CONNECTION|ERR_EMPTY|ERR_SOCKET|{LOST}")
    ann.open_home()
    friends = ann.page.get_by_role("link", name="Play with friends")
    proxy.cut()
    friends.click()
    ann.page.get_by_role("alert").wait_for()
    ann.page.get_by_role("link", name="Back").click()
    friends.click()
    ann.page.get_by_role("alert").wait_for()
    proxy.restore()
    ann.page.get_by_role("heading", name="Which game?").wait_for()
    ann.page.wait_for_function(STYLESHEETS_LOADED)


def test_the_page_finds_a_server_that_is_back_by_itself(
    new_visitor: NewVisitor, own_server: Server
) -> None:
    ann: Visitor = new_visitor(at=own_server, worker=True)
    ann.expected_errors.append(f"ERR_CONNECTION|ERR_SOCKET|{LOST}")
    ann.open_home()
    wait_until_controlled(ann.page)
    own_server.stop()
    ann.page.reload()
    said = ann.page.get_by_role("status").filter(has_text="The server cannot be reached")
    expect(said).to_be_visible()
    own_server.start()
    expect(said).to_be_hidden()
    expect(ann.button("Play now").first).to_be_enabled()


def test_a_table_can_be_opened_without_a_network_and_goes_on_with_one(
    new_visitor: NewVisitor,
) -> None:
    ann: Visitor = new_visitor(worker=True)
    ann.expected_errors.append(LOST)
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


def test_nothing_that_the_server_says_of_people_or_tables_is_kept(new_visitor: NewVisitor) -> None:
    ann: Visitor = new_visitor(worker=True)
    ann.open_home()
    wait_until_controlled(ann.page)
    ann.button("Play now").first.click()
    ann.page.wait_for_url("**/t/*")
    ann.page.reload()
    ann.page.goto(ann.url)
    paths = cached_paths(ann.page)
    assert {"/", "/rules.json"} < set(paths)
    assert all(path in ("/", "/rules.json") or path.startswith("/assets/") for path in paths), paths


def test_a_new_build_is_not_hidden_by_an_old_worker(new_visitor: NewVisitor) -> None:
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


def fetch(server: Server, path: str) -> tuple[bytes, Any]:
    with urllib.request.urlopen(server.url + path) as answer:
        return answer.read(), answer.headers


def test_the_manifest_names_icons_that_are_there_in_their_size(server: Server) -> None:
    body, headers = fetch(server, "/manifest.webmanifest")
    assert headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(body)
    assert manifest["display"] == "standalone"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        body, headers = fetch(server, icon["src"])
        assert headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert "x".join(map(str, png_size(body))) == icon["sizes"]
    body, _ = fetch(server, "/apple-touch-icon.png")
    assert png_size(body) == (180, 180)


def test_the_worker_is_asked_for_anew_each_time_and_may_run(server: Server) -> None:
    body, headers = fetch(server, "/worker.js")
    assert headers["cache-control"] == "no-cache"
    assert "default-src 'self'" in headers["content-security-policy"]
    assert b"__FILES__" not in body
    assert b"__VERSION__" not in body


def test_being_installed_is_offered_where_the_browser_offers_it(new_visitor: NewVisitor) -> None:
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
