"""The bar at the top, the plates of the seats and the bubbles: nothing is cut off or covered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from acesaround import game
from acesaround.actions import LayMeld
from acesaround.game.state import DecisionKind, Playing, StockPlaying
from acesaround.game.view import turn_of
from acesaround.table import Config, Person, Table
from tests.browser.layout_checks import WIDE_FONT, find_layout_faults
from tests.browser.page_objects.browser_page import NO_ANIMATION_RUNS
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_asked_for, is_game_over, is_mid_trick
from tests.browser.table_setup import ADA, LONG_NAMES
from tests.browser.viewports import DESKTOP, LANDSCAPE_PHONE, PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

# Where the words of each line of one's own plate begin.
_LINE_STARTS = """(plate) => {
  const starts = new Map();
  const walk = document.createTreeWalker(plate.querySelector('.facts'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const { top, left, width } of range.getClientRects())
      if (width > 1) starts.set(top, Math.min(left, starts.get(top) ?? Infinity));
  }
  return [...starts.values()];
}"""


# What lies over a bubble. Cards let taps through, so they are made to answer.
_WHAT_COVERS = """(bubble) => {
  const layer = document.querySelector('.layer');
  layer.style.pointerEvents = 'auto';
  const { left, top, width, height } = bubble.getBoundingClientRect();
  const covering = new Set();
  for (const x of [0.03, 0.2, 0.4, 0.6, 0.8, 0.97])
    for (const y of [0.1, 0.5, 0.9]) {
      const node = document.elementFromPoint(left + x * width, top + y * height);
      if (node !== bubble) covering.add(`${node?.className} ${node?.textContent.slice(0, 20)}`);
    }
  layer.style.pointerEvents = '';
  return [...covering];
}"""


TALL_PHONE: ViewportSize = {"width": 360, "height": 740}


def test_long_name_leaves_room_for_bid_and_points(new_visitor: NewVisitor, server: Server) -> None:
    ada, *others = (Person(f"{i} with a long name", name) for i, name in enumerate(LONG_NAMES[:3]))
    entries = play_table_until(Config("three-handed", 3), ada, is_mid_trick, others=tuple(others))
    visitor: Visitor = new_visitor(person=others[0])
    visitor.page.goto(server.store_table("long-name", entries))
    visitor.wait_until_settled()
    for size in (PHONE, SMALL_PHONE):
        visitor.resize(size)
        bar = visitor.banner_text()
        assert "to go" in bar
        assert any(line.isdigit() and int(line) >= 250 for line in bar.split("\n")), bar
        assert find_layout_faults(visitor.page) == [], size


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("partnership", ["Helen", "Bert", "Cara", "Dirk"]),
        ("double-deck", ["Margaret", "Steven", "Deborah", "Thomas"]),
    ],
)
def test_names_of_partners_are_readable_on_small_phones(
    new_visitor: NewVisitor, server: Server, variant: str, names: list[str]
) -> None:
    people = [Person(f"{name} of {variant}", name) for name in names]
    entries = play_table_until(
        Config(variant, 4), people[0], is_mid_trick, others=tuple(people[1:])
    )
    visitor: Visitor = new_visitor(person=people[1])
    visitor.page.goto(server.store_table(f"partners-{variant}", entries))
    visitor.wait_until_settled()
    for style in ("", WIDE_FONT):
        if style:
            visitor.page.add_style_tag(content=style)
        for width in (390, 360, 320):
            visitor.resize({"width": width, "height": 568})
            assert visitor.banner_cut_texts() == [], (width, style)
            assert find_layout_faults(visitor.page) == [], (width, style)
    sides = "".join(visitor.banner_scores()).replace("\xa0", " ")
    assert f"{names[0]} & {names[2]}" in sides
    assert f"You & {names[3]}" in sides
    for partner in (names[3], "You", names[0], names[2]):
        expect(visitor.page.get_by_text(f"partner: {partner}", exact=True)).to_have_count(1)


def test_bar_is_high_enough_for_large_text(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("bar-large-text", entries))
    visitor.wait_until_settled()
    for percent in (150, 200):
        visitor.page.add_style_tag(content=f"html {{ font-size: {percent}% }}")
        for width in (360, 390):
            visitor.resize({"width": width, "height": 800})
            faults = [fault for fault in find_layout_faults(visitor.page) if "Score" in fault]
            assert faults == [], (percent, width)


@pytest.mark.parametrize(
    ("name", "variant", "players", "condition"),
    [
        ("bid", "partnership", 4, is_asked_for(DecisionKind.BID, after_seq=5)),
        ("trump", "double-deck", 4, is_asked_for(DecisionKind.TRUMP)),
        ("play", "partnership", 4, is_mid_trick),
        ("three", "three-handed", 3, is_mid_trick),
    ],
)
def test_large_text_of_a_table_is_neither_cut_nor_covered(
    new_visitor: NewVisitor,
    server: Server,
    name: str,
    variant: str,
    players: int,
    condition: Callable[[Table], bool],
) -> None:
    entries = play_table_until(Config(variant, players), ADA, condition)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table(f"large-{name}", entries))
    visitor.wait_until_settled()
    for size in (24, 32):
        visitor.set_font_size(size)
        for viewport in (TALL_PHONE, PHONE, SMALL_PHONE, LANDSCAPE_PHONE):
            visitor.resize(viewport)
            assert find_layout_faults(visitor.page) == [], (size, viewport)


@pytest.mark.parametrize(("variant", "tricks"), [("triple-deck", 1), ("five-card", 0)])
def test_trick_of_six_players_is_readable_on_a_small_phone(
    new_visitor: NewVisitor, server: Server, variant: str, tricks: int
) -> None:
    def is_late_in_trick(table: Table) -> bool:
        state = table.game
        return (
            state is not None
            and isinstance(state.phase, Playing)
            and len(state.phase.cards) > 3
            and len(state.deal.tricks) >= tricks
            and turn_of(state) == 0
        )

    entries = play_table_until(Config(variant, 6), ADA, is_late_in_trick)
    visitor: Visitor = new_visitor(person=ADA, viewport=SMALL_PHONE)
    visitor.page.goto(server.store_table(f"six-{variant}", entries))
    visitor.wait_until_settled()
    visitor.wait_until_nothing_moves()
    cards = visitor.page.locator(".layer .card.trick:not(.unseen)").all()
    boxes = [box for card in cards if (box := card.bounding_box()) is not None]
    assert len(boxes) > 3
    assert min(box["width"] for box in boxes) >= 26
    assert find_layout_faults(visitor.page) == []


def test_own_melds_lie_under_no_plate_of_six_players(
    new_visitor: NewVisitor, server: Server
) -> None:
    entries = play_table_until(Config("triple-deck", 6), ADA, is_asked_for(DecisionKind.TRUMP))
    visitor: Visitor = new_visitor(person=ADA, viewport=SMALL_PHONE)
    visitor.page.goto(server.store_table("six-melds", entries))
    visitor.wait_for_decision("trump")
    visitor.take_action()
    visitor.wait_until_asked()
    visitor.wait_until_nothing_moves()
    plates = [box for one in visitor.page.locator(".seat").all() if (box := one.bounding_box())]
    melds = [
        box
        for one in visitor.page.locator(".layer .card.meld:not(.unseen)").all()
        if (box := one.bounding_box())
    ]
    lowest = max(box["y"] + box["height"] for box in melds)
    own = [box for box in melds if box["y"] + box["height"] > lowest - 12]
    assert len(plates) == 5
    for plate in plates:
        assert plate["y"] + plate["height"] <= min(box["y"] for box in own) + 2


def test_bar_of_nine_players_shows_oneself_and_the_leader(
    new_visitor: NewVisitor, server: Server
) -> None:
    entries = play_table_until(Config("five-card", 9), ADA, is_asked_for(DecisionKind.PLAY))
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("bar-of-nine", entries))
    visitor.wait_until_settled()
    scores = visitor.banner_scores()
    assert scores[0] == "You"
    assert scores[2] in ("Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo")
    assert len(scores) == 4


def test_countdown_overlaps_nothing(new_visitor: NewVisitor, server: Server) -> None:
    """Neither on one's own plate nor on another's."""
    ada, *others = (Person(f"{i} against the clock", name) for i, name in enumerate(LONG_NAMES[:3]))
    config = Config("three-handed", 3, clock=600)
    entries = play_table_until(
        config, ada, is_asked_for(DecisionKind.BID, after_seq=5), others=tuple(others)
    )
    visitors: list[Visitor] = [new_visitor(person=person) for person in (ada, others[0])]
    address = server.store_table("last-seconds", entries)
    for visitor in visitors:
        visitor.install_clock()
        visitor.page.goto(address)
        visitor.wait_until_settled()
        visitor.pause_clock()  # an hour on: by its clock the page has no second left
        visitor.countdown().wait_for()
        for size in (PHONE, SMALL_PHONE):
            visitor.resize(size)
            assert find_layout_faults(visitor.page) == [], size


def can_lay_several_melds(table: Table) -> bool:
    """Return True if seat 0 has melds on the table and may lay one of several others."""
    state = table.game
    if state is None or not isinstance(state.phase, StockPlaying) or turn_of(state) != 0:
        return False
    melds = [one for one in game.decision(state).legal if isinstance(one, LayMeld)]
    return len(melds) > 1 and bool(state.phase.laid_melds[0].cards)


def test_best_meld_is_offered_first(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(Config("two-handed", 2), ADA, can_lay_several_melds)
    visitor: Visitor = new_visitor(person=ADA, viewport=PHONE)
    visitor.page.goto(server.store_table("may-lay", entries))
    visitor.wait_for_decision("play")
    assert find_layout_faults(visitor.page) == []
    offered = visitor.offered_meld_points()
    assert len(offered) > 1
    assert offered == sorted(offered, reverse=True)


def test_own_plate_shows_points_of_laid_melds(new_visitor: NewVisitor, server: Server) -> None:
    entries = play_table_until(Config("two-handed", 2), ADA, can_lay_several_melds)
    visitor: Visitor = new_visitor(person=ADA, viewport=PHONE)
    visitor.page.goto(server.store_table("have-laid", entries))
    visitor.wait_for_decision("play")
    view = visitor.received_messages[-1]["view"]
    laid = sum(one["points"] for one in view["melds"] if one["seat"] == 0)
    assert laid
    assert f"meld {laid}" in visitor.own_plate_text()
    assert visitor.cards_with_covered_meld_mark() == []


def test_meld_panel_explains_both_marks_of_cards(new_visitor: NewVisitor, server: Server) -> None:
    """The bar of a melded card and the edge of a trump look alike."""
    entries = play_table_until(Config("two-handed", 2), ADA, can_lay_several_melds)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("marks", entries))
    visitor.wait_for_decision("play")
    visitor.press(visitor.button("Melds"))
    legend = visitor.panel("Meld").get_by_text("is part of a meld on the table")
    expect(legend).to_contain_text("a short bar under its suit")
    expect(legend).to_contain_text("A card with a golden edge is trump.")


def test_no_line_of_the_own_plate_begins_with_a_separator(
    new_visitor: NewVisitor, server: Server
) -> None:
    entries = play_table_until(Config("two-handed", 2), ADA, can_lay_several_melds)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("separators", entries))
    visitor.wait_for_decision("play")
    for size in (PHONE, SMALL_PHONE):
        visitor.resize(size)
        starts = visitor.page.locator(".me").evaluate(_LINE_STARTS)
        assert len(starts) == 2, (size, starts)
        assert starts[0] == pytest.approx(starts[1], abs=1), size


def test_own_plate_fits_beside_all_four_helper_buttons(
    new_visitor: NewVisitor, server: Server
) -> None:
    """With melds down, tricks played, a hint to be had and a card that may be taken back."""
    entries = play_table_until(Config("two-handed", 2), ADA, can_lay_several_melds)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("four-helpers", entries))
    for _ in range(6):
        visitor.wait_for_decision("play")
        if visitor.button("Take back").is_visible() and visitor.button("Last trick").is_visible():
            break
        before = visitor.table_state()["seq"]
        visitor.take_action()
        visitor.wait_for_seq_after(before)
    for size in (PHONE, SMALL_PHONE, LANDSCAPE_PHONE):
        visitor.resize(size)
        for name in ("Take back", "Melds", "Last trick", "Hint"):
            assert visitor.button(name).is_visible(), name
        assert find_layout_faults(visitor.page) == [], size


@pytest.mark.parametrize("names", [[], LONG_NAMES[:2]], ids=["bots", "long-names"])
def test_melds_that_are_told_before_the_first_lead_lie_under_nothing(
    new_visitor: NewVisitor, server: Server, names: list[str]
) -> None:
    """Beside the button for giving up, which a declarer has before the first card."""
    others = tuple(Person(f"{name} before the lead", name) for name in names)
    entries = play_table_until(
        Config("three-handed", 3), ADA, is_asked_for(DecisionKind.TRUMP), others=others
    )
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table(f"first-lead-{len(names)}", entries))
    visitor.wait_for_decision("trump")
    visitor.take_action()
    visitor.press(visitor.button("Continue"))
    visitor.button("Give up").wait_for()
    expect(visitor.page.get_by_role("main").get_by_text("You meld 10.")).to_be_visible()
    for size in (SMALL_PHONE, TALL_PHONE, PHONE, LANDSCAPE_PHONE, DESKTOP):
        visitor.resize(size)
        assert find_layout_faults(visitor.page) == [], size


def test_chat_bubbles_are_not_cut_off(new_visitor: NewVisitor, server: Server) -> None:
    """By its writer, and by those at whose left, right and other side the writer sits."""
    people = [ADA, *(Person(f"{name} writes", name) for name in ("Bob", "Cat", "Deb"))]
    entries = play_table_until(
        Config("partnership", 4), ADA, is_asked_for(DecisionKind.BID), others=tuple(people[1:])
    )
    address = server.store_table("written", entries)
    visitors: list[Visitor] = [new_visitor(person=person) for person in people]
    for visitor in visitors:
        visitor.install_clock()
        visitor.page.goto(address)
        visitor.wait_until_settled()
    text = "What a hand, and I have waited for it since we sat down at this table today!"
    visitors[0].allow_free_text()
    for number, size in enumerate((PHONE, SMALL_PHONE, LANDSCAPE_PHONE), 1):
        for visitor in visitors:
            visitor.resize(size)
            visitor.pause_clock(number)  # what is written next stays: no time passes any more
        visitors[0].send_message(f"{number} {text}")
        for visitor in visitors:
            visitor.page.get_by_text(f"{number} {text}").wait_for()
            visitor.advance_clock(50)
            visitor.page.wait_for_function(NO_ANIMATION_RUNS)
            faults_of_bubble = [
                fault for fault in find_layout_faults(visitor.page) if "What a hand" in fault
            ]
            # It lies on the felt for a moment, as every call does, but not beyond the screen.
            assert [fault for fault in faults_of_bubble if not fault.startswith("overlap")] == [], (
                size
            )
            bubble = visitor.page.get_by_text(f"{number} {text}")
            assert bubble.evaluate(_WHAT_COVERS) == [], size


def test_a_finished_game_names_its_winner(new_visitor: NewVisitor, server: Server) -> None:
    """Also for somebody who returns to the table later, when no result opens by itself."""
    entries = play_table_until(Config("partnership", 4, {"hands": 1}), ADA, is_game_over)
    visitor: Visitor = new_visitor(person=ADA)
    visitor.page.goto(server.store_table("won", entries))
    visitor.page.get_by_role("button", name="Play again").wait_for()
    for size in (SMALL_PHONE, PHONE, LANDSCAPE_PHONE, DESKTOP):
        visitor.resize(size)
        assert visitor.page.get_by_text("win the game").is_visible()
        assert find_layout_faults(visitor.page) == [], size
