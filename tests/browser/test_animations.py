"""What is seen to move, where to, and where nothing may."""

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
from tests.browser.page_objects.browser_page import NO_ANIMATION_RUNS
from tests.browser.page_objects.table_page import GAME_OVER
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_mid_trick
from tests.browser.table_setup import ADA
from tests.browser.viewports import VIEWPORTS
from tests.table_logs import play_table_until

# Three layouts: after a change of size the line of what to do is measured, and then hidden where it
# has no room. Observers run with real frames, also while the clock of the page stands still.
LAID_OUT = """async () => {
  for (let i = 0; i < 3; i++)
    await new Promise((done) => {
      const observer = new ResizeObserver(() => { observer.disconnect(); done(); });
      observer.observe(document.body);
    });
}"""
# From now on: every bubble with its seat's place. It is told of every change, however short.
CALLS = """() => {
  window.called = [];
  const stands = []; // the words at each seat
  new MutationObserver(() => document.querySelectorAll('.chair').forEach((chair, i) => {
    const words = chair.querySelector('.call')?.textContent.trim();
    if (words && stands[i] !== words) window.called.push([i, words]);
    stands[i] = words;
  })).observe(document, { childList: true, characterData: true, subtree: true });
}"""
# From now on: whether each celebration lets taps through, at the moment at which it comes.
FEASTS = """() => {
  window.feasts = [];
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => {
    for (const node of addedNodes) if (node.classList?.contains('celebration'))
      window.feasts.push(getComputedStyle(node).pointerEvents);
  })).observe(document, { childList: true, subtree: true });
}"""
LIE = """() => [...document.querySelectorAll('.layer .card.sweep')]
  .every((card) => !card.getAnimations().some((one) => one.playState === 'running'))"""
# Where the cards of the last trick have come to lie, from the middle of the winner's seat.
AWAY = """(chair) => {
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const seat = middle(document.querySelectorAll('.chair')[chair].getBoundingClientRect());
  return [...document.querySelectorAll('.layer .card.sweep')].map((card) => {
    const at = middle(card.getBoundingClientRect());
    return [Math.hypot(at[0] - seat[0], at[1] - seat[1]), card.classList.contains('back')];
  });
}"""


def loses_trick(table: Table) -> bool:
    """Whether seat 0 ends a trick that it cannot win, whatever it plays."""
    if table.game is None or not is_mid_trick(table):
        return False
    phase = table.game.phase
    assert isinstance(phase, Playing)
    if len(phase.cards) < 3:
        return False
    moves = [move for move in game.decision(table.game).legal if isinstance(move, Play)]
    events = [event for move in moves for event in game.apply(table.game, move)[1]]
    return all(event.seat for event in events if isinstance(event, TrickWon))


