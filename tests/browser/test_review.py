"""The review of a finished game on its replay: progress, result, and the way to a step."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from acesaround.table import Config, Person
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_game_over
from tests.browser.viewports import DESKTOP, SMALL_PHONE
from tests.table.table_log import play_table_until

ANN, BOB = Person("ann", "Ann"), Person("bob", "Bob")


@pytest.fixture(scope="module")
def replay_url(server: Server) -> str:
    """Store a finished game of Ann, and return the URL of its replay."""
    config = Config("partnership", 4, options={"hands": 2})
    server.store_table("judged", play_table_until(config, ANN, is_game_over))
    return f"{server.url}/r/judged/1"


def wait_for_result(visitor: Visitor) -> None:
    """Wait until the whole review is shown."""
    panel = visitor.panel()
    expect(panel.get_by_role("heading", name="Deal by deal")).to_be_visible(timeout=60_000)
    expect(panel.get_by_role("progressbar")).to_have_count(0, timeout=60_000)


def read_step(page: Page) -> int:
    return int(page.get_by_role("slider", name="Step").input_value())


@pytest.mark.parametrize("viewport", [SMALL_PHONE, DESKTOP], ids=["small-phone", "desktop"])
def test_a_player_reviews_a_game_and_goes_to_a_mistake(
    new_visitor: NewVisitor, replay_url: str, viewport: dict[str, int]
) -> None:
    ann: Visitor = new_visitor(person=ANN, viewport=viewport)
    page = ann.page
    page.goto(replay_url)
    page.get_by_role("slider", name="Step").wait_for()
    assert find_layout_faults(page) == []
    ann.button("Review my game").click()
    wait_for_result(ann)
    panel = ann.panel("Your game, reviewed")
    assert find_layout_faults(page) == []
    expect(
        panel.get_by_role("img", name=re.compile("^The chance to win, from 50.0%"))
    ).to_be_visible()
    mistake = panel.get_by_role("listitem").first.get_by_role("button").first
    expect(mistake).to_contain_text(
        re.compile(r"\d+\.\d%\s±\s\d+\.\d% less chance to win, .?\d+\s±\s\d+ points")
    )
    deal = re.match(r"Deal (\d+)", mistake.inner_text())
    assert deal is not None
    mistake.press("Enter")
    expect(ann.panel()).to_have_count(0)
    expect(page.get_by_label("Deal", exact=True)).to_have_value(deal[1])
    expect(page.get_by_role("slider", name="Step")).not_to_have_value("0")
    page.wait_for_url(re.compile(rf"#{deal[1]}\.{read_step(page)}$"))
    assert re.match("You ", page.locator("footer [aria-live]").first.inner_text())


def test_others_choose_a_player(new_visitor: NewVisitor, replay_url: str) -> None:
    bob: Visitor = new_visitor(person=BOB)
    page = bob.page
    page.goto(replay_url)
    bob.button("Review a player").click()
    bob.panel().get_by_role("button", name="Ann").click()
    wait_for_result(bob)
    expect(bob.panel("Ann's game, reviewed")).to_contain_text("Luck changed Ann's chance to win by")
    bob.panel().get_by_text("Review another player").click()
    bob.panel().get_by_role("button", name="Ben").click()
    wait_for_result(bob)
    expect(bob.panel("Ben's game, reviewed")).to_be_visible()


def test_review_screens(
    new_visitor: NewVisitor, replay_url: str, check_screen: CheckScreen
) -> None:
    bob: Visitor = new_visitor(person=BOB)
    bob.page.goto(replay_url)
    bob.button("Review a player").click()
    bob.panel().get_by_role("button", name="Ann").wait_for()
    check_screen(bob, "review-whose")
    bob.panel().get_by_role("button", name="Ann").click()
    wait_for_result(bob)
    check_screen(bob, "review")


def test_the_page_follows_a_review(new_visitor: NewVisitor, replay_url: str) -> None:
    ann: Visitor = new_visitor(person=ANN)
    page = ann.page
    answers = iter(
        [
            '{"state": "running", "done": 0, "total": 0}',
            '{"state": "running", "done": 23, "total": 96}',
            '{"state": "none", "done": 0, "total": 0}',
            '{"state": "failed", "error": "The review failed: try again later."}',
        ]
    )
    sent: list[str] = []

    def answer(route: Route) -> None:
        sent.append(route.request.method)
        route.fulfill(body=next(answers), content_type="application/json")

    page.route("**/review*", answer)
    ann.install_clock()
    page.goto(replay_url)
    ann.button("Review my game").click()
    panel = ann.panel("Your game, reviewed")
    expect(panel).to_contain_text("Waiting for a free bot")
    ann.advance_clock(1000)
    expect(panel).to_contain_text("23 of 96 decisions")
    expect(panel.get_by_role("progressbar")).to_have_attribute("value", "23")
    ann.advance_clock(1000)
    expect(panel).to_contain_text("The review failed: try again later.")
    assert sent == ["POST", "GET", "GET", "POST"]  # a server that was restarted is asked again
    page.unroute("**/review*")
    ann.button("Try again").click()
    ann.advance_clock(1000)
    wait_for_result(ann)


def test_first_deals_are_shown_while_the_review_runs(
    new_visitor: NewVisitor, replay_url: str
) -> None:
    ann: Visitor = new_visitor(person=ANN, viewport=SMALL_PHONE)
    page, panel = ann.page, ann.panel()
    page.goto(replay_url)
    ann.button("Review my game").click()
    wait_for_result(ann)
    review = page.evaluate(
        "async () => (await (await fetch('/api/tables/judged/review?game=1&seat=0')).json()).review"
    )
    first = {**review, "deals": review["deals"][:1]}
    first["decisions"] = [one for one in review["decisions"] if one["deal"] == 1]
    running = {"state": "running", "done": 20, "total": 40, "error": "", "review": first}
    done = {"state": "done", "done": 0, "total": 0, "error": "", "review": review}
    answers = iter([running | {"review": None}, running, done])
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url.partition("?")[2])
        route.fulfill(body=json.dumps(next(answers)), content_type="application/json")

    page.route("**/review*", answer)
    ann.install_clock()
    page.reload()
    ann.button("Review my game").click()
    expect(panel).to_contain_text("20 of 40 decisions")
    ann.advance_clock(1000)
    expect(panel).to_contain_text("20 of 40 decisions. Here is the first deal.")
    rows = panel.get_by_role("table").first.get_by_role("row")
    expect(rows).to_have_count(2)  # with the head
    expect(panel.get_by_role("button", name=re.compile("^Try again"))).to_have_count(0)
    assert find_layout_faults(page) == []
    ann.advance_clock(1000)
    expect(panel.get_by_role("progressbar")).to_have_count(0)
    expect(rows).to_have_count(4)  # with the sum
    assert asked == ["", "game=1&seat=0&deals=0", "game=1&seat=0&deals=1"]
