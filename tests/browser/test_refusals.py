"""What bad input gets: a sentence on the page, or a plain page."""

from __future__ import annotations

import sqlite3

import pytest

from acesaround import game
from acesaround.actions import Play
from acesaround.table import Config, Person, Table
from tests.browser.conftest import Visit
from tests.browser.page import RESULT, Visitor
from tests.browser.server_process import Server, log_until
from tests.browser.test_reconnect import is_mid_trick
from tests.browser.test_two_players import ADA

NOT_FOUND = r"status of 404"


def has_to_follow(table: Table) -> bool:
    """Whether seat 0 holds a card that it may not play now."""
    if table.game is None or not is_mid_trick(table):
        return False
    plays = {move.card for move in game.decision(table.game).legal if isinstance(move, Play)}
    return plays < set(table.game.hand(0))


def is_play(table: Table) -> bool:
    """Whether cards are being played."""
    return table.game is not None and is_mid_trick(table)


def test_a_card_that_is_not_legal_says_why_and_stays(visit: Visit, server: Server) -> None:
    link = server.store_table("refused", log_until(Config("partnership", 4), ADA, has_to_follow))
    ada: Visitor = visit(person=ADA)
    ada.page.goto(link)
    before = ada.wait_until_asked()
    hand = ada.hand()
    wrong = next(place for place in range(len(hand)) if place not in ada.legal_positions())
    ada.press(ada.card(wrong), card=True)
    assert ada.refusal_text().endswith(".")
    assert len(ada.refusal_text()) > 20
    assert ada.state() == before
    assert ada.hand() == hand
    assert "not playable now" in ada.card(wrong).inner_text()
    ada.take_step()
    ada.wait_for_seq_after(before["seq"])
    assert ada.page.locator(".refusal").count() == 0


@pytest.mark.parametrize("path", ["/t/nothing", "/t/..%2f..", "/r/nothing/1", "/nowhere"])
def test_a_link_that_leads_nowhere_is_a_plain_page(visit: Visit, server: Server, path: str) -> None:
    ada: Visitor = visit()
    ada.expected_errors.append(NOT_FOUND)
    answer = ada.page.goto(server.url + path)
    assert answer is not None
    assert answer.status == 404
    assert ada.page.get_by_role("heading").inner_text() == "Not found"
    assert ada.page.get_by_role("paragraph").first.inner_text() != ""
    ada.page.get_by_role("link", name="All tables").click()
    ada.button("Play now").wait_for()


def test_a_table_whose_log_is_damaged_says_so(visit: Visit, server: Server) -> None:
    link = server.store_table("garbled", log_until(Config("partnership", 4), ADA, has_to_follow))
    with sqlite3.connect(server.folder / "tables.sqlite") as database:
        database.execute("UPDATE entries SET body = '{' WHERE table_id = 'garbled' AND seq = 9")
    database.close()
    ada: Visitor = visit(person=ADA)
    ada.page.goto(link)
    ada.page.get_by_role("heading", name="The log of this table is damaged").wait_for()
    ada.button("All tables").click()
    ada.button("Play now").wait_for()


def test_a_bot_is_called_by_no_name_of_a_person(visit: Visit, server: Server) -> None:
    """The second seat's bot is Ben, unless a Ben sits there already."""
    link = server.store_table(
        "ben", log_until(Config("partnership", 4), Person("ben's id", "ben"), is_play)
    )
    other: Visitor = visit()
    other.page.goto(link)
    other.page.get_by_text("Finn").first.wait_for()
    assert "Ben" not in other.page.locator("body").inner_text()


def test_a_table_that_is_gone_is_said_by_the_page_itself(visit: Visit) -> None:
    ada: Visitor = visit()
    ada.open_home()
    ada.page.evaluate("() => { history.pushState(null, '', '/t/gone'); history.go(0) }")
    ada.expected_errors.append(NOT_FOUND)
    ada.page.get_by_role("heading", name="Not found").wait_for()
    ada.open_home()
    ada.page.evaluate(
        "() => { history.pushState(null, '', '/t/gone'); dispatchEvent(new Event('popstate')) }"
    )
    ada.page.get_by_text("There is no such table.").wait_for()
    ada.press(ada.button("All tables"))
    ada.button("Play now").wait_for()


@pytest.mark.parametrize("forged", ["", "nonsense", "eyJpZCI6ImFkYSdzIHNlY3JldCBpZCJ9.aaaaaa.bbbb"])
def test_a_forged_cookie_opens_no_seat_and_no_game_of_others(
    visit: Visit, server: Server, forged: str
) -> None:
    name = f"forged-{len(forged)}"
    link = server.store_table(name, log_until(Config("partnership", 4), ADA, is_mid_trick))
    eve: Visitor = visit()
    eve.context.add_cookies([{"name": "acesaround", "value": forged, "url": server.url}])
    eve.page.goto(link)
    eve.page.get_by_text("You are watching.").wait_for()
    assert eve.hand() == []
    eve.open_home()
    assert eve.page.get_by_role("heading", name="Your tables").count() == 0
    eve.play_now("partnership")  # as a new guest
    assert eve.wait_until_asked()["asks"] == "bid"


def test_a_deal_that_is_not_over_shows_no_replay(visit: Visit, server: Server) -> None:
    server.store_table("unfinished", log_until(Config("partnership", 4), ADA, is_mid_trick))
    ada: Visitor = visit(person=ADA)
    ada.expected_errors.append(r"status of 403")
    ada.page.goto(f"{server.url}/r/unfinished/1")
    ada.page.get_by_text("its cards stay hidden until it is").wait_for()


def test_an_action_on_an_older_table_is_refused_and_the_newer_is_shown(
    visit: Visit, server: Server
) -> None:
    """The same person in two windows: what one does, the other sees; nothing is done twice."""
    link = server.store_table("windows", log_until(Config("partnership", 4), ADA, is_mid_trick))
    one, other = visit(person=ADA), visit(person=ADA)
    for window in (one, other):
        window.page.goto(link)
        window.wait_until_asked()
    seq = one.state()["seq"]
    one.take_step()
    one.wait_for_seq_after(seq)
    at = one.wait_until_asked()
    other.page.wait_for_function(
        "(seq) => Number(document.querySelector('[data-phase]').dataset.seq) >= seq", arg=at["seq"]
    )
    assert other.wait_until_asked() == at
    assert other.play_deal()[-1] == RESULT
    one.panel(RESULT).wait_for()