def is_last_card(table: Table) -> bool:
    """Whether seat 0 ends the game with its last card."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.hand(0)) == 1
        and len(state.phase.cards) == 3
        and turn_of(state) == 0
    )


def can_others_bid(table: Table) -> bool:
    """Whether seat 0 is to bid and somebody may after it."""
    phase = table.game and table.game.phase
    return isinstance(phase, Bidding) and phase.queue[0] == 0 and len(phase.queue) > 1


def open_at_normal_speed(new_visitor: NewVisitor, link: str, **more: Any) -> Visitor:
    """Ada at a table where she is to act. `stopped`: on a page whose clock stands still."""
    stopped = more.pop("stopped", False)
    ada: Visitor = new_visitor(person=ADA, settings={"speed": more.pop("speed", "normal")}, **more)
    ada.record_card_moves()
    ada.page.add_init_script(f"({FEASTS})()")
    if stopped:
        ada.install_clock()
    ada.page.goto(link)
    ada.wait_until_asked()
    ada.wait_until_nothing_moves()
    if stopped:
        ada.pause_clock()
    return ada


def shown_tricks(ada: Visitor) -> list[dict[str, Any]]:
    """The tricks of the deal by what the server said last."""
    told: list[dict[str, Any]] = [one for one in ada.received_messages if one.get("view")][-1][
        "view"
    ]["tricks"]
    return told


def test_a_trick_is_swept_to_its_winner_all_cards_face_down(
    new_visitor: NewVisitor, server: Server
) -> None:
    link = server.store_table("swept", play_table_until(Config("partnership", 4), ADA, loses_trick))
    ada = open_at_normal_speed(new_visitor, link)
    assert "sweep" not in ada.recorded_move_kinds()
    cards = ada.page.locator(".layer .card").count()
    ada.mark_cards()
    before = len(shown_tricks(ada))
    ada.take_action()
    ada.wait_for_move_kind("sweep")
    winner = shown_tricks(ada)[before]["winner"]
    ada.page.wait_for_function(LIE)
    found = ada.page.evaluate(AWAY, winner - 1)
    assert len(found) == 4
    assert all(away < 60 and back for away, back in found), found
    assert ada.page.locator(".layer .card").count() == cards
    assert ada.has_same_cards()


def test_with_reduced_motion_nothing_moves(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table("calm", play_table_until(Config("partnership", 4), ADA, is_mid_trick))
    ada = open_at_normal_speed(new_visitor, link, reduced_motion="reduce")
    before = len(shown_tricks(ada))
    ada.take_action()
    ada.page.wait_for_function(
        "(n) => document.querySelectorAll('.layer .card.unseen').length >= n", arg=4 * before + 4
    )
    ada.wait_until_asked()
    assert ada.recorded_move_kinds() == set()
    assert ada.page.locator(".card.sweep").count() == 0


def test_at_once_means_that_nothing_is_staged(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table(
        "hasty", play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    ada = open_at_normal_speed(new_visitor, link, speed="instant")
    for _ in range(3):
        ada.take_action()
        ada.wait_until_asked()
    assert ada.recorded_move_kinds() <= {"slide"}
    delays = ada.page.eval_on_selector_all(
        ".layer .card", "(all) => [...new Set(all.map((c) => c.style.getPropertyValue('--after')))]"
    )
    assert delays == ["0ms"]


def test_a_call_is_a_bubble_at_its_seat(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(settings={"speed": "fast"})
    ada.page.add_init_script(f"({CALLS})()")
    ada.open_home()
    ada.play_now("three-handed")
    ada.wants_to_bid = False
    ada.wait_until_asked()
    ada.take_action()
    ada.wait_until_asked()
    calls = [[seat - 1, words] for seat, words in calls_in(ada.received_messages) if seat]
    seen = ada.page.evaluate("() => window.called")
    assert calls
    assert [one for one in seen if one[1].isdigit() or one[1] == "Pass"] == calls


def calls_in(frames: list[Any]) -> list[tuple[int, str]]:
    """Who called what, by the messages of a server, up to the end of the auction."""
    made = (event for one in frames for event in one.get("events", []))
    # Where all pass, the page waits to be read before it shows what it was told of the next deal.
    auction = itertools.takewhile(lambda event: event["type"] != "ThrownIn", made)
    return [
        (event["seat"], str(event["points"]) if event["type"] == "BidMade" else "Pass")
        for event in auction
        if event["type"] in ("BidMade", "Passed")
    ]


def is_over(frames: list[Any]) -> bool:
    """Whether others have called all that they call: Ada is asked again, or the auction is over."""
    return any(one.get("decision") or one["view"]["kind"] != "bid" for one in frames)


@pytest.mark.parametrize(("variant", "players"), [("partnership", 4), ("five-card", 9)])
def test_no_bubble_stands_over_what_is_read(
    new_visitor: NewVisitor, server: Server, variant: str, players: int
) -> None:
    """Each call of an auction is looked at while its bubble stands; it may cover backs of cards."""
    entries = play_table_until(Config(variant, players), ADA, can_others_bid)
    link = server.store_table(f"bubbles-{variant}", entries)
    ada = open_at_normal_speed(
        new_visitor, link, speed="slow", reduced_motion="reduce", stopped=True
    )
    before = len(ada.received_messages)
    ada.take_action()
    ada.wait_until(lambda: is_over(ada.received_messages[before:]), "the auction goes on")
    calls = calls_in(ada.received_messages[before:])
    assert any(seat for seat, _ in calls)
    found: list[str] = []
    for seat, words in calls:
        chair = ada.page.locator(".chair").nth(seat - 1) if seat else ada.page.locator(".own")
        bubble = chair.locator(".call")
        for _ in range(100):  # to the moment at which the page shows it
            if bubble.all_inner_texts() == [words]:
                break
            ada.advance_clock(50)
        expect(bubble).to_have_text(words)
        for size in ("small-phone", "phone", "landscape-phone"):
            ada.page.set_viewport_size(VIEWPORTS[size])
            ada.advance_clock(50)
            ada.page.evaluate(LAID_OUT)
            ada.page.wait_for_function(NO_ANIMATION_RUNS)
            assert bubble.count() == 1
            said = [fault for fault in find_layout_faults(ada.page) if "div.call" in fault]
            found += [f"{size}: {fault}" for fault in said if "a card" not in fault]
    assert not found, found


@pytest.mark.parametrize(
    ("speed", "ends"), [("fast", "by a key"), ("fast", "by itself"), ("instant", "")]
)
def test_a_game_won_is_celebrated_for_a_moment_or_until_any_key(
    new_visitor: NewVisitor, server: Server, speed: str, ends: str
) -> None:
    entries = play_table_until(Config("partnership", 4, options={"hands": 1}), ADA, is_last_card)
    name = f"feast-{speed}-{ends.replace(' ', '-')}"
    ada = open_at_normal_speed(
        new_visitor, server.store_table(name, entries), speed=speed, stopped=True
    )
    ada.take_action()
    ada.wait_until(lambda: ada.received_messages[-1]["table"]["over"], "the game is over")
    for _ in range(100):  # to the moment at which the page shows it
        if ada.panel(GAME_OVER).is_visible():
            break
        ada.advance_clock(50)
    expect(ada.panel(GAME_OVER)).to_be_visible()
    feast = ada.page.locator(".celebration")
    if speed == "fast":
        feast.wait_for(state="attached")  # and there it stays: its clock stands still
        assert ada.page.evaluate("() => window.feasts") == ["none"]
        if ends == "by a key":
            ada.page.keyboard.press("Shift")
        else:
            ada.advance_clock(2_000)
    expect(feast).to_have_count(0)
    expect(ada.panel(GAME_OVER)).to_be_visible()
    assert len(ada.page.evaluate("() => window.feasts")) == (speed == "fast")
