"""Newcomers, an absent host, and the links to a table, as a family finds them on the page."""

from __future__ import annotations

from playwright.sync_api import expect

from acesaround.table import Config, Person, Table
from tests.browser.conftest import Visit
from tests.browser.server_process import Server, log_until

ADA, BOB, EVE = (
    Person("ada-joining", "Ada"),
    Person("bob-joining", "Bob"),
    Person("eve-joining", "Eve"),
)


def has_begun(table: Table) -> bool:
    return table.game is not None and bool(table.game.deal.tricks)


def test_a_newcomer_asks_in_mid_deal_and_the_host_lets_her_in(visit: Visit, server: Server) -> None:
    entries = log_until(Config("partnership", 4), ADA, has_begun, others=(BOB,))
    link = server.store_table("asked-for", entries)
    ada, eve = visit(person=ADA), visit(person=EVE)
    for one in (ada, eve):
        one.page.goto(link)
        one.wait_until_settled()
    assert eve.hand() == []
    eve.panel("Sit here?").get_by_role("button", name="Ask to sit").click()
    eve.page.get_by_text("You asked for a seat").wait_for()
    ada.page.get_by_text("Eve would like seat").wait_for()
    ada.button("Let in").click()
    eve.page.get_by_text("You asked for a seat").wait_for(state="hidden")
    expect(eve.card(0)).to_be_visible()


def test_a_host_removes_somebody_for_good_and_lets_him_back(visit: Visit) -> None:
    ada, bob = visit(person=ADA), visit(person=BOB)
    ada.open_home()
    ada.open_house_rules("partnership")
    ada.set_up_table()
    bob.page.goto(ada.invite_link())
    bob.sit_down(2)
    ada.wait_for_seated("Bob", 2)
    ada.press(ada.seat(2))
    ada.button("Remove").click()
    ada.button("Remove").click()
    bob.page.get_by_role("heading", name="You are watching").wait_for()
    expect(bob.page.get_by_role("button", name="Sit here")).to_have_count(0)
    expect(bob.page.get_by_role("button", name="Ask to sit")).to_have_count(0)
    ada.page.get_by_text("Who may join").click()
    ada.page.get_by_text("Bob was removed.").wait_for()
    ada.page.get_by_role("button", name="Let back in").click()
    bob.sit_down(2)
    ada.wait_for_seated("Bob", 2)
    ada.press(ada.seat(2))
    ada.button("Make host").click()
    bob.start_button().wait_for()
    expect(ada.start_button()).to_have_count(0)


def test_by_the_link_to_watch_one_sees_the_table_and_no_way_in(visit: Visit) -> None:
    ada, eve = visit(person=ADA), visit(person=EVE)
    ada.open_home()
    ada.open_house_rules("partnership")
    ada.set_up_table()
    ada.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ada.button("Link to watch").click()
    link = ada.panel().get_by_label("Copy this address and send it:").input_value()
    assert "/w/" in link
    eve.page.goto(link)
    eve.page.get_by_text("You are watching.").wait_for()
    assert eve.page.get_by_role("button", name="Sit here").count() == 0
    assert ada.page.url.rpartition("/")[2] not in eve.page.content()
