"""Bring people to a table: one that is stored beforehand, or one that they set up themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acesaround.table import Person
from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server

ADA, BOB = Person("ada's secret id", "Ada"), Person("bob's secret id", "Bob")
LONG_NAMES = [
    "Maximilian von Hohenfels",
    "Wilhelmina van den Berg",
    "Bartholomew Featherstone",
    "Alexandrina Montgomery",
]
"""Names of people. The first has as many letters as a name may have."""
_MAX_ROUNDS = 400  # more than a deal has actions


def open_stored_table(
    new_visitor: NewVisitor, server: Server, name: str, entries: tuple[Any, ...], **options: Any
) -> Visitor:
    """Store a table, and return the visitor who is its host and has opened it."""
    visitor: Visitor = new_visitor(person=entries[0].host, **options)
    visitor.page.goto(server.store_table(name, entries))
    visitor.wait_until_settled()
    return visitor


def open_shared_table(
    new_visitor: NewVisitor, proxy_of_bob: CuttableProxy | None = None
) -> tuple[Visitor, Visitor]:
    """Let Ada set up a table, Bob sit down by its link, and Ada start the game; return both."""
    ada, bob = new_visitor(), new_visitor(at=proxy_of_bob)
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


def play_together(visitors: list[Visitor], is_done: Callable[[], object]) -> None:
    """Let all visitors do what they are asked for, until a condition holds."""

    def find_asked() -> list[Visitor] | bool:
        """Return the visitors who are asked for something, or else whether all is done."""
        asked = []
        for visitor in visitors:
            state = visitor.table_state()
            if state["asks"] or state["phase"] == "melds":
                asked.append(visitor)
        return asked or bool(is_done())

    for _ in range(_MAX_ROUNDS):
        if is_done():
            return
        asked = visitors[0].wait_until(find_asked, "somebody is asked, or all is done")
        for visitor in asked if isinstance(asked, list) else ():
            visitor.take_action()
    raise AssertionError([visitor.table_state() for visitor in visitors])
