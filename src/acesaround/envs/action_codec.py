"""Actions as numbers: one fixed numbering for each set of rules.

| numbers | action |
|---|---|
| 0 | pass |
| 1 | done: the cards chosen so far are all |
| 2 | concede |
| 3 | begin to lay a meld |
| 4 to 7 | name spades, hearts, diamonds or clubs trump |
| 8 to 31 | a card: play it, or choose it to be given, buried, discarded or melded |
| from 32 | the bids, lowest first |

An action with several cards takes several numbers. The cards come in ascending order, so that a
selection has one spelling only. Where the number of cards is not fixed (discards, melds), `DONE`
ends the selection.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import islice
from typing import Final

from acesaround.actions import (
    CONCEDE,
    PASS,
    PLAY_ACTIONS,
    TRUMP_ACTIONS,
    Action,
    Bid,
    Bury,
    Concede,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Pass,
    Play,
    legal_bids,
)
from acesaround.cards import CARDS, Card, format_cards
from acesaround.game import DecisionKind
from acesaround.rules import Auction, Rules

PASS_NUMBER: Final = 0
DONE: Final = 1
CONCEDE_NUMBER: Final = 2
LAY: Final = 3
FIRST_TRUMP: Final = 4
FIRST_CARD: Final = 8
FIRST_BID: Final = FIRST_CARD + len(CARDS)
MAX_BIDS: Final = 50
"""The number of bids that a codec numbers by default."""

_FIXED_NAMES: Final = {
    PASS_NUMBER: "pass",
    DONE: "done",
    CONCEDE_NUMBER: "concede",
    LAY: "lay a meld",
}
_CARD_ACTION_TYPES: Final[dict[DecisionKind, type[Give | Bury | Discard]]] = {
    DecisionKind.GIVE: Give,
    DecisionKind.BURY: Bury,
    DecisionKind.DISCARD: Discard,
    DecisionKind.UPCARD: Discard,
}


class ActionCodec:
    """The numbers of the actions under some rules. `bids`: the heights that have a number.

    An auction without an upper limit has more bids than numbers: the lowest `max_bids` have one.
    """

    def __init__(self, rules: Rules, max_bids: int = MAX_BIDS) -> None:
        self.rules = rules
        self.bids: tuple[int, ...] = (
            () if rules.auction is None else _lowest_bids(rules.auction, max_bids)
        )
        self._number_of_bid = {bid: FIRST_BID + index for index, bid in enumerate(self.bids)}

    @property
    def action_count(self) -> int:
        """The number of action numbers: 0 to `action_count - 1`."""
        return FIRST_BID + len(self.bids)

    def name(self, number: int) -> str:
        """Return what a number stands for, such as "bid 250" or "card AS". Raises IndexError."""
        if number in _FIXED_NAMES:
            return _FIXED_NAMES[number]
        if FIRST_TRUMP <= number < FIRST_CARD:
            return str(TRUMP_ACTIONS[number - FIRST_TRUMP])
        if FIRST_CARD <= number < FIRST_BID:
            return f"card {CARDS[number - FIRST_CARD]}"
        if FIRST_BID <= number < self.action_count:
            return f"bid {self.bids[number - FIRST_BID]}"
        raise IndexError(f"there is no action {number}: they are 0 to {self.action_count - 1}")

    def encode(self, action: Action) -> tuple[int, ...]:
        """Return the numbers of an action, in order. Raises ValueError for one without numbers.

        Deals have none, nor have bids above the highest numbered one.
        """
        match action:
            case Pass():
                return (PASS_NUMBER,)
            case Concede():
                return (CONCEDE_NUMBER,)
            case Bid(points) if points in self._number_of_bid:
                return (self._number_of_bid[points],)
            case NameTrump(suit):
                return (FIRST_TRUMP + suit,)
            case Play(card):
                return (FIRST_CARD + card,)
            case Give(cards) | Bury(cards):
                return tuple(FIRST_CARD + card for card in cards)
            case Discard(cards):
                return (*(FIRST_CARD + card for card in cards), DONE)
            case LayMeld(cards):
                return (LAY, *(FIRST_CARD + card for card in cards), DONE)
        raise ValueError(f"{action} has no number")

    def decode(self, numbers: Sequence[int], kind: DecisionKind) -> Action:
        """Return the action that numbers stand for in a decision of a kind. Raises ValueError."""
        first = numbers[0] if numbers else -1
        if first == LAY and numbers[-1] == DONE:
            return LayMeld(_cards(numbers[1:-1]))
        if kind in _CARD_ACTION_TYPES:
            chosen = numbers[:-1] if numbers and numbers[-1] == DONE else numbers
            return _CARD_ACTION_TYPES[kind](_cards(chosen))
        if len(numbers) == 1:
            if first == PASS_NUMBER:
                return PASS
            if first == CONCEDE_NUMBER:
                return CONCEDE
            if FIRST_TRUMP <= first < FIRST_CARD:
                return TRUMP_ACTIONS[first - FIRST_TRUMP]
            if FIRST_CARD <= first < FIRST_BID:
                return PLAY_ACTIONS[first - FIRST_CARD]
            if FIRST_BID <= first < self.action_count:
                return Bid(self.bids[first - FIRST_BID])
        raise ValueError(f"{list(numbers)} is no action of the kind {kind}")


def card_number(card: Card) -> int:
    """Return the action number of a card."""
    return FIRST_CARD + card


def card_of_number(number: int) -> Card:
    """Return the card of an action number. Raises ValueError."""
    if not FIRST_CARD <= number < FIRST_BID:
        raise ValueError(f"{number} is no card")
    return CARDS[number - FIRST_CARD]


def describe_selection(cards: Sequence[Card]) -> str:
    """Return chosen cards as text, "-" for none."""
    return format_cards(tuple(cards)) or "-"


def _cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    return tuple(card_of_number(number) for number in numbers)


def _lowest_bids(auction: Auction, count: int) -> tuple[int, ...]:
    """Return the lowest heights that any sequence of legal bids reaches."""
    heights: list[int] = []
    found = set(islice(legal_bids(auction, None, False).bids(), count))
    waiting = sorted(found)
    while waiting and len(heights) < count:
        height = heapq.heappop(waiting)
        heights.append(height)
        for bid in islice(legal_bids(auction, height, False).bids(), count):
            if bid not in found:
                found.add(bid)
                heapq.heappush(waiting, bid)
    return tuple(heights)
