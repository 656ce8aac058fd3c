"""Two people at one table: what each sees, phrases and free text, pause, claims, results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import expect

from acesaround.cards import parse_cards
from acesaround.errors import NotationError
from acesaround.table import Config
from tests.browser.page_objects.table_page import DEAL_OVER, GAME_OVER, printed_ranks
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import can_claim_several_cards
from tests.browser.table_setup import ADA, BOB, open_shared_table, play_together
from tests.table.table_log import play_table_until


def find_cards(message: Any) -> Iterator[str]:
    """Yield every card that is written anywhere in a message."""
    match message:
        case dict():
            for value in message.values():
                yield from find_cards(value)
        case list():
            for value in message:
                yield from find_cards(value)
        case str() if len(message) == 2:
            try:
                yield from map(str, parse_cards(message))
            except NotationError:
                return


def test_two_players_play_a_deal_and_each_sees_only_own_cards(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    for one, other in ((ada, bob), (bob, ada)):
        hand = Counter(one.hand())
        assert hand.total() == 12
        assert hand != Counter(other.hand())
        assert sorted(one.face_up_ranks()) == printed_ranks(one.hand())
        for message in one.received_messages:  # the hand itself, and once more where it is dealt
            decision = dict(message.get("decision") or {})
            for meld in [
                meld for one in decision.pop("melds_by_trump", ()) for meld in one["melds"]
            ]:
                assert Counter(meld["cards"]) <= hand, message
            assert Counter(find_cards({**message, "decision": decision})) <= hand + hand, message
        assert any(
            message["type"] == "state" and message["view"] for message in one.received_messages
        )
    assert "Bob" in ada.page.locator("main").inner_text()
    play_together(
        [ada, bob], lambda: ada.table_state()["panel"] == bob.table_state()["panel"] == DEAL_OVER
    )
    assert [row[1:] for row in ada.score_sheet()] == [row[1:] for row in bob.score_sheet()]
    assert ada.score_sheet()[0][0] == "You & Cleo"
    assert ada.score_sheet()[1][0] == "You & Dan" or bob.score_sheet()[1][0].startswith("You")


def test_phrase_reaches_the_other_player_and_a_pause_stops_both(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    bob.record_text("Good luck!")
    ada.send_phrase("Good luck!")
    said = ada.page.locator(".me em").bounding_box()
    step = ada.page.locator("p.asks").bounding_box()
    assert said is not None
    assert step is not None
    assert said["y"] + said["height"] <= step["y"] + 1  # what is to do is readable
    bob.wait_for_recorded_text("Good luck!")
    ada.open_menu_item("Pause")
    for one in (ada, bob):
        one.page.get_by_text("The table is paused.").wait_for()
    assert ada.table_state()["asks"] == bob.table_state()["asks"] == ""
    bob.press(bob.button("Resume"))
    ada.wait_for_decision("bid")
    bob.page.get_by_text("The table is paused.").wait_for(state="hidden")


def test_claim_needs_the_consent_of_the_other_player(
    new_visitor: NewVisitor, server: Server
) -> None:
    entries = play_table_until(
        Config("partnership", 4),
        ADA,
        can_claim_several_cards,
        others=(BOB,),
    )
    link = server.store_table("claimed", entries)
    ada, bob = new_visitor(person=ADA), new_visitor(person=BOB)
    for one in (ada, bob):
        one.page.goto(link)
        one.wait_until_settled()
    cards_before = len(ada.hand())
    ada.press(ada.button("Claim the rest"))
    ada.press(ada.panel("Claim the rest?").get_by_role("button", name="Claim"))
    bob.press(bob.panel("Claim the rest?").get_by_role("button", name="Agree"))
    assert cards_before > 1
    for one in (ada, bob):
        one.panel(GAME_OVER).wait_for()
        assert one.hand() == []


def test_spectator_sees_no_hand(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    eve = new_visitor()
    eve.page.goto(ada.page.url)
    eve.page.get_by_text("You are watching.").wait_for()
    assert eve.hand() == []
    assert eve.face_up_ranks() == []
    assert [card for message in eve.received_messages for card in find_cards(message)] == []


def test_next_deal_waits_until_both_have_read_the_result(
    new_visitor: NewVisitor, server: Server
) -> None:
    """A person who has continued waits for the other, also after reloading the page."""
    entries = play_table_until(
        Config("partnership", 4, options={"target": 9000}),
        ADA,
        lambda table: table.unread_result is not None,
        others=(BOB,),
    )
    link = server.store_table("reading", entries)
    ada, bob = new_visitor(person=ADA), new_visitor(person=BOB)
    for one in (ada, bob):
        one.page.goto(link)
        one.panel(DEAL_OVER).wait_for()
    bob.page.reload()
    bob.panel(DEAL_OVER).wait_for()
    ada.press(ada.panel(DEAL_OVER).get_by_role("button", name="Next deal"))
    ada.panel(DEAL_OVER).get_by_text("Waiting for Bob").wait_for()
    ada.page.reload()
    ada.page.get_by_text("Waiting for Bob to read the result").first.wait_for()
    assert (ada.wait_until_settled()["panel"], ada.hand()) == ("", [])
    bob.press(bob.panel(DEAL_OVER).get_by_role("button", name="Next deal"))
    for one in (ada, bob):
        one.hand_card(11).wait_for()
        assert len(one.hand()) == 12


def test_host_of_friends_writes_free_text_and_forbids_it(new_visitor: NewVisitor) -> None:
    host, guest = new_visitor(), new_visitor()
    host.page.goto(f"{host.url}/#friends")
    host.page.get_by_role("button", name="Partnership").first.click()
    host.page.wait_for_url("**/t/*")
    guest.page.goto(host.page.url)
    guest.page.get_by_role("heading").first.wait_for()
    host.page.get_by_role("button", name="Start").click()
    host.wait_until_settled()
    host.send_message("Welcome, all of you")
    expect(host.page.get_by_text("Welcome, all of you").first).to_be_visible()
    expect(guest.page.get_by_text("Welcome, all of you").first).to_be_visible()
    host.allow_free_text(allow=False)
