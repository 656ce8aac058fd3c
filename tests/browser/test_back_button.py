"""The browser's back button: it closes panels, and asks before it leaves a table."""

from __future__ import annotations

from tests.browser.page_objects.visitor import NewVisitor, TouchVisitor, Visitor
from tests.browser.viewports import PHONE

LEAVE_QUESTION = "Leave the table?"


def start_game_on_phone(new_visitor: NewVisitor) -> Visitor:
    """Return a visitor who has started a game from the first page and is to play."""
    visitor: Visitor = new_visitor(TouchVisitor, viewport=PHONE, has_touch=True)
    visitor.open_home()
    visitor.play_now("two-handed")
    visitor.wait_for_decision("play")
    return visitor


def test_back_closes_a_panel_opened_from_the_menu(new_visitor: NewVisitor) -> None:
    visitor = start_game_on_phone(new_visitor)
    table_url = visitor.page.url
    for panel in ("Settings", "Score", "Seats and invitation"):
        visitor.open_menu_item(panel)
        visitor.panel(panel).wait_for()
        visitor.page.go_back()
        visitor.panel().wait_for(state="detached")
        assert visitor.page.url == table_url
        assert visitor.table_state()["asks"] == "play"


def test_keys_are_listed_only_where_there_is_a_keyboard(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor(TouchVisitor, viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.open_home()
    visitor.play_now("two-handed")
    visitor.wait_for_decision("play")
    keyboard = visitor.panel().get_by_role("button", name="Keyboard", exact=True)
    visitor.button("Menu").click()
    visitor.panel().get_by_role("button", name="Rules", exact=True).wait_for()
    assert keyboard.count() == 0
    visitor.close_panel()
    visitor.page.keyboard.press("s")
    visitor.panel("Score").wait_for()
    visitor.close_panel()
    visitor.button("Menu").click()
    keyboard.wait_for()


def test_back_asks_before_it_leaves_the_table(new_visitor: NewVisitor) -> None:
    visitor = start_game_on_phone(new_visitor)
    table_url = visitor.page.url
    visitor.page.go_back()
    visitor.panel(LEAVE_QUESTION).get_by_role("button", name="Stay").tap()
    visitor.panel().wait_for(state="detached")
    assert visitor.table_state()["asks"] == "play"
    visitor.page.go_back()
    visitor.panel(LEAVE_QUESTION).wait_for()
    visitor.page.go_back()  # is to stay, too
    visitor.panel().wait_for(state="detached")
    assert visitor.page.url == table_url
    visitor.page.go_back()
    visitor.panel(LEAVE_QUESTION).get_by_role("button", name="Leave", exact=True).tap()
    visitor.button("Play now").first.wait_for()
    assert visitor.page.url == f"{visitor.url}/"


def test_closed_panels_leave_no_steps_in_the_history(new_visitor: NewVisitor) -> None:
    """It is one step from the table to the first page and back, whatever was open before."""
    visitor = start_game_on_phone(new_visitor)
    table_url = visitor.page.url
    for panel in ("Settings", "Score"):
        visitor.open_menu_item(panel)
        visitor.close_panel()
    visitor.open_menu_item("All tables")
    visitor.button("Play now").first.wait_for()
    visitor.page.go_back()
    visitor.wait_for_decision("play")
    assert visitor.page.url == table_url


def test_back_closes_the_settings_of_the_first_page(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor(TouchVisitor, viewport=PHONE, has_touch=True)
    visitor.open_home()
    visitor.press(visitor.button("Settings"))
    visitor.panel("Settings").wait_for()
    visitor.page.go_back()
    visitor.panel().wait_for(state="detached")
    visitor.button("Play now").first.wait_for()
