"""Melds: which melds a hand holds and what they are worth, by the `MeldTable` in `Rules`.

Class A: runs, marriages, dixes. Class B: arounds. Class C: pinochles. Each house meld is a class of
its own. A card may serve in several classes at once, but only once in each class. A meld that is
worth nothing is not reported. `scoring` decides whether a meld is kept, and `phases.stock_play`
when one may be laid. Sources: all five seeds.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from acesaround.cards import CARDS, RANKS, SUITS, Card, Rank, Suit, card_of, counts
from acesaround.rules import MULTIPLE, MeldTable, NamedMeld, each, value_of_several


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


AROUNDS: Final = (
    (Rank.ACE, MeldKind.ACES_AROUND),
    (Rank.KING, MeldKind.KINGS_AROUND),
    (Rank.QUEEN, MeldKind.QUEENS_AROUND),
    (Rank.JACK, MeldKind.JACKS_AROUND),
)
_DIX: Final = MeldKind.DIX
CLASSES: Final[dict[MeldKind, int]] = {
    MeldKind.RUN: 0,
    MeldKind.ROYAL_MARRIAGE: 0,
    MeldKind.MARRIAGE: 0,
    MeldKind.DIX: 0,
    **{kind: 1 for _, kind in AROUNDS},
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
    return CARDS[trump * RANKS : trump * RANKS + 5]


def marriage_cards(suit: int) -> tuple[Card, Card]:
    """Return the king and the queen of a suit."""
    return card_of(suit, Rank.KING), card_of(suit, Rank.QUEEN)


def arounds_cards(rank: int) -> tuple[Card, ...]:
    """Return one card of a rank in each suit."""
    return tuple(card_of(suit, rank) for suit in SUITS)


def marriages(held: Sequence[int], suit: int) -> int:
    """Return the number of marriages of a suit in counts of kinds, including those within runs."""
    return min(held[suit * 6 + 2], held[suit * 6 + 3])


def runs(held: Sequence[int], trump: int) -> int:
    """Return the number of runs in counts of kinds."""
    at = trump * 6
    return min(held[at], held[at + 1], held[at + 2], held[at + 3], held[at + 4])


def arounds(held: Sequence[int], rank: int) -> int:
    """Return the number of arounds of a rank, one card in each suit, in counts of kinds."""
    return min(held[rank], held[6 + rank], held[12 + rank], held[18 + rank])


def pinochles(held: Sequence[int]) -> int:
    """Return the number of pinochles (queen of spades, jack of diamonds) in counts of kinds."""
    return min(held[3], held[16])


def around_values(table: MeldTable, rank: int) -> tuple[int, ...]:
    """Return the values of arounds of a rank."""
    return (table.aces, (), table.kings, table.queens, table.jacks)[rank]


def _items(
    values: tuple[int, ...], kind: MeldKind, cards: tuple[Card, ...], n: int
) -> Iterator[Meld]:
    for number, points in value_of_several(values, n):
        if not points:
            continue
        name = MULTIPLE[number - 1] + kind  # no `.value`: it takes three times as long
        yield Meld(name, tuple(c for c in cards for _ in range(number)), points, kind)


def single(kind: MeldKind, cards: tuple[Card, ...], points: int) -> Meld:
    """Return one meld of a kind, named after the kind."""
    return Meld("" + kind, cards, points, kind)


def _runs(table: MeldTable, held: Sequence[int], trump: int) -> Iterator[Meld]:
    """Yield the runs, and the royal marriages of the remaining kings and queens of trump."""
    number = runs(held, trump) if any(table.run) else 0
    royal = marriages(held, trump) - number
    king, queen = marriage_cards(trump)
    cards = run_cards(trump)
    if number == 1:
        extra = (held[king] > 1, held[queen] > 1)
        if all(extra) and table.run_and_marriage is not None:
            cards = _with(cards, king, queen)
            yield Meld("run and marriage", cards, table.run_and_marriage, MeldKind.RUN)
            number, royal = 0, royal - 1
        elif extra == (True, False) and table.run_and_king is not None:
            yield Meld("run and king", _with(cards, king), table.run_and_king, MeldKind.RUN)
            number = 0
        elif extra == (False, True) and table.run_and_queen is not None:
            yield Meld("run and queen", _with(cards, queen), table.run_and_queen, MeldKind.RUN)
            number = 0
    values = table.run if table.duplicate_runs_extra else table.run[:1]
    yield from _items(values, MeldKind.RUN, cards, number)
    yield from _items(each(table.royal_marriage), MeldKind.ROYAL_MARRIAGE, (king, queen), royal)


def _with(cards: tuple[Card, ...], *more: Card) -> tuple[Card, ...]:
    return tuple(sorted((*cards, *more)))


def find(table: MeldTable, hand: int, trump: int | None) -> tuple[Meld, ...]:
    """Return the melds of a packed hand, item by item, in the highest-scoring combination.

    Without trump there is no run, royal marriage or dix, and every marriage is a common one.
    """
    held = counts(hand)
    melds: list[Meld] = []
    for suit in SUITS:
        number = marriages(held, suit)
        if not number:
            continue
        if suit == trump:
            melds[:0] = _runs(table, held, suit)
        else:
            melds += _items(each(table.marriage), MeldKind.MARRIAGE, marriage_cards(suit), number)
    if trump is not None and table.dix != 0:
        nine = card_of(trump, Rank.NINE)
        melds += _items(each(table.dix), MeldKind.DIX, (nine,), held[nine])
    if number := pinochles(held):
        melds += _items(table.pinochle, MeldKind.PINOCHLE, PINOCHLE, number)
    for rank, kind in AROUNDS:
        if number := arounds(held, rank):
            melds += _items(around_values(table, rank), kind, arounds_cards(rank), number)
    if table.double_roundhouse and all(marriages(held, suit) >= 2 for suit in SUITS):
        pairs = tuple(sorted(c for suit in SUITS for c in marriage_cards(suit) for _ in range(2)))
        melds.append(single(MeldKind.DOUBLE_ROUNDHOUSE, pairs, table.double_roundhouse))
    for its in table.others:
        if cards := its.in_trump(trump):
            melds += [named(its, cards)] * times(held, cards)
    return tuple(melds)


def named(its: NamedMeld, cards: tuple[Card, ...]) -> Meld:
    """Return a house meld as an item with these cards."""
    return Meld(its.name, cards, its.points, MeldKind.OTHER)


def times(held: Sequence[int], cards: tuple[Card, ...]) -> int:
    """Return how often the counts of kinds hold all these cards, twins counted."""
    return min(held[card] // number for card, number in Counter(cards).items())


def points(melds: Sequence[Meld]) -> int:
    """Return the total worth of melds, before any loss."""
    return sum(meld.points for meld in melds)


def nines(melds: Sequence[Meld]) -> int:
    """Return the total worth of the dixes among melds."""
    return sum([meld.points for meld in melds if meld.kind is _DIX])


def always_shown(melds: Sequence[Meld]) -> tuple[Meld, ...]:
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
        if meld.kind in CLASSES:
            classes[CLASSES[meld.kind]].update(meld.cards)
        elif meld.kind is MeldKind.OTHER:
            others.setdefault(meld.name, Counter()).update(meld.cards)
    return (*classes, *others.values())


def cards_on_table(melds: Sequence[Meld]) -> tuple[Card, ...]:
    """Return the cards needed on the table for melds laid together.

    A card that serves in several classes is counted once.
    """
    found = Counter[Card]()
    for its in cards_used_by_class(melds):
        found |= its
    return tuple(found.elements())
