"""Taking back an action: asking the others, their answers, and what the page announces."""

from __future__ import annotations

import pytest

from acesaround.game.state import DecisionKind
from acesaround.table import Config
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.server_process import Server
from tests.browser.table_setup import ADA, BOB, open_shared_table, play_together
from tests.table.table_log import play_table_until


@pytest.mark.parametrize("clock", [None, 600])
def test_bid_taken_back_is_announced_to_all(
    new_visitor: NewVisitor, server: Server, clock: int | None
) -> None:
    """What the others read last is no longer that it was made."""
    entries = play_table_until(
        Config("partnership", 4, clock=clock),
        ADA,
        lambda table: (
            table.game is not None
            and table.view(0).kind is DecisionKind.BID
            and table.view(0).turn == 0
        ),
        others=(BOB,),
    )
    link = server.store_table(f"back{clock}", entries)
    ada, bob = new_visitor(person=ADA), new_visitor(person=BOB)
    for one in (ada, bob):
        one.page.goto(link)
        one.wait_until_settled()
    ada.press(ada.button("Pass"))
    ada.press(ada.button("Take back"))
    bob.panel("Take back?").wait_for()
    if clock is not None:
        ada.page.get_by_text("The turn clock is paused.").wait_for()
        assert ada.page.locator(".clock").count() == 0
    bob.press(bob.panel("Take back?").get_by_role("button", name="Agree"))
    bob.page.get_by_text("Ada takes back the pass.").first.wait_for()
    ada.wait_for_decision("bid")
    assert bob.page.get_by_text("Ada passes.").count() == 0


def test_declined_take_back_names_the_person(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(
        Config("partnership", 4),
        ADA,
        lambda table: table.game is not None and table.view(0).turn == 0,
        others=(BOB,),
    )
    link = server.store_table("declined", entries)
    ada, bob = new_visitor(person=ADA), new_visitor(person=BOB)
    for one in (ada, bob):
        one.page.goto(link)
        one.wait_until_settled()
    ada.press(ada.button("Pass"))
    ada.press(ada.button("Take back"))
    bob.press(bob.panel("Take back?").get_by_role("button", name="Decline"))
    ada.page.get_by_text("Bob declined.").first.wait_for()


def test_bid_is_taken_back_when_the_other_agrees(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    while ada.wait_until_asked()["asks"] == "bid":
        ada.take_action()
    assert ada.table_state()["asks"] == "trump"  # the bid is hers
    ada.press(ada.button("Take back"))
    bob.panel("Take back?").wait_for()
    assert "Ada would like to take their last move back." in bob.panel().inner_text()
    bob.press(bob.panel().get_by_role("button", name="Decline"))
    ada.button("Take back").wait_for()
    assert ada.wait_until_asked()["asks"] == "trump"
    ada.press(ada.button("Take back"))
    bob.press(bob.panel("Take back?").get_by_role("button", name="Agree"))
    ada.wait_for_decision("bid")
    assert bob.wait_until_settled()["asks"] == ""
