"""A whole deal of every variant from the first page to the score sheet, as a person plays it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from acesaround.table import Config
from tests.browser.conftest import PHONE, Visit
from tests.browser.page import GAMES, KeyboardVisitor, TouchVisitor, Visitor
from tests.browser.server_process import Server, log_until
from tests.browser.test_two_players import ADA

ASKED = {
    "three-handed": {"bid", "bury", "trump", "play"},
    "five-card": {"discard", "play"},
    "seven-card": {"discard", "play"},
    "partnership": {"bid", "trump", "give", "play"},
    "two-handed": {"play"},
    "double-deck": {"bid", "trump", "play"},
    "double-deck-classic": {"bid", "trump", "play"},
}


def play_a_deal(visitor: Visitor, variant: str) -> None:
    for _ in range(5):
        visitor.open_home()
        visitor.play_now(variant)
        asked = visitor.play_deal()
        if "play" in asked:  # a declarer without a marriage is set before a card is played
            break
    assert set(asked) >= ASKED[variant]
    assert visitor.hand() == []
    rows = visitor.sheet()
    assert any(row[0].startswith("You") for row in rows)
    for _, meld, play, change, total in rows:
        assert {meld, play, change, total} != {""}
    assert visitor.state()["phase"] in ("deal", "game")


def mouse_cases() -> Iterator[Any]:
    """All games; by touch or keyboard, or much alike, some are played in `make test` as well."""
    for variant in GAMES:
        again = variant not in ("three-handed", "five-card", "two-handed")
        yield pytest.param(variant, marks=[pytest.mark.soak] if again else [])


@pytest.mark.parametrize("variant", list(mouse_cases()))
def test_a_deal_by_mouse(visit: Visit, variant: str) -> None:
    play_a_deal(visit(), variant)


def test_a_deal_by_touch(visit: Visit) -> None:
    play_a_deal(visit(TouchVisitor, viewport=PHONE, has_touch=True, is_mobile=True), "double-deck")


def test_a_deal_by_keyboard_alone(visit: Visit) -> None:
    play_a_deal(visit(KeyboardVisitor), "partnership")


@pytest.mark.parametrize("dealer", [0, 3])
def test_the_cards_are_seen_being_dealt(visit: Visit, server: Server, dealer: int) -> None:
    """Whether somebody else is asked first, or this person is at once."""
    entries = log_until(Config("double-deck", 4), ADA, lambda _: True, dealer=dealer)
    visitor: Visitor = visit(person=ADA, settings={"speed": "normal"})
    visitor.record_card_moves()
    visitor.page.goto(server.store_table(f"dealt-by-{dealer}", entries))
    visitor.wait_for_simultaneous_moves(40)
    assert visitor.wait_until_asked()["asks"] == "bid"
    assert len(visitor.hand()) == 20
