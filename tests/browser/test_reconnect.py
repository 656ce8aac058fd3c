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
from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.page import RESULT, STYLED, Visitor
from tests.browser.server_process import Server, log_until
from tests.browser.test_two_players import ADA, BOB, open_shared_table, play_together

LOST = "Connection lost. Trying again…"
SILENT = "The table does not answer. Waiting…"
BROKEN = (
    r"WebSocket connection to|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_SOCKET_NOT|ERR_EMPTY"
)
"""What Chromium says of a lost connection; the last of a request on one that was just cut."""


def is_mid_trick(table: Table) -> bool:
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
def ada(
    visit: Visit, server: Server, proxy: CuttableProxy, request: pytest.FixtureRequest
) -> Visitor:
    """Ada, alone with bots in the middle of a trick."""
    link = server.store_table(
        request.node.name, log_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    visitor: Visitor = visit(at=proxy, person=ADA)
    visitor.page.goto(link.replace(server.url, proxy.url))
    assert visitor.wait_until_asked()["asks"] == "play"
    return visitor


def shown_state(visitor: Visitor) -> Any:
    """All that the page shows of the game."""
    lying = visitor.page.get_by_text("The table:").inner_text()
    return (
        visitor.state(),
        visitor.hand(),
        visitor.legal_positions(),
        sorted(visitor.face_up_ranks()),
        lying,
    )


def test_a_page_that_is_loaded_again_in_mid_trick_shows_the_same(ada: Visitor) -> None:
    before = shown_state(ada)
    ada.page.reload()
    ada.wait_until_asked()
    assert shown_state(ada) == before
    ada.play_deal()


def test_a_lost_connection_comes_back_without_a_flicker(ada: Visitor, proxy: CuttableProxy) -> None:
    ada.expected_errors.append(BROKEN)
    before = shown_state(ada)
    ada.mark_cards()
    proxy.cut()
    ada.page.get_by_text(LOST).wait_for()
    assert shown_state(ada) == before
    proxy.restore()
    ada.page.get_by_text(LOST).wait_for(state="detached")
    assert shown_state(ada) == before
    assert ada.has_same_cards()
    assert ada.recorded_flickers() == []
    ada.play_deal()
    assert ada.has_same_cards()


def test_a_server_that_does_not_answer_is_named_and_what_was_tapped_is_done(
    ada: Visitor, proxy: CuttableProxy
) -> None:
    seq = ada.state()["seq"]
    ada.mark_cards()
    proxy.freeze()
    ada._play()
    expect(ada.page.get_by_text(SILENT)).to_be_visible()
    assert ada.state()["seq"] == seq
    proxy.restore()
    ada.wait_for_seq_after(seq)
    expect(ada.page.get_by_text(SILENT)).to_have_count(0)
    ada.take_step()
    assert ada.has_same_cards()


@pytest.mark.parametrize("kept", ["**/later-*.js", "**/later-*.css"], ids=["code", "style"])
def test_what_a_lost_connection_kept_from_coming_is_fetched_when_it_is_back(
    visit: Visit, server: Server, proxy: CuttableProxy, kept: str
) -> None:
    """The score sheet comes with the first deal; cut off just then, it comes all the same."""
    link = server.store_table(
        f"fetched-{kept[-2:]}", log_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    ada = visit(at=proxy, person=ADA)
    ada.expected_errors += [BROKEN, "Failed to load resource"]
    asked: list[str] = []

    def abort(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    ada.page.route(kept, abort)
    ada.page.goto(link.replace(server.url, proxy.url))
    ada.wait_until_asked()
    assert asked
    proxy.cut()
    ada.page.get_by_text(LOST).wait_for()
    ada.page.unroute(kept)
    proxy.restore()
    ada.page.get_by_text(LOST).wait_for(state="detached")
    assert ada.play_deal()[-1] == RESULT
    ada.page.wait_for_function(STYLED)


def test_what_was_missed_is_shown_one_by_one(visit: Visit, proxy: CuttableProxy) -> None:
    ada, bob = open_shared_table(visit, proxy)
    play_together([ada, bob], lambda: len(ada.hand()) < 12 and ada.state()["asks"] == "play")
    bob.expected_errors.append(BROKEN)
    bob.mark_cards()
    proxy.cut()
    bob.page.get_by_text(LOST).wait_for()
    known, before = bob.state()["seq"], len(bob.frames)
    ada.say_phrase("Hello!")
    ada.wait_for_seq_after(known)
    ada.take_step()
    ada.wait_for_seq_after(known + 1)
    later = ada.wait_until_settled()["seq"]
    assert bob.state()["seq"] == known
    proxy.restore()
    bob.page.wait_for_function(
        "(seq) => Number(document.querySelector('[data-phase]').dataset.seq) >= seq", arg=later
    )
    states = [frame["seq"] for frame in bob.frames[before:] if frame["type"] == "state"]
    assert [seq for seq in states if known < seq <= later] == list(range(known + 1, later + 1))
    assert bob.has_same_cards()
    assert bob.recorded_flickers() == []
    left = len(bob.hand())
    play_together([ada, bob], lambda: len(bob.hand()) < left)


def test_a_server_that_is_killed_and_started_again_goes_on_by_itself(
    visit: Visit, own_server: Server
) -> None:
    link = own_server.store_table("mortal", log_until(Config("partnership", 4), ADA, is_mid_trick))
    ada: Visitor = visit(at=own_server, person=ADA)
    ada.expected_errors.append(BROKEN)
    ada.page.goto(link)
    ada.wait_until_asked()
    before = shown_state(ada)
    ada.mark_cards()
    own_server.stop(signal.SIGKILL)
    ada.page.get_by_text(LOST).wait_for()
    assert shown_state(ada) == before
    ada._play()  # which waits for the server
    seq = before[0]["seq"]
    own_server.start()
    ada.wait_for_seq_after(seq)
    expect(ada.page.get_by_text(LOST)).to_have_count(0)
    assert ada.has_same_cards()
    assert ada.recorded_flickers() == []
    assert ada.play_deal()[-1] == RESULT


def test_a_table_of_two_survives_the_server(visit: Visit, own_server: Server) -> None:
    entries = log_until(Config("partnership", 4), ADA, is_mid_trick, others=(BOB,))
    link = own_server.store_table("two", entries)
    ada, bob = visit(at=own_server, person=ADA), visit(at=own_server, person=BOB)
    for one in (ada, bob):
        one.expected_errors.append(BROKEN)
        one.page.goto(link)
        one.wait_until_settled()
    own_server.stop(signal.SIGKILL)
    bob.page.get_by_text(LOST).wait_for()
    own_server.start()
    for one in (ada, bob):
        one.page.get_by_text(LOST).wait_for(state="detached")
    play_together([ada, bob], lambda: ada.state()["panel"] == bob.state()["panel"] == RESULT)
    assert [row[1:] for row in ada.sheet()] == [row[1:] for row in bob.sheet()]
