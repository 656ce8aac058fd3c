"""A whole deal of every variant from the first page to the score sheet, as a person plays it."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PHONE, Visit
from tests.browser.page import GAMES, ByKeyboard, ByTouch, Visitor

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
    visitor.home()
    visitor.play_now(variant)
    asked = visitor.deal()
    assert set(asked) >= ASKED[variant]
    assert visitor.hand() == []
    rows = visitor.sheet()
    assert any(row[0].startswith("You") for row in rows)
    for _, meld, play, change, total in rows:
        assert {meld, play, change, total} != {""}
    assert visitor.state()["phase"] in ("deal", "game")


@pytest.mark.parametrize("variant", GAMES)
def test_a_deal_by_mouse(visit: Visit, variant: str) -> None:
    play_a_deal(visit(), variant)


def test_a_deal_by_touch(visit: Visit) -> None:
    play_a_deal(visit(ByTouch, viewport=PHONE, has_touch=True, is_mobile=True), "double-deck")


def test_a_deal_by_keyboard_alone(visit: Visit) -> None:
    play_a_deal(visit(ByKeyboard), "partnership")
