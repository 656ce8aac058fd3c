"""The suits that a declarer may name trump."""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.cards import SUITS, Suit
from acesaround.rules.melds import count_marriages
from acesaround.rules.stage_rules import Auction


def nameable_trumps(auction: Auction, held: Sequence[int]) -> tuple[Suit, ...]:
    """Return the suits that a declarer may name trump. `held`: `cards.counts` of the hand."""
    if not auction.marriage_needed:
        return SUITS
    return tuple(suit for suit in SUITS if count_marriages(held, suit))
