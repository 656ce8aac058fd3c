"""The page of one's results and friends."""

from __future__ import annotations

from playwright.sync_api import expect

from acesaround.table import Config, Person
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_game_over
from tests.browser.viewports import DESKTOP, PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

ONE_DEAL = Config("partnership", 4, {"hands": 1})


def open_results_page(visitor: Visitor) -> None:
    """Open the page of one's results from the first page."""
    visitor.open_home()
    visitor.page.get_by_role("link", name="Results and friends").click()
    visitor.page.get_by_role("heading", name="Won and lost").wait_for()


def test_results_page_counts_games_and_lists_friends(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen
) -> None:
    ida, jon = Person("ida-results", "Ida"), Person("jon-results", "Jon")
    double_deck = Config("double-deck", 4, {"hands": 1})
    server.store_table(
        "results-people", play_table_until(ONE_DEAL, ida, is_game_over, others=(jon,))
    )
    server.store_table("results-alone", play_table_until(double_deck, ida, is_game_over))
    server.store_table(
        "results-open", play_table_until(ONE_DEAL, ida, lambda table: table.is_dealt)
    )
    renamed = new_visitor(person=jon)
    renamed.open_home()
    renamed.page.get_by_label("Your name").fill("Jonathan the Greatest")
    with renamed.page.expect_response("**/api/me"):
        renamed.button("Save").click()
    visitor = new_visitor(person=ida)
    open_results_page(visitor)
    expect(visitor.page.get_by_role("main")).to_contain_text("From the 3 games stored here.")
    table = visitor.page.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["Won", "Lost", "Not over"])
    rows = [one.split() for one in sorted(table.locator("tbody").all_inner_texts())]
    assert rows[0][:2] == ["Double", "deck"]
    assert "people" not in rows[0]
    assert rows[1][-3:] == ["0", "0", "1"], "only bots are in the game that is not over"
    friend = visitor.page.get_by_role("listitem")
    for words in ("Jonathan the Greatest", "1 game · last played today", "As opponents: you "):
        expect(friend).to_contain_text(words)
    expect(visitor.page.get_by_role("link", name="Play with friends")).to_be_visible()
    for viewport in (SMALL_PHONE, PHONE, DESKTOP):
        visitor.resize(viewport)
        assert find_layout_faults(visitor.page) == [], viewport
    check_screen(visitor, "results")


def test_results_page_of_a_newcomer_is_empty(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    open_results_page(visitor)
    expect(visitor.page.get_by_text("You have not played here yet.")).to_be_visible()
    expect(visitor.page.get_by_text("Nobody yet.")).to_contain_text("by invitation")
    visitor.page.get_by_role("link", name="Back").click()
    visitor.page.get_by_role("heading", name="Your name").wait_for()
