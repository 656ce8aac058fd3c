"""A whole deal of every variant from the first page to the score sheet, as a person plays it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from acesaround.game.state import DecisionKind
from acesaround.rules.scoring import Outcome
from acesaround.table import Config, Person, Table
from tests.browser.layout_checks import LARGE_TEXT, find_layout_faults
from tests.browser.page_objects.home_page import GAME_TITLES
from tests.browser.page_objects.keyboard_visitor import KeyboardVisitor
from tests.browser.page_objects.table_page import DEAL_OVER
from tests.browser.page_objects.visitor import NewVisitor, TouchVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import holds_last_card
from tests.browser.table_setup import ADA
from tests.browser.viewports import LANDSCAPE_PHONE, PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

EXPECTED_DECISIONS = {
    "three-handed": {"bid", "bury", "trump", "play"},
    "five-card": {"discard", "play"},
    "seven-card": {"discard", "play"},
    "partnership": {"bid", "trump", "give", "play"},
    "two-handed": {"play"},
    "double-deck": {"bid", "trump", "play"},
    "double-deck-classic": {"bid", "trump", "play"},
}


def play_and_check_deal(visitor: Visitor, variant: str) -> None:
    """Play a whole deal from the first page, and check decisions, hand and score sheet."""
    for _ in range(5):
        visitor.open_home()
        visitor.play_now(variant)
        decisions = visitor.play_deal()
        if "play" in decisions:  # a declarer without a marriage is set before a card is played
            break
    assert set(decisions) >= EXPECTED_DECISIONS[variant]
    assert visitor.hand() == []
    rows = visitor.score_sheet()
    assert any(row[0].startswith("You") for row in rows)
    for _, meld, play, change, total in rows:
        assert {meld, play, change, total} != {""}
    assert visitor.table_state()["phase"] in ("deal", "game")


def list_mouse_cases() -> Iterator[Any]:
    """Return a case for each variant. Those that are tested otherwise run only in `make soak`."""
    for variant in GAME_TITLES:
        is_soak = variant not in ("three-handed", "five-card", "two-handed")
        yield pytest.param(variant, marks=[pytest.mark.soak] if is_soak else [])


@pytest.mark.parametrize("variant", list(list_mouse_cases()))
def test_a_deal_by_mouse(new_visitor: NewVisitor, variant: str) -> None:
    play_and_check_deal(new_visitor(), variant)


@pytest.mark.parametrize("viewport", [SMALL_PHONE, LANDSCAPE_PHONE], ids=["small", "landscape"])
def test_both_ways_to_go_on_after_a_deal_and_its_verdict_are_on_the_screen(
    new_visitor: NewVisitor, server: Server, viewport: ViewportSize, request: pytest.FixtureRequest
) -> None:
    config = Config("partnership", 4)
    entries = play_table_until(config, ADA, holds_last_card)
    ada: Visitor = new_visitor(person=ADA, viewport=viewport)
    ada.page.goto(server.store_table(request.node.name, entries))
    ada.play_deal()
    for name in ("Look at this deal", "Next deal"):
        expect(ada.button(name)).to_be_in_viewport(ratio=1)
    expect(ada.panel().locator(".headline")).to_be_in_viewport(ratio=1)
    assert find_layout_faults(ada.page) == []


def has_won_fewer_points_as_bidder(table: Table) -> bool:
    """Return True if seat 0's partner made a bid in a deal that brought the others more."""
    if table.game is None or not table.sheet or table.view(0).kind is not DecisionKind.DEAL:
        return False
    score = table.sheet[-1].score
    made = score.outcome is Outcome.MADE and score.declarer in (2, 4)
    return made and score.change[0] < score.change[1]


def test_verdict_is_good_for_all_partners_who_made_the_bid(
    new_visitor: NewVisitor, server: Server
) -> None:
    opponent = Person("an opponent of ada", "Bob")
    entries = play_table_until(
        Config("triple-deck", 6), ADA, has_won_fewer_points_as_bidder, others=(opponent,)
    )
    address = server.store_table("verdict", entries)
    for person, kind in ((ADA, "gained"), (opponent, "missed")):
        visitor: Visitor = new_visitor(person=person, viewport=PHONE)
        visitor.page.goto(address)
        verdict = visitor.panel(DEAL_OVER).locator(".headline")
        expect(verdict).to_contain_text("made")
        expect(verdict).to_contain_class(kind)


def test_score_of_a_deal_is_whole_with_large_text(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, holds_last_card)
    ada: Visitor = new_visitor(person=ADA, viewport=PHONE)
    ada.page.goto(server.store_table("large-text", entries))
    ada.play_deal()
    ada.page.add_style_tag(content=LARGE_TEXT)
    assert find_layout_faults(ada.page) == []
    sides = ada.panel().get_by_role("rowheader").all()
    numbers = ada.panel().get_by_role("cell", name=re.compile("[0-9]")).first.bounding_box()
    heights = [box["height"] for side in sides if (box := side.bounding_box()) is not None]
    assert len(heights) == 2
    assert numbers is not None
    assert max(heights) < 2 * numbers["height"]


def test_a_deal_by_touch(new_visitor: NewVisitor) -> None:
    play_and_check_deal(
        new_visitor(TouchVisitor, viewport=PHONE, has_touch=True, is_mobile=True), "double-deck"
    )


def test_a_deal_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    play_and_check_deal(new_visitor(KeyboardVisitor), "partnership")


@pytest.mark.parametrize("dealer", [0, 3])
def test_dealing_is_animated(new_visitor: NewVisitor, server: Server, dealer: int) -> None:
    """Whether somebody else is asked first, or this person is at once."""
    entries = play_table_until(Config("double-deck", 4), ADA, lambda _: True, dealer=dealer)
    visitor: Visitor = new_visitor(person=ADA, settings={"speed": "normal"})
    visitor.record_card_moves()
    visitor.page.goto(server.store_table(f"dealt-by-{dealer}", entries))
    visitor.wait_for_simultaneous_moves(40)
    assert visitor.wait_until_asked()["asks"] == "bid"
    assert len(visitor.hand()) == 20
