"""What shown melds say of a hand: bounds on its kinds, and what it cannot have held beside them.

A hand melds its best combination and all of it, so shown melds bind both ways. Every such rule is a
bound on one kind or a `Condition`: of some kinds that meld together the scarcest is held at most so
often. What melds exist and are worth is asked of `melds`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec

from acesaround.cards import SUITS, Rank, card_of, pack
from acesaround.melds import (
    AROUNDS,
    PINOCHLE,
    Meld,
    arounds_cards,
    find,
    marriage_cards,
    points,
    run_cards,
    serving,
    unhidden,
)
from acesaround.rules import MeldTable


class Condition(NamedTuple):
    """Of one of `kinds` the hand at `place` had at most `most` cards when it melded."""

    place: int
    kinds: tuple[int, ...]
    most: int


class Melded(msgspec.Struct, frozen=True):
    """What a hand showed when it melded. `open`: that this is all; else aces around are all."""

    place: int
    melds: tuple[Meld, ...]
    open: bool

    def agrees(self, found: tuple[Meld, ...]) -> bool:
        """Whether a hand with those melds shows these."""
        if self.open:
            return found == self.melds
        return unhidden(found) == self.melds


Bounds = dict[int, int]


@lru_cache(maxsize=4096)
def _said(
    table: MeldTable, shown: tuple[Meld, ...], all_of_it: bool, trump: int | None
) -> tuple[Bounds, Bounds, tuple[tuple[tuple[int, ...], int], ...]]:
    low: Bounds = {}
    high: Bounds = {}
    conditions: list[tuple[tuple[int, ...], int]] = []
    classes = serving(shown)
    for cards in classes:
        for kind, number in cards.items():
            low[kind] = max(low.get(kind, 0), number)
    suits, around, pinochle = classes[0], classes[1], classes[2]
    for rank, _ in AROUNDS:
        if all_of_it or rank is Rank.ACE:
            conditions.append((arounds_cards(rank), around[card_of(0, rank)]))
    if not all_of_it:
        return low, high, tuple(conditions)
    conditions.append((PINOCHLE, pinochle[PINOCHLE[0]]))
    for suit in SUITS:
        king, queen = marriage_cards(suit)
        conditions.append(((king, queen), min(suits[king], suits[queen])))
    if trump is not None:
        runs = suits[card_of(trump, Rank.ACE)]
        conditions.append((run_cards(trump), runs))
        king, queen = marriage_cards(trump)
        if runs == 1 and suits[king] == suits[queen] == 1:  # a run with more would have said so
            if table.run_and_king is not None:
                high[king] = 1
            if table.run_and_queen is not None:
                high[queen] = 1
        if table.dix:
            nine = card_of(trump, Rank.NINE)
            high[nine] = suits[nine]
    return low, high, tuple(conditions)


def said(
    table: MeldTable, its: Melded, trump: int | None
) -> tuple[Bounds, Bounds, list[Condition]]:
    """What a hand had when it melded that: at least, at most, and the conditions on it."""
    low, high, found = _said(table, its.melds, its.open, trump)
    return low, high, [Condition(its.place, kinds, most) for kinds, most in found]


def limits(
    table: MeldTable, place: int, less: int, trump: int | None, copies: int
) -> list[Condition]:
    """What a hand whose melds are worth less than `less` cannot have had, meld by meld."""
    return [Condition(place, kinds, most) for kinds, most in _limits(table, less, trump, copies)]


@lru_cache(maxsize=1024)
def _limits(
    table: MeldTable, less: int, trump: int | None, copies: int
) -> tuple[tuple[tuple[int, ...], int], ...]:
    melds = [*(arounds_cards(rank) for rank, _ in AROUNDS), PINOCHLE, *map(marriage_cards, SUITS)]
    if trump is not None:
        melds.append(run_cards(trump))
    found: list[tuple[tuple[int, ...], int]] = []
    for cards in melds:
        for number in range(copies, 0, -1):
            if points(find(table, pack(cards) * number, trump)) < less:
                break
            found = [*(other for other in found if other[0] != cards), (cards, number - 1)]
    return tuple(found)
