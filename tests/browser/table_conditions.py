"""Conditions of a table, for `play_table_until`: who is asked for what, and how far a game is.

Seat 0 is that of the person in the test.
"""

from __future__ import annotations

from collections.abc import Callable

from acesaround import game
from acesaround.actions import Play
from acesaround.game.state import DecisionKind, Playing
from acesaround.game.view import turn_of
from acesaround.table import Table
from acesaround.table.trick_claims import can_claim


def is_asked_for(kind: DecisionKind, *, after_seq: int = 0) -> Callable[[Table], bool]:
    """Return a condition: seat 0 is asked for a decision of a kind, after so many entries."""
    return lambda table: (
        table.game is not None
        and turn_of(table.game) == 0
        and game.decision(table.game).kind is kind
        and table.seq > after_seq
    )


def is_mid_trick(table: Table) -> bool:
    """Return True if seat 0 plays to a trick that others began, after some tricks."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.phase.cards) > 1
        and 3 < len(state.hand(0)) < 10
        and turn_of(state) == 0
    )


def has_unplayable_card(table: Table) -> bool:
    """Return True if seat 0 holds a card that it may not play to the trick."""
    if table.game is None or not is_mid_trick(table):
        return False
    plays = {move.card for move in game.decision(table.game).legal if isinstance(move, Play)}
    return plays < set(table.game.hand(0))


def is_stock_play(table: Table) -> bool:
    """Return True if seat 0 is on turn, some tricks into a game of two players."""
    state = table.game
    return state is not None and turn_of(state) == 0 and table.seq > 20


def has_played_trick(table: Table) -> bool:
    """Return True if a trick of the deal has been played."""
    return table.game is not None and bool(table.game.deal.tricks)


def holds_last_card(table: Table) -> bool:
    """Return True if seat 0 is to play its last card of the deal."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.hand(0)) == 1
        and turn_of(state) == 0
    )


def can_claim_several_cards(table: Table) -> bool:
    """Return True if seat 0 may claim the rest and holds more than one card."""
    return can_claim(table, 0) and table.game is not None and len(table.game.hand(0)) > 1


def is_game_over(table: Table) -> bool:
    """Return True if the game is over."""
    return table.game is not None and not table.is_playing
