"""What is seen to move, where to, and where nothing may."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from acesaround import game
from acesaround.actions import Play
from acesaround.events import TrickWon
from acesaround.state import Bidding, Playing
from acesaround.table import Config, Table
from acesaround.view import turn_of
from tests.browser.boxes import SIZES, boxes
from tests.browser.conftest import Visit
from tests.browser.page import OVER, Visitor
from tests.browser.server import Server, prepared
from tests.browser.test_reconnect import in_mid_trick
from tests.browser.test_together import ADA

# From now on: the ways by which cards were seen to move, and every bubble with its seat's place.
WATCH = """() => {
  window.ways = new Set();
  window.called = [];
  const stands = []; // the words at each seat
  const look = () => {
    for (const one of document.getAnimations()) {
      const card = one.effect.target.closest?.('.layer .card');
      if (card) for (const way of ['deal', 'play', 'pass', 'sweep', 'fan', 'slide'])
        if (card.classList.contains(way)) window.ways.add(way);
    }
    document.querySelectorAll('.chair').forEach((chair, i) => {
      const words = chair.querySelector('.call')?.innerText.trim();
      if (words && stands[i] !== words) window.called.push([i, words]);
      stands[i] = words;
    });
    requestAnimationFrame(look);
  };
  look();
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

# The bubbles that stand, each with its seat, and whether there are others than those seen.
CALL = """() => [...document.querySelectorAll('.call')].map((call) => {
  const seat = call.closest('.chair')?.querySelector('strong').innerText ?? 'own';
  return `${seat}: ${call.innerText.trim()}`;
}).join()"""
NEW_CALL = f"(seen) => {{ const now = ({CALL})(); return now && !seen.includes(now) }}"


def lost_to_another(table: Table) -> bool:
    """Whether seat 0 ends a trick that it cannot win, whatever it plays."""
    if table.game is None or not in_mid_trick(table):
        return False
    phase = table.game.phase
    assert isinstance(phase, Playing)
    if len(phase.cards) < 3:
        return False
    moves = [move for move in game.decision(table.game).legal if isinstance(move, Play)]
    events = [event for move in moves for event in game.apply(table.game, move)[1]]
    return all(event.seat for event in events if isinstance(event, TrickWon))


def last_card(table: Table) -> bool:
    """Whether seat 0 ends the game with its last card."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.hand(0)) == 1
        and len(state.phase.cards) == 3
        and turn_of(state) == 0
    )


def others_may_bid(table: Table) -> bool:
    """Whether seat 0 is to bid and somebody may after it."""
    phase = table.game and table.game.phase
    return isinstance(phase, Bidding) and phase.queue[0] == 0 and len(phase.queue) > 1


def at_normal_speed(visit: Visit, link: str, **more: Any) -> Visitor:
    """Ada at a table where she is to play."""
    ada: Visitor = visit(person=ADA, settings={"speed": more.pop("speed", "normal")}, **more)
    ada.page.goto(link)
    ada.ready()
    ada.page.evaluate(WATCH)
    return ada


def tricks(ada: Visitor) -> list[dict[str, Any]]:
    """The tricks of the deal by what the server said last."""
    told: list[dict[str, Any]] = [one for one in ada.frames if one.get("view")][-1]["view"][
        "tricks"
    ]
    return told


def test_a_trick_is_swept_to_its_winner_all_cards_face_down(visit: Visit, server: Server) -> None:
    link = server.lay("swept", prepared(Config("partnership", 4), ADA, lost_to_another))
    ada = at_normal_speed(visit, link)
    cards = ada.page.locator(".layer .card").count()
    ada.mark()
    before = len(tricks(ada))
    ada.step()
    ada.page.wait_for_function("() => window.ways.has('sweep')")
    winner = tricks(ada)[before]["winner"]
    ada.page.wait_for_function(LIE)
    found = ada.page.evaluate(AWAY, winner - 1)
    assert len(found) == 4
    assert all(away < 60 and back for away, back in found), found
    assert ada.page.locator(".layer .card").count() == cards
    assert ada.same_cards()


def test_with_reduced_motion_nothing_moves(visit: Visit, server: Server) -> None:
    link = server.lay("calm", prepared(Config("partnership", 4), ADA, in_mid_trick))
    ada = at_normal_speed(visit, link, reduced_motion="reduce")
    before = len(tricks(ada))
    ada.step()
    ada.page.wait_for_function(
        "(n) => document.querySelectorAll('.layer .card.unseen').length >= n", arg=4 * before + 4
    )
    ada.ready()
    assert ada.page.evaluate("() => [...window.ways]") == []
    assert ada.page.locator(".card.sweep").count() == 0


def test_at_once_means_that_nothing_is_staged(visit: Visit, server: Server) -> None:
    link = server.lay("hasty", prepared(Config("partnership", 4), ADA, in_mid_trick))
    ada = at_normal_speed(visit, link, speed="instant")
    for _ in range(3):
        ada.step()
        ada.ready()
    assert set(ada.page.evaluate("() => [...window.ways]")) <= {"slide"}
    delays = ada.page.eval_on_selector_all(
        ".layer .card", "(all) => [...new Set(all.map((c) => c.style.getPropertyValue('--after')))]"
    )
    assert delays == ["0ms"]


def test_a_call_is_a_bubble_at_its_seat(visit: Visit) -> None:
    ada: Visitor = visit(settings={"speed": "fast"})
    ada.page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH})")
    ada.home()
    ada.play_now("three-handed")
    ada.keen = False
    ada.ready()
    ada.step()
    ada.ready()
    made = (event for one in ada.frames for event in one.get("events", []))
    # Where all pass, the page waits to be read before it shows what it was told of the next deal.
    auction = itertools.takewhile(lambda event: event["type"] != "ThrownIn", made)
    calls = [
        [event["seat"] - 1, str(event["points"]) if event["type"] == "BidMade" else "Pass"]
        for event in auction
        if event["type"] in ("BidMade", "Passed") and event["seat"]
    ]
    seen = ada.page.evaluate("() => window.called")
    assert calls
    assert [one for one in seen if one[1].isdigit() or one[1] == "Pass"] == calls


@pytest.mark.parametrize("size", ["little", "phone", "lying"])
@pytest.mark.parametrize(("variant", "players"), [("partnership", 4), ("five-card", 9)])
def test_no_bubble_stands_over_what_is_read(
    visit: Visit, server: Server, size: str, variant: str, players: int
) -> None:
    """Each call of an auction is looked at while its bubble stands; it may cover backs of cards."""
    width, height = SIZES[size]
    entries = prepared(Config(variant, players), ADA, others_may_bid)
    link = server.lay(f"bubbles-{variant}-{size}", entries)
    viewport = {"width": width, "height": height}
    more = {"speed": "slow", "reduced_motion": "reduce", "viewport": viewport}
    ada = at_normal_speed(visit, link, **more)
    ada.step()
    seen: set[str] = set()
    found: set[str] = set()
    for _ in range(players):
        try:
            ada.page.wait_for_function(NEW_CALL, arg=sorted(seen), timeout=4000)
        except TimeoutError:
            break
        seen.add(ada.page.evaluate(CALL))
        calls = [fault for fault in boxes(ada.page) if "div.call" in fault]
        found.update(fault for fault in calls if "a card" not in fault)
    assert any(not call.startswith("own") for call in seen), seen
    assert not found, found


@pytest.mark.parametrize("speed", ["fast", "instant"])
def test_a_game_won_is_celebrated_and_any_key_goes_on(
    visit: Visit, server: Server, speed: str
) -> None:
    entries = prepared(Config("partnership", 4, options={"hands": 1}), ADA, last_card)
    ada = at_normal_speed(visit, server.lay(f"feast-{speed}", entries), speed=speed)
    ada.step()
    ada.panel(OVER).wait_for()
    if speed == "instant":
        assert ada.page.locator(".celebration").count() == 0
        return
    feast = ada.page.locator(".celebration")
    feast.wait_for(state="attached")
    assert feast.evaluate("(one) => getComputedStyle(one).pointerEvents") == "none"
    ada.page.keyboard.press("Shift")
    feast.wait_for(state="detached")
    assert ada.panel(OVER).is_visible()
