"""The deals on which the solver is measured: those of the C++ study of the solver, card for card.

The random generator and the seeds are the same, so that values and node counts can be compared with
the study's. Player 0 is the declarer and leads. Trump is the suit in which the declarer's hand is
worth most, if every card is worth 100 and a little more for its rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from acesaround.cards import SUITS, Card, card_of
from acesaround.fast import Position, SolverSetup

_WORD: Final = (1 << 64) - 1


@dataclass(frozen=True)
class DealKind:
    """A kind of deal: `hand` cards for each player, who play the last `tricks` of them.

    `letter`: its name in the study.
    """

    letter: str
    of: SolverSetup
    hand: int
    tricks: int


_COUNTERS: Final = (1, 1, 1, 0, 0, 0)
PARTNERS: Final = SolverSetup((0, 1, 0, 1), copies=2, points=_COUNTERS, last_trick_points=1)
THREE: Final = SolverSetup((0, 1, 1), copies=2, points=_COUNTERS, last_trick_points=1)
TWO: Final = SolverSetup((0, 1), copies=2, points=_COUNTERS, last_trick_points=1)
DOUBLE: Final = SolverSetup((0, 1, 0, 1), copies=4, points=_COUNTERS[:5], last_trick_points=2)


def deals(dealt: DealKind, number: int, seed: int) -> Iterator[Position]:
    """Yield `number` deals. Trump is always the first suit, because the study swaps it there."""
    ranks = dealt.of.ranks
    drawn = _drawn(12345 + dealt.tricks + 1000 + seed * 1000003)
    bits = 2 if dealt.of.copies == 2 else 3
    deck = [(suit, rank) for suit in range(4) for rank in range(ranks)]
    deck = [card for card in deck for _ in range(dealt.of.copies)]
    for _ in range(number):
        cards = list(deck)
        for last in range(len(cards) - 1, 0, -1):
            other = next(drawn) % (last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        worth = [0] * 4
        for suit, rank in cards[: dealt.hand]:
            worth[suit] += 100 + rank * bits
        places = list(range(4))
        trump = worth.index(max(worth))
        places[0], places[trump] = trump, 0
        yield Position(
            setup=dealt.of,
            trump=SUITS[0],
            hands=tuple(
                _hand(cards[first : first + dealt.tricks], places, ranks)
                for first in range(0, dealt.hand * dealt.of.players, dealt.hand)
            ),
            leader=0,
        )


def _hand(cards: list[tuple[int, int]], places: list[int], ranks: int) -> tuple[Card, ...]:
    """Return cards of the study, whose rank 0 is the lowest, in written order."""
    return tuple(sorted(card_of(places[suit], ranks - 1 - rank) for suit, rank in cards))


def _drawn(state: int) -> Iterator[int]:
    """Yield the numbers of splitmix64."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        yield mixed ^ mixed >> 31
