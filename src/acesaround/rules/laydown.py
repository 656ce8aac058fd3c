"""Laying melds between tricks: which cards may be laid, what a meld scores, which cards it uses up.

`LaidMelds` records one seat's melds on the table. `phases.stock_play` decides when a meld may be
laid; `melds` defines which melds exist and what they are worth. Source:
seeds/002_2dffcbf4b7d28af9.txt and the settled points for two-handed.

A play does not say which of two twins it means, so a fixed rule decides: the copy in the hand
leaves before the copy on the table. A meld takes a card on the table before its twin in the hand,
unless the meld would then have no card from the hand.

The rule itself is in `how_laid`, `meld_extensions`, `cards_from_hand` and `complete_pairs`. These
functions take integers and sets of kinds in any packing (see `tricks`). The engine runs them here
as Python; the kernels compile them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import msgspec

from acesaround.cards import (
    ONE,
    SUITS,
    Card,
    Rank,
    card_of,
    count,
    kinds,
    pack,
    pretty_cards,
    take,
)
from acesaround.errors import IllegalAction, Reason
from acesaround.rules import MULTIPLE, MeldTable, each
from acesaround.rules.melds import (
    AROUNDS,
    CLASSES,
    PINOCHLE,
    PINOCHLE_JACK,
    PINOCHLE_QUEEN,
    Meld,
    MeldKind,
    around_values,
    arounds_cards,
    find,
    marriage_cards,
    named,
    run_cards,
)

# Numbers of the melds that may be laid, in the order in which they are offered.
RUN: Final = 0
DIX: Final = 1
MARRIAGES: Final = 2  # to 5: one for each suit; the one in trump is the royal marriage
SINGLE_PINOCHLE: Final = 6
DOUBLE_PINOCHLE: Final = 7
AROUND: Final = 8  # to 11: one for each rank of `melds.AROUNDS`
CANDIDATES: Final = 12
"""The number of standard candidates; house melds are numbered after them."""
OTHERS: Final = 3  # the class of the first house meld; each house meld is a class of its own

# Results of `how_laid`.
ANEW: Final = 0  # from cards that have not served in its class
GROWN: Final = 1  # a smaller meld on the table grows into this one
ALREADY_MELDED: Final = 2
DOUBLED_ALREADY: Final = 3
NEEDS_CARD_FROM_HAND: Final = 4


def how_laid(
    number: int,
    cards: int,
    pairs: int,
    beside: int,
    once: int,
    twice: int,
    in_hand: int,
    from_hand: bool,
    royals: int,
    pinochles: int,
    doubled: bool,
) -> int:
    """Return how a candidate can be laid: ANEW, GROWN, or the reason why it cannot.

    `cards`, `pairs`: the kinds it takes, and the kinds it takes two of. `beside`: the kinds it adds
    when a royal marriage grows into a run, or a single pinochle into the double one. `once`,
    `twice`: kinds of which the seat holds at least one, or two, cards that have not served in its
    class. `in_hand`: kinds with a card that is not yet on the table; if `from_hand`, the meld needs
    one of them. `royals`, `pinochles`, `doubled`: see `LaidMelds`.

    If the cards could also form a new meld, the result is ANEW, because that is worth more.
    """
    if number == DOUBLE_PINOCHLE and doubled:
        return DOUBLED_ALREADY
    growing = royals if number == RUN else pinochles if number == DOUBLE_PINOCHLE else 0
    if cards & ~once == 0 and pairs & ~twice == 0:
        found = ANEW
    elif growing and beside & ~once == 0:
        found = GROWN
    else:
        return ALREADY_MELDED
    return found if cards & in_hand or not from_hand else NEEDS_CARD_FROM_HAND


def meld_extensions(
    number: int, found: int, trump: int, royals: int, pinochles: int, doubled: bool
) -> tuple[int, int, bool]:
    """Return `royals`, `pinochles` and `doubled` of `LaidMelds` after a candidate was laid.

    `found`: ANEW or GROWN.
    """
    if number == MARRIAGES + trump:
        royals += 1
    elif number == RUN and found == GROWN:
        royals -= 1
    elif number == SINGLE_PINOCHLE:
        pinochles += 1
    elif number == DOUBLE_PINOCHLE:
        pinochles, doubled = pinochles - (found == GROWN), True
    return royals, pinochles, doubled


def cards_from_hand(
    cards: int, served: int, pairs: int, ready: int, both: int, in_hand: int, from_hand: bool
) -> tuple[int, int]:
    """Return the kinds that come down from the hand, and the kinds of which a second card does.

    `served`, `pairs`: the kinds that now serve in the class, and the kinds that serve twice.
    `ready`, `both`: kinds of which one card, or two, on the table have not served in the class
    before.
    """
    first, second = served & ~ready, pairs & ~both
    if from_hand and first | second == 0:
        twins = cards & in_hand
        first = twins & -twins  # the lowest bit: the highest card in written order
    return first, second


def complete_pairs(number: int, one: int, other: int) -> int:
    """Return how many of `number` two-card melds are still whole, given the held cards of each."""
    return min(number, one, other)


class LaidMelds(msgspec.Struct, frozen=True, gc=False):
    """One seat's melds on the table. Cards are packed hands; a card that is played leaves them.

    `cards`: all cards on the table. `a`, `b`, `c`: the cards that have served in each class.
    `royals`, `pinochles`: royal marriages and single pinochles that are still whole on the table
    and may grow. `doubled`: whether a double pinochle was laid. `others`: the cards that have
    served in each house meld; empty before the first one.
    """

    cards: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    royals: int = 0
    pinochles: int = 0
    doubled: bool = False
    others: tuple[int, ...] = ()

    def served(self, group: int) -> int:
        """Return the cards that have served in a class, numbered as in `Candidate`."""
        if group < OTHERS:
            return (self.a, self.b, self.c)[group]
        return self.others[group - OTHERS] if self.others else 0

    def played(self, card: int, held: int, trump: int) -> LaidMelds:
        """Return the record after `card` was played; `held` is what the seat still holds."""
        left = count(held, card)
        king, queen = marriage_cards(trump)
        return LaidMelds(
            cards=_clamp(self.cards, card, left),
            a=_clamp(self.a, card, left),
            b=_clamp(self.b, card, left),
            c=_clamp(self.c, card, left),
            royals=complete_pairs(self.royals, count(held, king), count(held, queen)),
            pinochles=complete_pairs(self.pinochles, *(count(held, c) for c in PINOCHLE)),
            doubled=self.doubled,
            others=tuple(_clamp(its, card, left) for its in self.others),
        )


NOTHING = LaidMelds()


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A meld that may be laid, with the arguments for `how_laid`; sets are packed as in `cards`.

    `group`: its class. 0 to 2 are the classes A to C; from OTHERS on there is one for each house
    meld. `laid`: the item that results from ANEW and from GROWN.
    """

    number: int
    group: int
    cards: int
    pairs: int
    beside: int
    laid: tuple[Meld, Meld]


