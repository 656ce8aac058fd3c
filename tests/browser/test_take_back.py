"""How people treat each other at a table: moves taken back are told, and who said no."""

from __future__ import annotations

import pytest

from acesaround.game.state import DecisionKind
from acesaround.table import Config
from tests.browser.page_objects.table_page import DEAL_OVER
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.server_process import Server
from tests.browser.table_setup import ADA, BOB
from tests.table_logs import play_table_until


@pytest.mark.parametrize("clock", [None, 600])
def test_a_move_taken_back_is_told_to_all(
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
        ada.page.get_by_text("The turn clock is stopped.").wait_for()
        assert ada.page.locator(".clock").count() == 0
    bob.press(bob.panel("Take back?").get_by_role("button", name="Agree"))
    bob.page.get_by_text("Ada takes back the pass.").first.wait_for()
    ada.wait_for_decision("bid")
    assert bob.page.get_by_text("Ada passes.").count() == 0


def test_a_no_is_told_by_its_name(new_visitor: NewVisitor, server: Server) -> None:
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


def test_the_next_deal_waits_until_everybody_has_read_the_result(
    new_visitor: NewVisitor, server: Server
) -> None:
    """Who has gone on waits for the others, also after coming back; who comes back reads on."""
    entries = play_table_until(
        Config("partnership", 4, options={"target": 9000}),
        ADA,
        lambda table: table.unread_result is not None,
        others=(BOB,),
    )
    link = server.store_table("reading", entries)
    ada, bob = new_visitor(person=ADA), new_visitor(person=BOB)
    for one in (ada, bob):
        one.page.goto(link)
        one.panel(DEAL_OVER).wait_for()
    bob.page.reload()
    bob.panel(DEAL_OVER).wait_for()
    ada.press(ada.panel(DEAL_OVER).get_by_role("button", name="Next deal"))
    ada.panel(DEAL_OVER).get_by_text("Waiting for Bob").wait_for()
    ada.page.reload()
    ada.page.get_by_text("Waiting for Bob to read the result").first.wait_for()
    assert (ada.wait_until_settled()["panel"], ada.hand()) == ("", [])
    bob.press(bob.panel(DEAL_OVER).get_by_role("button", name="Next deal"))
    for one in (ada, bob):
        one.hand_card(11).wait_for()
        assert len(one.hand()) == 12
