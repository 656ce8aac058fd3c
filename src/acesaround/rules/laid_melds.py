"""Laying melds between tricks: which cards may be laid, what a meld scores, which cards it uses up.

`LaidMelds` records one seat's melds on the table. `phases.stock_play` decides when a meld may be
laid; `melds` defines which melds exist and what they are worth. Source:
`variants/two-handed/notes.md`.

A play does not say which of two twins it means, so a fixed rule decides: the copy in the hand
leaves before the copy on the table. A meld takes a card on the table before its twin in the hand,
unless the meld would then have no card from the hand.

The rule itself is in `check_laying`, `meld_extensions`, `cards_from_hand` and `complete_pairs`.
These functions take integers and sets of kinds in any packing (see `tricks`). The engine runs them
here as Python; the kernels compile them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import msgspec

from acesaround.cards import (
    ONE_OF_KIND,
    SUITS,
    Card,
    Rank,
    card_of,
    count,
    kinds,
    pack,
    pretty_cards,
    remove_cards,
)
from acesaround.errors import IllegalAction, Reason
from acesaround.rules import MULTIPLE_PREFIXES, MeldTable, as_values
from acesaround.rules.melds import (
    AROUND_KINDS,
    CLASS_OF_KIND,
    PINOCHLE,
    PINOCHLE_JACK,
    PINOCHLE_QUEEN,
    Meld,
    MeldKind,
    around_values,
    arounds_cards,
    find_melds,
    house_meld,
    marriage_cards,
    run_cards,
)

# Numbers of the melds that may be laid, in the order in which they are offered.
RUN: Final = 0
DIX: Final = 1
FIRST_MARRIAGE: Final = 2  # to 5: one for each suit; the one in trump is the royal marriage
SINGLE_PINOCHLE: Final = 6
DOUBLE_PINOCHLE: Final = 7
FIRST_AROUND: Final = 8  # to 11: one for each rank of `melds.AROUND_KINDS`
STANDARD_CANDIDATE_COUNT: Final = 12
"""The number of standard candidates; house melds are numbered after them."""
FIRST_HOUSE_CLASS: Final = (
    3  # the class of the first house meld; each house meld is a class of its own
)

# Results of `check_laying`.
LAID_NEW: Final = 0  # from cards that have not served in its class
LAID_GROWN: Final = 1  # a smaller meld on the table grows into this one
ALREADY_MELDED: Final = 2
DOUBLED_ALREADY: Final = 3
NEEDS_CARD_FROM_HAND: Final = 4


class MeldPattern(NamedTuple):
    """The cards of a meld that may be laid, as sets of kinds.

    `number`: the number of the meld. `cards`, `kinds_used_twice`: the kinds it takes, and the kinds
    it takes two of. `added_kinds`: the kinds it adds when a royal marriage grows into a run, or a
    single pinochle into the double one.
    """

    number: int
    cards: int
    kinds_used_twice: int
    added_kinds: int


UsableKinds: TypeAlias = tuple[int, int, int]
"""The kinds of cards that a seat can use for a meld: `free_once`, `free_twice`, `in_hand`.

