"""Several persons at one table, each with a browser: what each sees, and what needs all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from acesaround.cards import parse_cards
from acesaround.errors import NotationError
from acesaround.table import Config, Person
from acesaround.table.claiming import can_claim
from tests.browser.conftest import Visit
from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.page import OVER, RESULT, Visitor, ranks_of
from tests.browser.server_process import Server, log_until

_STEPS = 400  # more than a deal has
ADA, BOB = Person("ada's secret id", "Ada"), Person("bob's secret id", "Bob")


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


def play_together(visitors: list[Visitor], done: Callable[[], object]) -> None:
    """Everybody does what is asked of them, until something is so."""

    def asked() -> list[Visitor] | bool:
        """Those of whom something is asked, or whether they are done."""
        found = []
        for visitor in visitors:
            state = visitor.state()
            if state["asks"] or state["phase"] == "melds":
                found.append(visitor)
        return found or bool(done())

    for _ in range(_STEPS):
        if done():
            return
        found = visitors[0].wait_until(asked, "somebody is asked, or all is done")
        for visitor in found if isinstance(found, list) else ():
            visitor.take_step()
    raise AssertionError([visitor.state() for visitor in visitors])


def open_shared_table(visit: Visit, bobs: CuttableProxy | None = None) -> tuple[Visitor, Visitor]:
    """Ada opens a table and hands on the link, Bob follows it and sits down; Ada begins."""
    ada, bob = visit(), visit(at=bobs)
    bob.wants_to_bid = False
    ada.open_home()
    ada.save_name("Ada")
    ada.open_house_rules("partnership")
    ada.set_up_table()
    bob.open_home()
    bob.save_name("Bob")
    bob.page.goto(ada.invite_link().replace(ada.url, bob.url))
    bob.sit_down(2)
    ada.page.get_by_role("listitem").filter(has_text="Bob").wait_for()
    ada.press(ada.start_button())
    return ada, bob


def test_two_browsers_play_a_deal_and_each_sees_only_its_own_cards(visit: Visit) -> None:
    ada, bob = open_shared_table(visit)
    play_together([bob], lambda: ada.state()["asks"] == "bid")
    for one, other in ((ada, bob), (bob, ada)):
        hand = Counter(one.hand())
        assert hand.total() == 12
        assert hand != Counter(other.hand())
        assert sorted(one.face_up_ranks()) == ranks_of(one.hand())
        for frame in one.frames:  # the hand itself, and once more where it is dealt
            decision = dict(frame.get("decision") or {})
            for meld in [meld for worth in decision.pop("worth", ()) for meld in worth["melds"]]:
                assert Counter(meld["cards"]) <= hand, frame
            assert Counter(cards_in({**frame, "decision": decision})) <= hand + hand, frame
        assert any(frame["type"] == "state" and frame["view"] for frame in one.frames)
    assert "Bob" in ada.page.locator("main").inner_text()
    play_together([ada, bob], lambda: ada.state()["panel"] == bob.state()["panel"] == RESULT)
    assert [row[1:] for row in ada.sheet()] == [row[1:] for row in bob.sheet()]
    assert ada.sheet()[0][0] == "You & Cleo"
    assert ada.sheet()[1][0] == "You & Dan" or bob.sheet()[1][0].startswith("You")


def test_talk_is_heard_and_a_pause_stops_everybody(visit: Visit) -> None:
    ada, bob = open_shared_table(visit)
    play_together([bob], lambda: ada.state()["asks"] == "bid")
    bob.record_text("Good luck!")
    ada.say_phrase("Good luck!")
    bob.wait_for_recorded_text("Good luck!")
    ada.open("Pause")
    for one in (ada, bob):
        one.page.get_by_text("The table is paused.").wait_for()
    assert ada.state()["asks"] == bob.state()["asks"] == ""
    bob.press(bob.button("Resume"))
    ada.wait_for_decision("bid")
    bob.page.get_by_text("The table is paused.").wait_for(state="hidden")


def test_a_bid_is_taken_back_when_the_other_agrees(visit: Visit) -> None:
    ada, bob = open_shared_table(visit)
    play_together([bob], lambda: ada.state()["asks"] == "bid")
    while ada.wait_until_asked()["asks"] == "bid":
        ada.take_step()
    assert ada.state()["asks"] == "trump"  # the bid is hers
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


def test_the_rest_is_claimed_with_the_others_consent(visit: Visit, server: Server) -> None:
    entries = log_until(
        Config("partnership", 4),
        ADA,
        lambda table: (
            can_claim(table, 0) and table.game is not None and len(table.game.hand(0)) > 1
        ),
        others=(BOB,),
    )
    link = server.store_table("claimed", entries)
    ada, bob = visit(person=ADA), visit(person=BOB)
    for one in (ada, bob):
        one.page.goto(link)
        one.wait_until_settled()
    left = len(ada.hand())
    ada.press(ada.button("Claim the rest"))
    ada.press(ada.panel("Claim the rest?").get_by_role("button", name="Claim"))
    bob.press(bob.panel("Claim the rest?").get_by_role("button", name="Agree"))
    assert left > 1
    for one in (ada, bob):
        one.panel(OVER).wait_for()
        assert one.hand() == []


def test_who_looks_on_sees_no_hand(visit: Visit) -> None:
    ada, bob = open_shared_table(visit)
    play_together([bob], lambda: ada.state()["asks"] == "bid")
    eve = visit()
    eve.page.goto(ada.page.url)
    eve.page.get_by_text("You are watching.").wait_for()
    assert eve.hand() == []
    assert eve.face_up_ranks() == []
    assert [card for frame in eve.frames for card in cards_in(frame)] == []
