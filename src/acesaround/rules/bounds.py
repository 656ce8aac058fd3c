"""Limits of the numbers in the rules, and helpers that report what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Final

from msgspec import Meta

from acesaround.cards import RANKS
from acesaround.errors import ContradictionError, Fault

Points = Annotated[int, Meta(ge=1)]
Cards = Annotated[int, Meta(ge=1)]
"""A number of cards, at least one."""
Number = Annotated[int, Meta(ge=0)]
"""A number of cards or points, 0 or more."""
MOST_COPIES: Final = 6
"""The most copies of a card in a deck."""
LARGEST_SIDE: Final = 3
"""The most seats of a side."""
MOST_SEATS: Final = 9
"""The most players at a table."""
Seats = Annotated[int, Meta(ge=2, le=MOST_SEATS)]
"""The number of players."""
MOST_NAMED: Final = 8
"""The most house melds of a table."""
MOST_OF_A_MELD: Final = 12
"""The most cards of a house meld."""
PerRank = Annotated[tuple[Number, ...], Meta(min_length=RANKS, max_length=RANKS)]
"""A number for each rank, the highest rank first."""


def need(sound: object, sentence: str, *fields: str) -> Iterator[Fault]:
    """Yield a fault with this sentence and these fields, unless `sound` is true."""
    if not sound:
        yield Fault(sentence, fields)


def refuse(*faults: Iterable[Fault]) -> None:
    """Raise ContradictionError if there are any faults."""
    if found := tuple(chain(*faults)):
        raise ContradictionError(*found)


def many(number: int, thing: str) -> str:
    """Return a number with its noun: `1 card`, `2 cards`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
