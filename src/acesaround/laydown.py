"""Laying melds between tricks: which cards may be laid, what a lay-down scores, what it uses up.

Owns the accounts of one seat's melds on the table (`Down`). When a lay-down is offered is decided
in `phases.stock_play`; what melds exist and are worth stands in `melds`. Source:
seeds/002_2dffcbf4b7d28af9.txt and the settled points for two-handed.

Twins are not told apart in a play, so a convention decides which one leaves: the copy in the hand
goes before the copy on the table. And a card on the table serves before its twin in the hand,
unless the meld would then have no card from the hand.
"""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec.structs import replace

from acesaround.cards import (
    ONE,
    SUITS,
    Card,
    Rank,
    contains,
    count,
    counts,
    pack,
    pretty_cards,
    take,
)
from acesaround.cards import card_of as _card
from acesaround.errors import IllegalAction, Reason
from acesaround.melds import (
    AROUNDS,
    PINOCHLE,
    PINOCHLE_JACK,
    PINOCHLE_QUEEN,
    Meld,
    around_values,
    arounds_cards,
    find,
    marriage_cards,
    run_cards,
)
from acesaround.rules import MeldTable


class Down(msgspec.Struct, frozen=True, gc=False):
    """What one seat has on the table. Cards are packed hands; a card played leaves them.

    `cards`: all of them. `a`, `b`, `c`: those that have served in each class. `royals` and
    `pinochles`: royal marriages and single pinochles that still lie there whole and may grow.
    """

    cards: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    royals: int = 0
    pinochles: int = 0
    doubled: bool = False

    def played(self, card: int, held: int, trump: int) -> Down:
        """The accounts after a card was played; `held` is what the seat still holds, packed."""
        left = count(held, card)
        king, queen = marriage_cards(trump)
        return Down(
            cards=_clamp(self.cards, card, left),
            a=_clamp(self.a, card, left),
            b=_clamp(self.b, card, left),
            c=_clamp(self.c, card, left),
            royals=min(self.royals, count(held, king), count(held, queen)),
            pinochles=min(self.pinochles, *(count(held, c) for c in PINOCHLE)),
            doubled=self.doubled,
        )


NOTHING = Down()


def lay(
    table: MeldTable, held: int, down: Down, cards: tuple[Card, ...], trump: int
) -> tuple[Meld, Down]:
    """The meld that those cards make and the accounts after it. Raises IllegalAction.

    `held`: all the seat holds, packed, cards on the table included. A royal marriage on the table
    grows into a run, and a single pinochle into a double, for the difference; the whole meld is
    named. Where the same cards could also be a new meld, they are: it is worth more.
    """
    part = pack(cards)
    take(held, cards)
    meld, after = _lay(table, held, down, cards, part, trump)
    lying = _most(down.cards, after.a, after.b, after.c)
    if table.meld_from_hand and lying == down.cards:
        twins = [card for card in meld.cards if count(held, card) > count(lying, card)]
        if not twins:
            raise IllegalAction(Reason.NEEDS_CARD_FROM_HAND)
        lying += ONE[twins[0]]
    return meld, replace(after, cards=lying)


