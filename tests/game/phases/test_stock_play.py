"""Tricks while there is a stock: any card is legal, draws, the last draw, the strict play-off."""

from __future__ import annotations

import pytest

from acesaround.cards import format_cards
from acesaround.errors import Reason
from acesaround.game.events import Drew, Reneged, TrickWon, UpcardDrawn
from acesaround.game.state import DecisionKind, Playing, StockPlaying
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from tests.game.phases.two_handed import (
    TWO,
    YOURS,
    first_card,
    play_stock,
    two_handed_table,
    win_trick,
)
from tests.scripted_games import Table, deal
from tests.test_perft import position


def test_before_a_lead_no_card_is_best() -> None:
    table = two_handed_table()
    first = table.state.phase
    assert isinstance(first, StockPlaying)
    assert (first.cards, first.best, first.best_seat) == ((), -1, -1)


def test_the_non_dealer_leads() -> None:
    table = two_handed_table()
    assert (table.turn, table.kind) == (1, DecisionKind.PLAY)
    for move in ("concede", "pass", "bid 250", "trump H", "discard", "bury AS KH QH", "give AS"):
        assert table.refusal(move) is Reason.WRONG_KIND
    assert table.refusal("0: play 9S") is Reason.NOT_YOUR_TURN


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_the_seat_left_of_the_dealer_leads(players: int) -> None:
    rules = TWO.with_options(players=players)
    for dealer in range(players):
        table = Table(rules, deal(rules, {}, upcard="9C"), dealer)
        assert table.turn == (dealer + 1) % players


def test_any_card_is_legal_while_there_is_a_stock() -> None:
    table = two_handed_table().do("1: play AS")
    assert len(table.legal()) == len(set(YOURS.split()))
    assert table.refusal("play AS") is Reason.NOT_HELD
    table.do("0: play 9D")
    assert [(trick.seat, trick.points) for trick in table.all(TrickWon)] == [(1, 10)]


@pytest.mark.parametrize(
    ("yours", "winner"), [("AS", 1), ("9H", 0), ("TS", 1), ("AC", 1), ("9S", 1)]
)
def test_the_best_card_wins_a_stock_trick(yours: str, winner: int) -> None:
    table = two_handed_table(mine="AS", yours=yours).do("1: play AS", f"0: play {yours}")
    assert table.all(TrickWon)[0].seat == winner
    assert table.turn == winner


def test_the_winner_draws_before_the_loser() -> None:
    table = win_trick(two_handed_table(), "AS")
    assert [(event.seat, format_cards(event.cards or ())) for event in table.all(Drew)] == [
        (1, "TS"),
        (0, "TC"),
    ]
    assert table.all(Drew)[0].seen_by(0).cards is None
    assert view_for(table.state, 0).stock == 21
    table = two_handed_table(yours="AS").do("1: play KS", "0: play AS")
    assert [event.seat for event in table.all(Drew)] == [0, 1]


@pytest.mark.parametrize(("players", "each"), [(3, 8), (4, 6)])
def test_with_more_players_draws_go_clockwise_from_the_winner(players: int, each: int) -> None:
    rules = TWO.with_options(players=players)
    hands = {1: "JS 9D", 2: "AS 9D", 3: "9C", 0: "9S"}
    first = deal(
        rules,
        {seat: cards for seat, cards in hands.items() if seat < players},
        upcard="KH",
        stock="TS TC TD TH",
    )
    table = Table(rules, first, 0).do("1: play JS", "2: play AS")
    table.do(*["3: play 9C"] * (players == 4), "0: play 9S")
    assert table.all(TrickWon)[0].seat == 2
    assert [event.seat for event in table.all(Drew)] == [(2 + n) % players for n in range(players)]
    drawn = [format_cards(event.cards or ()) for event in table.all(Drew)]
    assert drawn == ["TS", "TC", "TD", "TH"][:players]
    assert {len(table.state.hand(seat)) for seat in range(players)} == {each}


@pytest.mark.parametrize(("players", "tricks"), [(2, 12), (3, 8), (4, 6)])
def test_the_last_draw_is_the_upcard_and_then_the_play_off_begins(
    players: int, tricks: int
) -> None:
    rules = TWO.with_options(players=players)
    table = play_stock(Table(rules, deal(rules, {}, upcard="KD"), 0))
    assert len(table.all(TrickWon)) == tricks
    (drawn,) = table.all(UpcardDrawn)
    winner = table.all(TrickWon)[-1].seat
    assert str(drawn.card) == "KD"
    assert drawn.seat == (winner - 1) % players  # the last clockwise from the winner
    assert table.events[-1] == drawn
    assert isinstance(table.state.phase, Playing)
    assert table.turn == winner
    assert table.state.deal.stock == ()
    assert {len(table.state.hand(seat)) for seat in range(players)} == {rules.hand_size}


def test_in_the_play_off_suit_must_be_followed_and_beaten() -> None:
    table = play_stock(two_handed_table())
    leader = table.turn
    assert leader is not None
    lead = table.legal()[0]
    table.do(lead)
    follower = 1 - leader
    suit = lead[-1]
    held = [str(card) for card in table.state.hand(follower)]
    ranks = "ATKQJ9"
    of_suit = [card for card in held if card[1] == suit]
    better = [card for card in of_suit if ranks.index(card[0]) < ranks.index(lead[5])]
    trumps = [card for card in held if card[1] == "H"]
    expected = better or of_suit or trumps or held
    assert {move[5:] for move in table.legal()} == set(expected)


