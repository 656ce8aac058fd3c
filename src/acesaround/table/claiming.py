"""Claiming the rest: whether a seat is sure to win all tricks left, and the plays that follow.

The proof uses only what that seat knows, so that an offered or rejected claim reveals nothing. A
claim is sure if it holds for every layout of the unseen cards. The proof counts cards, and it uses
the cards shown by melding and the gaps shown by how tricks were followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from itertools import pairwise
from typing import Final

import msgspec

from acesaround import game
from acesaround.actions import Action, Play
from acesaround.cards import KINDS, ONE, Card
from acesaround.game.state import Decision, GameState, Playing
from acesaround.game.view import View, melded, turn_of, view_for
from acesaround.rules import Phase
from acesaround.rules.tricks import legal_cards
from acesaround.table.table import Table

LEAST: Final = 3
"""The fewest tricks that can be claimed, because fewer are quicker to play."""


def claimable(table: Table, seat: int | None) -> bool:
    """Return whether a seat may claim now.

    The seat must be on lead with at least LEAST cards, and some order of leads must be sure to win.
    """
    state = table.game
    if state is None or seat is None or not isinstance(state.phase, Playing):
        return False
    if turn_of(state) != seat or state.phase.cards or table.paused:
        return False
    if len(state.hand(seat)) < LEAST:
        return False
    return winning_lead_order(view_for(state, seat), game.decision(state)) is not None


def winning_lead_order(seen: View, decision: Decision) -> tuple[Card, ...] | None:
    """Return an order of leads in which every card of the hand wins its trick in every layout.

    Return None if there is none. A greedy search is enough: a lead that is sure now only takes
    cards from the other hands that could have beaten later leads.
    """
    if seen.trump is None:
        return None
    legal = {action.card for action in decision.legal if isinstance(action, Play)}
    broken = any(card.suit == seen.trump for card in legal)
    if any(card not in legal and (broken or card.suit != seen.trump) for card in seen.hand):
        return None
    others = _others(seen)
    left, order = list(seen.hand), list[Card]()
    leads: Counter[int] = Counter()
    while left:
        plain = [card for card in left if card.suit != seen.trump]
        for card in sorted(set(left)):
            if not broken and plain and card.suit == seen.trump:
                continue
            if not any(one.beats(card, seen.trump, leads) for one in others):
                break
        else:
            return None
        left.remove(card)
        order.append(card)
        leads[card.suit] += 1
        broken = broken or card.suit == seen.trump
    return tuple(order)


class _Other(msgspec.Struct, frozen=True):
    """Another hand as one seat knows it: its size, and the most cards of each kind it can hold."""

    size: int
    most: Mapping[Card, int]

    def of(self, suit: int) -> int:
        """Return how many cards of a suit the hand can hold at most."""
        return sum(number for card, number in self.most.items() if card.suit == suit)

    def beats(self, card: Card, trump: int, leads: Mapping[int, int]) -> bool:
        """Return whether some layout lets this hand win against that lead after losing all before.

        `leads`: the number of earlier leads of each suit. The hand followed suit to each of them,
        or had no trump to ruff with.
        """
        suit = card.suit
        higher = any(other.suit == suit and other < card for other in self.most)
        if higher and self.of(suit) > leads[suit]:
            return True
        if suit == trump or self.of(trump) <= leads[trump]:
            return False
        # To ruff, the hand is void in that suit, kept a trump, and followed every other plain lead.
        plain = [other for other in leads if other not in (suit, trump)]
        if any(self.of(other) < leads[other] for other in (suit, *plain)):
            return False
        rest = sum(number for other, number in self.most.items() if other.suit != suit)
        return leads[suit] + rest >= self.size


def _others(seen: View) -> list[_Other]:
    """Return what each other hand can hold at most."""
    unseen, shown, lacks = _unseen(seen), _shown(seen), _lacks(seen)
    found = []
    for seat in seen.players:
        if seat == seen.seat:
            continue
        most = {}
        for card, copies in unseen.items():
            elsewhere = sum(held[card] for other, held in shown.items() if other != seat)
            if card not in lacks[seat] and copies > elsewhere:
                most[card] = copies - elsewhere
        found.append(_Other(seen.sizes[seat], most))
    return found


def _shown(seen: View) -> dict[int, Counter[Card]]:
    """Return the cards that other seats have shown by melding and still hold.

    Only where play follows the melds directly: then no cards are drawn, passed or buried between
    them.
    """
    phases = seen.rules.phases
    if (Phase.MELDING, Phase.PLAY) not in pairwise(phases):
        return {}
    shown = {one.seat: Counter(melded(seen, one)) for one in seen.melds if one.seat != seen.seat}
    for trick in seen.tricks:
        for seat, card in _played(seen, trick.leader, trick.cards):
            if seat in shown:
                shown[seat][card] -= 1
    return {seat: +held for seat, held in shown.items()}


def _lacks(seen: View) -> dict[int, Set[Card]]:
    """Return the kinds that each seat cannot hold, because its plays would have been illegal."""
    lacks: dict[int, set[Card]] = {seat: set() for seat in seen.players}
    if Phase.STOCK_PLAY in seen.rules.phases or seen.trump is None:  # hands are refilled
        return dict(lacks)
    kinds = [Card(kind) for kind in range(KINDS)]
    for trick in seen.tricks:
        before: tuple[Card, ...] = ()
        for seat, card in _played(seen, trick.leader, trick.cards):
            for kind in kinds if before else ():
                legal = legal_cards(ONE[card] | ONE[kind], before, seen.trump, seen.rules.play)
                if not legal & ONE[card]:
                    lacks[seat].add(kind)
            before = (*before, card)
    return dict(lacks)


def _played(seen: View, leader: int, cards: tuple[Card, ...]) -> list[tuple[int, Card]]:
    """Return each play of a trick: the seat and its card."""
    at = seen.players.index(leader)
    seats = (*seen.players[at:], *seen.players[:at])
    return list(zip(seats, cards, strict=False))


def _unseen(seen: View) -> dict[Card, int]:
    """Return the cards that may be in another hand, as far as this seat knows."""
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
    """Return the plays that carry out a sure claim: that seat's lead order, the others' lowest."""
    order = winning_lead_order(view_for(state, seat), game.decision(state))
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
