"""Animations of cards, bubbles and celebrations, and what speed and reduced motion change."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from playwright.sync_api import expect

from acesaround import game
from acesaround.actions import Play
from acesaround.game.events import TrickWon
from acesaround.game.state import Bidding, Playing
from acesaround.game.view import turn_of
from acesaround.table import Config, Table
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.table_page import GAME_OVER
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_mid_trick
from tests.browser.table_setup import ADA
from tests.browser.viewports import VIEWPORTS
from tests.table.table_log import play_table_until

# Records every bubble with its seat's place, however short it is shown.
RECORD_BUBBLES = """() => {
  window.bubbles = [];
  const shown = []; // the words at each seat
  new MutationObserver(() => document.querySelectorAll('.chair').forEach((chair, i) => {
    const words = chair.querySelector('.call')?.textContent.trim();
    if (words && shown[i] !== words) window.bubbles.push([i, words]);
    shown[i] = words;
  })).observe(document, { childList: true, characterData: true, subtree: true });
}"""
# Records whether each celebration lets taps through, when it appears.
RECORD_CELEBRATIONS = """() => {
  window.celebrations = [];
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => {
    for (const node of addedNodes) if (node.classList?.contains('celebration'))
      window.celebrations.push(getComputedStyle(node).pointerEvents);
  })).observe(document, { childList: true, subtree: true });
}"""
SWEEP_HAS_ENDED = """() => [...document.querySelectorAll('.layer .card.sweep')]
  .every((card) => !card.getAnimations().some((one) => one.playState === 'running'))"""
# Returns of each card of the last trick: its distance from the winner's seat, if it is face down.
MEASURE_SWEPT_CARDS = """(chair) => {
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const seat = middle(document.querySelectorAll('.chair')[chair].getBoundingClientRect());
  return [...document.querySelectorAll('.layer .card.sweep')].map((card) => {
    const center = middle(card.getBoundingClientRect());
    return [Math.hypot(center[0] - seat[0], center[1] - seat[1]), card.classList.contains('back')];
  });
}"""


def must_lose_trick(table: Table) -> bool:
    """Return True if seat 0 ends a trick that it cannot win, whatever it plays."""
    if table.game is None or not is_mid_trick(table):
        return False
    phase = table.game.phase
    assert isinstance(phase, Playing)
    if len(phase.cards) < 3:
        return False
    moves = [move for move in game.decision(table.game).legal if isinstance(move, Play)]
    events = [event for move in moves for event in game.apply(table.game, move)[1]]
    return all(event.seat for event in events if isinstance(event, TrickWon))


def is_last_card_of_game(table: Table) -> bool:
    """Return True if seat 0 ends the game with its last card."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.hand(0)) == 1
        and len(state.phase.cards) == 3
        and turn_of(state) == 0
    )


def can_others_bid(table: Table) -> bool:
    """Return True if seat 0 is to bid and others may bid after it."""
    phase = table.game and table.game.phase
    return isinstance(phase, Bidding) and phase.queue[0] == 0 and len(phase.queue) > 1


def open_animated_table(
    new_visitor: NewVisitor,
    link: str,
    *,
    speed: str = "normal",
    with_paused_clock: bool = False,
    **options: Any,
) -> Visitor:
    """Return Ada at a table where she is to act."""
    options.setdefault("reduced_motion", "no-preference")
    ada: Visitor = new_visitor(person=ADA, settings={"speed": speed}, **options)
    ada.record_card_moves()
    ada.page.add_init_script(f"({RECORD_CELEBRATIONS})()")
    if with_paused_clock:
        ada.install_clock()
    ada.page.goto(link)
    ada.wait_until_asked()
    ada.wait_until_nothing_moves()
    if with_paused_clock:
        ada.pause_clock()
    return ada


def read_received_tricks(ada: Visitor) -> list[dict[str, Any]]:
    """Return the tricks of the deal in the last state that was received."""
    states = [message for message in ada.received_messages if message.get("view")]
    tricks: list[dict[str, Any]] = states[-1]["view"]["tricks"]
    return tricks


