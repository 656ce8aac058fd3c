"""The rules object: decks, sides and meld tables of any size, and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from acesaround.errors import ContradictionError, RulesError
from acesaround.rules import Auction, HouseMeld, Phase, Rules, Tie
from acesaround.rules.options import OPTIONS
from acesaround.sheets.fields import describe_type, fields
from acesaround.variants import DOUBLE_DECK, PARTNERSHIP, THREE_HANDED, TWO_HANDED
from tests.extended_rules import TRIPLE_THREE_SIDES, TRIPLE_TWO_SIDES, WIDE


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
def test_partners_are_the_other_seats_of_the_side(rules: Rules) -> None:
    assert rules.has_partners == (rules.side_size > 1)
    for seat in range(rules.seats):
        assert {seat, *rules.partners_of(seat)} == set(rules.sides[rules.side_of(seat)])
    assert sorted(seat for side in rules.sides for seat in side) == list(range(rules.seats))


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_rules_round_trip_through_json(rules: Rules) -> None:
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


POINTS_ARE = "Card points are six numbers, for A, 10, K, Q, J and 9: none below 0, one above."
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
        "24 cards are too few for 4 players: 48 are needed.",
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
        {"deal": replace(TWO_HANDED.deal, hand=(8,)), "seats": 5, "players": (5,)},
        "8 cards cannot be drawn evenly by 5 players.",
    ),
    (
        PARTNERSHIP,
        {"deal": replace(PARTNERSHIP.deal, hand=())},
        "deal.hand needs one number for each of players: players is [4], and deal.hand is [].",
    ),
    (
        PARTNERSHIP,
        {"exchange": replace(PARTNERSHIP.exchange, exchange=13)},
        "A hand of 12 cannot pass 13 cards.",
    ),
    (
        PARTNERSHIP,
        {"exchange": replace(PARTNERSHIP.exchange, bury=2)},
        "Without a kitty nobody buries: bury must be 0, not 2.",
    ),
    (
        THREE_HANDED,
        {"exchange": replace(THREE_HANDED.exchange, bury=2)},
        "The declarer buries as many cards as the kitty has: 3, not 2.",
    ),
    (
        THREE_HANDED,
        {"phases": (Phase.AUCTION, Phase.TRUMP, Phase.MELDING, Phase.PLAY)},
        "A deal has the phase kitty exactly if it has a kitty.",
    ),
    (PARTNERSHIP, {"players": ()}, "The game has no number of players."),
    (PARTNERSHIP, {"seats": 3}, "partnership cannot be played by 3: it takes 4 players."),
    (PARTNERSHIP, {"players": (1,)}, "partnership cannot be played by 4: it takes 1 player."),
    (PARTNERSHIP, {"players": (1,), "seats": 1}, "A table has 2 to 9 seats, not 1."),
    (
        THREE_HANDED,
        {"phases": THREE_HANDED.phases[1:]},
        "After an auction the phases are: trump, the exchanges, the melds and the play.",
    ),
    (
        THREE_HANDED,
        {"phases": (*THREE_HANDED.phases[:3], *THREE_HANDED.phases[4:])},
        "After an auction the phases are: trump, the exchanges, the melds and the play.",
    ),
    (
        THREE_HANDED,
        {"phases": (Phase.PLAY, Phase.PLAY)},
        "phases must end with play and may not repeat a phase.",
    ),
    (
        PARTNERSHIP,
        {"phases": (*PARTNERSHIP.phases[:1], *PARTNERSHIP.phases[2:0:-1], *PARTNERSHIP.phases[3:])},
        "After an auction the phases are: trump, the exchanges, the melds and the play.",
    ),
    (THREE_HANDED, {"phases": ()}, "phases must end with play and may not repeat a phase."),
    (
        THREE_HANDED,
        {"auction": None, "options": ("target",)},
        "A game without an auction needs an upcard that names trump: its stock is played out "
        "first, or without a stock everybody melds before the play.",
    ),
    (
        THREE_HANDED,
        {"deal": replace(THREE_HANDED.deal, packet=15)},
        "With 1 round of dealing, the kitty can have at most 1 card: use smaller packets or a "
        "smaller kitty.",
    ),
    (
        THREE_HANDED,
        {"ending": replace(THREE_HANDED.ending, tie=Tie.TIED_PLAY_ON)},
        "Tied players cannot play on by themselves: there is no stock for the cards left over.",
    ),
    (
        PARTNERSHIP,
        {"phases": (Phase.AUCTION, Phase.TRUMP, Phase.REDRAW, Phase.MELDING, Phase.PLAY)},
        "Cards are drawn from a stock.",
    ),
    (
        TWO_HANDED,
        {"players": (5,), "seats": 5, "deal": replace(TWO_HANDED.deal, hand=(8,))},
        "8 cards cannot be drawn evenly by 5 players.",
    ),
    (
        TWO_HANDED,
        {"exchange": replace(TWO_HANDED.exchange, bury=3)},
        "Without an auction nobody takes a kitty or buries cards.",
    ),
    (TWO_HANDED, {"options": ("target", "lowest_bid")}, "lowest_bid: there is no auction."),
    (
        TWO_HANDED,
        {"options": ("target", "luck")},
        f"luck: there is no such house option. Possible are {', '.join(OPTIONS)}.",
    ),
]

PARTS = [
    (PARTNERSHIP.scoring, {"card_points": (1, 1, 1)}, POINTS_ARE),
    (PARTNERSHIP.scoring, {"card_points": (1, 1, 1, 1, 1, -1)}, POINTS_ARE),
    (PARTNERSHIP.scoring, {"card_points": (0,) * 6}, POINTS_ARE),
    (PARTNERSHIP.melds, {"run": ()}, "run has 0 meld values; it takes 1 to 6."),
    (PARTNERSHIP.melds, {"jacks": (1,) * 7}, "jacks has 7 meld values; it takes 1 to 6."),
    (
        PARTNERSHIP.melds,
        {"jacks": (40, 400, 300)},
        "More together must be worth at least as much as fewer: jacks goes down.",
    ),
    (
        PARTNERSHIP.melds,
        {"run_and_queen": 140},
        "A run with more cards must be worth at least as much as a run.",
    ),
    (
        PARTNERSHIP.melds,
        {"run": (150, 160), "royal_marriage": 90},
        "A run must be worth at least as much as the royal marriage in it.",
    ),
    (
        PARTNERSHIP.melds,
        {"royal_marriage": 60},
        "A run with one more king and queen is worth no less than 250: the best run with fewer, "
        "and a royal marriage.",
    ),
    (
        PARTNERSHIP.melds,
        {"run_and_marriage": None},
        "If a run with one more king or queen has a value, a run with both needs a value too: "
        "run_and_marriage.",
    ),
    (
        PARTNERSHIP.melds,
        {"run": (0,)},
        "If a run has no value, a run with one more king or queen can have none: for run_and_king, "
        'run_and_queen, run_and_marriage write "none".',
    ),
    (
        PARTNERSHIP.scoring,
        {"nines_apart": True, "least_meld": 20},
        "Nines that always count and a least meld do not fit together: a side below the least "
        "meld shows no melds.",
    ),
    (PARTNERSHIP.deal, {"hand": (0,)}, "A hand has at least one card."),
    (PARTNERSHIP.deal, {"hand_of_24_each": 0}, "A hand has at least one card."),
    (PARTNERSHIP.deal, {"packet": 0}, "A packet has at least one card."),
    (PARTNERSHIP.deal, {"kitty": -1}, "A kitty cannot have fewer than 0 cards."),
    *(
        (
            THREE_HANDED.auction,
            {"steps": steps},
            "The steps of bids go up from one beginning to the next, each by 1 or more.",
        )
        for steps in ((), ((0, 0),), ((50, 1), (0, 1)), ((0, 1), (0, 2)))
    ),
    *(
        (
            THREE_HANDED.auction,
            {"raises": raises},
            "The raises allowed go up and begin with 1 or more.",
        )
        for raises in ((20, 10), (0,), (-10,), (10, 10))
    ),
    (THREE_HANDED.ending, {"target_step": 0}, "A target rises by 1 or more."),
]


@pytest.mark.parametrize(("part", "change", "why"), PARTS)
def test_invalid_parts_are_refused_when_created(
    part: Any, change: dict[str, Any], why: str
) -> None:
    with pytest.raises(RulesError) as found:
        replace(part, **change)
    assert str(found.value) == why


@pytest.mark.parametrize(("rules", "change", "why"), REFUSED)
def test_invalid_rules_are_refused_when_created(
    rules: Rules, change: dict[str, Any], why: str
) -> None:
    with pytest.raises(RulesError) as found:
        replace(rules, **change)
    assert str(found.value) == why


def test_24_cards_each_is_refused_for_seven_players() -> None:
    deal = replace(TWO_HANDED.deal, copies=None, hand=(12, 12))
    with pytest.raises(RulesError, match="1 to 6 copies of each card, not 7"):
        replace(TWO_HANDED, players=(2, 7), seats=7, deal=deal)


def test_option_values_are_names_of_field_values() -> None:
    """`deck` is 48 or 24-each where the rules have two copies, or one a player."""
    each = TWO_HANDED.with_options(deck="24-each")
    assert (TWO_HANDED.deal.copies, each.deal.copies) == (2, None)
    assert (TWO_HANDED.option_value("deck"), each.option_value("deck")) == ("48", "24-each")
    three = replace(TWO_HANDED, deal=replace(TWO_HANDED.deal, copies=3))
    assert three.option_value("deck") == 3  # without a name


def test_the_longest_hand_is_the_declarers_with_kitty_or_passed_cards() -> None:
    assert THREE_HANDED.max_hand_size == 15 + 3
    assert PARTNERSHIP.max_hand_size == 12 + 4
    assert TWO_HANDED.max_hand_size == 12
    threes = replace(TRIPLE_TWO_SIDES, exchange=replace(TRIPLE_TWO_SIDES.exchange, exchange=2))
    assert threes.max_hand_size == threes.hand_size + 2 * 2


def auction_of(rules: Rules) -> Auction:
    assert rules.auction is not None
    return rules.auction


def number_paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all numbers in a rules object as plain data."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from number_paths(part, (*path, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


FULL = replace(
    PARTNERSHIP,
    deal=replace(PARTNERSHIP.deal, copies=2),
    auction=replace(auction_of(PARTNERSHIP), stuck_bid=200),
    melds=replace(PARTNERSHIP.melds, others=(HouseMeld("grand pinochle", "QS QS JD JD", 80),)),
    scoring=replace(PARTNERSHIP.scoring, card_points=(11, 10, 4, 3, 2, 0), pays=((250, 1),)),
    ending=replace(PARTNERSHIP.ending, hands=4),
)
"""Rules in which every optional number has a value."""
FULL_NUMBERS = [*number_paths(msgspec.json.decode(msgspec.json.encode(FULL)))]
NUMBERS = "number|a list of pairs|points]"


@pytest.mark.parametrize("path", FULL_NUMBERS, ids=str)
@pytest.mark.parametrize("number", [-1, 1_000_001, 2**31, 2**63, 10**25])
def test_every_number_has_bounds(path: tuple[Any, ...], number: int) -> None:
    plain = msgspec.json.decode(msgspec.json.encode(FULL))
    owner = plain
    for key in path[:-1]:
        owner = owner[key]
    owner[path[-1]] = number
    with pytest.raises((msgspec.ValidationError, RulesError)):
        msgspec.convert(plain, Rules)


def test_the_bounds_test_covers_every_field_with_numbers() -> None:
    tried = {".".join(key for key in path if isinstance(key, str)) for path in FULL_NUMBERS}
    assert tried == {
        path for path, field in fields().items() if re.search(NUMBERS, describe_type(field.type))
    }


def test_all_options_with_wrong_values_are_reported() -> None:
    """A form marks all of them at once."""
    with pytest.raises(ContradictionError) as refused:
        PARTNERSHIP.with_options(target=-5, lowest_bid="much", hands=-1)
    named = {field for fault in refused.value.faults for field in fault.fields}
    assert named == {"ending.target", "auction.lowest_bid", "ending.hands"}
