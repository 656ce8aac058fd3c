"""The rules object: decks, sides and meld tables of any size, and what is refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from acesaround.errors import RulesError
from acesaround.rules import Rules
from acesaround.variants import DOUBLE_DECK, PARTNERSHIP, TWO_HANDED
from tests.wide import TRIPLE_THREE_SIDES, TRIPLE_TWO_SIDES, WIDE


def test_three_sides_of_two_sit_opposite_each_other() -> None:
    rules = TRIPLE_THREE_SIDES
    assert rules.sides == ((0, 3), (1, 4), (2, 5))
    assert [rules.side_of(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
    assert [rules.partners_of(seat) for seat in range(6)] == [(3,), (4,), (5,), (0,), (1,), (2,)]


def test_two_sides_of_three_sit_alternately() -> None:
    rules = TRIPLE_TWO_SIDES
    assert rules.sides == ((0, 2, 4), (1, 3, 5))
    assert [rules.side_of(seat) for seat in range(6)] == [0, 1, 0, 1, 0, 1]
    assert rules.partners_of(2) == (4, 0)  # clockwise from the seat


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_partners_are_the_rest_of_a_side(rules: Rules) -> None:
    assert rules.partners == (rules.side_size > 1)
    for seat in range(rules.seats):
        assert {seat, *rules.partners_of(seat)} == set(rules.sides[rules.side_of(seat)])
    assert sorted(seat for side in rules.sides for seat in side) == list(range(rules.seats))


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_rules_survive_json(rules: Rules) -> None:
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


REFUSED: list[tuple[Rules, dict[str, Any], str]] = [
    (DOUBLE_DECK, {"side_size": 3}, "4 players cannot form two or more sides of 3."),
    (DOUBLE_DECK, {"side_size": 4}, "A side has 1 to 3 seats, not 4."),
    (DOUBLE_DECK, {"side_size": 0}, "A side has 1 to 3 seats, not 0."),
    (TWO_HANDED, {"side_size": 2}, "2 players cannot form two or more sides of 2."),
    (
        PARTNERSHIP,
        {"deal": replace(PARTNERSHIP.deal, copies=7)},
        "A deck has 1 to 6 copies of each card, not 7.",
    ),
    (
        PARTNERSHIP,
        {"deal": replace(PARTNERSHIP.deal, copies=0)},
        "A deck has 1 to 6 copies of each card, not 0.",
    ),
    (
        PARTNERSHIP,
        {"deal": replace(PARTNERSHIP.deal, copies=1)},
        "24 cards are too few for 4 players.",
    ),
    (
        PARTNERSHIP,
        {"deal": replace(PARTNERSHIP.deal, copies=3)},
        "24 of 72 cards would be left over, and there is no stock.",
    ),
    (
        DOUBLE_DECK,
        {"deal": replace(DOUBLE_DECK.deal, nines=True)},
        "16 of 96 cards would be left over, and there is no stock.",
    ),
    (
        TWO_HANDED,
        {
            "deal": replace(TWO_HANDED.deal, copies=1, hand=(7, 7, 7)),
            "seats": 3,
            "players": (3, 2, 4),
        },
        "8 cards cannot be drawn evenly by 5 players.",
    ),
    (
        PARTNERSHIP,
        {"deal": replace(PARTNERSHIP.deal, hand=())},
        "hand has 0 sizes, and there are 1 numbers of players.",
    ),
    (
        PARTNERSHIP,
        {"melds": replace(PARTNERSHIP.melds, run=())},
        "run has 0 meld values; it takes 1 to 6.",
    ),
    (
        PARTNERSHIP,
        {"melds": replace(PARTNERSHIP.melds, jacks=(1,) * 7)},
        "jacks has 7 meld values; it takes 1 to 6.",
    ),
]


@pytest.mark.parametrize(("rules", "change", "why"), REFUSED)
def test_rules_that_make_no_sense_are_refused_at_once(
    rules: Rules, change: dict[str, Any], why: str
) -> None:
    with pytest.raises(RulesError) as found:
        replace(rules, **change)
    assert str(found.value) == why


def test_seven_players_cannot_bring_a_copy_each() -> None:
    deal = replace(TWO_HANDED.deal, copies=None, hand=(12, 12))
    with pytest.raises(RulesError, match="1 to 6 copies of each card, not 7"):
        replace(TWO_HANDED, players=(2, 7), seats=7, deal=deal)


def test_an_option_names_values_of_a_field() -> None:
    """`deck` says 48 or 24-each where the rules say two copies, or one a player."""
    each = TWO_HANDED.but(deck="24-each")
    assert (TWO_HANDED.deal.copies, each.deal.copies) == (2, None)
    assert (TWO_HANDED.option("deck"), each.option("deck")) == ("48", "24-each")
    three = replace(TWO_HANDED, deal=replace(TWO_HANDED.deal, copies=3))
    assert three.option("deck") == 3  # no word stands for it
