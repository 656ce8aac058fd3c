"""Discarding and drawing with five or seven cards: how many, who first, which cards."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.cards import parse_cards
from acesaround.errors import Reason
from acesaround.game.events import DiscardChosen, Discarded, Drew, Melded, Reneged
from acesaround.game.state import DecisionKind
from acesaround.game.view import encode, view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from tests.scripted_games import Table, contract, deal

FIVE, SEVEN = variants.FIVE_CARD, variants.SEVEN_CARD
HANDS = {0: "AS AH AD AC TS", 1: "KH QH JH 9C 9D", 2: "9S 9S JC JC QC"}
TOP = "TH AH TD 9H KD KD KC JD 9H TC"


def table(rules: Rules | None = None) -> Table:
    """Three play; seat 1 has it for 6 with hearts. The stock begins as `TOP`."""
    rules = (rules or FIVE).with_options(players=3)
    return contract(rules, deal(rules, HANDS, stock=TOP), 1, 6).do("trump H")


LIMITS = [
    *[(FIVE, players, limit) for players, limit in enumerate([5, 5, 5, 4, 3, 1, 1], 2)],
    *[(SEVEN, players, limit) for players, limit in enumerate([7, 7, 5, 2, 1], 2)],
]


@pytest.mark.parametrize(("rules", "players", "limit"), LIMITS)
def test_how_many_cards_may_be_discarded(rules: Rules, players: int, limit: int) -> None:
    """min(hand, (48 - n x hand) // n); seven cards and four players: five, says the text."""
    rules = rules.with_options(players=players)
    at = contract(rules, deal(rules, {}), 1, 6).do("trump H")
    held = [str(card) for card in at.state.hand(1)]
    if limit < len(held):
        too_many = "discard " + " ".join(held[: limit + 1])
        assert at.refusal(too_many) is Reason.TOO_MANY_CARDS
    at.do("discard " + " ".join(held[:limit]), *["discard"] * (players - 1))
    assert len(at.state.hand(1)) == rules.hand_size
    assert at.all(Discarded)[0].number == limit


def test_where_the_limit_is_0_nobody_is_asked() -> None:
    rules = FIVE.with_options(players=9)
    at = contract(rules, deal(rules, {}), 1, 6).do("trump H")
    assert at.kind is DecisionKind.PLAY
    assert at.all(Discarded) == []


def test_the_bidder_discards_and_draws_first_then_clockwise_off_the_top() -> None:
    at = table()
    assert (at.turn, at.kind) == (1, DecisionKind.DISCARD)
    at.do("1: discard 9C 9D", "2: discard 9S 9S JC JC QC", "0: discard TS")
    assert sorted(at.state.hand(1)) == sorted(parse_cards("KH QH JH TH AH"))
    assert sorted(at.state.hand(2)) == sorted(parse_cards("TD 9H KD KD KC"))
    assert sorted(at.state.hand(0)) == sorted(parse_cards("AS AH AD AC JD"))
    assert [event.seat for event in at.all(Discarded)] == [1, 2, 0]
    assert [(event.seat, event.number) for event in at.all(Drew)] == [(1, 2), (2, 5), (0, 1)]
    assert (at.turn, at.kind) == (1, DecisionKind.PLAY)


def test_nobody_draws_or_sees_a_number_before_all_have_decided() -> None:
    """The players decide which cards to discard; the dealer deals after that."""
    at = table().do("1: discard 9C 9D", "2: discard")
    assert at.all(Discarded) == []
    assert at.all(Drew) == []
    assert [event.seat for event in at.all(DiscardChosen)] == [1, 2]
    for event, cards in zip(at.all(DiscardChosen), ("9D 9C", ""), strict=True):
        assert event.seen_by(event.seat).cards == parse_cards(cards)
        for other in {0, 1, 2, None} - {event.seat}:
            assert event.seen_by(other) == DiscardChosen(event.seat, None)
    for seat in range(3):
        assert sorted(at.state.hand(seat)) == sorted(parse_cards(HANDS[seat]))
    at.do("0: discard TS")
    kinds = [type(event).__name__ for event in at.events if not isinstance(event, Melded)]
    assert kinds[-7:] == ["DiscardChosen", *["Discarded"] * 3, *["Drew"] * 3]


def test_while_others_decide_a_view_shows_only_what_its_own_seat_has_decided() -> None:
    few = table().do("1: discard 9C 9D", "2: discard").state
    many = table().do("1: discard KH QH JH 9C 9D", "2: discard 9S 9S JC").state
    assert view_for(few, 1).chosen == parse_cards("9D 9C")
    assert view_for(few, 2).chosen == ()
    assert view_for(few, 0).chosen is None
    for seat in (0, None):  # whatever the others have decided, it looks the same
        assert encode(view_for(few, seat)) == encode(view_for(many, seat))
    for seat in range(3):
        seen = view_for(few, seat)
        assert (seen.turn, seen.kind, seen.passed) == (0, DecisionKind.DISCARD, ())
        assert (seen.sizes, seen.stock) == ((5, 5, 5), 33)
    after = table().do("1: discard 9C 9D", "2: discard", "0: discard TS").state
    assert view_for(after, 1).chosen is None
    assert [(p.seat, p.number) for p in view_for(after, 0).passed] == [(1, 2), (2, 0), (0, 1)]


def test_any_number_up_to_the_limit_may_be_discarded_and_none_at_all() -> None:
    at = table().do("discard", "discard QC", "discard AS AH AD AC TS")
    assert sorted(at.state.hand(1)) == sorted(parse_cards(HANDS[1]))
    assert sorted(at.state.hand(2)) == sorted(parse_cards("9S 9S JC JC TH"))
    assert [(event.seat, event.number) for event in at.all(Discarded)] == [(1, 0), (2, 1), (0, 5)]


def test_discards_leave_the_game_and_are_not_drawn_again() -> None:
    at = table().do("discard KH QH JH 9C 9D", "discard 9S 9S JC JC QC", "discard AS AH AD AC TS")
    held = [card for seat in range(3) for card in at.state.hand(seat)]
    thrown = [card for throw in at.state.deal.discarded for card in throw.cards]
    left = [*held, *thrown, *at.state.deal.stock]
    assert sorted(left) == sorted(FIVE.deck.cards)
    assert len(at.state.deal.stock) == 48 - 15 - 15


def test_only_cards_that_are_held_can_be_discarded() -> None:
    assert table().refusal("discard 9C 9C") is Reason.NOT_HELD
    assert table().refusal("discard AS") is Reason.NOT_HELD
    assert table(FIVE.with_options(renege="penalty")).refusal("discard AS") is Reason.NOT_HELD


def test_before_discarding_nothing_else_is_done_and_nobody_is_out_of_turn() -> None:
    for move in ("play KH", "pass", "concede", "trump H", "bury 9C 9D JH"):
        assert table().refusal(move) is Reason.WRONG_KIND
    assert table().refusal("2: discard") is Reason.NOT_YOUR_TURN


def test_discarded_and_drawn_cards_are_seen_by_their_own_seat_only() -> None:
    at = table().do("1: discard 9C 9D", "2: discard 9S 9S", "0: discard AS AH")
    for event in (*at.all(Discarded), *at.all(Drew)):
        assert event.seen_by(event.seat).cards == event.cards
        for other in {0, 1, 2, None} - {event.seat}:
            assert event.seen_by(other).cards is None
            assert event.seen_by(other).number == 2
    assert view_for(at.state, 1).passed[0].cards == parse_cards("9D 9C")
    assert view_for(at.state, 2).passed[0].cards is None


PENALTY = SEVEN.with_options(renege="penalty")


def four(rules: Rules) -> Table:
    """Four with seven cards, limit 5; seat 1 has it for 6 with hearts and holds two nines."""
    rules = rules.with_options(players=4)
    first = deal(rules, {1: "9H 9H AH TH KH QH JH", 2: "AS AH AD AC KS QS 9C"})
    return contract(rules, first, 1, 6).do("trump H")


@pytest.mark.parametrize("offender", [1, 2])
def test_under_the_penalty_a_discard_over_the_limit_ends_the_deal(offender: int) -> None:
    """Nobody has melded yet: the offender loses the bid, nines and all; the others score 0."""
    at = four(PENALTY)
    if offender == 2:
        at.do("1: discard")
    held = [str(card) for card in at.state.hand(offender)]
    before = at.legal()
    at.do(f"{offender}: discard " + " ".join(held[:6]))
    assert f"discard {' '.join(held[:6])}" not in before
    assert [event.seat for event in at.all(Reneged)] == [offender]
    # Noticed at once: nobody else is asked, nobody draws, and what others decided stays hidden.
    assert [(event.seat, event.number) for event in at.all(Discarded)] == [(offender, 6)]
    assert at.all(Drew) == []
    assert at.score.outcome is Outcome.RENEGED
    assert at.score.meld == at.score.play == (0, 0, 0, 0)
    assert at.score.change == tuple(-6 if seat == offender else 0 for seat in range(4))
    assert (at.kind, at.state.dealer) == (DecisionKind.DEAL, 1)


def test_what_may_be_discarded_is_the_same_under_both_rules_about_reneges() -> None:
    assert four(PENALTY).legal() == four(SEVEN).legal()
    assert four(SEVEN).refusal("discard 9H 9H AH TH KH QH") is Reason.TOO_MANY_CARDS
