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
from acesaround.cards import KIND_COUNT, ONE_OF_KIND, Card
from acesaround.game.state import Decision, GameState, Playing
from acesaround.game.view import View, melded_cards, turn_of, view_for
from acesaround.rules import Phase
from acesaround.rules.tricks import legal_cards
from acesaround.table.table import Table

MIN_CLAIM_TRICKS: Final = 3
"""The fewest tricks that can be claimed, because fewer are quicker to play."""


def can_claim(table: Table, seat: int | None) -> bool:
    """Return whether a seat may claim now.

    The seat must be on lead with at least MIN_CLAIM_TRICKS cards, and some order of leads must be
    sure to win.
    """
    state = table.game
    if state is None or seat is None or not isinstance(state.phase, Playing):
        return False
    if turn_of(state) != seat or state.phase.cards or table.is_paused:
        return False
    if len(state.hand(seat)) < MIN_CLAIM_TRICKS:
        return False
    return winning_lead_order(view_for(state, seat), game.decision(state)) is not None


def winning_lead_order(view: View, decision: Decision) -> tuple[Card, ...] | None:
    """Return an order of leads in which every card of the hand wins its trick in every layout.

    Return None if there is none. A greedy search is enough: a lead that is sure now only takes
    cards from the other hands that could have beaten later leads.
    """
    if view.trump is None:
        return None
    legal = {action.card for action in decision.legal if isinstance(action, Play)}
    trump_broken = any(card.suit == view.trump for card in legal)
    if any(card not in legal and (trump_broken or card.suit != view.trump) for card in view.hand):
        return None
    other_hands = _other_hands(view)
    remaining, order = list(view.hand), list[Card]()
    leads: Counter[int] = Counter()
    while remaining:
        plain = [card for card in remaining if card.suit != view.trump]
        for card in sorted(set(remaining)):
            if not trump_broken and plain and card.suit == view.trump:
                continue
            if not any(hand.may_beat(card, view.trump, leads) for hand in other_hands):
                break
        else:
            return None
        remaining.remove(card)
        order.append(card)
        leads[card.suit] += 1
        trump_broken = trump_broken or card.suit == view.trump
    return tuple(order)


class _OtherHand(msgspec.Struct, frozen=True):
    """Another hand as one seat knows it: its size, and the most cards of each kind it can hold."""

    size: int
    max_copies: Mapping[Card, int]

    def max_of_suit(self, suit: int) -> int:
        """Return how many cards of a suit the hand can hold at most."""
        return sum(number for card, number in self.max_copies.items() if card.suit == suit)

    def may_beat(self, card: Card, trump: int, earlier_leads: Mapping[int, int]) -> bool:
        """Return whether some layout lets this hand win against that lead after losing all before.

        `earlier_leads`: the number of earlier leads of each suit. The hand followed suit to each of
        them, or had no trump to ruff with.
        """
        suit = card.suit
        higher = any(other.suit == suit and other < card for other in self.max_copies)
        if higher and self.max_of_suit(suit) > earlier_leads[suit]:
            return True
        if suit == trump or self.max_of_suit(trump) <= earlier_leads[trump]:
            return False
        # To ruff, the hand is void in that suit, kept a trump, and followed every other plain lead.
        other_plain_suits = [other for other in earlier_leads if other not in (suit, trump)]
        if any(
            self.max_of_suit(other) < earlier_leads[other] for other in (suit, *other_plain_suits)
        ):
            return False
        max_other_cards = sum(
            number for other, number in self.max_copies.items() if other.suit != suit
        )
        return earlier_leads[suit] + max_other_cards >= self.size


def _other_hands(view: View) -> list[_OtherHand]:
    """Return what each other hand can hold at most."""
    unseen, shown_cards, impossible = (
        unseen_cards(view),
        _shown_cards(view),
        _impossible_kinds(view),
    )
    hands = []
    for seat in view.players:
        if seat == view.seat:
            continue
        max_copies = {}
        for card, copies in unseen.items():
            held_elsewhere = sum(held[card] for other, held in shown_cards.items() if other != seat)
            if card not in impossible[seat] and copies > held_elsewhere:
                max_copies[card] = copies - held_elsewhere
        hands.append(_OtherHand(view.sizes[seat], max_copies))
    return hands


def _shown_cards(view: View) -> dict[int, Counter[Card]]:
    """Return the cards that other seats have shown by melding and still hold.

    Only where play follows the melds directly: then no cards are drawn, passed or buried between
    them.
    """
    phases = view.rules.phases
    if (Phase.MELDING, Phase.PLAY) not in pairwise(phases):
        return {}
    shown_cards = {
        meld.seat: Counter(melded_cards(view, meld))
        for meld in view.melds
        if meld.seat != view.seat
    }
    for trick in view.tricks:
        for seat, card in _plays_of(view, trick.leader, trick.cards):
            if seat in shown_cards:
                shown_cards[seat][card] -= 1
    return {seat: +counts for seat, counts in shown_cards.items()}


def _impossible_kinds(view: View) -> dict[int, Set[Card]]:
    """Return the kinds that each seat cannot hold, because its plays would have been illegal."""
    impossible: dict[int, set[Card]] = {seat: set() for seat in view.players}
    if Phase.STOCK_PLAY in view.rules.phases or view.trump is None:  # hands are refilled
        return dict(impossible)
    kinds = [Card(kind) for kind in range(KIND_COUNT)]
    for trick in view.tricks:
        cards_before: tuple[Card, ...] = ()
        for seat, card in _plays_of(view, trick.leader, trick.cards):
            for kind in kinds if cards_before else ():
                legal = legal_cards(
                    ONE_OF_KIND[card] | ONE_OF_KIND[kind], cards_before, view.trump, view.rules.play
                )
                if not legal & ONE_OF_KIND[card]:
                    impossible[seat].add(kind)
            cards_before = (*cards_before, card)
    return dict(impossible)


def _plays_of(view: View, leader: int, cards: tuple[Card, ...]) -> list[tuple[int, Card]]:
    """Return each play of a trick: the seat and its card."""
    leader_index = view.players.index(leader)
    seats = (*view.players[leader_index:], *view.players[:leader_index])
    return list(zip(seats, cards, strict=False))


def unseen_cards(view: View) -> dict[Card, int]:
    """Return the cards that may be in another hand, as far as this seat knows."""
    remaining = Counter(view.rules.deck.cards)
    remaining.subtract(view.hand)
    for trick in view.tricks:
        remaining.subtract(trick.cards)
    remaining.subtract(view.buried or ())
    for transfer in view.passed:
        if transfer.to is None:
            remaining.subtract(transfer.cards or ())
    return {card: copies for card, copies in remaining.items() if copies > 0}


def claim_plays(state: GameState, seat: int) -> list[tuple[int, Action]]:
    """Return the plays that carry out a sure claim.

    The seat leads its cards in a winning order. The others play their lowest legal cards.
    """
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
