"""Action ids: one fixed numbering of the actions for each set of rules.

| ids | action |
|---|---|
| 0 | pass |
| 1 | done: the cards chosen so far are all |
| 2 | concede |
| 3 | begin to lay a meld |
| 4 to 7 | name spades, hearts, diamonds or clubs trump |
| 8 to 31 | a card: play it, or choose it to be given, buried, discarded or melded |
| from 32 | the bids, lowest first |

An action with several cards takes several ids. The cards come in ascending order, so that a
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
)
from acesaround.cards import CARDS, Card, format_cards
from acesaround.game import DecisionKind
from acesaround.legal_bids import legal_bids
from acesaround.rules import Auction, Rules

PASS_ID: Final = 0
DONE: Final = 1
CONCEDE_ID: Final = 2
LAY: Final = 3
FIRST_TRUMP: Final = 4
FIRST_CARD: Final = 8
FIRST_BID: Final = FIRST_CARD + len(CARDS)
MAX_BIDS: Final = 50
"""The number of bids that have an id by default."""

_FIXED_NAMES: Final = {
    PASS_ID: "pass",
    DONE: "done",
    CONCEDE_ID: "concede",
    LAY: "lay a meld",
}
_CARD_ACTION_TYPES: Final[dict[DecisionKind, type[Give | Bury | Discard]]] = {
    DecisionKind.GIVE: Give,
    DecisionKind.BURY: Bury,
    DecisionKind.DISCARD: Discard,
    DecisionKind.UPCARD: Discard,
}


class ActionCodec:
    """The ids of the actions under some rules. `bids`: the heights that have an id.

    An auction without an upper limit has more bids than ids: the lowest `max_bids` have one.
    """

    def __init__(self, rules: Rules, max_bids: int = MAX_BIDS) -> None:
        self.rules = rules
        self.bids: tuple[int, ...] = (
            () if rules.auction is None else _lowest_bids(rules.auction, max_bids)
        )
        self._id_of_bid = {bid: FIRST_BID + index for index, bid in enumerate(self.bids)}

    @property
    def action_count(self) -> int:
        """The number of action ids: 0 to `action_count - 1`."""
        return FIRST_BID + len(self.bids)

    def name(self, action_id: int) -> str:
        """Return what an id stands for, such as "bid 250" or "card AS". Raises IndexError."""
        if action_id in _FIXED_NAMES:
            return _FIXED_NAMES[action_id]
        if FIRST_TRUMP <= action_id < FIRST_CARD:
            return str(TRUMP_ACTIONS[action_id - FIRST_TRUMP])
        if FIRST_CARD <= action_id < FIRST_BID:
            return f"card {CARDS[action_id - FIRST_CARD]}"
        if FIRST_BID <= action_id < self.action_count:
            return f"bid {self.bids[action_id - FIRST_BID]}"
        raise IndexError(f"there is no action {action_id}: they are 0 to {self.action_count - 1}")

    def encode(self, action: Action) -> tuple[int, ...]:
        """Return the ids of an action, in order. Raises ValueError for one without ids.

        Deals have none, nor have bids above the highest one with an id.
        """
        match action:
            case Pass():
                return (PASS_ID,)
            case Concede():
                return (CONCEDE_ID,)
            case Bid(points) if points in self._id_of_bid:
                return (self._id_of_bid[points],)
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

    def decode(self, action_ids: Sequence[int], kind: DecisionKind) -> Action:
        """Return the action that ids stand for in a decision of a kind. Raises ValueError."""
        first = action_ids[0] if action_ids else -1
        if first == LAY and action_ids[-1] == DONE:
            return LayMeld(_cards(action_ids[1:-1]))
        if kind in _CARD_ACTION_TYPES:
            chosen = action_ids[:-1] if action_ids and action_ids[-1] == DONE else action_ids
            return _CARD_ACTION_TYPES[kind](_cards(chosen))
        if len(action_ids) == 1:
            if first == PASS_ID:
                return PASS
            if first == CONCEDE_ID:
                return CONCEDE
            if FIRST_TRUMP <= first < FIRST_CARD:
                return TRUMP_ACTIONS[first - FIRST_TRUMP]
            if FIRST_CARD <= first < FIRST_BID:
                return PLAY_ACTIONS[first - FIRST_CARD]
            if FIRST_BID <= first < self.action_count:
                return Bid(self.bids[first - FIRST_BID])
        raise ValueError(f"{list(action_ids)} is no action of the kind {kind}")


def id_of_card(card: Card) -> int:
    """Return the action id of a card."""
    return FIRST_CARD + card


def card_of_id(action_id: int) -> Card:
    """Return the card of an action id. Raises ValueError."""
    if not FIRST_CARD <= action_id < FIRST_BID:
        raise ValueError(f"{action_id} is no card")
    return CARDS[action_id - FIRST_CARD]


def describe_selection(cards: Sequence[Card]) -> str:
    """Return chosen cards as text, "-" for none."""
    return format_cards(tuple(cards)) or "-"


def _cards(action_ids: Sequence[int]) -> tuple[Card, ...]:
    return tuple(card_of_id(action_id) for action_id in action_ids)


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
