"""What states say of themselves: hands, who is next, and what each side has so far."""

from __future__ import annotations

from acesaround import variants
from acesaround.actions import PLAY_ACTIONS, ActionList
from acesaround.game.events import Melded
from acesaround.game.state import Decision, DecisionKind, clockwise, next_player, tally, with_hand
from tests.scripted_games import Table, contract, deal

FIVE = variants.FIVE_CARD.with_options(players=3)


def test_clockwise_is_the_order_of_the_players_that_are_there() -> None:
    assert [next_player((0, 2, 3), seat) for seat in (0, 2, 3)] == [2, 3, 0]
    assert clockwise((0, 2, 3), 2) == (2, 3, 0)


def test_a_hand_changes_and_the_others_stay() -> None:
    assert [with_hand((1, 2, 3), seat, 9) for seat in range(3)] == [(9, 2, 3), (1, 9, 3), (1, 2, 9)]


def last_trick() -> Table:
    """Three players of five-card, hearts trump; seat 1 has won four tricks with aces and tens."""
    hands = {1: "AH AH TH TH KH", 0: "KS QS JS 9S 9S", 2: "KC QC JC 9C 9C"}
    at = contract(FIVE, deal(FIVE, hands), 1, 6)
    at.do("trump H", "discard", "discard", "discard")
    for card in ("AH", "AH", "TH", "TH"):
        at.do(f"1: play {card}")
        at.do(at.legal()[-1])
        at.do(at.legal()[-1])
    return at


def test_the_last_tricks_bonus_counts_when_its_last_card_is_played_and_not_before() -> None:
    at = last_trick()
    before = tally(at.state).play
    at.do("1: play KH", "2: play KC")
    assert not any(at.state.hands[seat] for seat in (1, 2))
    assert tally(at.state).play == before
    worth = 1 + 1 + 1 + 1  # both kings in it, the king of spades, and the bonus
    assert at.do("0: play KS").score.play == (0, before[1] + worth, 0)


def test_what_is_laid_counts_for_the_side_that_laid_it_and_nines_are_told_apart() -> None:
    hands = {1: "KH QH 9H AS TS", 0: "KS QS JC JS 9S", 2: "KC QC JS 9C 9C"}
    at = contract(FIVE, deal(FIVE, hands), 1, 6)
    at.do("trump H", "discard", "discard", "discard")
    assert {event.seat: event.points for event in at.all(Melded)} == {1: 5, 2: 2, 0: 2}
    counted = tally(at.state)
    assert (counted.meld, counted.nines) == ((2, 5, 2), (0, 1, 0))


def test_a_decision_is_forced_where_one_action_is_legal() -> None:
    assert Decision(0, DecisionKind.PLAY, ActionList(PLAY_ACTIONS[:1])).is_forced
    assert not Decision(0, DecisionKind.PLAY, ActionList(PLAY_ACTIONS[:2])).is_forced
    assert not Decision(0, DecisionKind.PLAY, ActionList(PLAY_ACTIONS[:3])).is_forced
