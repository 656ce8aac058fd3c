"""How large the numbers of a rule may be, and how a rule says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Final

from msgspec import Meta

from acesaround.cards import RANKS
from acesaround.errors import ContradictionError, Fault

Points = Annotated[int, Meta(ge=1)]
Cards = Annotated[int, Meta(ge=1)]
"""Cards of which there is at least one."""
Number = Annotated[int, Meta(ge=0)]
"""Cards or points of which there may be none, but not fewer."""
MOST_COPIES: Final = 6
"""The most copies of a card that a deck may hold."""
LARGEST_SIDE: Final = 3
"""The most seats that may form a side."""
MOST_SEATS: Final = 9
"""The most players at a table."""
Seats = Annotated[int, Meta(ge=2, le=MOST_SEATS)]
"""How many play."""
MOST_NAMED: Final = 8
"""The most melds of a table's own."""
MOST_OF_A_MELD: Final = 12
"""The most cards of one of them."""
PerRank = Annotated[tuple[Number, ...], Meta(min_length=RANKS, max_length=RANKS)]
"""A number for each rank, the highest rank first."""


def need(sound: object, sentence: str, *fields: str) -> Iterator[Fault]:
    """That fault, unless the rules are sound in that respect."""
    if not sound:
        yield Fault(sentence, fields)


def refuse(*faults: Iterable[Fault]) -> None:
    """Raise ContradictionError if there are any."""
    if found := tuple(chain(*faults)):
        raise ContradictionError(*found)


def many(number: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
