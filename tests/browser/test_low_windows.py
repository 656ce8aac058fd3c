"""Low windows: telephones on their side, netbooks, and laptops whose browser takes its share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize

from acesaround.game.state import DecisionKind
from acesaround.table import Config, Person, Table
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_asked_for, is_mid_trick, is_stock_play
from tests.browser.table_setup import ADA
from tests.browser.viewports import SMALL_PHONE
from tests.table.table_log import play_table_until

LOW_WINDOWS: list[ViewportSize] = [
    {"width": 667, "height": 375},
    {"width": 740, "height": 360},
    {"width": 1024, "height": 600},
    {"width": 1280, "height": 670},
    {"width": 1366, "height": 650},
]


def check_low_windows(visitor: Visitor) -> None:
    faults = {}
    for size in LOW_WINDOWS:
        visitor.resize(size)
        if found := find_layout_faults(visitor.page):
            faults[size["width"]] = found
    assert faults == {}


@pytest.mark.parametrize(
    ("variant", "players", "condition"),
    [
        ("partnership", 4, is_asked_for(DecisionKind.BID, after_seq=4)),
        ("triple-deck", 6, is_asked_for(DecisionKind.BID, after_seq=4)),
        ("five-card", 9, is_asked_for(DecisionKind.BID, after_seq=4)),
        ("auction", 3, is_mid_trick),
        ("double-deck", 4, is_mid_trick),
        ("two-handed", 2, is_stock_play),
    ],
)
def test_a_low_window_shows_a_decision_whole(
    new_visitor: NewVisitor,
    server: Server,
    variant: str,
    players: int,
    condition: Callable[[Table], bool],
) -> None:
    entries = play_table_until(Config(variant, players), ADA, condition)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table(f"low-{variant}", entries))
    visitor.wait_until_settled()
    check_low_windows(visitor)


@pytest.mark.parametrize(
    ("variant", "players"), [("double-deck", 4), ("triple-deck", 6), ("three-handed", 3)]
)
def test_a_low_window_shows_melds_before_the_first_lead(
    new_visitor: NewVisitor, server: Server, variant: str, players: int
) -> None:
    entries = play_table_until(Config(variant, players), ADA, is_asked_for(DecisionKind.TRUMP))
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table(f"low-melds-{variant}", entries))
    visitor.wait_for_decision("trump")
    visitor.take_action()
    visitor.button("Continue").wait_for()
    check_low_windows(visitor)


def test_nothing_covers_the_notice_that_somebody_is_away(
    new_visitor: NewVisitor, server: Server
) -> None:
    others = tuple(Person(f"{name} at a low table", name) for name in ("Maximilian", "Wilhelmina"))
    entries = play_table_until(
        Config("racehorse", 4), ADA, is_asked_for(DecisionKind.TRUMP), others=others
    )
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("low-notice", entries))
    visitor.wait_for_decision("trump")
    visitor.take_action()
    visitor.button("Let a bot play").wait_for()
    visitor.resize(SMALL_PHONE)
    assert find_layout_faults(visitor.page) == []
    check_low_windows(visitor)