The first two are the kinds of which the seat holds at least one, or two, cards that have not been
used in the class of the meld; the third has a card that is not yet on the table.
"""

GrowthState: TypeAlias = tuple[int, int, bool]
"""What a seat has laid that may grow: `royal_marriages`, `pinochles` and `double_laid` of
`LaidMelds`."""


def check_laying(
    pattern: MeldPattern, usable: UsableKinds, growth: GrowthState, needs_hand_card: bool
) -> int:
    """Return how a candidate can be laid: LAID_NEW, LAID_GROWN, or the reason why it cannot.

    `needs_hand_card`: the meld needs a card that is not yet on the table.

    If the cards could also form a new meld, the result is LAID_NEW, because that is worth more.
    """
    number, cards, kinds_used_twice, added_kinds = pattern
    free_once, free_twice, in_hand = usable
    royal_marriages, pinochles, double_laid = growth
    if number == DOUBLE_PINOCHLE and double_laid:
        return DOUBLED_ALREADY
    growable_count = (
        royal_marriages if number == RUN else pinochles if number == DOUBLE_PINOCHLE else 0
    )
    if cards & ~free_once == 0 and kinds_used_twice & ~free_twice == 0:
        result = LAID_NEW
    elif growable_count and added_kinds & ~free_once == 0:
        result = LAID_GROWN
    else:
        return ALREADY_MELDED
    return result if cards & in_hand or not needs_hand_card else NEEDS_CARD_FROM_HAND


def meld_extensions(
    number: int, result: int, trump: int, royal_marriages: int, pinochles: int, double_laid: bool
) -> tuple[int, int, bool]:
    """Return the fields of `LaidMelds` after a candidate was laid.

    They are `royal_marriages`, `pinochles` and `double_laid`.

    `result`: LAID_NEW or LAID_GROWN.
    """
    if number == FIRST_MARRIAGE + trump:
        royal_marriages += 1
    elif number == RUN and result == LAID_GROWN:
        royal_marriages -= 1
    elif number == SINGLE_PINOCHLE:
        pinochles += 1
    elif number == DOUBLE_PINOCHLE:
        pinochles, double_laid = pinochles - (result == LAID_GROWN), True
    return royal_marriages, pinochles, double_laid


def cards_from_hand(
    cards: int,
    used: int,
    kinds_used_twice: int,
    on_table_once: int,
    on_table_twice: int,
    in_hand: int,
    needs_hand_card: bool,
) -> tuple[int, int]:
    """Return the kinds that are laid from the hand, and the kinds of which a second card is laid.

    `used`, `kinds_used_twice`: the kinds that the meld uses in its class, and the kinds that it
    uses twice. `on_table_once`, `on_table_twice`: kinds of which one card, or two, on the table
    have not served in the class before.
    """
    first, second = used & ~on_table_once, kinds_used_twice & ~on_table_twice
    if needs_hand_card and first | second == 0:
        held_kinds = cards & in_hand
        first = held_kinds & -held_kinds  # the lowest bit: the highest card in written order
    return first, second


def complete_pairs(number: int, first_held: int, second_held: int) -> int:
    """Return how many of `number` two-card melds are still whole, given the held cards of each."""
    return min(number, first_held, second_held)


class LaidMelds(msgspec.Struct, frozen=True, gc=False):
    """One seat's melds on the table. Cards are packed hands; a card that is played leaves them.

    `cards`: all cards on the table. `used_in_class_a`, `used_in_class_b`, `used_in_class_c`: the
    cards used in each class. `royal_marriages`, `pinochles`: royal marriages and single pinochles
    that are still whole on the table and may grow. `double_laid`: whether a double pinochle was
    laid. `used_in_house_melds`: the cards that have served in each house meld; empty before the
    first one.
    """

    cards: int = 0
    used_in_class_a: int = 0
    used_in_class_b: int = 0
    used_in_class_c: int = 0
    royal_marriages: int = 0
    pinochles: int = 0
    double_laid: bool = False
    used_in_house_melds: tuple[int, ...] = ()

    @property
    def growth_state(self) -> GrowthState:
        """The melds that may grow, as `check_laying` takes them."""
        return self.royal_marriages, self.pinochles, self.double_laid

    def cards_used_in_class(self, meld_class: int) -> int:
        """Return the cards used in a class, numbered as in `Candidate`."""
        if meld_class < FIRST_HOUSE_CLASS:
            return (self.used_in_class_a, self.used_in_class_b, self.used_in_class_c)[meld_class]
        return (
            self.used_in_house_melds[meld_class - FIRST_HOUSE_CLASS]
            if self.used_in_house_melds
            else 0
        )

    def after_playing(self, card: int, held: int, trump: int) -> LaidMelds:
        """Return the record after `card` was played; `held` is what the seat still holds."""
        remaining = count(held, card)
        king, queen = marriage_cards(trump)
        return LaidMelds(
            cards=_limit_kind(self.cards, card, remaining),
            used_in_class_a=_limit_kind(self.used_in_class_a, card, remaining),
            used_in_class_b=_limit_kind(self.used_in_class_b, card, remaining),
            used_in_class_c=_limit_kind(self.used_in_class_c, card, remaining),
            royal_marriages=complete_pairs(
                self.royal_marriages, count(held, king), count(held, queen)
            ),
            pinochles=complete_pairs(self.pinochles, *(count(held, c) for c in PINOCHLE)),
            double_laid=self.double_laid,
            used_in_house_melds=tuple(
                _limit_kind(used_cards, card, remaining) for used_cards in self.used_in_house_melds
            ),
        )


NO_LAID_MELDS = LaidMelds()


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A meld that may be laid.

    `meld_class`: its class. 0 to 2 are the classes A to C; from FIRST_HOUSE_CLASS on there is one
    for each house meld. `results`: the melds that LAID_NEW and LAID_GROWN lay.
    """

    pattern: MeldPattern
    meld_class: int
    results: tuple[Meld, Meld]


