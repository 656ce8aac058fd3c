"""Asking for a seat, removing people, making somebody host, and the link to watch."""

from __future__ import annotations

from playwright.sync_api import expect

from acesaround.table import Config, Person
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import has_played_trick
from tests.table.table_log import play_table_until

ADA, BOB, EVE = (
    Person("ada-joining", "Ada"),
    Person("bob-joining", "Bob"),
    Person("eve-joining", "Eve"),
)


def test_a_newcomer_asks_in_mid_deal_and_the_host_lets_her_in(
    new_visitor: NewVisitor, server: Server
) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, has_played_trick, others=(BOB,))
    link = server.store_table("asked-for", entries)
    ada, eve = new_visitor(person=ADA), new_visitor(person=EVE)
    for one in (ada, eve):
        one.page.goto(link)
        one.wait_until_settled()
    assert eve.hand() == []
    eve.panel("Sit here?").get_by_role("button", name="Ask to sit").click()
    eve.page.get_by_text("You asked for a seat").wait_for()
    ada.page.get_by_text("Eve would like seat").wait_for()
    ada.button("Let in").click()
    eve.page.get_by_text("You asked for a seat").wait_for(state="hidden")
    expect(eve.hand_card(0)).to_be_visible()


def test_host_removes_a_person_and_lets_them_back_in(new_visitor: NewVisitor) -> None:
    ada, bob = new_visitor(person=ADA), new_visitor(person=BOB)
    ada.open_home()
    ada.open_house_rules("partnership")
    ada.set_up_table()
    bob.page.goto(ada.invite_link())
    bob.sit_down(2)
    ada.wait_for_seated("Bob", 2)
    ada.press(ada.seat(2))
    ada.button("Remove").click()
    ada.button("Remove").click()
    bob.page.get_by_role("heading", name="Closed to new players").wait_for()
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


def test_watch_link_shows_the_table_and_offers_no_seat(new_visitor: NewVisitor) -> None:
    ada, eve = new_visitor(person=ADA), new_visitor(person=EVE)
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