def _lay(
    table: MeldTable, held: int, down: Down, cards: tuple[Card, ...], part: int, trump: int
) -> tuple[Meld, Down]:
    cards = tuple(sorted(cards))
    in_a = replace(down, a=down.a + part)
    if cards == run_cards(trump):
        if contains(held - down.a, part):
            return Meld("run", cards, table.run[0]), in_a
        beside = part - pack(marriage_cards(trump))
        if down.royals and contains(held - down.a, beside):
            grown = replace(down, a=down.a + beside, royals=down.royals - 1)
            return Meld("run", cards, table.run[0] - table.royal_marriage), grown
    elif cards == marriage_cards(trump):
        if contains(held - down.a, part):
            royal = replace(in_a, royals=down.royals + 1)
            return Meld("royal marriage", cards, table.royal_marriage), royal
    elif cards == (_card(trump, Rank.NINE),) and table.dix:
        if contains(held - down.a, part):
            return Meld("dix", cards, table.dix), in_a
    elif cards in _MARRIAGES:
        if contains(held - down.a, part):
            return Meld("marriage", cards, table.marriage), in_a
    elif cards == PINOCHLE:
        if contains(held - down.c, part):
            single = replace(down, c=down.c + part, pinochles=down.pinochles + 1)
            return Meld("pinochle", cards, table.pinochle[0]), single
    elif cards == _DOUBLE_PINOCHLE:
        if down.doubled:
            raise IllegalAction(Reason.DOUBLED_ALREADY)
        if contains(held - down.c, part):
            both = replace(down, c=down.c + part, doubled=True)
            return Meld("double pinochle", cards, table.pinochle[1]), both
        half = pack(PINOCHLE)
        if down.pinochles and contains(held - down.c, half):
            grown = replace(down, c=down.c + half, pinochles=down.pinochles - 1, doubled=True)
            return Meld("double pinochle", cards, table.pinochle[1] - table.pinochle[0]), grown
    elif cards in _AROUNDS:
        if contains(held - down.b, part):
            rank, name = _AROUNDS[cards]
            value = around_values(table, rank)[0]
            return Meld(name, cards, value), replace(down, b=down.b + part)
    else:
        raise IllegalAction(Reason.NOT_A_MELD, cards=pretty_cards(cards))
    raise IllegalAction(Reason.ALREADY_MELDED, cards=pretty_cards(cards))


def options(table: MeldTable, held: int, down: Down, trump: int) -> list[Meld]:
    """Every meld that may be laid now, with what it would score."""
    found = []
    for cards, part in _candidates(trump):
        if contains(held, part):
            try:
                found.append(lay(table, held, down, cards, trump)[0])
            except IllegalAction:
                continue
    return found


def most(table: MeldTable, hand: int, trump: int) -> tuple[Meld, ...]:
    """The most that could be laid from a hand over time, no card having been laid yet.

    Where each meld needs a card from the hand, melds whose cards all lie on the table already are
    lost: of a roundhouse one marriage is, whatever the order.
    """
    melds = find(table, hand, trump)

    @cache
    def best(down: Down, left: tuple[Meld, ...]) -> tuple[int, tuple[Meld, ...]]:
        found: tuple[int, tuple[Meld, ...]] = (0, ())
        for position, meld in enumerate(left):
            if meld in left[:position]:
                continue
            try:
                laid, after = lay(table, hand, down, meld.cards, trump)
            except IllegalAction:
                continue
            points, rest = best(after, left[:position] + left[position + 1 :])
            if points + laid.points > found[0]:
                found = (points + laid.points, (laid, *rest))
            if points == sum(m.points for m in left) - laid.points:
                break  # nothing was lost, and nothing can be better
        return found

    laid = best(NOTHING, melds)[1]
    return tuple(meld for meld in melds if meld in laid) if len(laid) == len(melds) else laid


_MARRIAGES = {marriage_cards(suit) for suit in SUITS}
_DOUBLE_PINOCHLE = (PINOCHLE_QUEEN, PINOCHLE_QUEEN, PINOCHLE_JACK, PINOCHLE_JACK)
_AROUNDS = {arounds_cards(rank): (rank, name) for rank, name in AROUNDS}


@cache
def _candidates(trump: int) -> tuple[tuple[tuple[Card, ...], int], ...]:
    shapes: list[tuple[Card, ...]] = [run_cards(trump), (_card(trump, Rank.NINE),)]
    shapes += [marriage_cards(suit) for suit in SUITS]
    shapes += [PINOCHLE, _DOUBLE_PINOCHLE, *_AROUNDS]
    return tuple((cards, pack(cards)) for cards in shapes)


def _most(*hands: int) -> int:
    return sum(max(n) * ONE[kind] for kind, n in enumerate(zip(*map(counts, hands), strict=True)))


def _clamp(hand: int, card: int, most_of_kind: int) -> int:
    return hand - max(0, count(hand, card) - most_of_kind) * ONE[card]
