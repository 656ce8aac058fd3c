"""A page that is loaded again, cut off, or whose server is killed, is where it was."""

from __future__ import annotations

import signal
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from acesaround.table import Config
from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.page_objects.browser_page import STYLESHEETS_LOADED
from tests.browser.page_objects.table_page import DEAL_OVER
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_mid_trick
from tests.browser.table_setup import ADA, BOB, open_shared_table, play_together
from tests.table_logs import play_table_until

LOST = "Connection lost. Trying again…"
SILENT = "The table does not answer. Waiting…"
BROKEN = (
    r"WebSocket connection to|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_SOCKET_NOT|ERR_EMPTY"
)
"""What Chromium says of a lost connection; the last of a request on one that was just cut."""


@pytest.fixture
def ada(
    new_visitor: NewVisitor, server: Server, proxy: CuttableProxy, request: pytest.FixtureRequest
) -> Visitor:
    """Ada, alone with bots in the middle of a trick."""
    link = server.store_table(
        request.node.name, play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    visitor: Visitor = new_visitor(at=proxy, person=ADA)
    visitor.page.goto(link.replace(server.url, proxy.url))
    assert visitor.wait_until_asked()["asks"] == "play"
    return visitor


def shown_state(visitor: Visitor) -> Any:
    """All that the page shows of the game."""
    lying = visitor.page.get_by_text("The table:").inner_text()
    return (
        visitor.table_state(),
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
    seq = ada.table_state()["seq"]
    ada.mark_cards()
    proxy.freeze()
    ada.play_card_or_meld()
    expect(ada.page.get_by_text(SILENT)).to_be_visible()
    assert ada.table_state()["seq"] == seq
    proxy.restore()
    ada.wait_for_seq_after(seq)
    expect(ada.page.get_by_text(SILENT)).to_have_count(0)
    ada.take_action()
    assert ada.has_same_cards()


@pytest.mark.parametrize("kept", ["**/later-*.js", "**/later-*.css"], ids=["code", "style"])
def test_what_a_lost_connection_kept_from_coming_is_fetched_when_it_is_back(
    new_visitor: NewVisitor, server: Server, proxy: CuttableProxy, kept: str
) -> None:
    """The score sheet comes with the first deal; cut off just then, it comes all the same."""
    link = server.store_table(
        f"fetched-{kept[-2:]}", play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    ada = new_visitor(at=proxy, person=ADA)
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
    assert ada.play_deal()[-1] == DEAL_OVER
    ada.page.wait_for_function(STYLESHEETS_LOADED)


def test_what_was_missed_is_shown_one_by_one(new_visitor: NewVisitor, proxy: CuttableProxy) -> None:
    ada, bob = open_shared_table(new_visitor, proxy)
    play_together([ada, bob], lambda: len(ada.hand()) < 12 and ada.table_state()["asks"] == "play")
    bob.expected_errors.append(BROKEN)
    bob.mark_cards()
    proxy.cut()
    bob.page.get_by_text(LOST).wait_for()
    known, before = bob.table_state()["seq"], len(bob.received_messages)
    ada.send_phrase("Hello!")
    ada.wait_for_seq_after(known)
    ada.take_action()
    ada.wait_for_seq_after(known + 1)
    later = ada.wait_until_settled()["seq"]
    assert bob.table_state()["seq"] == known
    proxy.restore()
    bob.page.wait_for_function(
        "(seq) => Number(document.querySelector('[data-phase]').dataset.seq) >= seq", arg=later
    )
    states = [frame["seq"] for frame in bob.received_messages[before:] if frame["type"] == "state"]
    assert [seq for seq in states if known < seq <= later] == list(range(known + 1, later + 1))
    assert bob.has_same_cards()
    assert bob.recorded_flickers() == []
    left = len(bob.hand())
    play_together([ada, bob], lambda: len(bob.hand()) < left)


def test_a_server_that_is_killed_and_started_again_goes_on_by_itself(
    new_visitor: NewVisitor, own_server: Server
) -> None:
    link = own_server.store_table(
        "mortal", play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    ada: Visitor = new_visitor(at=own_server, person=ADA)
    ada.expected_errors.append(BROKEN)
    ada.page.goto(link)
    ada.wait_until_asked()
    before = shown_state(ada)
    ada.mark_cards()
    own_server.stop(signal.SIGKILL)
    ada.page.get_by_text(LOST).wait_for()
    assert shown_state(ada) == before
    ada.play_card_or_meld()  # which waits for the server
    seq = before[0]["seq"]
    own_server.start()
    ada.wait_for_seq_after(seq)
    expect(ada.page.get_by_text(LOST)).to_have_count(0)
    assert ada.has_same_cards()
    assert ada.recorded_flickers() == []
    assert ada.play_deal()[-1] == DEAL_OVER


def test_a_table_of_two_survives_the_server(new_visitor: NewVisitor, own_server: Server) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, is_mid_trick, others=(BOB,))
    link = own_server.store_table("two", entries)
    ada, bob = new_visitor(at=own_server, person=ADA), new_visitor(at=own_server, person=BOB)
    for one in (ada, bob):
        one.expected_errors.append(BROKEN)
        one.page.goto(link)
        one.wait_until_settled()
    own_server.stop(signal.SIGKILL)
    bob.page.get_by_text(LOST).wait_for()
    own_server.start()
    for one in (ada, bob):
        one.page.get_by_text(LOST).wait_for(state="detached")
    play_together(
        [ada, bob], lambda: ada.table_state()["panel"] == bob.table_state()["panel"] == DEAL_OVER
    )
    assert [row[1:] for row in ada.score_sheet()] == [row[1:] for row in bob.score_sheet()]
