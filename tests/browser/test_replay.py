"""The replay of a finished game: steps, keys, links, downloads and explanations."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from acesaround.table import Config, Person
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import has_played_trick, is_game_over
from tests.browser.table_setup import LONG_NAMES
from tests.browser.viewports import DESKTOP, PHONE
from tests.table.table_log import play_table_until

ANN = Person("ann", "Ann")


@pytest.fixture(scope="module")
def replay_path(server: Server) -> str:
    """Store a finished game of Ann, and return the path of its replay."""
    config = Config("two-handed", 2)
    server.store_table("reviewed", play_table_until(config, ANN, is_game_over))
    return "/r/reviewed/1"


def read_step(page: Page) -> int:
    """Return the number of the step that is shown."""
    return int(page.get_by_role("slider", name="Step").input_value())


def read_step_caption(page: Page) -> str:
    """Return what a screen reader says of the step."""
    return page.locator("footer [aria-live]").first.inner_text()


def locate_shown_cards(page: Page) -> Locator:
    """Return the cards that are shown."""
    return page.locator(".layer .card:not(.unseen)")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_game_is_reviewed_from_the_first_page(
    new_visitor: NewVisitor, replay_path: str, viewport: dict[str, int]
) -> None:
    ann: Visitor = new_visitor(person=ANN, viewport=viewport)
    ann.open_home()
    page = ann.page
    page.get_by_role("link", name="Review Two-handed").click()
    expect(page.get_by_role("group", name="Replay controls")).to_be_visible()
    expect(locate_shown_cards(page)).to_have_count(
        12 + 12 + 1
    )  # the upcard is the only one of the stock
    assert "deal" in read_step_caption(page)
    ann.mark_cards()
    ann.button("Step forward").click()
    assert read_step(page) == 1
    assert "play" in read_step_caption(page) or "lay" in read_step_caption(page)
    ann.button("Next trick").click()
    assert "the trick" in read_step_caption(page)
    trick = read_step(page)
    ann.button("Next trick").click()
    assert read_step(page) > trick
    ann.button("Previous trick").click()
    assert read_step(page) == trick
    ann.button("Step back").click()
    assert read_step(page) == trick - 1
    assert ann.has_same_cards()


def test_the_keyboard_moves_through_a_game(
    new_visitor: NewVisitor, server: Server, replay_path: str
) -> None:
    ann: Visitor = new_visitor(person=ANN)
    page = ann.page
    ann.install_clock()
    page.goto(f"{server.url}{replay_path}")
    page.get_by_role("slider", name="Step").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert read_step(page) == 2
    page.keyboard.press("ArrowLeft")
    assert read_step(page) == 1
    page.keyboard.press("ArrowDown")
    assert "the trick" in read_step_caption(page)
    page.keyboard.press("End")
    expect(page.get_by_role("region", name="Deal over")).to_be_visible()
    last = read_step(page)
    page.keyboard.press("Home")
    assert read_step(page) == 0
    ann.pause_clock()
    page.keyboard.press("Space")
    ann.advance_clock(1000)
    paused_step = read_step(page)
    assert 1 < paused_step < last
    page.keyboard.press("Space")
    ann.button("Play").wait_for()
    ann.advance_clock(1000)
    assert read_step(page) == paused_step


def test_link_opens_the_replay_at_its_step(
    new_visitor: NewVisitor, server: Server, replay_path: str
) -> None:
    ann: Visitor = new_visitor(person=ANN)
    page = ann.page
    page.goto(f"{server.url}{replay_path}#2.7")
    expect(page.get_by_label("Deal", exact=True)).to_have_value("2")
    assert read_step(page) == 7
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ann.button("Share").click()  # as on plain http: the link is there, selected
    field = ann.panel().get_by_label("Copy this address and send it:")
    expect(field).to_have_value(re.compile(r"/r/[A-Za-z0-9]{22}/1#2\.7$"))
    assert "reviewed" not in field.input_value() + page.url  # by it nobody finds the table
    page.wait_for_function("() => String(getSelection()).includes('#2.7')")
    page.keyboard.press("Escape")
    ann.button("Download").click()
    for form in ("text", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"As {form}").click()
        assert download.value.path().stat().st_size > 1000


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_why_button_explains_a_step(
    new_visitor: NewVisitor, server: Server, replay_path: str, viewport: dict[str, int]
) -> None:
    ann: Visitor = new_visitor(person=ANN, viewport=viewport)
    page = ann.page
    page.goto(f"{server.url}{replay_path}#1.4")
    page.get_by_role("slider", name="Step").wait_for()
    ann.mark_cards()
    caption = read_step_caption(page)
    with page.expect_request("**/why?*") as request:
        ann.button("Why?").click()
    assert request.value.url.endswith("step=3")  # where it was decided, and not what comes next
    panel = ann.panel(re.compile(f"^{' '.join(caption.split()[:2])} "))  # of what is shown
    expect(panel.get_by_text("The best bot")).to_be_visible()
    expect(panel.get_by_text("The bot knows only what")).to_be_visible()
    ann.close_panel()
    page.wait_for_function("() => !history.state.above")
    assert ann.has_same_cards()  # the page stays, under whatever address it was opened
    page.keyboard.press("Home")
    expect(ann.button("Why?")).to_be_disabled()  # the cards were dealt: nobody decided that


def test_explanation_marks_the_chosen_action(
    new_visitor: NewVisitor, server: Server, replay_path: str
) -> None:
    ann: Visitor = new_visitor(person=ANN)
    page = ann.page
    page.goto(f"{server.url}{replay_path}#1.1")
    last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)
    for _ in range(last):  # to the first card in whose place there was something to weigh
        with page.expect_response("**/why?*") as answer:
            ann.button("Why?").click()
        candidates = answer.value.json()["tried"]
        panel = ann.panel()
        expect(panel.get_by_text("The best bot")).to_be_visible()
        title = panel.get_attribute("aria-label") or ""
        if len(candidates) > 1 and "play" in title:
            break
        ann.close_panel()
        ann.button("Step forward").click()
    assert len(candidates) > 1
    row = panel.get_by_role("row").filter(has_text="chosen")
    expect(row).to_have_count(1)
    assert row.locator("[aria-hidden]").inner_text() in title


def test_tinted_trick_is_the_one_on_the_table(
    new_visitor: NewVisitor, server: Server, replay_path: str
) -> None:
    """No trick is tinted before the first card is played."""
    ann: Visitor = new_visitor(person=ANN)
    page = ann.page
    page.goto(f"{server.url}{replay_path}#1.0")
    facts = page.get_by_role("complementary", name="This deal")
    facts.get_by_role("heading", name="Tricks").wait_for()
    basics = facts.get_by_role("region", name="Dealer, bid and trump")
    expect(basics).to_contain_text("are trump")
    expect(basics).to_contain_text("deal")
    tinted = facts.locator("[aria-current]")
    assert tinted.count() == 0
    facts.locator("ol button").nth(3).click()
    expect(tinted).to_contain_text("on the table now")


def test_list_of_bids_marks_a_turn_only_during_the_auction(
    new_visitor: NewVisitor, server: Server
) -> None:
    config = Config("partnership", 4, {"hands": 1})
    server.store_table("bids", play_table_until(config, ANN, is_game_over))
    ann: Visitor = new_visitor(person=ANN)
    facts = ann.page.get_by_role("complementary", name="This deal")
    heads = facts.get_by_role("table", name="Auction").get_by_role("columnheader")

    def count_marked_seats() -> int:
        return int(
            heads.evaluate_all(
                "(all) => all.map((head) => getComputedStyle(head).borderColor)"
                ".filter((color, _, colors) => color !== colors.toSorted()[1]).length"
            )
        )

    ann.page.goto(f"{server.url}/r/bids/1#1.2")
    heads.first.wait_for()
    assert count_marked_seats() == 1
    facts.locator("ol button").nth(3).click()
    facts.locator("[aria-current]").wait_for()
    assert count_marked_seats() == 0
    basics = facts.get_by_role("region", name="Dealer, bid and trump")
    for words in (r" deals?\.", r" wins? the auction at \d+\.", r" makes? \w+ trump\."):
        expect(basics).to_contain_text(re.compile(words))


def test_deal_names_its_turning_point_and_the_length_of_the_game(
    new_visitor: NewVisitor, server: Server
) -> None:
    config = Config("partnership", 4, {"hands": 1})
    server.store_table("turning", play_table_until(config, ANN, is_game_over))
    ann: Visitor = new_visitor(person=ANN)
    ann.open_replay("turning")
    ann.go_to_step(10_000)
    facts = ann.page.get_by_role("complementary", name="This deal")
    expect(facts).to_contain_text("Playing 1 deal")
    turning = facts.get_by_role("region", name="Turning point")
    row = re.search(r"trick (\d+)", turning.inner_text(), re.IGNORECASE)
    assert row
    turning.get_by_role("button").click()
    said = ann.page.locator("footer .line")
    expect(said).to_contain_text(
        re.compile(r"With this trick the bid of \d+ is (made|out of reach)")
    )
    expect(facts.locator("[aria-current] .n")).to_have_text(row[1])


def test_long_names_leave_room_for_the_end_of_a_game(
    new_visitor: NewVisitor, server: Server
) -> None:
    """On low screens, one of them a desktop that is zoomed to twice its size."""
    people = [Person(f"{i} in a long replay", name) for i, name in enumerate(LONG_NAMES[:4])]
    config = Config("partnership", 4, {"hands": 1})
    entries = play_table_until(config, people[0], is_game_over, others=tuple(people[1:]))
    server.store_table("long-end", entries)
    visitor: Visitor = new_visitor(person=people[0])
    visitor.open_replay("long-end")
    visitor.go_to_step(10_000)
    result = visitor.page.get_by_role("region", name="Deal over")
    for width, height in ((320, 568), (640, 400), (568, 320), (844, 390)):
        visitor.resize({"width": width, "height": height})
        assert find_layout_faults(visitor.page) == [], width
        assert result.evaluate("(it) => it.scrollWidth <= it.parentElement.clientWidth"), width
        expect(visitor.page.get_by_role("button", name="Review my game")).to_be_visible()


def test_wheel_over_the_deal_facts_does_not_scroll_the_page(
    new_visitor: NewVisitor, server: Server, replay_path: str
) -> None:
    ann: Visitor = new_visitor(person=ANN, viewport={"width": 1280, "height": 720})
    page = ann.page
    page.goto(f"{server.url}{replay_path}#1.60")
    facts = page.get_by_role("complementary", name="This deal")
    facts.hover()
    before = page.get_by_role("group", name="Replay controls").bounding_box()
    for _ in range(12):  # to the end of the facts, and on
        page.mouse.wheel(0, 600)
    page.wait_for_function("() => document.querySelector('aside').scrollTop > 0")
    ann.wait_until_nothing_moves()
    assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 720]
    assert page.get_by_role("group", name="Replay controls").bounding_box() == before


def test_running_deal_has_no_replay(new_visitor: NewVisitor, server: Server) -> None:
    server.store_table(
        "still-played", play_table_until(Config("two-handed", 2), ANN, has_played_trick)
    )
    ann: Visitor = new_visitor(person=ANN)
    ann.expected_errors.append("403")
    ann.page.goto(f"{server.url}/r/still-played/1")
    expect(ann.page.get_by_text("its cards stay hidden until it is")).to_be_visible()
    expect(locate_shown_cards(ann.page)).to_have_count(0)
    ann.button("Go to the table").click()
    ann.wait_until_settled()