def lay_meld(
    table: MeldTable, held: int, down: LaidMelds, cards: tuple[Card, ...], trump: int
) -> tuple[Meld, LaidMelds]:
    """Return the meld that these cards make, and the seat's record after it.

    Raises IllegalAction if they cannot be laid. `held`: all cards of the seat, packed, including
    those on the table. A royal marriage on the table grows into a run, and a single pinochle into a
    double one. That scores the difference or the whole value; the item names the whole meld.
    """
    take(held, cards)
    cards = tuple(sorted(cards))
    candidate = by_cards(table, trump).get(cards)
    if candidate is None:
        raise IllegalAction(Reason.NOT_A_MELD, cards=pretty_cards(cards))
    number, group, needs = candidate.number, candidate.group, table.meld_from_hand
    used = down.served(group)
    free, spare = held - used, down.cards - used
    in_hand = kinds(held - down.cards)
    growing = down.royals, down.pinochles, down.doubled
    found = how_laid(
        number,
        candidate.cards,
        candidate.pairs,
        candidate.beside,
        kinds(free),
        _twice(free),
        in_hand,
        needs,
        *growing,
    )
    if found > GROWN:
        raise _refusal(found, cards)
    served, pairs = (candidate.cards, candidate.pairs) if found == ANEW else (candidate.beside, 0)
    first, second = cards_from_hand(
        candidate.cards, served, pairs, kinds(spare), _twice(spare), in_hand, needs
    )
    accounts = [down.a, down.b, down.c, *(down.others or (0,) * len(table.others))]
    accounts[group] += served + pairs
    a, b, c, *others = accounts
    lying, may_grow = down.cards + first + second, meld_extensions(number, found, trump, *growing)
    return candidate.laid[found], LaidMelds(lying, a, b, c, *may_grow, tuple(others))


def layable_melds(table: MeldTable, held: int, down: LaidMelds, trump: int) -> list[Meld]:
    """Return every meld that may be laid now, with what it would score."""
    in_hand, missing = kinds(held - down.cards), ~kinds(held)
    found = []
    for candidate in candidates(table, trump):
        if candidate.cards & missing:
            continue
        free = held - down.served(candidate.group)
        at = how_laid(
            candidate.number,
            candidate.cards,
            candidate.pairs,
            candidate.beside,
            kinds(free),
            _twice(free),
            in_hand,
            table.meld_from_hand,
            down.royals,
            down.pinochles,
            down.doubled,
        )
        if at <= GROWN:
            found.append(candidate.laid[at])
    return found