def play_off_table(*hands: str) -> Table:
    """Return a table at the start of the play-off where hearts are trump and seat 0 leads."""
    table = Table(TWO.with_options(players=len(hands)))
    table.state = position("two-handed", "H", 0, list(hands))
    return table


def test_with_two_players_a_void_hand_must_trump() -> None:
    table = play_off_table("S:KJ H:9", "H:J9 C:A").do("0: play KS")
    assert set(table.legal()) == {"play JH", "play 9H"}
    assert table.refusal("play AC") is Reason.MUST_TRUMP
    table = play_off_table("S:KJ H:9", "D:T9 C:A").do("0: play 9H")
    assert set(table.legal()) == {"play TD", "play 9D", "play AC"}


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_a_void_hand_that_cannot_win_plays_any_card(players: int) -> None:
    """The rules say only to follow suit and to win if able."""
    hands = ["S:KJ H:9", "H:QT C:9", "H:J9 C:A", "S:9 H:K D:9"][:players]
    table = play_off_table(*hands).do("0: play KS")
    assert set(table.legal()) == {"play TH", "play QH"}
    assert table.refusal("play 9C") is Reason.MUST_TRUMP  # any trump would win
    table.do("1: play QH")
    assert set(table.legal()) == {"play JH", "play 9H", "play AC"}
    table.do("2: play AC")
    if players == 4:
        assert set(table.legal()) == {"play 9S"}
        table.do("3: play 9S")
    assert table.all(TrickWon)[-1].seat == 1


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_a_void_hand_that_can_win_must(players: int) -> None:
    hands = ["S:KJ H:9", "H:QT C:9", "H:AJ9", "S:9 H:K D:9"][:players]
    table = play_off_table(*hands).do("0: play KS", "1: play QH")
    assert set(table.legal()) == {"play AH"}
    assert table.refusal("play 9H") is Reason.MUST_BEAT
    table = play_off_table("S:KJ H:9", "H:QT C:9", "H:A C:A9", "S:9 H:K D:9").do(
        "play KS", "play QH"
    )
    assert set(table.legal()) == {"play AH"}
    assert table.refusal("play AC") is Reason.MUST_BEAT  # not MUST_TRUMP: only winning is required


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        (TWO, [20, 5, 5, 0]),
        (TWO.with_options(card_points="tens"), [20, 10, 0, 0]),
        (TWO.with_options(card_points="traditional"), [21, 4, 3, 2]),
    ],
)
def test_the_points_of_tricks_follow_card_points(rules: Rules, points: list[int]) -> None:
    """A and 10; K and 9; Q and 9; J and 9, each won by a lead of seat 1."""
    table = two_handed_table(
        "AS KS QS JS TH", "TC 9D 9D 9C", rules=rules, stock="AH TH AC AC KH TD TD QH"
    )
    for mine, yours in (("AS", "TC"), ("KS", "9D"), ("QS", "9D"), ("JS", "9C")):
        table.do(f"1: play {mine}", f"0: play {yours}")
    assert [trick.points for trick in table.all(TrickWon)] == points


def test_meld_and_card_points_are_scored_after_the_last_trick() -> None:
    table = win_trick(two_handed_table(), "AS").do("meld KH QH")
    assert table.state.scores == (0, 0)
    table.play_out(first_card)
    assert table.score.outcome is Outcome.NO_BID
    assert (table.score.bid, table.score.declarer) == (None, None)
    assert len(table.all(TrickWon)) == 24
    last = table.all(TrickWon)[-1].seat
    won = [sum(t.points for t in table.all(TrickWon) if t.seat == seat) for seat in (0, 1)]
    won[last] += 10
    assert sum(won) == 250
    assert table.score.meld == (0, 40)
    assert table.score.play == tuple(won)
    assert table.score.change == (won[0], won[1] + 40)


def test_the_game_ends_only_after_the_last_trick() -> None:
    """Seat 1 passes 1000 by its meld alone, and still the deal is played out."""
    table = win_trick(two_handed_table(), "AS").totals(0, 990).do("meld KH QH")
    assert table.state.winner is None
    assert table.kind is DecisionKind.PLAY
    table.play_out(first_card)
    assert table.state.winner == 1


PENALTY = TWO.with_options(renege="penalty")


def test_no_card_is_a_renege_while_there_is_a_stock() -> None:
    table = two_handed_table(rules=PENALTY).do("1: play AS", "0: play QD")
    assert table.all(Reneged) == []
    assert table.refusal("play AC") is Reason.NOT_HELD


def test_a_renege_in_the_play_off_costs_the_points_of_the_deal() -> None:
    """There was no auction: the offender scores 0, the other its meld only."""
    table = play_stock(win_trick(two_handed_table(rules=PENALTY), "AS").do("meld KH QH"))
    illegal: list[str] = []
    while not illegal:
        turn = table.turn
        assert turn is not None
        held = [f"play {card}" for card in table.state.hand(turn)]
        illegal = [move for move in held if move not in table.legal()]
        table.do(illegal[0] if illegal else table.legal()[0])
    assert [event.seat for event in table.all(Reneged)] == [turn]
    assert table.score.outcome is Outcome.RENEGED
    assert table.score.meld == (0, 40)
    assert table.score.change == ((0, 40) if turn == 0 else (0, 0))
