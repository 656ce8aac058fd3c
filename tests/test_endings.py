"""The end of a game: targets, ties, fixed numbers of deals, the next dealer."""

from __future__ import annotations

import random

import pytest

from acesaround import game, variants
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import GameWon
from acesaround.game.state import DecisionKind
from acesaround.rules import Rules
from acesaround.rules.scoring import GameStatus, game_status_after_deal
from tests.scripted_games import Table, contract, deal

THREE, FIVE, SEVEN = variants.THREE_HANDED, variants.FIVE_CARD, variants.SEVEN_CARD
PARTNERS, TWO = variants.PARTNERSHIP, variants.TWO_HANDED
DOUBLE, CLASSIC = variants.DOUBLE_DECK, variants.DOUBLE_DECK_CLASSIC


def standing(
    rules: Rules,
    totals: tuple[int, ...],
    declarer: int | None = 0,
    *,
    deals: int = 5,
    target: int | None = None,
    contenders: tuple[int, ...] | None = None,
) -> GameStatus:
    """Return the standing after a deal with these totals."""
    playing = contenders or tuple(range(len(totals)))
    goal = target or rules.ending.target
    return game_status_after_deal(rules, totals, playing, goal, declarer, deals)


@pytest.mark.parametrize(
    ("rules", "totals", "winner"),
    [
        (THREE, (1490, 900, 100), None),
        (THREE, (1500, 900, 100), 0),
        (THREE, (900, 100, 1500), 2),
        (FIVE.with_options(players=2), (49, 10), None),
        (FIVE.with_options(players=2), (10, 50), 1),
        (SEVEN.with_options(players=2), (50, -10), 0),
        (PARTNERS, (1490, 0), None),
        (PARTNERS, (0, 1500), 1),
        (DOUBLE, (349, 0), None),
        (DOUBLE, (350, 0), 0),
        (DOUBLE.with_options(target=500), (499, 0), None),
        (DOUBLE.with_options(target=500), (500, 0), 0),
        (CLASSIC, (499, 499), None),
        (CLASSIC, (0, 500), 1),
        (TWO, (990, 0), None),
        (TWO, (1000, 0), 0),
        (THREE.with_options(target=1000), (0, 1000, 0), 1),
    ],
)
def test_a_side_that_reaches_the_target_wins(
    rules: Rules, totals: tuple[int, ...], winner: int | None
) -> None:
    declarer = None if rules.auction is None else 0
    assert standing(rules, totals, declarer).winner == winner


@pytest.mark.parametrize(
    ("rules", "totals", "declarer", "winner"),
    [
        (THREE, (1500, 1800, 1600), 0, 0),
        (THREE, (1800, 1500, 1600), 1, 1),
        (FIVE.with_options(players=3), (50, 70, 60), 0, 0),
        (SEVEN.with_options(players=3), (60, 70, 50), 2, 2),
        (PARTNERS, (1600, 1700), 0, 0),
        (PARTNERS, (1700, 1600), 3, 1),
        (DOUBLE, (350, 400), 0, 0),
        (DOUBLE, (400, 400), 1, 1),
        (CLASSIC, (501, 500), 1, 1),
    ],
)
def test_when_several_reach_the_target_the_bidder_wins(
    rules: Rules, totals: tuple[int, ...], declarer: int, winner: int
) -> None:
    side = rules.side_of(declarer)
    assert standing(rules, totals, side).winner == winner


@pytest.mark.parametrize(
    ("rules", "totals", "winner"),
    [
        (THREE, (1490, 1500, 1600), 2),
        (THREE, (1200, 1610, 1600), 1),
        (FIVE.with_options(players=4), (49, 50, 52, 51), 2),
        (SEVEN.with_options(players=3), (-7, 60, 50), 1),
    ],
)
def test_when_the_bidder_is_not_among_them_the_higher_wins(
    rules: Rules, totals: tuple[int, ...], winner: int
) -> None:
    assert standing(rules, totals, 0).winner == winner


def test_three_handed_tied_defenders_play_another_hand_with_all_three() -> None:
    assert standing(THREE, (900, 1600, 1600)) == GameStatus(None, 1500, (0, 1, 2))