def max_layable_points(table: MeldTable, hand: int, trump: int) -> tuple[Meld, ...]:
    """Return the melds that score most if a whole hand is laid over time, from an empty table.

    Where each meld needs a card from the hand, a meld is lost if all its cards are on the table
    already. In any order a roundhouse loses one marriage that way. Where a grown meld scores its
    whole value, the smaller meld is laid before it.
    """
    melds = find(table, hand, trump)
    if table.grown_scores_whole:
        melds += _smaller(table, melds, trump)

    @cache
    def best(down: LaidMelds, left: tuple[Meld, ...]) -> tuple[int, tuple[Meld, ...]]:
        found: tuple[int, tuple[Meld, ...]] = (0, ())
        for position, meld in enumerate(left):
            if meld in left[:position]:
                continue
            try:
                laid, after = lay_meld(table, hand, down, meld.cards, trump)
            except IllegalAction:
                continue
            points, rest = best(after, left[:position] + left[position + 1 :])
            if points + laid.points > found[0]:
                found = (points + laid.points, (laid, *rest))
            if points == sum(m.points for m in left) - laid.points:
                break  # all remaining melds were laid, so no order is better
        return found

    laid = best(NOTHING, melds)[1]
    return tuple(meld for meld in melds if meld in laid) if len(laid) == len(melds) else laid


def _smaller(table: MeldTable, melds: tuple[Meld, ...], trump: int) -> tuple[Meld, ...]:
    """Return the smaller melds that may be laid first and then grow into some of `melds`."""
    its, runs = by_cards(table, trump), [meld for meld in melds if meld.kind is MeldKind.RUN]
    doubles = [meld for meld in melds if meld.kind is MeldKind.PINOCHLE and len(meld.cards) > 2]
    found = [marriage_cards(trump)] * len(runs) + [PINOCHLE] * len(doubles)
    return tuple(its[cards].laid[ANEW] for cards in found if cards in its)


@cache
def candidates(table: MeldTable, trump: int) -> tuple[Candidate, ...]:
    """Return the melds that may be laid and are worth something, in the order of their numbers."""
    return tuple([its for its in _every(table, trump) if its.laid[ANEW].points])


def _every(table: MeldTable, trump: int) -> Iterator[Candidate]:
    royal, double = marriage_cards(trump), (PINOCHLE_QUEEN,) * 2 + (PINOCHLE_JACK,) * 2
    run, whole_value = run_cards(trump), table.grown_scores_whole
    less = 0 if whole_value else each(table.royal_marriage)[0]
    yield _candidate(RUN, MeldKind.RUN, run, table.run[0], royal, less)
    yield _candidate(DIX, MeldKind.DIX, (card_of(trump, Rank.NINE),), each(table.dix)[0])
    for suit in SUITS:
        kind, points = MeldKind.MARRIAGE, each(table.marriage)[0]
        if suit == trump:
            kind, points = MeldKind.ROYAL_MARRIAGE, each(table.royal_marriage)[0]
        yield _candidate(MARRIAGES + suit, kind, marriage_cards(suit), points)
    kind, one = MeldKind.PINOCHLE, table.pinochle[0]
    yield _candidate(SINGLE_PINOCHLE, kind, PINOCHLE, one)
    if len(table.pinochle) > 1:
        less = 0 if whole_value else one
        yield _candidate(DOUBLE_PINOCHLE, kind, double, table.pinochle[1], PINOCHLE, less)
    for number, (rank, kind) in enumerate(AROUNDS, AROUND):
        yield _candidate(number, kind, arounds_cards(rank), around_values(table, rank)[0])
    for place, its in enumerate(table.others):
        cards = its.in_trump(trump)
        every = pack(cards)
        one_of, two_of, laid = kinds(every), _twice(every), named(its, cards)
        yield Candidate(CANDIDATES + place, OTHERS + place, one_of, two_of, one_of, (laid, laid))


def _candidate(
    number: int,
    kind: MeldKind,
    cards: tuple[Card, ...],
    points: int,
    smaller: tuple[Card, ...] = (),
    less: int = 0,
) -> Candidate:
    """Return a candidate. `smaller`: the meld that may grow into it, which scores `less` less."""
    every = pack(cards)
    name = MULTIPLE[bool(_twice(every))] + kind.value
    laid = Meld(name, cards, points, kind), Meld(name, cards, points - less, kind)
    beside = kinds(every - pack(smaller))
    return Candidate(number, CLASSES[kind], kinds(every), _twice(every), beside, laid)


@cache
def by_cards(table: MeldTable, trump: int) -> dict[tuple[Card, ...], Candidate]:
    """Return the candidates keyed by their sorted cards."""
    return {candidate.laid[ANEW].cards: candidate for candidate in candidates(table, trump)}


def _refusal(found: int, cards: tuple[Card, ...]) -> IllegalAction:
    if found == DOUBLED_ALREADY:
        return IllegalAction(Reason.DOUBLED_ALREADY)
    if found == NEEDS_CARD_FROM_HAND:
        return IllegalAction(Reason.NEEDS_CARD_FROM_HAND)
    return IllegalAction(Reason.ALREADY_MELDED, cards=pretty_cards(cards))


def _twice(hand: int) -> int:
    """Return the kinds of which a packed hand holds two or more."""
    return kinds(hand >> 1)


def _clamp(hand: int, card: int, most_of_kind: int) -> int:
    return hand - max(0, count(hand, card) - most_of_kind) * ONE[card]