def lay_meld(
    table: MeldTable, held: int, laid_melds: LaidMelds, cards: tuple[Card, ...], trump: int
) -> tuple[Meld, LaidMelds]:
    """Return the meld that these cards make, and the seat's record after it.

    Raises IllegalAction if they cannot be laid. `held`: all cards of the seat, packed, including
    those on the table. A royal marriage on the table grows into a run, and a single pinochle into a
    double one. That scores the difference or the whole value; the item names the whole meld.
    """
    remove_cards(held, cards)
    cards = tuple(sorted(cards))
    candidate = candidates_by_cards(table, trump).get(cards)
    if candidate is None:
        raise IllegalAction(Reason.NOT_A_MELD, cards=pretty_cards(cards))
    pattern, meld_class, needs_hand_card = (
        candidate.pattern,
        candidate.meld_class,
        table.meld_from_hand,
    )
    used_cards = laid_melds.cards_used_in_class(meld_class)
    unserved, unserved_on_table = held - used_cards, laid_melds.cards - used_cards
    in_hand = kinds(held - laid_melds.cards)
    growth = laid_melds.growth_state
    usable = kinds(unserved), _kinds_held_twice(unserved), in_hand
    result = check_laying(pattern, usable, growth, needs_hand_card)
    if result > LAID_GROWN:
        raise _illegal_meld_error(result, cards)
    served, kinds_used_twice = (
        (pattern.cards, pattern.kinds_used_twice)
        if result == LAID_NEW
        else (pattern.added_kinds, 0)
    )
    first, second = cards_from_hand(
        pattern.cards,
        served,
        kinds_used_twice,
        kinds(unserved_on_table),
        _kinds_held_twice(unserved_on_table),
        in_hand,
        needs_hand_card,
    )
    served_by_class = [
        laid_melds.used_in_class_a,
        laid_melds.used_in_class_b,
        laid_melds.used_in_class_c,
        *(laid_melds.used_in_house_melds or (0,) * len(table.others)),
    ]
    served_by_class[meld_class] += served + kinds_used_twice
    a, b, c, *others = served_by_class
    on_table, new_growth_state = (
        laid_melds.cards + first + second,
        meld_extensions(pattern.number, result, trump, *growth),
    )
    return candidate.results[result], LaidMelds(on_table, a, b, c, *new_growth_state, tuple(others))


def layable_melds(table: MeldTable, held: int, laid_melds: LaidMelds, trump: int) -> list[Meld]:
    """Return every meld that may be laid now, with what it would score."""
    in_hand, missing = kinds(held - laid_melds.cards), ~kinds(held)
    growth, needs_hand_card, melds = laid_melds.growth_state, table.meld_from_hand, []
    for candidate in meld_candidates(table, trump):
        if candidate.pattern.cards & missing:
            continue
        free = held - laid_melds.cards_used_in_class(candidate.meld_class)
        usable = kinds(free), _kinds_held_twice(free), in_hand
        result = check_laying(candidate.pattern, usable, growth, needs_hand_card)
        if result <= LAID_GROWN:
            melds.append(candidate.results[result])
    return melds


def best_layable_melds(table: MeldTable, hand: int, trump: int) -> tuple[Meld, ...]:
    """Return the melds that score most if a whole hand is laid over time, from an empty table.

    Where each meld needs a card from the hand, a meld is lost if all its cards are on the table
    already. In any order a roundhouse loses one marriage that way. Where a grown meld scores its
    whole value, the smaller meld is laid before it.
    """
    melds = find_melds(table, hand, trump)
    if table.grown_scores_whole:
        melds += _growable_melds(table, melds, trump)

    @cache
    def best(laid_melds: LaidMelds, remaining: tuple[Meld, ...]) -> tuple[int, tuple[Meld, ...]]:
        best_found: tuple[int, tuple[Meld, ...]] = (0, ())
        for position, meld in enumerate(remaining):
            if meld in remaining[:position]:
                continue
            try:
                laid, next_laid_melds = lay_meld(table, hand, laid_melds, meld.cards, trump)
            except IllegalAction:
                continue
            points, rest = best(next_laid_melds, remaining[:position] + remaining[position + 1 :])
            if points + laid.points > best_found[0]:
                best_found = (points + laid.points, (laid, *rest))
            if points == sum(m.points for m in remaining) - laid.points:
                break  # all remaining melds were laid, so no order is better
        return best_found

    best_melds = best(NO_LAID_MELDS, melds)[1]
    return (
        tuple(meld for meld in melds if meld in best_melds)
        if len(best_melds) == len(melds)
        else best_melds
    )


