"""Reloading the page, losing the connection, and a server that is killed."""

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
from tests.browser.table_conditions import holds_last_card, is_mid_trick
from tests.browser.table_setup import ADA, BOB, open_shared_table, play_together
from tests.table.table_log import play_table_until

CONNECTION_LOST = "Connection lost. Trying again…"
NO_ANSWER = "The table does not answer. Waiting…"
CONNECTION_ERRORS = (
    r"WebSocket connection to|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_SOCKET_NOT|ERR_EMPTY"
)
"""What Chromium logs if a connection is lost, or cut during a request."""


@pytest.fixture
def ada(
    new_visitor: NewVisitor, server: Server, proxy: CuttableProxy, request: pytest.FixtureRequest
) -> Visitor:
    """Return Ada, alone with bots, in the middle of a trick, behind a proxy."""
    link = server.store_table(
        request.node.name, play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    visitor: Visitor = new_visitor(at=proxy, person=ADA)
    visitor.page.goto(link.replace(server.url, proxy.url))
    assert visitor.wait_until_asked()["asks"] == "play"
    return visitor


def read_shown_table(visitor: Visitor) -> Any:
    """Return everything that the page shows of the game."""
    lying_cards = visitor.page.get_by_text("The table:").inner_text()
    return (
        visitor.table_state(),
        visitor.hand(),
        visitor.legal_positions(),
        sorted(visitor.face_up_ranks()),
        lying_cards,
    )


def test_reloaded_page_shows_the_same_table(ada: Visitor) -> None:
    before = read_shown_table(ada)
    ada.page.reload()
    ada.wait_until_asked()
    assert read_shown_table(ada) == before
    ada.play_deal()


def test_page_reconnects_without_a_flicker(ada: Visitor, proxy: CuttableProxy) -> None:
    ada.expected_errors.append(CONNECTION_ERRORS)
    before = read_shown_table(ada)
    ada.mark_cards()
    proxy.cut()
    ada.page.get_by_text(CONNECTION_LOST).wait_for()
    assert read_shown_table(ada) == before
    proxy.restore()
    ada.page.get_by_text(CONNECTION_LOST).wait_for(state="detached")
    assert read_shown_table(ada) == before
    assert ada.has_same_cards()
    assert ada.recorded_flickers() == []
    ada.play_deal()
    assert ada.has_same_cards()


def test_card_tapped_while_the_server_is_silent_is_played_later(
    ada: Visitor, proxy: CuttableProxy
) -> None:
    seq = ada.table_state()["seq"]
    ada.mark_cards()
    proxy.freeze()
    ada.play_card_or_meld()
    expect(ada.page.get_by_text(NO_ANSWER)).to_be_visible()
    assert ada.table_state()["seq"] == seq
    proxy.restore()
    ada.wait_for_seq_after(seq)
    expect(ada.page.get_by_text(NO_ANSWER)).to_have_count(0)
    ada.take_action()
    assert ada.has_same_cards()


@pytest.mark.parametrize(
    "missing_files", ["**/deferredPanels-*.js", "**/deferredPanels-*.css"], ids=["code", "style"]
)
def test_missing_files_are_fetched_after_reconnecting(
    new_visitor: NewVisitor, server: Server, proxy: CuttableProxy, missing_files: str
) -> None:
    """The score sheet comes with the first deal; cut off just then, it comes all the same."""
    link = server.store_table(
        f"fetched-{missing_files[-2:]}",
        play_table_until(Config("partnership", 4), ADA, holds_last_card),
    )
    ada = new_visitor(at=proxy, person=ADA)
    ada.expected_errors += [CONNECTION_ERRORS, "Failed to load resource"]
    aborted_urls: list[str] = []

    def abort(route: Route) -> None:
        aborted_urls.append(route.request.url)
        route.abort()

    ada.page.route(missing_files, abort)
    ada.page.goto(link.replace(server.url, proxy.url))
    ada.wait_until_asked()
    assert aborted_urls
    proxy.cut()
    ada.page.get_by_text(CONNECTION_LOST).wait_for()
    ada.page.unroute(missing_files)
    proxy.restore()
    ada.page.get_by_text(CONNECTION_LOST).wait_for(state="detached")
    assert ada.play_deal()[-1] == DEAL_OVER
    ada.page.wait_for_function(STYLESHEETS_LOADED)


def test_missed_actions_are_shown_one_by_one_after_reconnecting(
    new_visitor: NewVisitor, proxy: CuttableProxy
) -> None:
    ada, bob = open_shared_table(new_visitor, proxy)
    play_together([ada, bob], lambda: len(ada.hand()) < 12 and ada.table_state()["asks"] == "play")
    bob.expected_errors.append(CONNECTION_ERRORS)
    bob.mark_cards()
    proxy.cut()
    bob.page.get_by_text(CONNECTION_LOST).wait_for()
    seq_of_bob, before = bob.table_state()["seq"], len(bob.received_messages)
    ada.send_phrase("Hello!")
    ada.wait_for_seq_after(seq_of_bob)
    ada.take_action()
    ada.wait_for_seq_after(seq_of_bob + 1)
    later_seq = ada.wait_until_settled()["seq"]
    assert bob.table_state()["seq"] == seq_of_bob
    proxy.restore()
    bob.page.wait_for_function(
        "(seq) => Number(document.querySelector('[data-phase]').dataset.seq) >= seq", arg=later_seq
    )
    states = [frame["seq"] for frame in bob.received_messages[before:] if frame["type"] == "state"]
    assert [seq for seq in states if seq_of_bob < seq <= later_seq] == list(
        range(seq_of_bob + 1, later_seq + 1)
    )
    assert bob.has_same_cards()
    assert bob.recorded_flickers() == []
    cards_before = len(bob.hand())
    play_together([ada, bob], lambda: len(bob.hand()) < cards_before)


def test_others_read_that_a_player_with_a_frozen_network_does_not_answer(
    new_visitor: NewVisitor, proxy: CuttableProxy
) -> None:
    ada, bob = open_shared_table(new_visitor, proxy)
    # Only Ada acts, so Bob stays asked: after an action of his, her page might be late.
    play_together([ada], lambda: bob.table_state()["asks"])
    ada.page.get_by_text("Waiting for Bob to ").wait_for()
    proxy.freeze()
    expect(ada.page.get_by_text("The connection of Bob does not answer.")).to_be_visible()
    expect(ada.page.get_by_text("no answer", exact=True)).to_be_visible()
    proxy.restore()
    expect(ada.page.get_by_text("The connection of Bob does not answer.")).to_have_count(0)
    expect(ada.page.get_by_text("no answer", exact=True)).to_have_count(0)
    bob.take_action()


def test_game_continues_after_the_server_is_killed_and_restarted(
    new_visitor: NewVisitor, own_server: Server
) -> None:
    link = own_server.store_table(
        "mortal", play_table_until(Config("partnership", 4), ADA, is_mid_trick)
    )
    ada: Visitor = new_visitor(at=own_server, person=ADA)
    ada.expected_errors.append(CONNECTION_ERRORS)
    ada.page.goto(link)
    ada.wait_until_asked()
    before = read_shown_table(ada)
    ada.mark_cards()
    own_server.stop(signal.SIGKILL)
    ada.page.get_by_text(CONNECTION_LOST).wait_for()
    assert read_shown_table(ada) == before
    ada.play_card_or_meld()  # which waits for the server
    seq = before[0]["seq"]
    own_server.start()
    ada.wait_for_seq_after(seq)
    expect(ada.page.get_by_text(CONNECTION_LOST)).to_have_count(0)
    assert ada.has_same_cards()
    assert ada.recorded_flickers() == []
    assert ada.play_deal()[-1] == DEAL_OVER


def test_game_of_two_players_continues_after_the_server_is_killed(
    new_visitor: NewVisitor, own_server: Server
) -> None:
    entries = play_table_until(Config("partnership", 4), ADA, is_mid_trick, others=(BOB,))
    link = own_server.store_table("two", entries)
    ada, bob = new_visitor(at=own_server, person=ADA), new_visitor(at=own_server, person=BOB)
    for one in (ada, bob):
        one.expected_errors.append(CONNECTION_ERRORS)
        one.page.goto(link)
        one.wait_until_settled()
    own_server.stop(signal.SIGKILL)
    bob.page.get_by_text(CONNECTION_LOST).wait_for()
    own_server.start()
    for one in (ada, bob):
        one.page.get_by_text(CONNECTION_LOST).wait_for(state="detached")
    play_together(
        [ada, bob], lambda: ada.table_state()["panel"] == bob.table_state()["panel"] == DEAL_OVER
    )
    assert [row[1:] for row in ada.score_sheet()] == [row[1:] for row in bob.score_sheet()]
