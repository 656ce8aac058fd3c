"""The two-handed game with given hands, for the tests of its stock and melds."""

from __future__ import annotations

from msgspec.structs import replace

from acesaround import variants
from acesaround.game.events import TrickWon
from acesaround.game.state import GameState, StockPlaying
from acesaround.rules import Rules
from tests.scripted_games import Table, deal

TWO = variants.TWO_HANDED
MINE = "AS KH QH AH TH JH KS QS JD 9H 9H KC"
YOURS = "9S 9S 9D 9D 9C 9C JS JS JC JC JD QD"
MELD_BEFORE_DRAW = replace(TWO, melds=replace(TWO.melds, meld_before_draw=True))
"""pokerwiner.com, Pinocle: after a trick and before drawing from the stock a player may meld."""


def two_handed_table(
    mine: str = MINE,
    yours: str = YOURS,
    *,
    rules: Rules = TWO,
    upcard: str = "KH",
    stock: str = "TS TC TD TC",
) -> Table:
    """Return a table where seat 0 dealt and seat 1 leads and holds `mine`; hearts are trump."""
    return Table(rules, deal(rules, {1: mine, 0: yours}, upcard=upcard, stock=stock), 0)


def win_trick(table: Table, lead: str) -> Table:
    """Lead a card; the others play plain cards that do not beat it."""
    tricks = len(table.all(TrickWon))
    seat = table.turn
    table.do(f"play {lead}")
    while len(table.all(TrickWon)) == tricks:
        table.do([move for move in table.legal() if not move.endswith("H")][-1])
    assert table.turn == seat
    return table


def first_card(_: GameState, legal: list[str]) -> str:
    """Return the first card that may be played, never a meld."""
    return next(move for move in legal if move.startswith("play"))


def play_first_card(table: Table) -> None:
    """Play the first legal card."""
    table.do(first_card(table.state, table.legal()))


def play_stock(table: Table, left: int = -1) -> Table:
    """Play first cards until so many cards of the stock are left, or until the play-off."""
    while isinstance(table.state.phase, StockPlaying) and len(table.state.deal.stock) > left:
        play_first_card(table)
    return table


def table_after_first_trick() -> Table:
    """Return a table where seat 1 won the first trick, has drawn and may meld."""
    return win_trick(two_handed_table(), "AS")


def table_before_draw(rules: Rules = MELD_BEFORE_DRAW, **cards: str) -> Table:
    """Return a table where seat 1 won the first trick and has not drawn yet."""
    return two_handed_table(rules=rules, **cards).do("1: play AS", "0: play 9D")
