"""The exchange between partners: the partner passes first, then the declarer returns."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.cards import parse_cards
from acesaround.errors import Reason
from acesaround.game.events import Given
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.rules import Rules
from tests.scripted_games import Table, contract, deal

PARTNERS = variants.PARTNERSHIP
MINE = "AH TH KH QH 9S 9S 9D 9D 9C 9C JS JS"
THEIRS = "JH KS QS AS AD AC TS TD TC KD QD JD"


def table(rules: Rules = PARTNERS) -> Table:
    """Seat 1 has the bid with hearts; seat 3 is the partner."""
    return contract(rules, deal(rules, {1: MINE, 3: THEIRS}), 1, 250).do("trump H")


def test_the_partner_passes_four_cards_and_the_declarer_returns_four() -> None:
    after = table()
    assert (after.turn, after.kind) == (3, DecisionKind.GIVE)
    after.do("3: give JH AS AD AC")
    assert (after.turn, after.kind) == (1, DecisionKind.GIVE)
    assert len(after.state.hand(1)) == 16
    after.do("1: give 9S 9S 9D 9D")
    assert sorted(after.state.hand(1)) == sorted(parse_cards("AH TH KH QH JH AS AD AC 9C 9C JS JS"))
    assert sorted(after.state.hand(3)) == sorted(parse_cards("9S 9S 9D 9D KS QS TS TD TC KD QD JD"))
    assert [(e.seat, e.to, e.number) for e in after.all(Given)] == [(3, 1, 4), (1, 3, 4)]
    assert (after.turn, after.kind) == (1, DecisionKind.PLAY)


def test_the_very_cards_received_may_be_returned() -> None:
    after = table().do("3: give JH AS AD AC", "1: give JH AS AD AC")
    assert sorted(after.state.hand(1)) == sorted(parse_cards(MINE))


@pytest.mark.parametrize("cards", ["JH", "JH AS AD", "JH AS AD AC KS", ""])
def test_the_exchange_is_compulsory_and_of_exactly_four_cards(cards: str) -> None:
    assert table().refusal(f"give {cards}".strip()) is Reason.WRONG_NUMBER
    for move in ("pass", "play AH", "concede"):
        assert table().refusal(move) is Reason.WRONG_KIND


def test_only_cards_that_are_held_can_be_passed() -> None:
    assert table().refusal("give JH JH AS AD") is Reason.NOT_HELD
    after = table().do("give JH AS AD AC")
    assert after.refusal("give KS QS TS TD") is Reason.NOT_HELD


def test_the_declarer_does_not_begin() -> None:
    assert table().refusal("1: give 9S 9S 9D 9D") is Reason.NOT_YOUR_TURN


def test_the_passes_stay_hidden_from_the_other_side() -> None:
    after = table().do("3: give JH AS AD AC", "1: give 9S 9S 9D 9D")
    for event in after.all(Given):
        assert event.seen_by(1).cards == event.seen_by(3).cards == event.cards
        for seat in (0, 2, None):
            assert event.seen_by(seat).cards is None
            assert event.seen_by(seat).number == 4
    assert all(passed.cards is not None for passed in view_for(after.state, 3).passed)
    assert all(passed.cards is None for passed in view_for(after.state, 2).passed)


def test_melds_are_of_the_cards_after_the_exchange() -> None:
    after = table().do("3: give JH AS AD AC", "1: give 9S 9S 9D 9D")
    by_seat = {laid.seat: laid for laid in after.state.deal.laid}
    assert [meld.name for meld in by_seat[1].melds] == ["run", "aces around"]
    assert by_seat[1].points == 250


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_house_may_exchange_fewer_cards(number: int) -> None:
    after = table(PARTNERS.with_options(exchange=number))
    too_many = " ".join(["JH", "AS", "AD", "AC"][: number + 1])
    assert after.refusal(f"give {too_many}") is Reason.WRONG_NUMBER
    after.do("3: give " + " ".join(["JH", "AS", "AD"][:number]))
    after.do("1: give " + " ".join(["9S", "9S", "9D"][:number]))
    assert after.kind is DecisionKind.PLAY


def test_without_an_exchange_nobody_is_asked() -> None:
    after = table(PARTNERS.with_options(exchange=0))
    assert after.kind is DecisionKind.PLAY
    assert after.all(Given) == []


@pytest.mark.parametrize("rules", [variants.DOUBLE_DECK, variants.DOUBLE_DECK_CLASSIC])
def test_a_double_deck_house_may_exchange_too(rules: Rules) -> None:
    dealt = deal(rules, {1: "KH QH", 3: "JH JH JH JH"})
    assert contract(rules, dealt, 1, 50).do("trump H").kind is DecisionKind.PLAY
    exchanging = rules.with_options(exchange=4)
    after = contract(exchanging, dealt, 1, 50).do("trump H")
    after.do("3: give JH JH JH JH", "1: give JH JH JH JH")
    assert after.kind is DecisionKind.PLAY
