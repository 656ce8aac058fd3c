"""Functions of states: order of players, hands, tallies and forced decisions."""

from __future__ import annotations

from acesaround import variants
from acesaround.actions import PLAY_ACTIONS, ActionList
from acesaround.game.events import Melded
from acesaround.game.state import (
    Decision,
    DecisionKind,
    next_player,
    players_clockwise,
    tally,
    with_hand,
)
from tests.scripted_games import Table, contract, deal

FIVE = variants.FIVE_CARD.with_options(players=3)


def test_clockwise_skips_absent_players() -> None:
    assert [next_player((0, 2, 3), seat) for seat in (0, 2, 3)] == [2, 3, 0]
    assert players_clockwise((0, 2, 3), 2) == (2, 3, 0)


def test_with_hand_changes_one_hand() -> None:
    assert [with_hand((1, 2, 3), seat, 9) for seat in range(3)] == [(9, 2, 3), (1, 9, 3), (1, 2, 9)]


def table_before_last_trick() -> Table:
    """Return five-card for three, hearts trump; seat 1 has won four tricks with aces and tens."""
    hands = {1: "AH AH TH TH KH", 0: "KS QS JS 9S 9S", 2: "KC QC JC 9C 9C"}
    table = contract(FIVE, deal(FIVE, hands), 1, 6)
    table.do("trump H", "discard", "discard", "discard")
    for card in ("AH", "AH", "TH", "TH"):
        table.do(f"1: play {card}")
        table.do(table.legal()[-1])
        table.do(table.legal()[-1])
    return table


def test_the_last_trick_bonus_counts_from_its_last_card() -> None:
    table = table_before_last_trick()
    before = tally(table.state).play
    table.do("1: play KH", "2: play KC")
    assert not any(table.state.hands[seat] for seat in (1, 2))
    assert tally(table.state).play == before
    points = 1 + 1 + 1 + 1  # three kings and the bonus
    assert table.do("0: play KS").score.play == (0, before[1] + points, 0)


def test_tally_adds_meld_by_side_and_nines_apart() -> None:
    hands = {1: "KH QH 9H AS TS", 0: "KS QS JC JS 9S", 2: "KC QC JS 9C 9C"}
    table = contract(FIVE, deal(FIVE, hands), 1, 6)
    table.do("trump H", "discard", "discard", "discard")
    assert {event.seat: event.points for event in table.all(Melded)} == {1: 5, 2: 2, 0: 2}
    counted = tally(table.state)
    assert (counted.meld, counted.dix_points) == ((2, 5, 2), (0, 1, 0))


def test_a_decision_is_forced_where_one_action_is_legal() -> None:
    assert Decision(0, DecisionKind.PLAY, ActionList(PLAY_ACTIONS[:1])).is_forced
    assert not Decision(0, DecisionKind.PLAY, ActionList(PLAY_ACTIONS[:2])).is_forced
    assert not Decision(0, DecisionKind.PLAY, ActionList(PLAY_ACTIONS[:3])).is_forced
