"""Settings of cards: deck, back, colours, sizes, stacks and playing with one tap or two."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Request, ViewportSize

from acesaround import game
from acesaround.game.state import DecisionKind
from acesaround.table import Config, Table
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.table_page import DEAL_OVER
from tests.browser.page_objects.visitor import NewVisitor, TouchVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_asked_for, is_mid_trick
from tests.browser.table_setup import ADA
from tests.browser.viewports import DESKTOP, PHONE, SMALL_PHONE, VIEWPORTS
from tests.table.table_log import play_table_until

FIGURE_FILE = re.compile(r"/assets/([KQJ][SHDC])-")

# The cards of the hand: how far each shows, and where its index ends.
_MEASURE_HAND_CARDS = """() => {
  const right = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const drawn = getComputedStyle(node).maskImage !== 'none';
    return (drawn ? node : range).getBoundingClientRect().right;
  };
  const cards = [...document.querySelectorAll('.layer .card:not(.back):not(.unseen)')];
  const own = [...document.querySelectorAll('[data-card]')];
  return own.map((key) => {
    const strip = key.getBoundingClientRect();
    const card = cards.find((one) => {
      const box = one.getBoundingClientRect();
      return Math.abs(box.left - strip.left) < 1 && Math.abs(box.top - strip.top) < 1;
    });
    if (!card) return null;
    const sign = card.querySelector('.index') ?? card.querySelector('.sign');
    const signs = [card.querySelector('b'), sign];
    return {
      card: key.dataset.card,
      left: strip.left, strip: strip.right, wide: card.getBoundingClientRect().width,
      foot: card.getBoundingClientRect().bottom,
      ends: Math.max(right(signs[0]), signs[1].getBoundingClientRect().right),
      starts: Math.min(...signs.map((one) => one.getBoundingClientRect().left)),
    };
  });
}"""


def measure_hand_cards(visitor: Visitor) -> list[dict[str, Any]]:
    """Return the place and size of each card of the hand, and of its index."""
    visitor.wait_until_nothing_moves()
    cards: list[dict[str, Any]] = visitor.page.evaluate(_MEASURE_HAND_CARDS)
    assert cards
    assert None not in cards
    return cards


def collect_figure_requests(visitor: Visitor) -> set[str]:
    """Return a set to which each court card is added whose picture the page requests from now on.

    The browser's own list of resources leaves out a picture whose element went away while it was
    loaded.
    """
    requested: set[str] = set()

    def collect(request: Request) -> None:
        if match := FIGURE_FILE.search(request.url):
            requested.add(match[1])

    visitor.page.on("request", collect)
    return requested


def open_table_at_first_bid(
    new_visitor: NewVisitor, server: Server, name: str, variant: str, **more: Any
) -> Visitor:
    """Return Ada at a table where she is to bid."""
    entries = play_table_until(Config(variant, 4), ADA, is_asked_for(DecisionKind.BID))
    visitor: Visitor = new_visitor(person=ADA, **more)
    visitor.page.goto(server.store_table(name, entries))
    visitor.page.locator("[data-card]").first.wait_for()
    return visitor


def test_traditional_deck_is_fetched_when_chosen_and_stays_chosen(
    new_visitor: NewVisitor, server: Server
) -> None:
    visitor = open_table_at_first_bid(new_visitor, server, "decks", "partnership", worker=True)
    requested = collect_figure_requests(visitor)
    visitor.page.reload()
    visitor.wait_until_nothing_moves()
    assert requested == set()
    assert visitor.page.locator(".layer .figure").count() == 0
    visitor.open_menu_item("Settings")
    visitor.setting_radio("Deck", "Traditional")
    assert requested <= {"QS", "JD"}  # the two in the picture of the choice
    visitor.choose_setting("Deck", "Traditional")
    visitor.wait_until(lambda: len(requested) == 12, "twelve pictures are requested")
    visitor.close_panel()
    courts = [card for card in visitor.hand() if card[0] in "KQJ"]
    assert courts
    visitor.page.locator(".layer .figure").nth(len(courts) - 1).wait_for()

    visitor.page.reload()
    visitor.page.locator(".layer .figure").nth(len(courts) - 1).wait_for()
    visitor.open_menu_item("Settings")
    assert visitor.setting_radio("Deck", "Traditional").is_checked()


def test_pictures_of_decks_are_not_cut_on_phones(new_visitor: NewVisitor, server: Server) -> None:
    visitor = open_table_at_first_bid(new_visitor, server, "pictures", "partnership")
    visitor.resize({"width": 390, "height": 740})
    visitor.open_menu_item("Settings")
    visitor.page.locator(".pictures .deck").first.wait_for()
    pictures = visitor.page.locator(".pictures .felt")
    measure = "(all) => all.map((it) => it.scrollWidth - it.clientWidth)"
    for width in (390, 379, 360, 320):
        visitor.resize({"width": width, "height": 740})
        assert set(pictures.evaluate_all(measure)) == {0}, width


def test_card_back_and_suit_colours_can_be_chosen(new_visitor: NewVisitor, server: Server) -> None:
    visitor = open_table_at_first_bid(new_visitor, server, "backs", "partnership")
    ink = "() => getComputedStyle(document.documentElement).getPropertyValue('--D')"
    back = "() => getComputedStyle(document.querySelector('.card .back')).backgroundImage"
    before = visitor.page.evaluate(back)
    visitor.open_menu_item("Settings")
    visitor.choose_setting("Back", "Ornament")
    assert visitor.page.evaluate(back) != before
    assert "aces" in visitor.page.evaluate(back)
    visitor.choose_setting("Suit colours", "Red and black")
    visitor.page.reload()
    visitor.page.locator("[data-card]").first.wait_for()
    assert "aces" in visitor.page.evaluate(back)
    red = "() => getComputedStyle(document.documentElement).getPropertyValue('--H')"
    assert visitor.page.evaluate(ink) == visitor.page.evaluate(red)


@pytest.mark.parametrize("deck", ["plain", "traditional"])
@pytest.mark.parametrize("size", ["usual", "largest"])
def test_every_card_of_a_fanned_hand_shows_its_whole_index(
    new_visitor: NewVisitor, server: Server, deck: str, size: str
) -> None:
    settings = {"deck": deck, "handSize": size}
    name = f"strips-{deck}-{size}"
    visitor = open_table_at_first_bid(new_visitor, server, name, "double-deck", settings=settings)
    if deck == "traditional":
        visitor.page.locator(".layer .figure").first.wait_for()
    for viewport in (SMALL_PHONE, PHONE):
        visitor.resize(viewport)
        cards = measure_hand_cards(visitor)
        assert len(cards) == 20
        for one in cards:
            assert one["ends"] <= one["strip"] + 0.5, one
            assert one["starts"] >= one["left"], one
            assert 0 <= one["left"] <= one["left"] + one["wide"] <= viewport["width"], one
            assert one["foot"] <= viewport["height"], one


def test_hand_and_table_sizes_are_separate_and_zoom_enlarges_cards(
    new_visitor: NewVisitor, server: Server
) -> None:
    def measure_card_width(visitor: Visitor) -> float:
        return float(measure_hand_cards(visitor)[0]["wide"])

    visitor = open_table_at_first_bid(new_visitor, server, "sizes", "partnership")
    usual = measure_card_width(visitor)
    visitor.open_menu_item("Settings")
    visitor.choose_setting("Cards on the table", "Large")
    assert measure_card_width(visitor) == usual
    visitor.choose_setting("Cards in the hand", "Largest")
    assert measure_card_width(visitor) > usual * 1.2
    visitor.choose_setting("Cards in the hand", "Small")
    assert measure_card_width(visitor) < usual
    visitor.choose_setting("Cards in the hand", "Usual")
    visitor.close_panel()
    # Zoomed to 200%, a page is laid out in half of the pixels, each of them twice as large.
    visitor.resize({"width": 640, "height": 400})
    assert 2 * measure_card_width(visitor) > usual
    assert all(one["foot"] <= 400 for one in measure_hand_cards(visitor))


_CARD_WIDTH = """(zone) => {
  const cards = [...document.querySelectorAll(`.layer .card.${zone}:not(.unseen, .best)`)];
  return Math.round(cards[0].getBoundingClientRect().width);
}"""


@pytest.mark.parametrize(
    "viewport", [SMALL_PHONE, PHONE, DESKTOP], ids=["small", "phone", "desktop"]
)
def test_every_size_that_is_offered_at_a_table_changes_its_cards(
    new_visitor: NewVisitor, server: Server, viewport: ViewportSize
) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    visitor: Visitor = new_visitor(person=ADA, viewport=viewport, settings={"handSize": "large"})
    visitor.page.goto(server.store_table(f"offered-{viewport['width']}", entries))
    visitor.wait_for_decision("play")
    visitor.open_menu_item("Settings")
    visitor.panel("Settings").get_by_role("group", name="Deck").wait_for()
    for group, zone in (("Cards in the hand", "hand"), ("Cards on the table", "trick")):
        radios = visitor.panel().get_by_role("group", name=group, exact=True).get_by_role("radio")
        if not radios.count():
            continue
        assert radios.count() > 1
        assert len([radio for radio in radios.all() if radio.is_checked()]) == 1
        widths = []
        for radio in radios.all():
            radio.check()
            visitor.wait_until_nothing_moves()
            widths.append(visitor.page.evaluate(_CARD_WIDTH, zone))
        assert widths == sorted(set(widths)), (group, widths)
        visitor.choose_setting(group, "Usual")


def test_large_text_enlarges_cards(new_visitor: NewVisitor, server: Server) -> None:
    visitor = open_table_at_first_bid(new_visitor, server, "text", "partnership")
    before = float(measure_hand_cards(visitor)[0]["wide"])
    visitor.page.add_style_tag(
        content="html { font-size: 24px }"
    )  # as a browser's own setting does
    visitor.resize({"width": 1281, "height": 800})
    assert float(measure_hand_cards(visitor)[0]["wide"]) > before * 1.2


def find_faults_on_all_viewports(visitor: Visitor, pictures: Path | None = None) -> set[str]:
    """Return the layout faults on all viewports, without their numbers of pixels."""
    faults: set[str] = set()
    for size, viewport in VIEWPORTS.items():
        visitor.resize(viewport)
        if pictures is not None:
            visitor.page.screenshot(path=f"{pictures}-{size}.png")
        faults |= {
            f"{size}: {re.sub(r'[0-9]+', '#', fault)}" for fault in find_layout_faults(visitor.page)
        }
    return faults


@pytest.mark.parametrize(
    ("deck", "variant", "players", "condition"),
    [
        ("plain", "three-handed", 3, is_mid_trick),
    ],
)
def test_largest_cards_cause_no_more_layout_faults_than_usual_cards(
    new_visitor: NewVisitor,
    server: Server,
    screenshot_folder: Path,
    deck: str,
    variant: str,
    players: int,
    condition: Callable[[Table], bool],
) -> None:
    link = server.store_table(
        f"largest-{variant}", play_table_until(Config(variant, players), ADA, condition)
    )
    faults_by_size = []
    for size in ("usual", "largest"):
        settings = {"deck": deck, "handSize": size, "feltSize": size, "back": "aces"}
        visitor: Visitor = new_visitor(person=ADA, settings=settings, reduced_motion="reduce")
        visitor.page.goto(link)
        visitor.wait_until_settled()
        faults_by_size.append(
            find_faults_on_all_viewports(visitor, screenshot_folder / f"cards-{variant}-{size}")
        )
    usual, largest = faults_by_size
    assert not largest - usual


def test_taps_on_a_stack_choose_its_equal_cards_one_by_one(
    new_visitor: NewVisitor, server: Server
) -> None:
    """On a telephone with stacked hands: chosen, put back, passed on, and played."""
    entries = play_table_until(Config("partnership", 4), ADA, is_asked_for(DecisionKind.GIVE))
    visitor: TouchVisitor = new_visitor(
        TouchVisitor, person=ADA, viewport=PHONE, has_touch=True, settings={"hand": "stacks"}
    )
    visitor.page.goto(server.store_table("stacks", entries))
    visitor.wait_for_decision("give")
    stacks = visitor.page.locator("[data-copies='2']")
    stack, before = stacks.first, visitor.hand()
    assert len(before) + stacks.count() == 12
    card = stack.get_attribute("data-card")
    badge = visitor.page.locator(".layer .badge").first
    badges = []
    for _ in range(3):
        visitor.press(stack, card=True)
        badges.append((badge.inner_text(), stack.get_attribute("aria-pressed")))
    assert badges == [("1/2", "true"), ("2/2", "true"), ("\N{MULTIPLICATION SIGN}2", "false")]
    assert "2 of them" in stack.inner_text()
    visitor.press(stack, card=True)
    visitor.press(stack, card=True)
    assert "2 of them" in stack.inner_text()
    assert "2 chosen" in stack.inner_text()
    visitor.press(stacks.nth(1), card=True)
    visitor.press(stacks.nth(1), card=True)
    visitor.press(visitor.button("Pass 4"))
    visitor.page.locator(f"[data-card='{card}']").wait_for(state="detached")
    while visitor.take_action() != "play":
        pass
    visitor.wait_until_settled()


def has_one_legal_card(table: Table) -> bool:
    """Return True if Ada is to play a card and has one legal choice."""
    if not is_asked_for(DecisionKind.PLAY)(table) or table.game is None:
        return False
    return len(list(game.decision(table.game).legal)) == 1


def test_only_legal_card_needs_no_second_tap(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(Config("double-deck", 4), ADA, has_one_legal_card)
    visitor: Visitor = new_visitor(person=ADA, settings={"twoTap": True, "hand": "stacks"})
    visitor.page.goto(server.store_table("forced", entries))
    visitor.wait_for_decision("play")
    legal = visitor.legal_positions()
    assert len(legal) == 1
    seq = visitor.table_state()["seq"]
    visitor.press(visitor.hand_card(legal[0]), card=True)
    visitor.wait_for_seq_after(seq)


def has_one_legal_card_of_two(table: Table) -> bool:
    """Return True if Ada holds two different cards and may play only one of them."""
    if table.game is None or table.view(0).kind is not DecisionKind.PLAY or table.view(0).turn != 0:
        return False
    return len(set(table.view(0).hand)) == 2 and len(list(game.decision(table.game).legal)) == 1


def test_forced_last_card_plays_itself(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, has_one_legal_card_of_two)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("rest", entries))
    visitor.wait_for_decision("play")
    [card] = visitor.legal_positions()
    visitor.press(visitor.hand_card(card), card=True)
    visitor.panel(DEAL_OVER).wait_for()  # the last card went by itself, and the deal is over
