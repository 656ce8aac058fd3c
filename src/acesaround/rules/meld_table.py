"""The table of melds: names, cards and values.

`melds` finds the melds in a hand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from acesaround.cards import SUITS, Card, Suit
from acesaround.errors import Fault, NotationError
from acesaround.rules.bounds import MOST_COPIES, MOST_NAMED, MOST_OF_A_MELD, Number, need, refuse

MULTIPLE: Final = ("", "double ", "triple ", "quadruple ", "quintuple ", "sextuple ")
"""The prefixes for the names of one, two, ... of a meld together."""
STANDARD: Final = (
    *("run", "run and king", "run and queen", "run and marriage", "royal marriage", "marriage"),
    *("dix", "pinochle", "aces around", "kings around", "queens around", "jacks around"),
    *("roundhouse", "double roundhouse"),
)
"""The names of the melds that every table knows."""
_MARKS: Final = "|*_`[]<>\\"
OF_TRUMP: Final = "*"
"""The sign for a card of the trump suit, in place of its suit: `A*`."""
Values = Annotated[tuple[Number, ...], Meta(min_length=1, max_length=MOST_COPIES)]
"""The value of one, two, ... of a meld together; each further meld counts as a single."""
Worth = Number | Values
"""The value of each single meld, or of one, two, ... together."""


def value_of_several(values: Values, number: int) -> Iterator[tuple[int, int]]:
    """Yield the items that `number` melds of a name score: (how many together, points).

    The table's longest list counts together; each further meld is a single.
    """
    if number:
        known = min(number, len(values))
        yield known, values[known - 1]
        for _ in range(number - known):
            yield 1, values[0]


def each(worth: Worth) -> tuple[int, ...]:
    """Return the values of one, two, ... of a meld as a tuple, also if written as one number."""
    return (worth,) if isinstance(worth, int) else worth


class NamedMeld(msgspec.Struct, frozen=True, array_like=True):
    """A house meld: any cards, under any name.

    In sheets and records it is a list of three values: `["grand pinochle", "QS QS JD JD", 80]`.
    """

    name: str
    cards: str
    """The cards in the usual notation, such as `QS QS JD JD`. `*` in place of the suit means trump,
    as in `A* A*`."""
    points: int

    def in_trump(self, trump: int | None) -> tuple[Card, ...]:
        """Return its cards in written order; none if it has trump cards and there is no trump."""
        return _in_trump(self.cards, trump)

    def __str__(self) -> str:
        return f"{self.name} ({self.cards}) {self.points}"


@cache
def _in_trump(cards: str, trump: int | None) -> tuple[Card, ...]:
    """Return the cards of a notation in written order. Raises NotationError."""
    if trump is None and OF_TRUMP in cards:
        return ()
    suit = "" if trump is None else Suit(trump).name
    return tuple(sorted(Card(word) for word in cards.replace(OF_TRUMP, suit).split()))


_SINGLES: Final = ("royal_marriage", "marriage", "dix")
"""The melds whose worth may be written as one number for each."""


class MeldTable(msgspec.Struct, frozen=True, kw_only=True):
    """Meld values."""

    run: Values
    """Runs: the value of one, of two together, and so on; each further one is a single. Where all
    are 0 there are none, and their kings and queens are marriages."""
    run_and_king: Number | None = None
    """A run with one more king; none: no such meld."""
    run_and_queen: Number | None = None
    """A run with one more queen; none: no such meld."""
    run_and_marriage: Number | None = None
    """A run with one more king and queen; none: no such meld."""
    royal_marriage: Worth
    """A marriage in trump; a list says what one, two, ... together are worth."""
    marriage: Worth
    """A marriage in another suit; a list says what one, two, ... of one suit together are worth."""
    dix: Worth = 0
    """A nine of trump; a list says what one, two, ... together are worth."""
    pinochle: Values
    """Pinochles: the value of one, of two together, and so on; each further one is a single."""
    aces: Values
    """Aces around: the value of one, of two together, and so on; each further one is a single."""
    kings: Values
    """Kings around: the value of one, of two together, and so on; each further one is a single."""
    queens: Values
    """Queens around: the value of one, of two together, and so on; each further one is a single."""
    jacks: Values
    """Jacks around: the value of one, of two together, and so on; each further one is a single."""
    duplicate_runs_extra: bool = True
    """Whether two runs and more score by their values; else each as a single."""
    double_roundhouse: Number = 0
    """A bonus for two marriages in every suit."""
    others: tuple[NamedMeld, ...] = ()
    """Melds of your own: a name, the cards (`*`: of trump) and the points of each."""
    defenders_meld: bool = True
    """Whether everybody melds before the play; else only the declarer's side."""
    meld_from_hand: bool = True
    """Whether a meld laid between tricks needs at least one card from the hand."""
    grown_scores_whole: bool = False
    """Whether a meld that grows on the table scores its whole value; else the difference."""
    meld_before_draw: bool = False
    """Whether a meld is laid between tricks before cards are drawn; else after it."""
    meld_after_stock: bool = False
    """Whether the winner of the trick that empties the stock may still lay a meld."""
    nine_beside: bool = False
    """Whether nines of trump may be laid before another meld in the same turn."""
    nine_turned_up: Number = 0
    """What the dealer scores where the upcard beside a stock is a nine."""

    def __post_init__(self) -> None:
        for name in _SINGLES:
            worth = getattr(self, name)
            if not isinstance(worth, int) and len(worth) == 1:  # old records have a list of one
                msgspec.structs.force_setattr(self, name, worth[0])
        names = ("run", "pinochle", "aces", "kings", "queens", "jacks", *_SINGLES)
        values: dict[str, tuple[int, ...]] = {name: each(getattr(self, name)) for name in names}
        refuse(*(_of_named(its, self.others[:place]) for place, its in enumerate(self.others)))
        most = f"There are {MOST_NAMED} melds of your own at most, not {len(self.others)}."
        refuse(need(len(self.others) <= MOST_NAMED, most, "melds.others"))
        numbers = {name: len(its) for name, its in values.items()}
        longer = {
            "run_and_king": self.run_and_king,
            "run_and_queen": self.run_and_queen,
            "run_and_marriage": self.run_and_marriage,
        }
        refuse(
            *(
                need(
                    1 <= number <= MOST_COPIES,
                    f"{name} has {number} meld values; it takes 1 to {MOST_COPIES}.",
                    f"melds.{name}",
                )
                for name, number in numbers.items()
            )
        )
        refuse(  # a hand must be worth no less than each meld in it
            *(
                need(
                    list(its) == sorted(its),
                    f"More together are worth no less than fewer: {name} goes down.",
                    f"melds.{name}",
                )
                for name, its in values.items()
            ),
            *(
                need(
                    run is None or run >= self.run[0],
                    "A run with more cards is worth no less than a run.",
                    f"melds.{name}",
                    "melds.run",
                )
                for name, run in longer.items()
            ),
            *(
                need(
                    len(its) == 1 or its[0],
                    f"One alone is worth 1 or more where several together have a value: {name}.",
                    f"melds.{name}",
                )
                for name, its in values.items()
                if name in _SINGLES
            ),
            need(
                not any(self.run)
                or all(
                    value + self._royal(number - runs) >= self._royal(number)
                    for runs, value in enumerate(self.run, 1)
                    for number in range(runs, MOST_COPIES + 1)
                ),
                "A run is worth no less than the royal marriage in it.",
                "melds.run",
                "melds.royal_marriage",
            ),
        )
        refuse(self._of_longer_runs(longer))

    def _royal(self, number: int) -> int:
        """Return what `number` royal marriages are worth together."""
        return sum(points for _, points in value_of_several(each(self.royal_marriage), number))

    def _of_longer_runs(self, longer: Mapping[str, int | None]) -> Iterator[Fault]:
        """Yield the faults in the values of runs with one more king, queen or both.

        A run with both must be worth most, because `melds.find` always takes it.
        """
        *single, both = longer.values()
        best = max((self.run[0], *(run for run in single if run is not None)))
        least = best + max(self._royal(n + 1) - self._royal(n) for n in range(MOST_COPIES))
        if not any(self.run):
            yield from need(
                not any(longer.values()),
                "Without runs there are none with one more king or queen.",
                *(f"melds.{name}" for name, run in longer.items() if run),
                "melds.run",
            )
        elif both is None:
            yield from need(
                not any(single),
                "Where a run with one more king or queen has a value, one with both needs a value "
                "too: run_and_marriage.",
                "melds.run_and_marriage",
            )
        else:
            yield from need(
                both >= least,
                f"A run with one more king and queen is worth no less than {least}: the best run "
                "with fewer, and a royal marriage.",
                "melds.run_and_marriage",
                *(f"melds.{name}" for name in longer if name != "run_and_marriage"),
                "melds.royal_marriage",
            )


