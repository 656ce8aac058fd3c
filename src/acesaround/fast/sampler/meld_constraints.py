"""Constraints from shown melds: bounds on each kind of a hand, and conditions on several kinds.

A hand melds all of its best combination, so shown melds say which cards it held and which it did
not. Every rule here is a bound on one kind or a `ScarceKindCondition`: of some kinds that meld
together, the hand has at most so many cards of the scarcest. The existing melds and their values
come from `rules.melds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from acesaround.cards import SUITS, Card, Rank, card_of, pack
from acesaround.rules import HouseMeld, MeldTable, as_values
from acesaround.rules.melds import (
    AROUND_KINDS,
    PINOCHLE,
    Meld,
    always_shown_melds,
    around_values,
    arounds_cards,
    cards_used_by_class,
    find_melds,
    marriage_cards,
    run_cards,
    total_points,
)


class ScarceKindCondition(NamedTuple):
    """When it melded, the hand at `place` had at most `max_count` of at least one of `kinds`."""

    place: int
    kinds: tuple[int, ...]
    max_count: int


class MeldsShownAtPlace(msgspec.Struct, frozen=True):
    """The cards that a hand showed when it melded.

    `shows_all`: these are all its melds, not only aces around.
    """

    place: int
    melds: tuple[Meld, ...]
    shows_all: bool

    def matches(self, melds: tuple[Meld, ...]) -> bool:
        """Return whether a hand with these melds shows exactly these."""
        if self.shows_all:
            return melds == self.melds
        return always_shown_melds(melds) == self.melds


KindBounds = dict[int, int]


@lru_cache(maxsize=4096)
def _bounds_from_shown(
    meld_table: MeldTable, shown: tuple[Meld, ...], shows_all: bool, trump: int | None
) -> tuple[KindBounds, KindBounds, tuple[tuple[tuple[int, ...], int], ...]]:
    low: KindBounds = {}
    high: KindBounds = {}
    conditions: list[tuple[tuple[int, ...], int]] = []
    classes = cards_used_by_class(shown)
    for cards in classes:
        for kind, number in cards.items():
            low[kind] = max(low.get(kind, 0), number)
    suit_cards, around_cards, pinochle_cards = classes[0], classes[1], classes[2]
    for rank, _ in AROUND_KINDS:
        if shows_all or rank is Rank.ACE:
            number = around_cards[card_of(0, rank)]
            conditions += _limit_sets(arounds_cards(rank), around_values(meld_table, rank), number)
    if not shows_all:
        return low, high, tuple(conditions)
    conditions += _limit_sets(PINOCHLE, meld_table.pinochle, pinochle_cards[PINOCHLE[0]])
    for suit in SUITS:
        king, queen = marriage_cards(suit)
        values = as_values(meld_table.royal_marriage if suit == trump else meld_table.marriage)
        conditions += _limit_sets((king, queen), values, min(suit_cards[king], suit_cards[queen]))
    for house_meld in meld_table.others:
        conditions += _limit_house_meld(
            house_meld, trump, sum(meld.name == house_meld.name for meld in shown)
        )
    if trump is not None:
        run_count = suit_cards[card_of(trump, Rank.ACE)]
        conditions += _limit_sets(run_cards(trump), meld_table.run, run_count)
        king, queen = marriage_cards(trump)
        if (
            run_count == 1 and suit_cards[king] == suit_cards[queen] == 1
        ):  # an extra king or queen would show
            if meld_table.run_and_king is not None:
                high[king] = 1
            if meld_table.run_and_queen is not None:
                high[queen] = 1
        if (
            run_count == 1 == min(suit_cards[king], suit_cards[queen])
            and meld_table.run_and_marriage is not None
        ):
            conditions.append(((king, queen), 1))  # even if a royal marriage is worth nothing
        if meld_table.dix:
            nine = card_of(trump, Rank.NINE)
            high[nine] = suit_cards[nine]
    return low, high, tuple(conditions)


def _limit_sets(
    cards: tuple[Card, ...], values: tuple[int, ...], shown_sets: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the condition that at most `shown_sets` sets were held, if more would have shown."""
    unscored_sets = sum(1 for value in values if not value)
    if shown_sets == 0 and unscored_sets < len(values):
        yield cards, unscored_sets
    elif shown_sets and (shown_sets < len(values) or values[0]):
        yield cards, shown_sets


def _limit_house_meld(
    house_meld: HouseMeld, trump: int | None, times_shown: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the condition for one of the table's additional melds, shown `times_shown` times.

    A `ScarceKindCondition` has one limit for all kinds. `rules.feature_support` ensures that
    such a meld takes equally many cards of each kind.
    """
    kind_counts = Counter(house_meld.cards_in_trump(trump))
    if kind_counts:
        yield tuple(kind_counts), (times_shown + 1) * max(kind_counts.values()) - 1


def bounds_from_meld(
    meld_table: MeldTable, shown: MeldsShownAtPlace, trump: int | None
) -> tuple[KindBounds, KindBounds, list[ScarceKindCondition]]:
    """Return what a hand had when it melded so: lower bounds, upper bounds and conditions."""
    low, high, limits = _bounds_from_shown(meld_table, shown.melds, shown.shows_all, trump)
    return (
        low,
        high,
        [ScarceKindCondition(shown.place, kinds, max_count) for kinds, max_count in limits],
    )


def bounds_from_hidden_meld(
    meld_table: MeldTable, place: int, limit: int, trump: int | None, copies: int
) -> list[ScarceKindCondition]:
    """Return, meld by meld, what a hand whose melds are worth less than `limit` cannot have had."""
    return [
        ScarceKindCondition(place, kinds, max_count)
        for kinds, max_count in _hidden_meld_limits(meld_table, limit, trump, copies)
    ]


@lru_cache(maxsize=1024)
def _hidden_meld_limits(
    meld_table: MeldTable, limit: int, trump: int | None, copies: int
) -> tuple[tuple[tuple[int, ...], int], ...]:
    meld_cards = [
        *(arounds_cards(rank) for rank, _ in AROUND_KINDS),
        PINOCHLE,
        *map(marriage_cards, SUITS),
    ]
    meld_cards += [
        tuple(dict.fromkeys(house_meld.cards_in_trump(trump))) for house_meld in meld_table.others
    ]
    meld_cards = [cards for cards in dict.fromkeys(meld_cards) if cards]
    if trump is not None:
        meld_cards.append(run_cards(trump))
    limits: list[tuple[tuple[int, ...], int]] = []
    for cards in meld_cards:
        for times in range(copies, 0, -1):
            if total_points(find_melds(meld_table, pack(cards) * times, trump)) < limit:
                break
            limits = [
                *(previous for previous in limits if previous[0] != cards),
                (cards, times - 1),
            ]
    return tuple(limits)
