"""Back closes what is open, and asks before it leaves a game."""

from __future__ import annotations

from tests.browser.page_objects.visitor import NewVisitor, TouchVisitor, Visitor
from tests.browser.viewports import PHONE

LEAVE = "Leave the table?"


def open_stored_table(new_visitor: NewVisitor) -> Visitor:
    """Somebody has come from the first page to a game, and is asked to play."""
    visitor: Visitor = new_visitor(TouchVisitor, viewport=PHONE, has_touch=True)
    visitor.open_home()
    visitor.play_now("two-handed")
    visitor.wait_for_decision("play")
    return visitor


def test_back_closes_the_menu_and_what_was_opened_from_it(new_visitor: NewVisitor) -> None:
    visitor = open_stored_table(new_visitor)
    table = visitor.page.url
    for panel in ("Settings", "Score", "Keyboard"):
        visitor.open_menu_item(panel)
        visitor.panel(panel).wait_for()
        visitor.page.go_back()
        visitor.panel().wait_for(state="detached")
        assert visitor.page.url == table
        assert visitor.table_state()["asks"] == "play"


def test_back_with_nothing_open_asks_and_then_leaves(new_visitor: NewVisitor) -> None:
    visitor = open_stored_table(new_visitor)
    table = visitor.page.url
    visitor.page.go_back()
    visitor.panel(LEAVE).get_by_role("button", name="Stay").tap()
    visitor.panel().wait_for(state="detached")
    assert visitor.table_state()["asks"] == "play"
    visitor.page.go_back()
    visitor.panel(LEAVE).wait_for()
    visitor.page.go_back()  # is to stay, too
    visitor.panel().wait_for(state="detached")
    assert visitor.page.url == table
    visitor.page.go_back()
    visitor.panel(LEAVE).get_by_role("button", name="Leave", exact=True).tap()
    visitor.button("Play now").first.wait_for()
    assert visitor.page.url == f"{visitor.url}/"


def test_what_was_closed_leaves_nothing_to_go_back_to(new_visitor: NewVisitor) -> None:
    """From the table to the first page and back is one step each, whatever was open."""
    visitor = open_stored_table(new_visitor)
    table = visitor.page.url
    for panel in ("Settings", "Score"):
        visitor.open_menu_item(panel)
        visitor.close_panel()
    visitor.open_menu_item("All tables")
    visitor.button("Play now").first.wait_for()
    visitor.page.go_back()
    visitor.wait_for_decision("play")
    assert visitor.page.url == table


def test_back_closes_the_settings_of_the_first_page(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor(TouchVisitor, viewport=PHONE, has_touch=True)
    visitor.open_home()
    visitor.press(visitor.button("Settings"))
    visitor.panel("Settings").wait_for()
    visitor.page.go_back()
    visitor.panel().wait_for(state="detached")
    visitor.button("Play now").first.wait_for()
