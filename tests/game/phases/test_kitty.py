"""The kitty: shown to all, taken, any three cards buried; and choices of cards as a sequence."""

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


def table(kitty: str = "9C JD KC") -> Table:
    """Seat 1 has bid 250 and holds its cards and the kitty."""
    return contract(THREE, deal(THREE, {1: MINE}, kitty=kitty), 1, 250)


def test_the_kitty_is_shown_to_all_and_taken() -> None:
    after = table()
    (shown,) = after.all(KittyShown)
    assert (shown.seat, set(shown.cards)) == (1, set(parse_cards("9C JD KC")))
    assert shown.seen_by(0) == shown
    assert after.kind is DecisionKind.BURY
    assert sorted(after.state.hand(1)) == sorted(parse_cards(f"{MINE} 9C JD KC"))
    assert set(view_for(after.state, 2).kitty) == set(parse_cards("9C JD KC"))


@pytest.mark.parametrize("cards", ["9C JD KC", "AH AH AS", "AS TS KS", "KC KH KH", "JD JD 9C"])
def test_any_three_cards_of_the_eighteen_may_be_buried(cards: str) -> None:
    after = table().do(f"1: bury {cards}")
    assert Counter(after.state.deal.buried) == Counter(parse_cards(cards))
    assert len(after.state.hand(1)) == 15
    assert after.kind is DecisionKind.TRUMP


@pytest.mark.parametrize("cards", ["9C", "9C JD", "9C JD KC AS", ""])
def test_exactly_three_cards_are_buried(cards: str) -> None:
    assert table().refusal(f"bury {cards}".strip()) is Reason.WRONG_NUMBER


def test_only_cards_that_are_held_can_be_buried() -> None:
    assert table().refusal("bury 9C 9C JD") is Reason.NOT_HELD
    assert table().refusal("bury AC 9C JD") is Reason.NOT_HELD


def test_before_the_bury_nothing_else_is_done_and_by_nobody_else() -> None:
    for move in ("trump H", "play AH", "pass", "concede", "discard 9C JD KC"):
        assert table().refusal(move) is Reason.WRONG_KIND
    assert table().refusal("2: bury 9C JD KC") is Reason.NOT_YOUR_TURN


def test_the_others_see_the_buried_cards_only_when_the_deal_is_over() -> None:
    after = table().do("bury AS TS KS")
    (event,) = after.all(Buried)
    assert event.seen_by(1).cards == event.cards
    assert (event.seen_by(2).cards, event.seen_by(2).number) == (None, 3)
    assert view_for(after.state, 1).buried == event.cards
    assert view_for(after.state, 2).buried is None
    after.do("trump H", "concede")
    assert after.events[-1].seen_by(2) == after.events[-1]
    assert set(getattr(after.events[-1], "buried", ())) == set(parse_cards("AS TS KS"))


def test_buried_cards_never_meld() -> None:
    """A run and a pinochle are held; the queen of spades and a jack of diamonds are buried."""
    kept = table().do("bury 9C KC AS", "trump H", "concede")
    buried = table().do("bury QS JD KC", "trump H", "concede")
    assert kept.score.meld[1] == 1500 + 20 + 40
    assert buried.score.meld[1] == 1500


def test_equal_choices_are_equal_whatever_the_order_of_the_cards() -> None:
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
def test_choices_are_every_choice_of_cards_once_and_agree_with_themselves(
    cards: str, sizes: tuple[int, ...]
) -> None:
    choices = CardSelections(hand(cards), sizes, Discard)
    listed = list(choices)
    all_cards = sorted(parse_cards(cards))
    expected = {c for size in sizes for c in combinations(all_cards, size)}
    assert {move.cards for move in listed if isinstance(move, Discard)} == expected
    assert len(listed) == len(expected) == len(choices)
    assert [choices[i] for i in range(len(choices))] == listed
    assert list(choices[: len(choices)]) == listed
    assert all(move in choices for move in listed)
    assert [choices.index(move) for move in listed] == list(range(len(listed)))
    if listed:
        assert choices[-1] == listed[-1]
    for index in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            choices[index]


def test_choices_hold_nothing_else() -> None:
    choices = CardSelections(hand("AS AS TH KH"), (2,), Give)
    assert Give(parse_cards("AS AS")) in choices
    for other in (
        Give(parse_cards("TH TH")),
        Give(parse_cards("AS")),
        Give(parse_cards("AS TH KH")),
        Give(parse_cards("AS 9C")),
        Bury(parse_cards("AS AS")),
        PASS,
    ):
        assert other not in choices