def _growable_melds(table: MeldTable, melds: tuple[Meld, ...], trump: int) -> tuple[Meld, ...]:
    """Return the smaller melds that may be laid first and then grow into some of `melds`."""
    known, runs = (
        candidates_by_cards(table, trump),
        [meld for meld in melds if meld.kind is MeldKind.RUN],
    )
    doubles = [meld for meld in melds if meld.kind is MeldKind.PINOCHLE and len(meld.cards) > 2]
    card_sets = [marriage_cards(trump)] * len(runs) + [PINOCHLE] * len(doubles)
    return tuple(known[cards].results[LAID_NEW] for cards in card_sets if cards in known)


@cache
def meld_candidates(table: MeldTable, trump: int) -> tuple[Candidate, ...]:
    """Return the melds that may be laid and are worth something, in the order of their numbers."""
    return tuple(
        [
            candidate
            for candidate in _all_candidates(table, trump)
            if candidate.results[LAID_NEW].points
        ]
    )


def _all_candidates(table: MeldTable, trump: int) -> Iterator[Candidate]:
    royal, double_pinochle = marriage_cards(trump), (PINOCHLE_QUEEN,) * 2 + (PINOCHLE_JACK,) * 2
    run, whole_value = run_cards(trump), table.grown_scores_whole
    already_scored = 0 if whole_value else as_values(table.royal_marriage)[0]
    yield _make_candidate(RUN, MeldKind.RUN, run, table.run[0], royal, already_scored)
    yield _make_candidate(DIX, MeldKind.DIX, (card_of(trump, Rank.NINE),), as_values(table.dix)[0])
    for suit in SUITS:
        kind, points = MeldKind.MARRIAGE, as_values(table.marriage)[0]
        if suit == trump:
            kind, points = MeldKind.ROYAL_MARRIAGE, as_values(table.royal_marriage)[0]
        yield _make_candidate(FIRST_MARRIAGE + suit, kind, marriage_cards(suit), points)
    kind, single_points = MeldKind.PINOCHLE, table.pinochle[0]
    yield _make_candidate(SINGLE_PINOCHLE, kind, PINOCHLE, single_points)
    if len(table.pinochle) > 1:
        already_scored = 0 if whole_value else single_points
        yield _make_candidate(
            DOUBLE_PINOCHLE, kind, double_pinochle, table.pinochle[1], PINOCHLE, already_scored
        )
    for number, (rank, kind) in enumerate(AROUND_KINDS, FIRST_AROUND):
        yield _make_candidate(number, kind, arounds_cards(rank), around_values(table, rank)[0])
    for index, other in enumerate(table.others):
        cards = other.cards_in_trump(trump)
        packed = pack(cards)
        kinds_once, kinds_twice, meld = (
            kinds(packed),
            _kinds_held_twice(packed),
            house_meld(other, cards),
        )
        number = STANDARD_CANDIDATE_COUNT + index
        pattern = MeldPattern(number, kinds_once, kinds_twice, kinds_once)
        yield Candidate(pattern, FIRST_HOUSE_CLASS + index, (meld, meld))


def _make_candidate(
    number: int,
    kind: MeldKind,
    cards: tuple[Card, ...],
    points: int,
    growing_meld: tuple[Card, ...] = (),
    already_scored: int = 0,
) -> Candidate:
    """Return a candidate.

    `growing_meld`: the meld that may grow into it, which scores `already_scored` less.
    """
    packed = pack(cards)
    name = MULTIPLE_PREFIXES[bool(_kinds_held_twice(packed))] + kind.value
    results = Meld(name, cards, points, kind), Meld(name, cards, points - already_scored, kind)
    added_kinds = kinds(packed - pack(growing_meld))
    pattern = MeldPattern(number, kinds(packed), _kinds_held_twice(packed), added_kinds)
    return Candidate(pattern, CLASS_OF_KIND[kind], results)


@cache
def candidates_by_cards(table: MeldTable, trump: int) -> dict[tuple[Card, ...], Candidate]:
    """Return the candidates keyed by their sorted cards."""
    return {
        candidate.results[LAID_NEW].cards: candidate for candidate in meld_candidates(table, trump)
    }


def _illegal_meld_error(result: int, cards: tuple[Card, ...]) -> IllegalAction:
    if result == DOUBLED_ALREADY:
        return IllegalAction(Reason.DOUBLED_ALREADY)
    if result == NEEDS_CARD_FROM_HAND:
        return IllegalAction(Reason.NEEDS_CARD_FROM_HAND)
    return IllegalAction(Reason.ALREADY_MELDED, cards=pretty_cards(cards))


def _kinds_held_twice(hand: int) -> int:
    """Return the kinds of which a packed hand holds two or more."""
    return kinds(hand >> 1)


def _limit_kind(hand: int, card: int, max_count: int) -> int:
    return hand - max(0, count(hand, card) - max_count) * ONE_OF_KIND[card]
