"""Practice positions in the browser: wrong, right, next; and a mistake of a review tried again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from acesaround.actions import Play
from acesaround.practice import PracticePosition, Theme, find_position, shipped_positions
from acesaround.table import Config, Person
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_game_over
from tests.browser.viewports import DESKTOP, LANDSCAPE_PHONE, PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

ANN, BOB = Person("ann", "Ann"), Person("bob", "Bob")
SIZES = {"small": SMALL_PHONE, "phone": PHONE, "landscape": LANDSCAPE_PHONE, "desktop": DESKTOP}


def open_practice(visitor: Visitor, server: Server, theme: str = "") -> PracticePosition:
    """Open the practice page, and return the position that it shows."""
    with visitor.page.expect_response(re.compile("/api/practice")) as answer:
        visitor.page.goto(f"{server.url}/practice")
    if theme:
        with visitor.page.expect_response(re.compile("/api/practice")) as answer:
            visitor.page.get_by_label("Theme").select_option(theme)
    return shown_position(answer.value.json())


def shown_position(answer: dict[str, object]) -> PracticePosition:
    """Return the shipped position in an answer, which must not hold its solution."""
    sent = answer["position"]
    assert isinstance(sent, dict)
    assert not {"reason", "because", "values", "best", "hands"} & set(sent)
    position = find_position(str(sent["id"]))
    assert position is not None
    return position


def choice_button(page: Page, position: PracticePosition, *, is_right: bool) -> Locator:
    """Return the button of a right or a wrong choice of a position."""
    at = next(at for at, one in enumerate(position.choices) if one.is_right is is_right)
    actions = [one.action for one in position.choices]
    cards = [action.card for action in actions if isinstance(action, Play)]
    if len(cards) == len(actions):  # otherwise the choices are a list
        name = f"{cards[at].rank.word} of {cards[at].suit.word}"
        return page.get_by_role("group", name="Your hand").get_by_role("button", name=name).first
    return page.get_by_role("group", name=re.compile("^W")).get_by_role("button").nth(at)


@pytest.mark.parametrize("viewport", SIZES.values(), ids=SIZES)
def test_a_wrong_answer_a_right_one_and_the_next_position(
    new_visitor: NewVisitor, server: Server, viewport: ViewportSize
) -> None:
    ann: Visitor = new_visitor(person=ANN, viewport=viewport)
    page = ann.page
    position = open_practice(ann, server)
    before = read_sum(page)
    assert find_layout_faults(page) == []
    choice_button(page, position, is_right=False).press("Enter")
    verdict = page.get_by_role("status").filter(has_text="Wrong: it lowers your chance to win by")
    expect(verdict).to_be_focused()
    expect(page.get_by_role("row").filter(has_text="your choice")).to_contain_text("%")
    assert find_layout_faults(page) == []
    assert read_sum(page) == (before[0], before[1] + 1)
    with page.expect_response(re.compile("/api/practice")) as answer:
        ann.button("Next").press("Enter")
    second = shown_position(answer.value.json())
    assert second.id != position.id
    choice_button(page, second, is_right=True).click()
    expect(page.get_by_role("status").filter(has_text="Right")).to_be_visible()
    assert read_sum(page) == (before[0] + 1, before[1] + 1)
    with page.expect_response(re.compile("/api/practice")) as answer:
        ann.button("Next").click()
    assert shown_position(answer.value.json()).id not in (position.id, second.id)


def read_sum(page: Page) -> tuple[int, int]:
    """Return how many answers were right and wrong, as the page says."""
    found = re.search(r"(\d+) right, (\d+) wrong", page.get_by_role("main").inner_text())
    assert found is not None
    return int(found[1]), int(found[2])


@pytest.mark.parametrize("theme", sorted({one.theme for one in shipped_positions()}))
def test_every_theme_can_be_practised(
    new_visitor: NewVisitor, server: Server, theme: Theme
) -> None:
    bob: Visitor = new_visitor(person=BOB, viewport=SMALL_PHONE)
    position = open_practice(bob, server, theme)
    assert position.theme is theme
    choice_button(bob.page, position, is_right=True).click()
    expect(bob.page.get_by_role("status").filter(has_text="Right")).to_be_visible()
    bob.page.get_by_text("What happened before").click()
    assert find_layout_faults(bob.page) == []


def test_practice_screens(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen
) -> None:
    bob: Visitor = new_visitor(person=BOB)
    for theme in ("bidding", "leads"):
        position = open_practice(bob, server, theme)
        check_screen(bob, f"practice-{theme}")
        choice_button(bob.page, position, is_right=False).click()
        expect(bob.page.get_by_role("status").filter(has_text="Wrong")).to_be_visible()
        bob.page.get_by_text("What happened before").click()
        check_screen(bob, f"practice-{theme}-wrong")


def test_a_mistake_of_a_review_is_tried_again(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen
) -> None:
    config = Config("partnership", 4, options={"hands": 2})
    server.store_table("again", play_table_until(config, ANN, is_game_over))
    ann: Visitor = new_visitor(person=ANN, viewport=PHONE)
    page = ann.page
    page.goto(f"{server.url}/r/again/1")
    ann.button("Review my game").click()
    panel = ann.panel()
    panel.get_by_role("heading", name="Deal by deal").wait_for(timeout=60_000)
    expect(panel.get_by_role("progressbar")).to_have_count(0, timeout=60_000)
    page.get_by_label("Hide what is better").check()
    expect(panel.get_by_text("Better", exact=True)).to_have_count(0)
    panel.get_by_role("button", name=re.compile("^Try again: ")).first.click()
    hand = panel.get_by_role("group", name="Your hand")
    hand.wait_for()
    check_screen(ann, "review-again")
    buttons = panel.get_by_role("group").get_by_role("button")
    buttons.locator("visible=true").and_(page.locator(":enabled")).first.click()
    verdict = panel.get_by_role("status").filter(has_text=re.compile("Right|Wrong"))
    expect(verdict).to_be_visible()
    check_screen(ann, "review-again-told")
    ann.button("Try again").click()
    expect(verdict).to_have_count(0)
    ann.button("Back to the review").click()
    expect(panel.get_by_role("heading", name="Deal by deal")).to_be_visible()
