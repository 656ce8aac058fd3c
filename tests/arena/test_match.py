"""Matches: fair seatings, first dealers, and refused settings."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from acesaround import variants
from acesaround.arena.match import BoardKind, Match, first_dealer_of
from acesaround.errors import RulesError
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.scoring import least_stake
from tests.arena.fixtures import match
from tests.random_games import tables


@given(tables(part=Feature.SEARCH))
def test_each_bot_plays_each_side_equally_often(rules: Rules) -> None:
    seatings = match("thumb", "random", rules=rules).seatings
    assert len(set(seatings)) == len(seatings)
    for side in range(len(rules.sides)):
        assert Counter(seating[side] for seating in seatings)[0] * 2 == len(seatings)
    for seating in seatings:
        assert set(seating) == {0, 1}
        assert tuple(1 - bot for bot in seating) in seatings


def test_seatings_of_two_sides_and_of_few_players() -> None:
    assert match("thumb", "random").seatings == ((0, 1), (1, 0))
    three = match("thumb", "random", "three-handed").seatings
    assert sorted(map(sum, three)) == [1, 1, 1, 2, 2, 2]
    assert len(match("thumb", "random", rules=variants.get("five-card", 4)).seatings) == 8


@pytest.mark.parametrize("players", [5, 6, 7, 8, 9])
def test_seatings_of_many_players_alternate(players: int) -> None:
    first, second = match("thumb", "random", rules=variants.get("five-card", players)).seatings
    assert all(first[at] != first[at + 1] for at in range(players - 1))
    assert [a + b for a, b in zip(first, second, strict=True)] == [1] * players


def test_points_in_play_are_chips_where_the_bid_decides_what_a_deal_pays() -> None:
    assert match("thumb", "random").average_points_in_play == 250
    # A bid of 300 pays 1 from each of two others, and costs 2 to each if it is set.
    chips = match("thumb", "random", rules=variants.get("auction-chips"))
    assert chips.average_points_in_play == (1 + 2) * 2
    assert least_stake(chips.rules) == 6
    with pytest.raises(ValueError, match="decides nothing"):
        least_stake(variants.get("auction"))


def test_first_dealer_rotates_in_single_deals() -> None:
    single = match("thumb", "random", board_kind=BoardKind.SINGLE_DEAL)
    assert [first_dealer_of(single, board) for board in range(8)] == [0, 1, 2, 3, 0, 1, 2, 3]


def test_first_dealer_of_a_game_depends_on_seed_and_board() -> None:
    dealers = [first_dealer_of(match("thumb", "random", seed=1), board) for board in range(30)]
    assert dealers == [
        first_dealer_of(match("random", "random", seed=1), board) for board in range(30)
    ]
    assert set(dealers) == {0, 1, 2, 3}


def test_unknown_bots_and_contradictory_settings_are_refused() -> None:
    with pytest.raises(RulesError, match="'tumb' is not a bot"):
        match("tumb", "random")
    with pytest.raises(RulesError, match="'nobody' is not a bot"):
        match("thumb", "random", board_kind=BoardKind.CARD_PLAY, before_play_bot="nobody")
    rules = variants.get("partnership")
    with pytest.raises(RulesError, match="go together"):
        Match(rules=rules, bots=("thumb", "random"), board_kind=BoardKind.CARD_PLAY)
    with pytest.raises(RulesError, match="go together"):
        Match(rules=rules, bots=("thumb", "random"), before_play_bot="thumb")


def test_programs_lists_external_bots() -> None:
    assert match("cmd:cat x", "thumb").programs == ("cmd:cat x",)
    assert match("random", "thumb").programs == ()
