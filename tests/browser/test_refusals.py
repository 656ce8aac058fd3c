"""Refusals: illegal cards, unknown links, damaged logs, forged cookies, early replays."""

from __future__ import annotations

import sqlite3

import pytest

from acesaround.table import Config, Person
from tests.browser.page_objects.browser_page import NOT_FOUND_ERROR
from tests.browser.page_objects.keyboard_visitor import KeyboardVisitor
from tests.browser.page_objects.table_page import DEAL_OVER
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import has_unplayable_card, is_mid_trick
from tests.browser.table_setup import ADA
from tests.table.table_log import play_table_until


def test_illegal_card_is_refused_with_a_reason(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table(
        "refused", play_table_until(Config("partnership", 4), ADA, has_unplayable_card)
    )
    ada: Visitor = new_visitor(person=ADA)
    ada.page.goto(link)
    before = ada.wait_until_asked()
    hand = ada.hand()
    illegal_position = next(
        place for place in range(len(hand)) if place not in ada.legal_positions()
    )
    ada.press(ada.hand_card(illegal_position), card=True)
    assert ada.refusal_text().endswith(".")
    assert len(ada.refusal_text()) > 20
    assert ada.table_state() == before
    assert ada.hand() == hand
    assert "not playable now" in ada.hand_card(illegal_position).inner_text()
    ada.take_action()
    ada.wait_for_seq_after(before["seq"])
    assert ada.page.locator(".refusal").count() == 0


def test_take_back_key_says_why_nothing_is_taken_back(
    new_visitor: NewVisitor, server: Server
) -> None:
    """Bots have played since, so there is no button for it."""
    link = server.store_table(
        "no-undo", play_table_until(Config("partnership", 4), ADA, has_unplayable_card)
    )
    ada: KeyboardVisitor = new_visitor(KeyboardVisitor, person=ADA)
    ada.page.goto(link)
    before = ada.wait_until_asked()
    assert ada.button("Take back").count() == 0
    ada.press_keys("u")
    assert ada.refusal_text().startswith("You can take back a move only until")
    assert ada.table_state() == before


@pytest.mark.parametrize("path", ["/t/nothing", "/t/..%2f..", "/r/nothing/1", "/nowhere"])
def test_unknown_link_is_a_not_found_page(
    new_visitor: NewVisitor, server: Server, path: str
) -> None:
    ada: Visitor = new_visitor()
    ada.expected_errors.append(NOT_FOUND_ERROR)
    answer = ada.page.goto(server.url + path)
    assert answer is not None
    assert answer.status == 404
    assert ada.page.get_by_role("heading").inner_text() == "Not found"
    assert ada.page.get_by_role("paragraph").first.inner_text() != ""
    ada.page.get_by_role("link", name="All tables").click()
    ada.button("Play now").wait_for()


def test_damaged_log_is_named(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table(
        "garbled", play_table_until(Config("partnership", 4), ADA, has_unplayable_card)
    )
    with sqlite3.connect(server.folder / "tables.sqlite") as database:
        database.execute("UPDATE entries SET body = '{' WHERE table_id = 'garbled' AND seq = 9")
    database.close()
    ada: Visitor = new_visitor(person=ADA)
    ada.page.goto(link)
    ada.page.get_by_role("heading", name="The log of this table is damaged").wait_for()
    ada.button("All tables").click()
    ada.button("Play now").wait_for()


def test_bot_has_no_name_of_a_seated_person(new_visitor: NewVisitor, server: Server) -> None:
    """The second seat's bot is Ben, unless a Ben sits there already."""
    link = server.store_table(
        "ben", play_table_until(Config("partnership", 4), Person("ben's id", "ben"), is_mid_trick)
    )
    other: Visitor = new_visitor()
    other.page.goto(link)
    other.page.get_by_text("Finn").first.wait_for()
    assert "Ben" not in other.page.locator("body").inner_text()


def test_removed_table_is_not_found(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor()
    ada.open_home()
    ada.page.evaluate("() => { history.pushState(null, '', '/t/gone'); history.go(0) }")
    ada.expected_errors.append(NOT_FOUND_ERROR)
    ada.page.get_by_role("heading", name="Not found").wait_for()
    ada.open_home()
    ada.page.evaluate(
        "() => { history.pushState(null, '', '/t/gone'); dispatchEvent(new Event('popstate')) }"
    )
    ada.page.get_by_text("There is no such table.").wait_for()
    ada.press(ada.button("All tables"))
    ada.button("Play now").wait_for()


@pytest.mark.parametrize("cookie", ["", "nonsense", "eyJpZCI6ImFkYSdzIHNlY3JldCBpZCJ9.aaaaaa.bbbb"])
def test_forged_cookie_opens_no_seat_and_no_table(
    new_visitor: NewVisitor, server: Server, cookie: str
) -> None:
    name = f"forged-{len(cookie)}"
    link = server.store_table(name, play_table_until(Config("partnership", 4), ADA, is_mid_trick))
    eve: Visitor = new_visitor()
    eve.context.add_cookies([{"name": "acesaround", "value": cookie, "url": server.url}])
    eve.page.goto(link)
    eve.page.get_by_text("You are watching.").wait_for()
    assert eve.hand() == []
    eve.open_home()
    assert eve.page.get_by_role("heading", name="Your tables").count() == 0
    eve.play_now("partnership")  # as a new guest
    assert eve.wait_until_asked()["asks"] == "bid"


def test_replay_of_an_unfinished_deal_is_refused(new_visitor: NewVisitor, server: Server) -> None:
    server.store_table("unfinished", play_table_until(Config("partnership", 4), ADA, is_mid_trick))
    ada: Visitor = new_visitor(person=ADA)
    ada.expected_errors.append(r"status of 403")
    ada.page.goto(f"{server.url}/r/unfinished/1")
    ada.page.get_by_text("its cards stay hidden until it is").wait_for()


def test_two_windows_of_a_person_show_the_same_table(
    new_visitor: NewVisitor, server: Server
) -> None:
    """The same person in two windows: what one does, the other sees; nothing is done twice."""
    link = server.store_table(
        "windows", play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    one, other = new_visitor(person=ADA), new_visitor(person=ADA)
    for window in (one, other):
        window.page.goto(link)
        window.wait_until_asked()
    seq = one.table_state()["seq"]
    one.take_action()
    one.wait_for_seq_after(seq)
    state = one.wait_until_asked()
    other.page.wait_for_function(
        "(seq) => Number(document.querySelector('[data-phase]').dataset.seq) >= seq",
        arg=state["seq"],
    )
    assert other.wait_until_asked() == state
    assert other.play_deal()[-1] == DEAL_OVER
    one.panel(DEAL_OVER).wait_for()