def _of_named(its: NamedMeld, before: Collection[NamedMeld]) -> Iterator[Fault]:
    """Yield the faults in the name, the cards and the points of a meld of the table's own.

    `before`: the earlier such melds; the new one must differ from them in name and in cards.
    """
    at, name = "melds.others", its.name
    try:
        cards = _in_each_trump(its)
    except NotationError as error:
        yield Fault(f"The cards of {name!r}: {error}", (at,))
        return
    yield from need(
        name.strip() == name and 0 < len(name) <= 40 and name.isprintable(),
        f"A meld has a name of 1 to 40 signs, not {name!r}.",
        at,
    )
    yield from need(
        not set(name) & set(_MARKS),
        f"A meld's name has none of {' '.join(_MARKS)}, by which pages are laid out: not {name!r}.",
        at,
    )
    single = name.lower()
    for several in MULTIPLE:
        single = single.removeprefix(several)
    known = {name.lower(), single} & {*STANDARD, *(other.name.lower() for other in before)}
    yield from need(not known, f"There is a {name} already.", at)
    yield from need(
        1 <= len(cards[SUITS[0]]) <= MOST_OF_A_MELD,
        f"A meld has 1 to {MOST_OF_A_MELD} cards, and {name} has {len(cards[SUITS[0]])}.",
        at,
    )
    twice = [other.name for other in before if _has(other, cards)]
    yield from need(not twice, f"{name} has the cards of {', '.join(twice)}.", at)
    yield from need(its.points > 0, f"A meld is worth 1 or more, and {name} {its.points}.", at)


