"""Tricks while there is a stock: free play, draws, the last draw, and the strict play-off."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.cards import format_cards
from acesaround.errors import Reason
from acesaround.game.events import Drew, Reneged, TrickWon, UpcardDrawn
from acesaround.game.state import DecisionKind, GameState, Playing, StockPlaying
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from tests.scripted_games import Table, deal
from tests.test_perft import position

TWO = variants.TWO_HANDED
MINE = "AS KH QH AH TH JH KS QS JD 9H 9H KC"
YOURS = "9S 9S 9D 9D 9C 9C JS JS JC JC JD QD"


def table(
    mine: str = MINE,
    yours: str = YOURS,
    *,
    rules: Rules = TWO,
    upcard: str = "KH",
    stock: str = "TS TC TD TC",
) -> Table:
    """Seat 0 deals; seat 1 holds `mine` and is to lead. Trump is hearts."""
    return Table(rules, deal(rules, {1: mine, 0: yours}, upcard=upcard, stock=stock), 0)


def win(at: Table, lead: str) -> Table:
    """Lead that card; all others play a plain card to it, which does not beat it."""
    tricks = len(at.all(TrickWon))
    seat = at.turn
    at.do(f"play {lead}")
    while len(at.all(TrickWon)) == tricks:
        at.do([move for move in at.legal() if not move.endswith("H")][-1])
    assert at.turn == seat
    return at


def first_card(_: GameState, legal: list[str]) -> str:
    """The first card, and never a meld."""
    return next(move for move in legal if move.startswith("play"))


def to_play_off(at: Table) -> Table:
    """Play first cards until the stock is gone."""
    while isinstance(at.state.phase, StockPlaying):
        at.do(first_card(at.state, at.legal()))
    return at


def test_at_a_lead_no_card_is_winning_yet() -> None:
    at = table()
    first = at.state.phase
    assert isinstance(first, StockPlaying)
    assert (first.cards, first.best, first.best_seat) == ((), -1, -1)


def test_the_non_dealer_leads() -> None:
    at = table()
    assert (at.turn, at.kind) == (1, DecisionKind.PLAY)
    for move in ("concede", "pass", "bid 250", "trump H", "discard", "bury AS KH QH", "give AS"):
        assert at.refusal(move) is Reason.WRONG_KIND
    assert at.refusal("0: play 9S") is Reason.NOT_YOUR_TURN


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_the_seat_left_of_the_dealer_leads(players: int) -> None:
    rules = TWO.with_options(players=players)
    for dealer in range(players):
        at = Table(rules, deal(rules, {}, upcard="9C"), dealer)
        assert at.turn == (dealer + 1) % players


def test_while_there_is_a_stock_nobody_need_follow_suit() -> None:
    at = table().do("1: play AS")
    assert len(at.legal()) == len(set(YOURS.split()))
    assert at.refusal("play AS") is Reason.NOT_HELD
    at.do("0: play 9D")
    assert [(trick.seat, trick.points) for trick in at.all(TrickWon)] == [(1, 10)]


@pytest.mark.parametrize(
    ("yours", "winner"), [("AS", 1), ("9H", 0), ("TS", 1), ("AC", 1), ("9S", 1)]
)
def test_trump_else_the_highest_card_of_the_suit_led_wins_and_of_twins_the_first(
    yours: str, winner: int
) -> None:
    at = table(mine="AS", yours=yours).do("1: play AS", f"0: play {yours}")
    assert at.all(TrickWon)[0].seat == winner
    assert at.turn == winner


def test_the_winner_draws_first_then_the_loser() -> None:
    at = win(table(), "AS")
    assert [(event.seat, format_cards(event.cards or ())) for event in at.all(Drew)] == [
        (1, "TS"),
        (0, "TC"),
    ]
    assert at.all(Drew)[0].seen_by(0).cards is None
    assert view_for(at.state, 0).stock == 21
    at = table(yours="AS").do("1: play KS", "0: play AS")
    assert [event.seat for event in at.all(Drew)] == [0, 1]


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
    at = Table(rules, first, 0).do("1: play JS", "2: play AS")
    at.do(*["3: play 9C"] * (players == 4), "0: play 9S")
    assert at.all(TrickWon)[0].seat == 2
    assert [event.seat for event in at.all(Drew)] == [(2 + n) % players for n in range(players)]
    drawn = [format_cards(event.cards or ()) for event in at.all(Drew)]
    assert drawn == ["TS", "TC", "TD", "TH"][:players]
    assert {len(at.state.hand(seat)) for seat in range(players)} == {each}


@pytest.mark.parametrize(("players", "tricks"), [(2, 12), (3, 8), (4, 6)])
def test_the_last_draw_is_the_upcard_and_then_the_play_off_begins(
    players: int, tricks: int
) -> None:
    rules = TWO.with_options(players=players)
    at = to_play_off(Table(rules, deal(rules, {}, upcard="KD"), 0))
    assert len(at.all(TrickWon)) == tricks
    (drawn,) = at.all(UpcardDrawn)
    winner = at.all(TrickWon)[-1].seat
    assert str(drawn.card) == "KD"
    assert drawn.seat == (winner - 1) % players  # the last clockwise from the winner
    assert at.events[-1] == drawn
    assert isinstance(at.state.phase, Playing)
    assert at.turn == winner
    assert at.state.deal.stock == ()
    assert {len(at.state.hand(seat)) for seat in range(players)} == {rules.hand_size}


def test_the_play_off_is_strict() -> None:
    at = to_play_off(table())
    leader = at.turn
    assert leader is not None
    lead = at.legal()[0]
    at.do(lead)
    follower = 1 - leader
    suit = lead[-1]
    held = [str(card) for card in at.state.hand(follower)]
    ranks = "ATKQJ9"
    of_suit = [card for card in held if card[1] == suit]
    better = [card for card in of_suit if ranks.index(card[0]) < ranks.index(lead[5])]
    trumps = [card for card in held if card[1] == "H"]
    expected = better or of_suit or trumps or held
    assert {move[5:] for move in at.legal()} == set(expected)


def play_off(*hands: str) -> Table:
    """The play-off is about to begin: hearts are trump, and seat 0 leads."""
    at = Table(TWO.with_options(players=len(hands)))
    at.state = position("two-handed", "H", 0, list(hands))
    return at


def test_with_two_players_a_void_hand_must_trump_for_a_trump_wins() -> None:
    """The player who does not lead must win if able."""
    at = play_off("S:KJ H:9", "H:J9 C:A").do("0: play KS")
    assert set(at.legal()) == {"play JH", "play 9H"}
    assert at.refusal("play AC") is Reason.MUST_TRUMP
    at = play_off("S:KJ H:9", "D:T9 C:A").do("0: play 9H")
    assert set(at.legal()) == {"play TD", "play 9D", "play AC"}


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_a_void_hand_that_cannot_win_plays_any_card(players: int) -> None:
    """The text asks to follow suit and to win if able, and no more."""
    hands = ["S:KJ H:9", "H:QT C:9", "H:J9 C:A", "S:9 H:K D:9"][:players]
    at = play_off(*hands).do("0: play KS")
    assert set(at.legal()) == {"play TH", "play QH"}
    assert at.refusal("play 9C") is Reason.MUST_TRUMP  # any trump would win
    at.do("1: play QH")
    assert set(at.legal()) == {"play JH", "play 9H", "play AC"}
    at.do("2: play AC")
    if players == 4:
        assert set(at.legal()) == {"play 9S"}
        at.do("3: play 9S")
    assert at.all(TrickWon)[-1].seat == 1


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_a_void_hand_that_can_win_must(players: int) -> None:
    hands = ["S:KJ H:9", "H:QT C:9", "H:AJ9", "S:9 H:K D:9"][:players]
    at = play_off(*hands).do("0: play KS", "1: play QH")
    assert set(at.legal()) == {"play AH"}
    assert at.refusal("play 9H") is Reason.MUST_BEAT
    at = play_off("S:KJ H:9", "H:QT C:9", "H:A C:A9", "S:9 H:K D:9").do("play KS", "play QH")
    assert set(at.legal()) == {"play AH"}
    assert at.refusal("play AC") is Reason.MUST_BEAT  # a trump is no duty there: to win is


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        (TWO, [20, 5, 5, 0]),
        (TWO.with_options(card_points="tens"), [20, 10, 0, 0]),
        (TWO.with_options(card_points="traditional"), [21, 4, 3, 2]),
    ],
)
def test_what_tricks_count(rules: Rules, points: list[int]) -> None:
    """A and 10; K and 9; Q and 9; J and 9, each won by a lead of seat 1."""
    at = table("AS KS QS JS TH", "TC 9D 9D 9C", rules=rules, stock="AH TH AC AC KH TD TD QH")
    for mine, yours in (("AS", "TC"), ("KS", "9D"), ("QS", "9D"), ("JS", "9C")):
        at.do(f"1: play {mine}", f"0: play {yours}")
    assert [trick.points for trick in at.all(TrickWon)] == points


def test_meld_is_scored_as_laid_and_card_points_after_the_last_trick() -> None:
    at = win(table(), "AS").do("meld KH QH")
    assert at.state.scores == (0, 0)
    at.play_out(first_card)
    assert at.score.outcome is Outcome.COUNTED
    assert (at.score.bid, at.score.declarer) == (None, None)
    assert len(at.all(TrickWon)) == 24
    last = at.all(TrickWon)[-1].seat
    won = [sum(t.points for t in at.all(TrickWon) if t.seat == seat) for seat in (0, 1)]
    won[last] += 10
    assert sum(won) == 250
    assert at.score.meld == (0, 40)
    assert at.score.play == tuple(won)
    assert at.score.change == (won[0], won[1] + 40)


def test_the_game_can_end_only_after_the_last_trick() -> None:
    """Seat 1 passes 1000 by its meld alone, and still the deal is played out."""
    at = win(table(), "AS").totals(0, 990).do("meld KH QH")
    assert at.state.winner is None
    assert at.kind is DecisionKind.PLAY
    at.play_out(first_card)
    assert at.state.winner == 1


PENALTY = TWO.with_options(renege="penalty")


def test_in_the_stock_phase_no_card_is_a_renege() -> None:
    at = table(rules=PENALTY).do("1: play AS", "0: play QD")
    assert at.all(Reneged) == []
    assert at.refusal("play AC") is Reason.NOT_HELD


def test_a_renege_in_the_play_off_costs_the_deal_and_nothing_more() -> None:
    """There was no auction: the offender scores 0, the other its meld only."""
    at = to_play_off(win(table(rules=PENALTY), "AS").do("meld KH QH"))
    wrong: list[str] = []
    while not wrong:
        turn = at.turn
        assert turn is not None
        held = [f"play {card}" for card in at.state.hand(turn)]
        wrong = [move for move in held if move not in at.legal()]
        at.do(wrong[0] if wrong else at.legal()[0])
    assert [event.seat for event in at.all(Reneged)] == [turn]
    assert at.score.outcome is Outcome.RENEGED
    assert at.score.meld == (0, 40)
    assert at.score.change == ((0, 40) if turn == 0 else (0, 0))
