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


def table_before_exchange(rules: Rules = PARTNERS) -> Table:
    """Return a table where seat 1 declared hearts and seat 3 is the partner."""
    return contract(rules, deal(rules, {1: MINE, 3: THEIRS}), 1, 250).do("trump H")


def test_the_partner_passes_four_cards_and_the_declarer_returns_four() -> None:
    table = table_before_exchange()
    assert (table.turn, table.kind) == (3, DecisionKind.GIVE)
    table.do("3: give JH AS AD AC")
    assert (table.turn, table.kind) == (1, DecisionKind.GIVE)
    assert len(table.state.hand(1)) == 16
    table.do("1: give 9S 9S 9D 9D")
    assert sorted(table.state.hand(1)) == sorted(parse_cards("AH TH KH QH JH AS AD AC 9C 9C JS JS"))
    assert sorted(table.state.hand(3)) == sorted(parse_cards("9S 9S 9D 9D KS QS TS TD TC KD QD JD"))
    assert [(e.seat, e.to, e.number) for e in table.all(Given)] == [(3, 1, 4), (1, 3, 4)]
    assert (table.turn, table.kind) == (1, DecisionKind.PLAY)


def test_received_cards_may_be_returned() -> None:
    table = table_before_exchange().do("3: give JH AS AD AC", "1: give JH AS AD AC")
    assert sorted(table.state.hand(1)) == sorted(parse_cards(MINE))


@pytest.mark.parametrize("cards", ["JH", "JH AS AD", "JH AS AD AC KS", ""])
def test_exactly_four_cards_must_be_passed(cards: str) -> None:
    assert table_before_exchange().refusal(f"give {cards}".strip()) is Reason.WRONG_NUMBER
    for move in ("pass", "play AH", "concede"):
        assert table_before_exchange().refusal(move) is Reason.WRONG_KIND


def test_only_cards_that_are_held_can_be_passed() -> None:
    assert table_before_exchange().refusal("give JH JH AS AD") is Reason.NOT_HELD
    table = table_before_exchange().do("give JH AS AD AC")
    assert table.refusal("give KS QS TS TD") is Reason.NOT_HELD


def test_the_declarer_cannot_pass_cards_first() -> None:
    assert table_before_exchange().refusal("1: give 9S 9S 9D 9D") is Reason.NOT_YOUR_TURN


def test_passed_cards_are_hidden_from_the_other_side() -> None:
    table = table_before_exchange().do("3: give JH AS AD AC", "1: give 9S 9S 9D 9D")
    for event in table.all(Given):
        assert event.seen_by(1).cards == event.seen_by(3).cards == event.cards
        for seat in (0, 2, None):
            assert event.seen_by(seat).cards is None
            assert event.seen_by(seat).number == 4
    assert all(passed.cards is not None for passed in view_for(table.state, 3).passed)
    assert all(passed.cards is None for passed in view_for(table.state, 2).passed)


def test_melds_are_found_after_the_exchange() -> None:
    table = table_before_exchange().do("3: give JH AS AD AC", "1: give 9S 9S 9D 9D")
    by_seat = {laid.seat: laid for laid in table.state.deal.laid}
    assert [meld.name for meld in by_seat[1].melds] == ["run", "aces around"]
    assert by_seat[1].points == 250


@pytest.mark.parametrize("number", [1, 2, 3])
def test_fewer_cards_may_be_exchanged(number: int) -> None:
    table = table_before_exchange(PARTNERS.with_options(exchange=number))
    too_many = " ".join(["JH", "AS", "AD", "AC"][: number + 1])
    assert table.refusal(f"give {too_many}") is Reason.WRONG_NUMBER
    table.do("3: give " + " ".join(["JH", "AS", "AD"][:number]))
    table.do("1: give " + " ".join(["9S", "9S", "9D"][:number]))
    assert table.kind is DecisionKind.PLAY


def test_without_exchange_play_follows_trump() -> None:
    table = table_before_exchange(PARTNERS.with_options(exchange=0))
    assert table.kind is DecisionKind.PLAY
    assert table.all(Given) == []


@pytest.mark.parametrize("rules", [variants.DOUBLE_DECK, variants.DOUBLE_DECK_CLASSIC])
def test_the_double_deck_supports_an_exchange(rules: Rules) -> None:
    dealt = deal(rules, {1: "KH QH", 3: "JH JH JH JH"})
    assert contract(rules, dealt, 1, 50).do("trump H").kind is DecisionKind.PLAY
    exchanging = rules.with_options(exchange=4)
    table = contract(exchanging, dealt, 1, 50).do("trump H")
    table.do("3: give JH JH JH JH", "1: give JH JH JH JH")
    assert table.kind is DecisionKind.PLAY
