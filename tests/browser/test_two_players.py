"""Several persons at one table, each with a browser: what each sees, and what needs all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from acesaround.cards import parse_cards
from acesaround.errors import NotationError
from acesaround.table import Config
from tests.browser.page_objects.table_page import DEAL_OVER, GAME_OVER, printed_ranks
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import can_claim_several_cards
from tests.browser.table_setup import ADA, BOB, open_shared_table, play_together
from tests.table_logs import play_table_until


def cards_in(message: Any) -> Iterator[str]:
    """Every card that is written anywhere in a message."""
    match message:
        case dict():
            for value in message.values():
                yield from cards_in(value)
        case list():
            for value in message:
                yield from cards_in(value)
        case str() if len(message) == 2:
            try:
                yield from map(str, parse_cards(message))
            except NotationError:
                return


def test_two_browsers_play_a_deal_and_each_sees_only_its_own_cards(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    for one, other in ((ada, bob), (bob, ada)):
        hand = Counter(one.hand())
        assert hand.total() == 12
        assert hand != Counter(other.hand())
        assert sorted(one.face_up_ranks()) == printed_ranks(one.hand())
        for frame in one.received_messages:  # the hand itself, and once more where it is dealt
            decision = dict(frame.get("decision") or {})
            for meld in [meld for worth in decision.pop("worth", ()) for meld in worth["melds"]]:
                assert Counter(meld["cards"]) <= hand, frame
            assert Counter(cards_in({**frame, "decision": decision})) <= hand + hand, frame
        assert any(frame["type"] == "state" and frame["view"] for frame in one.received_messages)
    assert "Bob" in ada.page.locator("main").inner_text()
    play_together(
        [ada, bob], lambda: ada.table_state()["panel"] == bob.table_state()["panel"] == DEAL_OVER
    )
    assert [row[1:] for row in ada.score_sheet()] == [row[1:] for row in bob.score_sheet()]
    assert ada.score_sheet()[0][0] == "You & Cleo"
    assert ada.score_sheet()[1][0] == "You & Dan" or bob.score_sheet()[1][0].startswith("You")


def test_talk_is_heard_and_a_pause_stops_everybody(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    bob.record_text("Good luck!")
    ada.send_phrase("Good luck!")
    bob.wait_for_recorded_text("Good luck!")
    ada.open_menu_item("Pause")
    for one in (ada, bob):
        one.page.get_by_text("The table is paused.").wait_for()
    assert ada.table_state()["asks"] == bob.table_state()["asks"] == ""
    bob.press(bob.button("Resume"))
    ada.wait_for_decision("bid")
    bob.page.get_by_text("The table is paused.").wait_for(state="hidden")


def test_a_bid_is_taken_back_when_the_other_agrees(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    while ada.wait_until_asked()["asks"] == "bid":
        ada.take_action()
    assert ada.table_state()["asks"] == "trump"  # the bid is hers
    ada.press(ada.button("Take back"))
    bob.panel("Take back?").wait_for()
    assert "Ada would like to take back the last move." in bob.panel().inner_text()
    bob.press(bob.panel().get_by_role("button", name="Decline"))
    ada.button("Take back").wait_for()
    assert ada.wait_until_asked()["asks"] == "trump"
    ada.press(ada.button("Take back"))
    bob.press(bob.panel("Take back?").get_by_role("button", name="Agree"))
    ada.wait_for_decision("bid")
    assert bob.wait_until_settled()["asks"] == ""


def test_the_rest_is_claimed_with_the_others_consent(
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
    left = len(ada.hand())
    ada.press(ada.button("Claim the rest"))
    ada.press(ada.panel("Claim the rest?").get_by_role("button", name="Claim"))
    bob.press(bob.panel("Claim the rest?").get_by_role("button", name="Agree"))
    assert left > 1
    for one in (ada, bob):
        one.panel(GAME_OVER).wait_for()
        assert one.hand() == []


def test_who_looks_on_sees_no_hand(new_visitor: NewVisitor) -> None:
    ada, bob = open_shared_table(new_visitor)
    play_together([bob], lambda: ada.table_state()["asks"] == "bid")
    eve = new_visitor()
    eve.page.goto(ada.page.url)
    eve.page.get_by_text("You are watching.").wait_for()
    assert eve.hand() == []
    assert eve.face_up_ranks() == []
    assert [card for frame in eve.received_messages for card in cards_in(frame)] == []
