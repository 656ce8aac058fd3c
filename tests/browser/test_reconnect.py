"""A page that is loaded again, cut off, or whose server is killed, is where it was."""

from __future__ import annotations

import signal
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from acesaround.game.state import Playing
from acesaround.game.view import turn_of
from acesaround.table import Config, Table
from tests.browser.conftest import Visit
from tests.browser.cuttable_proxy import Wire
from tests.browser.page import RESULT, STYLED, Visitor
from tests.browser.server import Server, prepared
from tests.browser.test_together import ADA, BOB, at_a_table, together

LOST = "Connection lost. Trying again…"
SILENT = "The table does not answer. Waiting…"
BROKEN = (
    r"WebSocket connection to|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_SOCKET_NOT|ERR_EMPTY"
)
"""What Chromium says of a lost connection; the last of a request on one that was just cut."""


def in_mid_trick(table: Table) -> bool:
    """Whether seat 0 is to play to a trick that others have begun, a few tricks into the play."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.phase.cards) > 1
        and 3 < len(state.hand(0)) < 10
        and turn_of(state) == 0
    )


@pytest.fixture
def ada(visit: Visit, server: Server, wire: Wire, request: pytest.FixtureRequest) -> Visitor:
    """Ada, alone with bots in the middle of a trick."""
    link = server.lay(request.node.name, prepared(Config("partnership", 4), ADA, in_mid_trick))
    visitor: Visitor = visit(at=wire, person=ADA)
    visitor.page.goto(link.replace(server.url, wire.url))
    assert visitor.ready()["asks"] == "play"
    return visitor


def seen(visitor: Visitor) -> Any:
    """All that the page shows of the game."""
    lying = visitor.page.get_by_text("The table:").inner_text()
    return visitor.state(), visitor.hand(), visitor.legal(), sorted(visitor.faces()), lying


def test_a_page_that_is_loaded_again_in_mid_trick_shows_the_same(ada: Visitor) -> None:
    before = seen(ada)
    ada.page.reload()
    ada.ready()
    assert seen(ada) == before
    ada.deal()


def test_a_lost_connection_comes_back_without_a_flicker(ada: Visitor, wire: Wire) -> None:
    ada.expected.append(BROKEN)
    before = seen(ada)
    ada.mark()
    wire.cut()
    ada.page.get_by_text(LOST).wait_for()
    assert seen(ada) == before
    wire.mend()
    ada.page.get_by_text(LOST).wait_for(state="detached")
    assert seen(ada) == before
    assert ada.same_cards()
    assert ada.flickers() == []
    ada.deal()
    assert ada.same_cards()


def test_a_server_that_does_not_answer_is_named_and_what_was_tapped_is_done(
    ada: Visitor, wire: Wire
) -> None:
    seq = ada.state()["seq"]
    ada.mark()
    wire.freeze()
    ada._play()
    expect(ada.page.get_by_text(SILENT)).to_be_visible()
    assert ada.state()["seq"] == seq
    wire.mend()
    ada.moved(seq)
    expect(ada.page.get_by_text(SILENT)).to_have_count(0)
    ada.step()
    assert ada.same_cards()


@pytest.mark.parametrize("kept", ["**/later-*.js", "**/later-*.css"], ids=["code", "style"])
def test_what_a_lost_connection_kept_from_coming_is_fetched_when_it_is_back(
    visit: Visit, server: Server, wire: Wire, kept: str
) -> None:
    """The score sheet comes with the first deal; cut off just then, it comes all the same."""
    link = server.lay(f"fetched-{kept[-2:]}", prepared(Config("partnership", 4), ADA, in_mid_trick))
    ada = visit(at=wire, person=ADA)
    ada.expected += [BROKEN, "Failed to load resource"]
    asked: list[str] = []

    def abort(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    ada.page.route(kept, abort)
    ada.page.goto(link.replace(server.url, wire.url))
    ada.ready()
    assert asked
    wire.cut()
    ada.page.get_by_text(LOST).wait_for()
    ada.page.unroute(kept)
    wire.mend()
    ada.page.get_by_text(LOST).wait_for(state="detached")
    assert ada.deal()[-1] == RESULT
    ada.page.wait_for_function(STYLED)


def test_what_was_missed_is_shown_one_by_one(visit: Visit, wire: Wire) -> None:
    ada, bob = at_a_table(visit, wire)
    together([ada, bob], lambda: len(ada.hand()) < 12 and ada.state()["asks"] == "play")
    bob.expected.append(BROKEN)
    bob.mark()
    wire.cut()
    bob.page.get_by_text(LOST).wait_for()
    known, before = bob.state()["seq"], len(bob.frames)
    ada.say("Hello!")
    ada.moved(known)
    ada.step()
    ada.moved(known + 1)
    later = ada.still()["seq"]
    assert bob.state()["seq"] == known
    wire.mend()
    bob.page.wait_for_function(
        "(seq) => Number(document.querySelector('[data-phase]').dataset.seq) >= seq", arg=later
    )
    states = [frame["seq"] for frame in bob.frames[before:] if frame["type"] == "state"]
    assert [seq for seq in states if known < seq <= later] == list(range(known + 1, later + 1))
    assert bob.same_cards()
    assert bob.flickers() == []
    left = len(bob.hand())
    together([ada, bob], lambda: len(bob.hand()) < left)


def test_a_server_that_is_killed_and_started_again_goes_on_by_itself(
    visit: Visit, mortal: Server
) -> None:
    link = mortal.lay("mortal", prepared(Config("partnership", 4), ADA, in_mid_trick))
    ada: Visitor = visit(at=mortal, person=ADA)
    ada.expected.append(BROKEN)
    ada.page.goto(link)
    ada.ready()
    before = seen(ada)
    ada.mark()
    mortal.stop(signal.SIGKILL)
    ada.page.get_by_text(LOST).wait_for()
    assert seen(ada) == before
    ada._play()  # which waits for the server
    seq = before[0]["seq"]
    mortal.start()
    ada.moved(seq)
    expect(ada.page.get_by_text(LOST)).to_have_count(0)
    assert ada.same_cards()
    assert ada.flickers() == []
    assert ada.deal()[-1] == RESULT


def test_a_table_of_two_survives_the_server(visit: Visit, mortal: Server) -> None:
    entries = prepared(Config("partnership", 4), ADA, in_mid_trick, others=(BOB,))
    link = mortal.lay("two", entries)
    ada, bob = visit(at=mortal, person=ADA), visit(at=mortal, person=BOB)
    for one in (ada, bob):
        one.expected.append(BROKEN)
        one.page.goto(link)
        one.still()
    mortal.stop(signal.SIGKILL)
    bob.page.get_by_text(LOST).wait_for()
    mortal.start()
    for one in (ada, bob):
        one.page.get_by_text(LOST).wait_for(state="detached")
    together([ada, bob], lambda: ada.state()["panel"] == bob.state()["panel"] == RESULT)
    assert [row[1:] for row in ada.sheet()] == [row[1:] for row in bob.sheet()]
