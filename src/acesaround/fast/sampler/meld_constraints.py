"""Constraints from shown melds: bounds on each kind of a hand, and conditions on several kinds.

A hand melds its best combination, and all of it, so shown melds bind both ways. Every rule here is
a bound on one kind or a `Condition`: of some kinds that meld together, the hand has at most so many
cards of the scarcest. The existing melds and their values come from `rules.melds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from acesaround.cards import SUITS, Card, Rank, card_of, pack
from acesaround.rules import MeldTable, NamedMeld, each
from acesaround.rules.melds import (
    AROUNDS,
    PINOCHLE,
    Meld,
    always_shown,
    around_values,
    arounds_cards,
    cards_used_by_class,
    find,
    marriage_cards,
    points,
    run_cards,
)


class Condition(NamedTuple):
    """When it melded, the hand at `place` had at most `most` cards of at least one of `kinds`."""

    place: int
    kinds: tuple[int, ...]
    most: int


class Melded(msgspec.Struct, frozen=True):
    """The cards that a hand showed when it melded.

    `open`: these are all its melds, not only aces around.
    """

    place: int
    melds: tuple[Meld, ...]
    open: bool

    def agrees(self, found: tuple[Meld, ...]) -> bool:
        """Return whether a hand with the melds `found` shows exactly these."""
        if self.open:
            return found == self.melds
        return always_shown(found) == self.melds


Bounds = dict[int, int]


@lru_cache(maxsize=4096)
def _said(
    table: MeldTable, shown: tuple[Meld, ...], all_of_it: bool, trump: int | None
) -> tuple[Bounds, Bounds, tuple[tuple[tuple[int, ...], int], ...]]:
    low: Bounds = {}
    high: Bounds = {}
    conditions: list[tuple[tuple[int, ...], int]] = []
    classes = cards_used_by_class(shown)
    for cards in classes:
        for kind, number in cards.items():
            low[kind] = max(low.get(kind, 0), number)
    suits, around, pinochle = classes[0], classes[1], classes[2]
    for rank, _ in AROUNDS:
        if all_of_it or rank is Rank.ACE:
            number = around[card_of(0, rank)]
            conditions += _no_more(arounds_cards(rank), around_values(table, rank), number)
    if not all_of_it:
        return low, high, tuple(conditions)
    conditions += _no_more(PINOCHLE, table.pinochle, pinochle[PINOCHLE[0]])
    for suit in SUITS:
        king, queen = marriage_cards(suit)
        values = each(table.royal_marriage if suit == trump else table.marriage)
        conditions += _no_more((king, queen), values, min(suits[king], suits[queen]))
    for its in table.others:
        conditions += _no_more_of_own(its, trump, sum(meld.name == its.name for meld in shown))
    if trump is not None:
        runs = suits[card_of(trump, Rank.ACE)]
        conditions += _no_more(run_cards(trump), table.run, runs)
        king, queen = marriage_cards(trump)
        if runs == 1 and suits[king] == suits[queen] == 1:  # an extra king or queen would show
            if table.run_and_king is not None:
                high[king] = 1
            if table.run_and_queen is not None:
                high[queen] = 1
        if runs == 1 == min(suits[king], suits[queen]) and table.run_and_marriage is not None:
            conditions.append(((king, queen), 1))  # even if a royal marriage is worth nothing
        if table.dix:
            nine = card_of(trump, Rank.NINE)
            high[nine] = suits[nine]
    return low, high, tuple(conditions)


def _no_more(
    cards: tuple[Card, ...], values: tuple[int, ...], number: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the condition that no more than `number` sets were held, if more would have shown."""
    silent = sum(1 for value in values if not value)
    if number == 0 and silent < len(values):
        yield cards, silent
    elif number and (number < len(values) or values[0]):
        yield cards, number


def _no_more_of_own(
    its: NamedMeld, trump: int | None, number: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the condition for one of the table's additional melds, shown `number` times.

    A `Condition` has one limit for all kinds. `rules.support` ensures that such a meld takes
    equally many cards of each kind.
    """
    takes = Counter(its.in_trump(trump))
    if takes:
        yield tuple(takes), (number + 1) * max(takes.values()) - 1


def bounds_from_meld(
    table: MeldTable, its: Melded, trump: int | None
) -> tuple[Bounds, Bounds, list[Condition]]:
    """Return what a hand had when it melded so: lower bounds, upper bounds and conditions."""
    low, high, found = _said(table, its.melds, its.open, trump)
    return low, high, [Condition(its.place, kinds, most) for kinds, most in found]


def bounds_from_hidden_meld(
    table: MeldTable, place: int, less: int, trump: int | None, copies: int
) -> list[Condition]:
    """Return, meld by meld, what a hand whose melds are worth less than `less` cannot have had."""
    return [Condition(place, kinds, most) for kinds, most in _limits(table, less, trump, copies)]


@lru_cache(maxsize=1024)
def _limits(
    table: MeldTable, less: int, trump: int | None, copies: int
) -> tuple[tuple[tuple[int, ...], int], ...]:
    melds = [*(arounds_cards(rank) for rank, _ in AROUNDS), PINOCHLE, *map(marriage_cards, SUITS)]
    melds += [tuple(dict.fromkeys(its.in_trump(trump))) for its in table.others]
    melds = [cards for cards in dict.fromkeys(melds) if cards]
    if trump is not None:
        melds.append(run_cards(trump))
    found: list[tuple[tuple[int, ...], int]] = []
    for cards in melds:
        for number in range(copies, 0, -1):
            if points(find(table, pack(cards) * number, trump)) < less:
                break
            found = [*(other for other in found if other[0] != cards), (cards, number - 1)]
    return tuple(found)
