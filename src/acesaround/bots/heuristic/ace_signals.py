"""Signals under an ace: what a queen or a jack says about its suit, encoded and decoded.

A queen under an ace that an opponent has led shows the ace of the same suit. A jack shows
weakness: no ace. Source: `variants/double-deck/notes.md`. Somebody who holds only one of the two
cards has no choice between them. So a queen promises the ace or no jack, and a jack promises no ace
or no queen. The signals are used between partners, with decks that have no nines, where queen and
jack are worth the same.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from acesaround.cards import RANK_COUNT, Card, Rank, Suit
from acesaround.game.view import View
from acesaround.rules import Rules
from acesaround.rules.tricks import beats, points_of


class SignalRules(enum.Enum):
    """How a bot gives and reads signals."""

    NONE = "as a natural bot: not at all"
    CURRENT = "as the docs say"
    NOVEMBER_2026 = "as the bot `thumb:2026-11`, which never changes"


class SignalMeaning(enum.Enum):
    """The meaning of a card under an opponent's ace."""

    HAS_ACE = "the ace of this suit"
    NO_ACE = "no ace of this suit"


class AceSignal(NamedTuple):
    """A card under an opponent's ace that says something.

    `place`: its place in the trick, counted from 0.
    """

    seat: int
    place: int
    card: Card
    meaning: SignalMeaning


def uses_ace_signals(rules: Rules) -> bool:
    """Return whether partners can use the signals at this table."""
    points = points_of(rules.scoring.card_points)
    return rules.has_partners and not rules.deck.nines and points[Rank.QUEEN] == points[Rank.JACK]


def can_signal(
    rules: Rules,
    players: Sequence[int],
    leader: int,
    cards: Sequence[Card],
    trump: int | None,
    seat: int,
) -> bool:
    """Return whether the next card of a seat to a trick may be a signal.

    An opponent has led an ace that is not trump, and it still wins the trick. `cards`: the cards of
    the trick so far.
    """
    if not cards or trump is None or not uses_ace_signals(rules):
        return False
    ace = cards[0]
    return (
        ace.rank is Rank.ACE
        and ace.suit != trump
        and rules.side_of(seat) != rules.side_of(leader)
        and not any(beats(card, ace, trump) for card in cards[1:])
    )


def meaning_of_card(card: Card, suit: Suit) -> SignalMeaning | None:
    """Return what a card says where a signal may be given, or None."""
    if card.suit is suit and card.rank is Rank.QUEEN:
        return SignalMeaning.HAS_ACE
    if card.suit is suit and card.rank is Rank.JACK:
        return SignalMeaning.NO_ACE
    return None


def signals_in_trick(
    rules: Rules, players: Sequence[int], leader: int, cards: Sequence[Card], trump: int | None
) -> Iterator[AceSignal]:
    """Yield the signals in a trick, finished or not, in the order of play."""
    start = players.index(leader)
    for place in range(1, len(cards)):
        seat = players[(start + place) % len(players)]
        meaning = meaning_of_card(cards[place], cards[0].suit)
        if meaning and can_signal(rules, players, leader, cards[:place], trump, seat):
            yield AceSignal(seat, place, cards[place], meaning)


def is_signal_true(signal: AceSignal, kind_counts: Sequence[int]) -> bool:
    """Return whether a signal is true of a hand.

    `kind_counts`: how many cards of each kind the seat held before it played the card.
    """
    first_kind = signal.card.suit * RANK_COUNT
    has_ace = kind_counts[first_kind + Rank.ACE] > 0
    if signal.meaning is SignalMeaning.HAS_ACE:
        return has_ace or not kind_counts[first_kind + Rank.JACK]
    return not has_ace or not kind_counts[first_kind + Rank.QUEEN]


def truthful_card(view: View, card: Card) -> Card:
    """Return the card to play in place of a card that would be an untrue signal.

    Every other card is returned unchanged. Here neither queen nor jack wins the trick, and they are
    worth the same.
    """
    if view.leader is None or view.seat is None or not view.trick:
        return card
    meaning = meaning_of_card(card, view.trick[0].suit)
    if meaning is None or not can_signal(
        view.rules, view.players, view.leader, view.trick, view.trump, view.seat
    ):
        return card
    held = [0] * RANK_COUNT * 4
    for own in view.hand:
        held[own] += 1
    if is_signal_true(AceSignal(view.seat, len(view.trick), card, meaning), held):
        return card
    other_rank = Rank.JACK if card.rank is Rank.QUEEN else Rank.QUEEN
    return Card(card.suit * RANK_COUNT + other_rank)
