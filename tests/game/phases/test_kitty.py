"""The kitty: shown to all, taken, three cards buried; and selections of cards as sequences."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from acesaround import variants
from acesaround.actions import PASS, Bury, CardSelections, Discard, Give
from acesaround.cards import parse_cards
from acesaround.errors import Reason
from acesaround.game.events import Buried, KittyShown
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from tests.scripted_games import Table, contract, deal, hand

THREE = variants.THREE_HANDED
MINE = "AH AH TH TH KH KH QH QH JH JH AS TS KS QS JD"


def table_before_bury() -> Table:
    """Return a table where seat 1 declared at 250 and took the kitty."""
    return contract(THREE, deal(THREE, {1: MINE}, kitty="9C JD KC"), 1, 250)


def test_the_kitty_is_shown_to_all_and_taken() -> None:
    table = table_before_bury()
    (shown,) = table.all(KittyShown)
    assert (shown.seat, set(shown.cards)) == (1, set(parse_cards("9C JD KC")))
    assert shown.seen_by(0) == shown
    assert table.kind is DecisionKind.BURY
    assert sorted(table.state.hand(1)) == sorted(parse_cards(f"{MINE} 9C JD KC"))
    assert set(view_for(table.state, 2).kitty) == set(parse_cards("9C JD KC"))


@pytest.mark.parametrize("cards", ["9C JD KC", "AH AH AS", "AS TS KS", "KC KH KH", "JD JD 9C"])
def test_any_three_cards_of_the_eighteen_may_be_buried(cards: str) -> None:
    table = table_before_bury().do(f"1: bury {cards}")
    assert Counter(table.state.deal.buried) == Counter(parse_cards(cards))
    assert len(table.state.hand(1)) == 15
    assert table.kind is DecisionKind.TRUMP


@pytest.mark.parametrize("cards", ["9C", "9C JD", "9C JD KC AS", ""])
def test_exactly_three_cards_are_buried(cards: str) -> None:
    assert table_before_bury().refusal(f"bury {cards}".strip()) is Reason.WRONG_NUMBER


def test_only_cards_that_are_held_can_be_buried() -> None:
    assert table_before_bury().refusal("bury 9C 9C JD") is Reason.NOT_HELD
    assert table_before_bury().refusal("bury AC 9C JD") is Reason.NOT_HELD


def test_other_actions_and_seats_are_refused_before_the_bury() -> None:
    for move in ("trump H", "play AH", "pass", "concede", "discard 9C JD KC"):
        assert table_before_bury().refusal(move) is Reason.WRONG_KIND
    assert table_before_bury().refusal("2: bury 9C JD KC") is Reason.NOT_YOUR_TURN


def test_other_seats_see_buried_cards_when_the_deal_is_over() -> None:
    table = table_before_bury().do("bury AS TS KS")
    (event,) = table.all(Buried)
    assert event.seen_by(1).cards == event.cards
    assert (event.seen_by(2).cards, event.seen_by(2).number) == (None, 3)
    assert view_for(table.state, 1).buried == event.cards
    assert view_for(table.state, 2).buried is None
    table.do("trump H", "concede")
    assert table.events[-1].seen_by(2) == table.events[-1]
    assert set(getattr(table.events[-1], "buried", ())) == set(parse_cards("AS TS KS"))


def test_buried_cards_never_meld() -> None:
    """A run and a pinochle are held; the queen of spades and a jack of diamonds are buried."""
    kept = table_before_bury().do("bury 9C KC AS", "trump H", "concede")
    buried = table_before_bury().do("bury QS JD KC", "trump H", "concede")
    assert kept.score.meld[1] == 1500 + 20 + 40
    assert buried.score.meld[1] == 1500


def test_bury_actions_ignore_the_order_of_cards() -> None:
    assert Bury(parse_cards("KC 9C JD")) == Bury(parse_cards("9C JD KC"))


@pytest.mark.parametrize(
    ("cards", "sizes"),
    [
        ("AS AS TH KH", (2,)),
        ("AS AS TH TH KH 9D", (3,)),
        ("AS TH KH QD 9C", tuple(range(6))),
        ("AS AS AS AS TS TS TS", (4,)),
        ("AS", (0, 1)),
        ("AS", (3,)),
    ],
)
def test_card_selections_are_a_sequence_of_all_combinations(
    cards: str, sizes: tuple[int, ...]
) -> None:
    selections = CardSelections(hand(cards), sizes, Discard)
    listed = list(selections)
    all_cards = sorted(parse_cards(cards))
    expected = {c for size in sizes for c in combinations(all_cards, size)}
    assert {move.cards for move in listed if isinstance(move, Discard)} == expected
    assert len(listed) == len(expected) == len(selections)
    assert [selections[i] for i in range(len(selections))] == listed
    assert list(selections[: len(selections)]) == listed
    assert all(move in selections for move in listed)
    assert [selections.index(move) for move in listed] == list(range(len(listed)))
    if listed:
        assert selections[-1] == listed[-1]
    for index in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            selections[index]


def test_card_selections_contain_no_other_action() -> None:
    selections = CardSelections(hand("AS AS TH KH"), (2,), Give)
    assert Give(parse_cards("AS AS")) in selections
    for other in (
        Give(parse_cards("TH TH")),
        Give(parse_cards("AS")),
        Give(parse_cards("AS TH KH")),
        Give(parse_cards("AS 9C")),
        Bury(parse_cards("AS AS")),
        PASS,
    ):
        assert other not in selections