def test_small_scale_only_tied_players_play_on() -> None:
    rules = FIVE.with_options(players=4)
    assert standing(rules, (20, 55, 52, 55)) == GameStatus(None, 50, (1, 3))
    assert standing(rules, (55, 55, 55, 12), 3) == GameStatus(None, 50, (0, 1, 2))


def test_small_scale_tied_players_play_on_until_one_of_them_wins() -> None:
    rules, tied = FIVE.with_options(players=4), (1, 3)
    assert standing(rules, (20, 54, 52, 60), 1, contenders=tied).winner == 1  # the bidder
    assert standing(rules, (20, 54, 52, 60), 3, contenders=tied).winner == 3
    assert standing(rules, (20, 44, 90, 51), 1, contenders=tied).winner == 3
    assert standing(rules, (20, 44, 90, 41), 1, contenders=tied) == GameStatus(None, 50, tied)


def test_small_scale_tied_players_play_on_with_a_deal_among_themselves() -> None:
    """Seat 2 wins every trick and is set; seats 1 and 3 stay tied at 60."""
    rules = FIVE.with_options(players=4)
    hands = {0: "9S 9D 9C JS JC", 1: "AS TS AD JD 9C", 2: "AH AH TH TH KH", 3: "AC TC AD JC 9D"}
    table = contract(rules, deal(rules, hands), 2, 50).totals(0, 60, 60, 60)
    table.do("2: trump H", *["discard"] * 4).play_out()
    assert table.score.change == (0, 0, -50, 0)
    assert (table.state.winner, table.state.players) == (None, (1, 3))
    assert table.state.dealer == 3  # seat 1 dealt: the next of the tied on its left
    assert table.refusal(deal(rules, {})) is Reason.BAD_DEAL
    table.take(deal(rules, {1: "AS AS TS TS KS", 3: "AH 9D 9C JC"}, players=(1, 3)))
    assert table.state.hands[0] == table.state.hands[2] == 0
    table.do("1: bid 1", "3: pass", "1: trump S", "1: discard", "3: discard").play_out()
    assert (table.score.change[0], table.score.change[2]) == (0, 0)
    assert table.state.scores[1] > 60
    assert table.state.winner == 1


def test_small_scale_tied_players_deal_in_turn() -> None:
    rules = FIVE.with_options(players=4, all_pass="redeal")
    hands = {0: "9S 9D 9C JS JC", 1: "AS TS AD JD 9C", 2: "AH AH TH TH KH", 3: "AC TC AD JC 9D"}
    table = contract(rules, deal(rules, hands), 2, 50).totals(0, 60, 60, 60)
    table.do("2: trump H", *["discard"] * 4).play_out()
    for dealer in (3, 1, 3):
        assert table.state.dealer == dealer
        table.take(deal(rules, {}, players=(1, 3)))
        table.do("pass", "pass")
        assert table.state.players == (1, 3)


@pytest.mark.parametrize(
    ("totals", "winner"), [((1010, 1020), 1), ((1300, 1000), 0), ((1000, 990), 0)]
)
def test_two_handed_the_higher_total_wins(totals: tuple[int, int], winner: int) -> None:
    assert standing(TWO, totals, None).winner == winner


@pytest.mark.parametrize(
    ("tied", "target", "raised"),
    [
        (1000, 1000, 1250),
        (1100, 1000, 1250),
        (1250, 1000, 1500),  # above the tied score
        (1300, 1000, 1500),
        (1260, 1250, 1500),
        (1500, 1250, 1750),
    ],
)
def test_two_handed_a_tie_raises_the_target_to_the_next_250(
    tied: int, target: int, raised: int
) -> None:
    assert standing(TWO, (tied, tied), None, target=target) == GameStatus(None, raised, (0, 1))


def test_two_handed_a_raised_target_must_be_reached() -> None:
    assert standing(TWO, (1240, 1100), None, target=1250) == GameStatus(None, 1250, (0, 1))
    assert standing(TWO, (1260, 1250), None, target=1250).winner == 0


def test_two_handed_a_tie_below_the_highest_total_is_ignored() -> None:
    rules = TWO.with_options(players=3)
    assert standing(rules, (1010, 1100, 1010), None).winner == 1
    assert standing(rules, (1100, 1010, 1100), None) == GameStatus(None, 1250, (0, 1, 2))


