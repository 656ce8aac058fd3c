"""Claiming the rest: whether a seat's own cards are sure to win every trick left, and the plays.

Only what that seat knows is asked, so that an offered or refused claim tells nobody anything.
"""

from __future__ import annotations

from collections import Counter

from acesaround import game
from acesaround.actions import Action, Play
from acesaround.cards import Card
from acesaround.state import Decision, GameState, Playing
from acesaround.table.table import Table
from acesaround.view import View, turn_of, view


def claimable(table: Table, seat: int | None) -> bool:
    """Whether a seat may claim now: it leads, and some order of its cards is sure."""
    state = table.game
    if state is None or seat is None or not isinstance(state.phase, Playing):
        return False
    if turn_of(state) != seat or state.phase.cards or table.paused:
        return False
    return sure(view(state, seat), game.decision(state)) is not None


def sure(seen: View, decision: Decision) -> tuple[Card, ...] | None:
    """An order of leads in which every card of the hand wins its trick, whoever holds what.

    None where there is no such order of these two: all trumps first or all trumps last, each
    suit from the top.
    """
    trump = seen.trump
    if trump is None:
        return None
    suits = sorted(seen.hand, key=lambda card: (card.suit != trump, card))
    for order in (suits, sorted(seen.hand, key=lambda card: (card.suit == trump, card))):
        if Play(order[0]) in decision.legal and _wins(order, seen):
            return tuple(order)
    return None


def _wins(order: list[Card], seen: View) -> bool:
    """Whether each lead wins, one player holding all that could beat it.

    A player who holds the suit led follows it, so each lead takes one card of its suit from
    every such player: no more than `unseen - leads` of them can be left in one hand.
    """
    unseen = _unseen(seen)
    many = Counter[int]()
    for card, copies in unseen.items():
        many[card.suit] += copies
    leads = Counter[int]()
    for card in order:
        suit = card.suit
        if suit != seen.trump and seen.trump is not None and many[seen.trump] > leads[seen.trump]:
            return False
        higher = any(other.suit == suit and other < card for other in unseen)
        if higher and many[suit] > leads[suit]:
            return False
        leads[suit] += 1
    return True


def _unseen(seen: View) -> dict[Card, int]:
    """The cards that may be in another hand, as this seat knows it."""
    left = Counter(seen.rules.deck.cards)
    left.subtract(seen.hand)
    for trick in seen.tricks:
        left.subtract(trick.cards)
    left.subtract(seen.buried or ())
    for passing in seen.passed:
        if passing.to is None:
            left.subtract(passing.cards or ())
    return {card: copies for card, copies in left.items() if copies > 0}


def played_out(state: GameState, seat: int) -> list[tuple[int, Action]]:
    """The plays by which a sure claim is carried out: that seat's order, the others' lowest."""
    order = sure(view(state, seat), game.decision(state))
    assert order is not None
    leads = iter(order)
    plays: list[tuple[int, Action]] = []
    while isinstance(state.phase, Playing):
        turn = state.phase.turn
        legal = [action for action in game.decision(state).legal if isinstance(action, Play)]
        action = Play(next(leads)) if turn == seat else max(legal, key=lambda play: play.card % 6)
        plays.append((turn, action))
        state, _ = game.apply(state, action, turn)
    return plays