def test_trick_is_swept_face_down_to_its_winner(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table(
        "swept", play_table_until(Config("partnership", 4), ADA, must_lose_trick)
    )
    ada = open_animated_table(new_visitor, link)
    assert "sweep" not in ada.recorded_move_kinds()
    cards = ada.page.locator(".layer .card").count()
    ada.mark_cards()
    before = len(read_received_tricks(ada))
    ada.take_action()
    ada.wait_for_move_kind("sweep")
    winner = read_received_tricks(ada)[before]["winner"]
    ada.page.wait_for_function(SWEEP_HAS_ENDED)
    cards_swept = ada.page.evaluate(MEASURE_SWEPT_CARDS, winner - 1)
    assert len(cards_swept) == 4
    assert all(distance < 60 and is_face_down for distance, is_face_down in cards_swept), (
        cards_swept
    )
    assert ada.page.locator(".layer .card").count() == cards
    assert ada.has_same_cards()


def test_with_reduced_motion_nothing_moves(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table("calm", play_table_until(Config("partnership", 4), ADA, is_mid_trick))
    ada = open_animated_table(new_visitor, link, reduced_motion="reduce")
    before = len(read_received_tricks(ada))
    ada.take_action()
    ada.page.wait_for_function(
        "(n) => document.querySelectorAll('.layer .card.unseen').length >= n", arg=4 * before + 4
    )
    ada.wait_until_asked()
    assert ada.recorded_move_kinds() == set()
    assert ada.page.locator(".card.sweep").count() == 0


def test_instant_speed_has_no_delays(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table(
        "hasty", play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    ada = open_animated_table(new_visitor, link, speed="instant")
    for _ in range(3):
        ada.take_action()
        ada.wait_until_asked()
    assert ada.recorded_move_kinds() <= {"slide"}
    delays = ada.page.eval_on_selector_all(
        ".layer .card", "(all) => [...new Set(all.map((c) => c.style.getPropertyValue('--after')))]"
    )
    assert delays == ["0ms"]


def test_each_bid_is_a_bubble_at_its_seat(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(settings={"speed": "fast"})
    ada.page.add_init_script(f"({RECORD_BUBBLES})()")
    ada.open_home()
    ada.play_now("three-handed")
    ada.wants_to_bid = False
    ada.wait_until_asked()
    ada.take_action()
    ada.wait_until_asked()
    calls = [[seat - 1, words] for seat, words in list_calls(ada.received_messages) if seat]
    bubbles = ada.page.evaluate("() => window.bubbles")
    assert calls
    assert [one for one in bubbles if one[1].isdigit() or one[1] == "Pass"] == calls


def list_calls(messages: list[Any]) -> list[tuple[int, str]]:
    """Return seat and text of each bid and pass in the messages, up to the end of the auction."""
    events = (event for one in messages for event in one.get("events", []))
    # Where all pass, the page waits to be read before it shows what it was told of the next deal.
    auction = itertools.takewhile(lambda event: event["type"] != "ThrownIn", events)
    return [
        (event["seat"], str(event["points"]) if event["type"] == "BidMade" else "Pass")
        for event in auction
        if event["type"] in ("BidMade", "Passed")
    ]


def have_others_called(messages: list[Any]) -> bool:
    """Return True if Ada is asked again, or the auction is over."""
    return any(one.get("decision") or one["view"]["kind"] != "bid" for one in messages)


@pytest.mark.parametrize(("variant", "players"), [("partnership", 4), ("five-card", 9)])
def test_bid_bubbles_cover_only_backs_of_cards(
    new_visitor: NewVisitor, server: Server, variant: str, players: int
) -> None:
    """Each call of an auction is looked at while its bubble stands; it may cover backs of cards."""
    entries = play_table_until(Config(variant, players), ADA, can_others_bid)
    link = server.store_table(f"bubbles-{variant}", entries)
    ada = open_animated_table(
        new_visitor, link, speed="slow", reduced_motion="reduce", with_paused_clock=True
    )
    before = len(ada.received_messages)
    ada.take_action()
    ada.wait_until(
        lambda: have_others_called(ada.received_messages[before:]), "the auction goes on"
    )
    calls = list_calls(ada.received_messages[before:])
    assert any(seat for seat, _ in calls)
    faults: list[str] = []
    for seat, words in calls:
        chair = ada.page.locator(".chair").nth(seat - 1) if seat else ada.page.locator(".own")
        bubble = chair.locator(".call")
        for _ in range(100):  # to the moment at which the page shows it
            if bubble.all_inner_texts() == [words]:
                break
            ada.advance_clock(50)
        expect(bubble).to_have_text(words)
        for size in ("small-phone", "phone", "landscape-phone"):
            ada.resize(VIEWPORTS[size])
            assert bubble.count() == 1
            covering = [fault for fault in find_layout_faults(ada.page) if "div.call" in fault]
            faults += [f"{size}: {fault}" for fault in covering if "a card" not in fault]
    assert not faults, faults


@pytest.mark.parametrize(
    ("speed", "ends"), [("fast", "by a key"), ("fast", "by itself"), ("instant", "")]
)
def test_won_game_is_celebrated_for_a_moment_or_until_a_key(
    new_visitor: NewVisitor, server: Server, speed: str, ends: str
) -> None:
    entries = play_table_until(
        Config("partnership", 4, options={"hands": 1}), ADA, is_last_card_of_game
    )
    name = f"celebration-{speed}-{ends.replace(' ', '-')}"
    ada = open_animated_table(
        new_visitor, server.store_table(name, entries), speed=speed, with_paused_clock=True
    )
    ada.take_action()
    ada.wait_until(lambda: ada.received_messages[-1]["table"]["over"], "the game is over")
    for _ in range(100):  # to the moment at which the page shows it
        if ada.panel(GAME_OVER).is_visible():
            break
        ada.advance_clock(50)
    expect(ada.panel(GAME_OVER)).to_be_visible()
    celebration = ada.page.locator(".celebration")
    if speed == "fast":
        celebration.wait_for(state="attached")  # and there it stays: its clock stands still
        assert ada.page.evaluate("() => window.celebrations") == ["none"]
        if ends == "by a key":
            ada.page.keyboard.press("Shift")
        else:
            ada.advance_clock(2_000)
    expect(celebration).to_have_count(0)
    expect(ada.panel(GAME_OVER)).to_be_visible()
    assert len(ada.page.evaluate("() => window.celebrations")) == (speed == "fast")
