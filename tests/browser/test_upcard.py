"""The dealer's upcard, which a nine of trump may be exchanged for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from acesaround import game
from acesaround.actions import Discard
from acesaround.game.state import TakingUpcard
from acesaround.table import Config
from acesaround.table.table import Table
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_setup import ADA
from tests.browser.viewports import PHONE
from tests.table.table_log import play_table_until


def is_upcard_offered(table: Table) -> bool:
    """Return True if seat 0 has a nine and may exchange it for the upcard of another dealer."""
    state = table.game
    if state is None or not isinstance(state.phase, TakingUpcard) or state.phase.queue[0]:
        return False
    return len(list(game.decision(state).legal)) == 2


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_upcard_can_be_taken_for_a_nine_or_left(
    new_visitor: NewVisitor, server: Server, phone: bool
) -> None:
    entries = play_table_until(Config("classic", 4), ADA, is_upcard_offered, dealer=3)
    device_options = {"viewport": PHONE, "has_touch": True, "is_mobile": True} if phone else {}
    visitor: Visitor = new_visitor(person=ADA, settings={"speed": "normal"}, **device_options)
    page = visitor.page
    page.goto(server.store_table(f"turned-{phone}", entries))
    assert visitor.wait_until_asked()["asks"] == "upcard"
    visitor.wait_until_nothing_moves()
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=Path(shots) / f"upcard-{phone}.png")
    (card,) = [
        message["view"]["table"][3][0]
        for message in visitor.received_messages
        if message.get("decision")
    ][-1:]
    face_up_cards = page.locator(".layer .card:not(.back):not(.unseen)")
    assert face_up_cards.count() == 13  # the own hand, and what lies before the dealer
    if phone:
        visitor.record_text("You pass")
        visitor.button("Leave it").click()
        visitor.wait_for_recorded_text("You pass")
    else:
        page.get_by_role("button", name="Take").click()
        page.locator(f"[data-card='{card}']").first.wait_for(state="attached")
        assert visitor.wait_until_asked()["asks"] != "upcard"


def has_to_give_nine(table: Table) -> bool:
    """Return True if seat 0 has to give its nine."""
    state = table.game
    if state is None or not isinstance(state.phase, TakingUpcard) or state.phase.queue[0]:
        return False
    (only, *more) = game.decision(state).legal
    return not more and isinstance(only, Discard) and len(only.cards) == 1


def test_obligatory_exchange_of_a_nine_is_the_only_choice(
    new_visitor: NewVisitor, server: Server
) -> None:
    config = Config("classic", 4, {"nine_must_take": True})
    visitor: Visitor = new_visitor(person=ADA, viewport=PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    page.goto(
        server.store_table("obliged", play_table_until(config, ADA, has_to_give_nine, dealer=3))
    )
    assert visitor.wait_until_asked()["asks"] == "upcard"
    page.get_by_text("You must trade your nine for the upcard.").wait_for()
    assert not visitor.button("Leave it").count()
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=Path(shots) / "upcard-must.png")
    page.get_by_role("button", name="Take").click()
    page.get_by_text("You must trade your nine for the upcard.").wait_for(state="detached")
