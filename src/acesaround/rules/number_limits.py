"""Limits of the numbers in the rules, and helpers that report what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Final

from msgspec import Meta

from acesaround.cards import CARDS, RANK_COUNT
from acesaround.errors import ContradictionError, Fault

MAX_POINTS: Final = 1_000_000
"""The most points of anything in the rules. Page and kernels add up and multiply such numbers."""
Points = Annotated[int, Meta(ge=1, le=MAX_POINTS)]
"""A number of points, at least 1."""
PointsOrZero = Annotated[int, Meta(ge=0, le=MAX_POINTS)]
"""A number of points, 0 or more."""
MAX_DEALS: Final = 10_000
"""The most deals of a game that ends after a fixed number."""
DealCount = Annotated[int, Meta(ge=1, le=MAX_DEALS)]
"""A number of deals, at least 1."""
Multiplier = Annotated[int, Meta(ge=1, le=100)]
"""How many times as much is paid."""
MAX_COPIES: Final = 6
"""The most copies of a card in a deck."""
MAX_CARDS: Final = MAX_COPIES * len(CARDS)
"""The most cards in a deck."""
CardCount = Annotated[int, Meta(ge=1, le=MAX_CARDS)]
"""A number of cards, at least one."""
CardCountOrZero = Annotated[int, Meta(ge=0, le=MAX_CARDS)]
"""A number of cards, 0 or more."""
MAX_SIDE_SIZE: Final = 3
"""The most seats of a side."""
MAX_SEATS: Final = 9
"""The most players at a table."""
SeatCount = Annotated[int, Meta(ge=2, le=MAX_SEATS)]
"""The number of players."""
MAX_PASSED_CARDS: Final = 4
"""The most cards that a partner passes to the declarer."""
MAX_HOUSE_MELDS: Final = 8
"""The most house melds of a table."""
MAX_MELD_CARDS: Final = 12
"""The most cards of a house meld."""
PerRank = Annotated[tuple[PointsOrZero, ...], Meta(min_length=RANK_COUNT, max_length=RANK_COUNT)]
"""A number for each rank, the highest rank first."""


def fault_unless(
    is_sound: object, sentence: str, *fields: str, form_sentence: str = ""
) -> Iterator[Fault]:
    """Yield a fault with these sentences and these fields, unless `is_sound` is true."""
    if not is_sound:
        yield Fault(sentence, fields, form_sentence)


def raise_faults(*faults: Iterable[Fault]) -> None:
    """Raise ContradictionError if there are any faults."""
    if found := tuple(chain(*faults)):
        raise ContradictionError(*found)


def pluralize(number: int, thing: str) -> str:
    """Return a number with its noun: `1 card`, `2 cards`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