def _in_each_trump(its: NamedMeld) -> dict[Suit, tuple[Card, ...]]:
    """Return its cards for each trump suit. Raises NotationError."""
    return {trump: its.in_trump(trump) for trump in SUITS}


def _has(its: NamedMeld, cards: dict[Suit, tuple[Card, ...]]) -> bool:
    """Return whether a meld has these cards for each trump suit; False if it cannot be read."""
    try:
        return _in_each_trump(its) == cards
    except NotationError:
        return False


def laid_in_one(table: MeldTable) -> Iterator[tuple[str, set[tuple[Card, ...]]]]:
    """Yield the standard melds that are laid at once: name, and cards for each trump suit."""
    pinochle_cards = ("QS JD", "QS QS JD JD")[: len(table.pinochle)]
    for name, worth, cards in (
        ("the run", table.run[0], ("A* T* K* Q* J*",)),
        ("a marriage", max(*each(table.marriage), *each(table.royal_marriage)), ("K* Q*",)),
        ("the dix", each(table.dix)[0], ("9*",)),
        ("the pinochle", max(table.pinochle), pinochle_cards),
        ("aces around", max(table.aces), ("AS AH AD AC",)),
        ("kings around", max(table.kings), ("KS KH KD KC",)),
        ("queens around", max(table.queens), ("QS QH QD QC",)),
        ("jacks around", max(table.jacks), ("JS JH JD JC",)),
    ):
        if worth:
            yield name, {_in_trump(its, trump) for its in cards for trump in SUITS}
