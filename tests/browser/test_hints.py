"""A hint on the page: its action and cards first, then its reason, and numbers on request."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from acesaround.game.state import DecisionKind
from acesaround.table import Config, Table
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import has_unplayable_card, is_asked_for, is_stock_play
from tests.browser.table_setup import ADA, open_stored_table
from tests.browser.viewports import DESKTOP, PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

# The height of what a hint shows and of all that it says, and of one line: in pixels.
_MEASURE_LINES = """(text) => {
  const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(text);
  const padding = parseFloat(paddingTop) + parseFloat(paddingBottom);
  return [text.clientHeight - padding, text.scrollHeight - padding, parseFloat(lineHeight)];
}"""
_CARD = r"(ace|ten|king|queen|jack|nine) of (spades|hearts|diamonds|clubs)"
_CARDS = rf"{_CARD}(, {_CARD})*"


@pytest.mark.parametrize(
    ("name", "variant", "players", "condition", "action_pattern"),
    [
        ("bid", "partnership", 4, is_asked_for(DecisionKind.BID, after_seq=5), r"Pass|Bid \d+"),
        (
            "trump",
            "double-deck",
            4,
            is_asked_for(DecisionKind.TRUMP),
            r"Make (spades|hearts|diamonds|clubs) trump",
        ),
        ("give", "partnership", 4, is_asked_for(DecisionKind.GIVE), f"Pass {_CARDS}"),
        ("bury", "three-handed", 3, is_asked_for(DecisionKind.BURY), f"Bury {_CARDS}"),
        (
            "discard",
            "five-card",
            4,
            is_asked_for(DecisionKind.DISCARD),
            f"Exchange {_CARDS}|Keep all your cards",
        ),
        ("play", "partnership", 4, has_unplayable_card, f"Play {_CARD}"),
        ("lay", "two-handed", 2, is_stock_play, f"(Lead|Play|Lay) {_CARDS}"),
    ],
)
def test_hint_shows_the_action_first_and_then_the_reason(
    new_visitor: NewVisitor,
    server: Server,
    screenshot_folder: Path,
    name: str,
    variant: str,
    players: int,
    condition: Callable[[Table], bool],
    action_pattern: str,
) -> None:
    visitor = open_stored_table(
        new_visitor,
        server,
        f"hint-{name}",
        play_table_until(Config(variant, players), ADA, condition),
    )
    action, reason = visitor.request_hint()
    assert re.fullmatch(action_pattern, action), action
    if name != "bid":  # reasons for calls name bids
        assert re.fullmatch(
            r"[A-Z][^\d]*\.", re.sub(r"10[♠♥♦♣]|9[♠♥♦♣]|\d+ other choice", "", reason)
        ), reason
    spoken_reason = visitor.page.get_by_role("status").locator(".why > .hidden").inner_text()
    assert not re.search(r"[♠♥♦♣]", spoken_reason), spoken_reason
    assert not re.search(r"your partner|on your (left|right)|\bseat\b", reason), reason
    for width, height in ((320, 568), (844, 390), (390, 844), (1280, 720)):
        visitor.resize({"width": width, "height": height})
        if width == 390:
            visitor.page.screenshot(path=screenshot_folder / f"hint-{name}.png")
        assert find_layout_faults(visitor.page) == [], width
        table = visitor.page.locator("summary")
        if height < 600 and table.count():
            visitor.press(table)
            visitor.wait_until_nothing_moves()
            assert find_layout_faults(visitor.page) == [], width
            last = visitor.page.locator("details p")  # under the table
            last.evaluate("(line) => line.scrollIntoView({ block: 'end' })")
            expect(last).to_be_in_viewport(ratio=0.9)
            said = visitor.page.locator(".note .text")
            assert said.evaluate("(it) => it.scrollWidth <= it.clientWidth"), width
            visitor.press(table)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (320, 568)])
def test_do_it_button_does_what_the_hint_says(
    new_visitor: NewVisitor, server: Server, size: tuple[int, int]
) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, has_unplayable_card)
    visitor = open_stored_table(new_visitor, server, f"hint-do-{size[0]}", entries)
    visitor.resize({"width": size[0], "height": size[1]})
    action, _ = visitor.request_hint()
    named = visitor.page.locator("[data-card]", has_text=action.removeprefix("Play "))
    copies = int(named.get_attribute("data-copies") or "")
    button = visitor.button("Do it")
    box = button.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < box["y"] + box["height"] <= size[1]
    note = visitor.page.locator(".note .text").bounding_box()  # cuts off what lies outside of it
    assert note is not None
    assert note["y"] <= box["y"]
    visitor.press(button)
    button.wait_for(state="detached")
    if copies == 1:
        named.wait_for(state="detached")
    else:
        visitor.page.locator(f"[data-copies='{copies - 1}']", has_text=action[5:]).wait_for()


@pytest.mark.parametrize("font_size", [16, 24, 32])
def test_a_hint_in_large_text_shows_three_lines(
    new_visitor: NewVisitor, server: Server, font_size: int
) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, has_unplayable_card)
    visitor = open_stored_table(new_visitor, server, f"hint-large-{font_size}", entries)
    visitor.set_font_size(font_size)
    for size in (DESKTOP, SMALL_PHONE, PHONE):
        visitor.resize(size)
        visitor.request_hint()
        visitor.wait_until_nothing_moves()
        shown, whole, line = visitor.page.locator(".note .text").evaluate(_MEASURE_LINES)
        assert shown >= min(whole, 3 * line), (size, shown, whole, line)
        visitor.press(visitor.button("Close"))


@pytest.mark.parametrize("size", [(1280, 720), (320, 568)])
def test_hint_can_be_closed(new_visitor: NewVisitor, server: Server, size: tuple[int, int]) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, is_asked_for(DecisionKind.BID))
    visitor = open_stored_table(new_visitor, server, f"hint-close-{size[0]}", entries)
    visitor.resize({"width": size[0], "height": size[1]})
    visitor.request_hint()
    visitor.press(visitor.button("Close"))
    visitor.page.locator(".note .text").wait_for(state="detached")


def test_key_h_requests_a_hint_and_names_no_trump(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, is_asked_for(DecisionKind.TRUMP))
    visitor = open_stored_table(new_visitor, server, "hint-key", entries)
    visitor.page.keyboard.press("h")
    visitor.page.get_by_role("status").locator(".does").wait_for()
    assert visitor.table_state()["asks"] == "trump"
    named = visitor.page.get_by_role("group", name="Name trump").locator("button:enabled").first
    visitor.page.keyboard.press(named.get_attribute("aria-keyshortcuts") or "")
    visitor.page.wait_for_function("() => !document.querySelector('.trumps')")
