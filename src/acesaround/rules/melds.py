"""Melds: which melds a hand holds and what they are worth, by the `MeldTable` in `Rules`.

Class A: runs, marriages, dixes. Class B: arounds. Class C: pinochles. Each house meld is a class of
its own. A card may serve in several classes at once, but only once in each class. A meld that is
worth nothing is not reported. `scoring` decides whether a meld is kept, and `phases.stock_play`
when one may be laid. Sources: the `notes.md` of all
variants.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from acesaround.cards import CARDS, RANK_COUNT, SUITS, Card, Rank, Suit, card_of, counts
from acesaround.rules import MULTIPLE_PREFIXES, HouseMeld, MeldTable, as_values, value_of_several


class MeldKind(enum.StrEnum):
    """The kind of a meld item, named after a single one.

    Several of a kind together have that kind too (a double run is a run). So has a run with a
    further king or queen. A house meld is `other`, even under a known name.
    """

    RUN = "run"
    ROYAL_MARRIAGE = "royal marriage"
    MARRIAGE = "marriage"
    DIX = "dix"
    PINOCHLE = "pinochle"
    ACES_AROUND = "aces around"
    KINGS_AROUND = "kings around"
    QUEENS_AROUND = "queens around"
    JACKS_AROUND = "jacks around"
    DOUBLE_ROUNDHOUSE = "double roundhouse"
    OTHER = "other"


class Meld(msgspec.Struct, frozen=True, gc=False):
    """One meld item: its name as in records, its cards, its points, its kind."""

    name: str
    cards: tuple[Card, ...]
    points: int
    kind: MeldKind


AROUND_KINDS: Final = (
    (Rank.ACE, MeldKind.ACES_AROUND),
    (Rank.KING, MeldKind.KINGS_AROUND),
    (Rank.QUEEN, MeldKind.QUEENS_AROUND),
    (Rank.JACK, MeldKind.JACKS_AROUND),
)
_DIX: Final = MeldKind.DIX
CLASS_OF_KIND: Final[dict[MeldKind, int]] = {
    MeldKind.RUN: 0,
    MeldKind.ROYAL_MARRIAGE: 0,
    MeldKind.MARRIAGE: 0,
    MeldKind.DIX: 0,
    **{kind: 1 for _, kind in AROUND_KINDS},
    MeldKind.PINOCHLE: 2,
}
"""The class of each kind of meld: 0 to 2 for A to C.