@pytest.mark.parametrize(
    ("rules", "totals"),
    [
        (THREE, (5000, 10, 20)),
        (FIVE.with_options(players=2), (70, 0)),
        (PARTNERS, (3000, 0)),
        (DOUBLE, (600, 10)),
        (TWO, (2000, 1000)),
    ],
)
def test_a_fixed_number_of_deals_replaces_the_target(rules: Rules, totals: tuple[int, ...]) -> None:
    fixed = rules.with_options(hands=4)
    declarer = None if rules.auction is None else 1
    for deals in (1, 2, 3):
        assert standing(fixed, totals, declarer, deals=deals).winner is None
    assert standing(fixed, totals, declarer, deals=4).winner == 0
    low = tuple(-total for total in totals)
    assert standing(fixed, low, declarer, deals=4).winner == low.index(max(low))


@pytest.mark.parametrize(
    ("rules", "totals", "declarer", "winner"),
    [
        (THREE, (300, 300, 100), 0, 0),
        (THREE, (300, 300, 100), 1, 1),
        (THREE, (300, 300, 100), 2, None),
        (THREE, (300, 300, 100), None, None),  # thrown in
        (DOUBLE, (120, 120), 1, 1),
        (FIVE.with_options(players=3), (20, 5, 20), 2, 2),
        (FIVE.with_options(players=3), (20, 5, 20), 1, None),
        (TWO, (900, 900), None, None),
    ],
)
def test_a_tie_after_the_fixed_deals_is_won_by_the_declarer_or_needs_another_deal(
    rules: Rules, totals: tuple[int, ...], declarer: int | None, winner: int | None
) -> None:
    fixed = rules.with_options(hands=4)
    assert standing(fixed, totals, declarer, deals=4).winner == winner
    ahead = (totals[0] + 10, *totals[1:])
    assert standing(fixed, ahead, declarer, deals=5).winner == 0


def test_a_deal_thrown_in_counts_among_the_fixed_deals() -> None:
    rules = THREE.with_options(hands=2)
    table = Table(rules, deal(rules, {}), 0).totals(10, 0, 0).do("pass", "pass", "pass")
    assert (table.state.deals, table.state.winner) == (1, None)
    table.take(deal(rules, {}))
    table.do("pass", "pass", "pass")
    assert table.state.winner == 0


def won_game() -> Table:
    """Return a game that seat 2 has won: the declarer concedes, and seat 2 melds to the target."""
    first = deal(THREE, {2: "KS QS"})
    table = contract(THREE, first, 1, 250).totals(0, 0, 1490)
    return table.do(table.legal()[0], "trump H", "concede")


def test_actions_after_the_game_are_refused() -> None:
    table = won_game()
    assert table.state.winner == 2
    assert [event.side for event in table.all(GameWon)] == [2]
    with pytest.raises(IllegalAction) as refused:
        game.decision(table.state)
    assert refused.value.reason is Reason.GAME_OVER
    for move in ("pass", "play AS", "0: pass"):
        assert table.refusal(move) is Reason.GAME_OVER
    assert table.refusal(deal(THREE, {})) is Reason.GAME_OVER


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_the_first_dealer_of_a_game_is_random(variant: str) -> None:
    rules = variants.get(variant)
    drawn = {game.first_dealer(rules, random.Random(seed)) for seed in range(200)}
    assert drawn == set(range(rules.seats))


def test_three_handed_the_winner_of_the_last_game_deals_first() -> None:
    last = won_game().state
    drawn = {game.first_dealer(THREE, random.Random(seed), last) for seed in range(50)}
    assert drawn == {2}


def test_partnership_the_first_dealer_of_a_later_game_is_random() -> None:
    rules = PARTNERS.with_options(exchange=0, all_pass="redeal", hands=1)
    table = Table(rules, deal(rules, {}), 0).totals(10, 0).do(*["pass"] * 4)
    assert table.state.winner == 0
    last = table.state
    drawn = {game.first_dealer(rules, random.Random(seed), last) for seed in range(200)}
    assert drawn == {0, 1, 2, 3}


def test_the_deal_passes_to_the_left() -> None:
    table = Table(THREE, None, 1)
    for dealer in (1, 2, 0, 1):
        assert (table.state.dealer, table.kind) == (dealer, DecisionKind.DEAL)
        table.take(deal(THREE, {}))
        table.do("pass", "pass", "pass")
