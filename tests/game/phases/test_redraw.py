"""Discarding and drawing in five-card and seven-card: limits, order, hidden cards."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.cards import parse_cards
from acesaround.errors import Reason
from acesaround.game.events import DiscardChosen, Discarded, Drew, Melded, Reneged
from acesaround.game.json_format import view_to_json
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from tests.scripted_games import Table, contract, deal

FIVE, SEVEN = variants.FIVE_CARD, variants.SEVEN_CARD
HANDS = {0: "AS AH AD AC TS", 1: "KH QH JH 9C 9D", 2: "9S 9S JC JC QC"}
TOP = "TH AH TD 9H KD KD KC JD 9H TC"


def table_before_discards(rules: Rules | None = None) -> Table:
    """Return a table for three where seat 1 declared hearts at 6; the stock begins with `TOP`."""
    rules = (rules or FIVE).with_options(players=3)
    return contract(rules, deal(rules, HANDS, stock=TOP), 1, 6).do("trump H")


LIMITS = [
    *[(FIVE, players, limit) for players, limit in enumerate([5, 5, 5, 4, 3, 1, 1], 2)],
    *[(SEVEN, players, limit) for players, limit in enumerate([7, 7, 5, 2, 1], 2)],
]


@pytest.mark.parametrize(("rules", "players", "limit"), LIMITS)
def test_discards_are_limited_by_players_and_hand_size(
    rules: Rules, players: int, limit: int
) -> None:
    """The limit is min(hand, (48 - n x hand) // n)."""
    rules = rules.with_options(players=players)
    table = contract(rules, deal(rules, {}), 1, 6).do("trump H")
    held = [str(card) for card in table.state.hand(1)]
    if limit < len(held):
        too_many = "discard " + " ".join(held[: limit + 1])
        assert table.refusal(too_many) is Reason.TOO_MANY_CARDS
    table.do("discard " + " ".join(held[:limit]), *["discard"] * (players - 1))
    assert len(table.state.hand(1)) == rules.hand_size
    assert table.all(Discarded)[0].number == limit


def test_with_limit_0_play_follows_trump() -> None:
    rules = FIVE.with_options(players=9)
    table = contract(rules, deal(rules, {}), 1, 6).do("trump H")
    assert table.kind is DecisionKind.PLAY
    assert table.all(Discarded) == []


def test_discards_and_draws_go_clockwise_from_the_declarer() -> None:
    table = table_before_discards()
    assert (table.turn, table.kind) == (1, DecisionKind.DISCARD)
    table.do("1: discard 9C 9D", "2: discard 9S 9S JC JC QC", "0: discard TS")
    assert sorted(table.state.hand(1)) == sorted(parse_cards("KH QH JH TH AH"))
    assert sorted(table.state.hand(2)) == sorted(parse_cards("TD 9H KD KD KC"))
    assert sorted(table.state.hand(0)) == sorted(parse_cards("AS AH AD AC JD"))
    assert [event.seat for event in table.all(Discarded)] == [1, 2, 0]
    assert [(event.seat, event.number) for event in table.all(Drew)] == [(1, 2), (2, 5), (0, 1)]
    assert (table.turn, table.kind) == (1, DecisionKind.PLAY)


def test_discards_are_shown_and_drawn_for_after_all_have_chosen() -> None:
    table = table_before_discards().do("1: discard 9C 9D", "2: discard")
    assert table.all(Discarded) == []
    assert table.all(Drew) == []
    assert [event.seat for event in table.all(DiscardChosen)] == [1, 2]
    for event, cards in zip(table.all(DiscardChosen), ("9D 9C", ""), strict=True):
        assert event.seen_by(event.seat).cards == parse_cards(cards)
        for other in {0, 1, 2, None} - {event.seat}:
            assert event.seen_by(other) == DiscardChosen(event.seat, None)
    for seat in range(3):
        assert sorted(table.state.hand(seat)) == sorted(parse_cards(HANDS[seat]))
    table.do("0: discard TS")
    kinds = [type(event).__name__ for event in table.events if not isinstance(event, Melded)]
    assert kinds[-7:] == ["DiscardChosen", *["Discarded"] * 3, *["Drew"] * 3]


def test_a_view_shows_only_the_own_choice_until_all_have_chosen() -> None:
    few = table_before_discards().do("1: discard 9C 9D", "2: discard").state
    many = table_before_discards().do("1: discard KH QH JH 9C 9D", "2: discard 9S 9S JC").state
    assert view_for(few, 1).chosen == parse_cards("9D 9C")
    assert view_for(few, 2).chosen == ()
    assert view_for(few, 0).chosen is None
    for seat in (0, None):
        assert view_to_json(view_for(few, seat)) == view_to_json(view_for(many, seat))
    for seat in range(3):
        seen = view_for(few, seat)
        assert (seen.turn, seen.kind, seen.passed) == (0, DecisionKind.DISCARD, ())
        assert (seen.sizes, seen.stock) == ((5, 5, 5), 33)
    after = table_before_discards().do("1: discard 9C 9D", "2: discard", "0: discard TS").state
    assert view_for(after, 1).chosen is None
    assert [(p.seat, p.number) for p in view_for(after, 0).passed] == [(1, 2), (2, 0), (0, 1)]


def test_any_number_of_cards_up_to_the_limit_may_be_discarded() -> None:
    table = table_before_discards().do("discard", "discard QC", "discard AS AH AD AC TS")
    assert sorted(table.state.hand(1)) == sorted(parse_cards(HANDS[1]))
    assert sorted(table.state.hand(2)) == sorted(parse_cards("9S 9S JC JC TH"))
    assert [(event.seat, event.number) for event in table.all(Discarded)] == [
        (1, 0),
        (2, 1),
        (0, 5),
    ]


def test_discards_leave_the_game_and_are_not_drawn_again() -> None:
    table = table_before_discards().do(
        "discard KH QH JH 9C 9D", "discard 9S 9S JC JC QC", "discard AS AH AD AC TS"
    )
    held = [card for seat in range(3) for card in table.state.hand(seat)]
    thrown = [card for throw in table.state.deal.discarded for card in throw.cards]
    left = [*held, *thrown, *table.state.deal.stock]
    assert sorted(left) == sorted(FIVE.deck.cards)
    assert len(table.state.deal.stock) == 48 - 15 - 15


def test_only_cards_that_are_held_can_be_discarded() -> None:
    assert table_before_discards().refusal("discard 9C 9C") is Reason.NOT_HELD
    assert table_before_discards().refusal("discard AS") is Reason.NOT_HELD
    assert (
        table_before_discards(FIVE.with_options(renege="penalty")).refusal("discard AS")
        is Reason.NOT_HELD
    )


def test_other_actions_and_seats_are_refused_before_discarding() -> None:
    for move in ("play KH", "pass", "concede", "trump H", "bury 9C 9D JH"):
        assert table_before_discards().refusal(move) is Reason.WRONG_KIND
    assert table_before_discards().refusal("2: discard") is Reason.NOT_YOUR_TURN


def test_discarded_and_drawn_cards_are_shown_to_their_own_seat_only() -> None:
    table = table_before_discards().do("1: discard 9C 9D", "2: discard 9S 9S", "0: discard AS AH")
    for event in (*table.all(Discarded), *table.all(Drew)):
        assert event.seen_by(event.seat).cards == event.cards
        for other in {0, 1, 2, None} - {event.seat}:
            assert event.seen_by(other).cards is None
            assert event.seen_by(other).number == 2
    assert view_for(table.state, 1).passed[0].cards == parse_cards("9D 9C")
    assert view_for(table.state, 2).passed[0].cards is None


PENALTY = SEVEN.with_options(renege="penalty")


def seven_card_table(rules: Rules) -> Table:
    """Return seven-card for four (limit 5) where seat 1 declared hearts with two nines."""
    rules = rules.with_options(players=4)
    first = deal(rules, {1: "9H 9H AH TH KH QH JH", 2: "AS AH AD AC KS QS 9C"})
    return contract(rules, first, 1, 6).do("trump H")


@pytest.mark.parametrize("offender", [1, 2])
def test_with_renege_penalty_too_many_discards_end_the_deal(offender: int) -> None:
    """The offender loses the bid, and the others score 0, as no melds are laid yet."""
    table = seven_card_table(PENALTY)
    if offender == 2:
        table.do("1: discard")
    held = [str(card) for card in table.state.hand(offender)]
    before = table.legal()
    table.do(f"{offender}: discard " + " ".join(held[:6]))
    assert f"discard {' '.join(held[:6])}" not in before
    assert [event.seat for event in table.all(Reneged)] == [offender]
    # The choices of the others stay hidden.
    assert [(event.seat, event.number) for event in table.all(Discarded)] == [(offender, 6)]
    assert table.all(Drew) == []
    assert table.score.outcome is Outcome.RENEGED
    assert table.score.meld == table.score.play == (0, 0, 0, 0)
    assert table.score.change == tuple(-6 if seat == offender else 0 for seat in range(4))
    assert (table.kind, table.state.dealer) == (DecisionKind.DEAL, 1)


def test_renege_penalty_does_not_change_the_legal_discards() -> None:
    assert seven_card_table(PENALTY).legal() == seven_card_table(SEVEN).legal()
    assert seven_card_table(SEVEN).refusal("discard 9H 9H AH TH KH QH") is Reason.TOO_MANY_CARDS