A double roundhouse has none: it is a bonus for cards that already serve in marriages and runs.
"""
PINOCHLE_QUEEN: Final = card_of(Suit.S, Rank.QUEEN)
PINOCHLE_JACK: Final = card_of(Suit.D, Rank.JACK)
PINOCHLE: Final = (PINOCHLE_QUEEN, PINOCHLE_JACK)


def run_cards(trump: int) -> tuple[Card, ...]:
    """Return A, 10, K, Q, J of trump."""
    return CARDS[trump * RANK_COUNT : trump * RANK_COUNT + 5]


def marriage_cards(suit: int) -> tuple[Card, Card]:
    """Return the king and the queen of a suit."""
    return card_of(suit, Rank.KING), card_of(suit, Rank.QUEEN)


def arounds_cards(rank: int) -> tuple[Card, ...]:
    """Return one card of a rank in each suit."""
    return tuple(card_of(suit, rank) for suit in SUITS)


def count_marriages(held: Sequence[int], suit: int) -> int:
    """Return the number of marriages of a suit in counts of kinds, including those within runs."""
    return min(held[suit * 6 + 2], held[suit * 6 + 3])


def count_runs(held: Sequence[int], trump: int) -> int:
    """Return the number of runs in counts of kinds."""
    first_kind = trump * 6
    return min(
        held[first_kind],
        held[first_kind + 1],
        held[first_kind + 2],
        held[first_kind + 3],
        held[first_kind + 4],
    )


def count_arounds(held: Sequence[int], rank: int) -> int:
    """Return the number of arounds of a rank, one card in each suit, in counts of kinds."""
    return min(held[rank], held[6 + rank], held[12 + rank], held[18 + rank])


def count_pinochles(held: Sequence[int]) -> int:
    """Return the number of pinochles (queen of spades, jack of diamonds) in counts of kinds."""
    return min(held[3], held[16])


def around_values(table: MeldTable, rank: int) -> tuple[int, ...]:
    """Return the values of arounds of a rank."""
    return (table.aces, (), table.kings, table.queens, table.jacks)[rank]


def _meld_items(
    values: tuple[int, ...], kind: MeldKind, cards: tuple[Card, ...], number_held: int
) -> Iterator[Meld]:
    for number, points in value_of_several(values, number_held):
        if not points:
            continue
        name = MULTIPLE_PREFIXES[number - 1] + kind  # no `.value`: it takes three times as long
        yield Meld(name, tuple(c for c in cards for _ in range(number)), points, kind)


def single_meld(kind: MeldKind, cards: tuple[Card, ...], points: int) -> Meld:
    """Return one meld of a kind, named after the kind."""
    return Meld("" + kind, cards, points, kind)


def _run_items(table: MeldTable, held: Sequence[int], trump: int) -> Iterator[Meld]:
    """Yield the runs, and the royal marriages of the remaining kings and queens of trump."""
    run_count = count_runs(held, trump) if any(table.run) else 0
    royal = count_marriages(held, trump) - run_count
    king, queen = marriage_cards(trump)
    cards = run_cards(trump)
    if run_count == 1:
        has_extra = (held[king] > 1, held[queen] > 1)
        if all(has_extra) and table.run_and_marriage is not None:
            cards = _with_cards(cards, king, queen)
            yield Meld("run and marriage", cards, table.run_and_marriage, MeldKind.RUN)
            run_count, royal = 0, royal - 1
        elif has_extra == (True, False) and table.run_and_king is not None:
            yield Meld("run and king", _with_cards(cards, king), table.run_and_king, MeldKind.RUN)
            run_count = 0
        elif has_extra == (False, True) and table.run_and_queen is not None:
            yield Meld(
                "run and queen", _with_cards(cards, queen), table.run_and_queen, MeldKind.RUN
            )
            run_count = 0
    values = table.run if table.duplicate_runs_extra else table.run[:1]
    yield from _meld_items(values, MeldKind.RUN, cards, run_count)
    yield from _meld_items(
        as_values(table.royal_marriage), MeldKind.ROYAL_MARRIAGE, (king, queen), royal
    )


def _with_cards(cards: tuple[Card, ...], *extra: Card) -> tuple[Card, ...]:
    return tuple(sorted((*cards, *extra)))


def find_melds(table: MeldTable, hand: int, trump: int | None) -> tuple[Meld, ...]:
    """Return the melds of a packed hand, item by item, in the highest-scoring combination.

    Without trump there is no run, royal marriage or dix, and every marriage is a common one.
    """
    kind_counts = counts(hand)
    melds: list[Meld] = []
    for suit in SUITS:
        number = count_marriages(kind_counts, suit)
        if not number:
            continue
        if suit == trump:
            melds[:0] = _run_items(table, kind_counts, suit)
        else:
            melds += _meld_items(
                as_values(table.marriage), MeldKind.MARRIAGE, marriage_cards(suit), number
            )
    if trump is not None and table.dix != 0:
        nine = card_of(trump, Rank.NINE)
        melds += _meld_items(as_values(table.dix), MeldKind.DIX, (nine,), kind_counts[nine])
    if number := count_pinochles(kind_counts):
        melds += _meld_items(table.pinochle, MeldKind.PINOCHLE, PINOCHLE, number)
    for rank, kind in AROUND_KINDS:
        if number := count_arounds(kind_counts, rank):
            melds += _meld_items(around_values(table, rank), kind, arounds_cards(rank), number)
    if table.double_roundhouse and all(count_marriages(kind_counts, suit) >= 2 for suit in SUITS):
        pairs = tuple(sorted(c for suit in SUITS for c in marriage_cards(suit) for _ in range(2)))
        melds.append(single_meld(MeldKind.DOUBLE_ROUNDHOUSE, pairs, table.double_roundhouse))
    for other in table.others:
        if cards := other.cards_in_trump(trump):
            melds += [house_meld(other, cards)] * count_sets(kind_counts, cards)
    return tuple(melds)


def house_meld(meld: HouseMeld, cards: tuple[Card, ...]) -> Meld:
    """Return a house meld as an item with these cards."""
    return Meld(meld.name, cards, meld.points, MeldKind.OTHER)


def count_sets(held: Sequence[int], cards: tuple[Card, ...]) -> int:
    """Return how often the counts of kinds hold all these cards, twins counted."""
    return min(held[card] // number for card, number in Counter(cards).items())


def total_points(melds: Sequence[Meld]) -> int:
    """Return the total worth of melds, before any loss."""
    return sum(meld.points for meld in melds)


def points_of_dixes(melds: Sequence[Meld]) -> int:
    """Return the total worth of the dixes among melds."""
    return sum([meld.points for meld in melds if meld.kind is _DIX])


def always_shown_melds(melds: Sequence[Meld]) -> tuple[Meld, ...]:
    """Return the melds that a side below the meld floor still shows: aces around."""
    return tuple(meld for meld in melds if meld.kind is MeldKind.ACES_AROUND)


def cards_used_by_class(melds: Sequence[Meld]) -> tuple[Counter[Card], ...]:
    """Return the cards that serve in melds laid together, class by class.

    The classes A to C come first, then one for each name of a house meld. In a class a card serves
    once.
    """
    classes = Counter[Card](), Counter[Card](), Counter[Card]()
    others: dict[str, Counter[Card]] = {}
    for meld in melds:
        if meld.kind in CLASS_OF_KIND:
            classes[CLASS_OF_KIND[meld.kind]].update(meld.cards)
        elif meld.kind is MeldKind.OTHER:
            others.setdefault(meld.name, Counter()).update(meld.cards)
    return (*classes, *others.values())


def cards_on_table(melds: Sequence[Meld]) -> tuple[Card, ...]:
    """Return the cards needed on the table for melds laid together.

    A card that serves in several classes is counted once.
    """
    cards = Counter[Card]()
    for class_cards in cards_used_by_class(melds):
        cards |= class_cards
    return tuple(cards.elements())
