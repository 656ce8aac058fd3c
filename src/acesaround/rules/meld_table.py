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
from acesaround.rules.number_limits import (
    MAX_COPIES,
    MAX_HOUSE_MELDS,
    MAX_MELD_CARDS,
    MAX_POINTS,
    PointsOrZero,
    fault_unless,
    raise_faults,
)

MULTIPLE_PREFIXES: Final = ("", "double ", "triple ", "quadruple ", "quintuple ", "sextuple ")
"""The prefixes for the names of one, two, ... of a meld together."""
STANDARD_MELD_NAMES: Final = (
    *("run", "run and king", "run and queen", "run and marriage", "royal marriage", "marriage"),
    *("dix", "pinochle", "aces around", "kings around", "queens around", "jacks around"),
    *("roundhouse", "double roundhouse"),
)
"""The names of the melds that every table knows."""
_MARKUP_CHARACTERS: Final = "|*_`[]<>\\"
TRUMP_SIGN: Final = "*"
"""The sign for a card of the trump suit, in place of its suit: `A*`."""
MeldValues = Annotated[tuple[PointsOrZero, ...], Meta(min_length=1, max_length=MAX_COPIES)]
"""The value of one, two, ... of a meld together; each further meld counts as a single."""
MeldWorth = PointsOrZero | MeldValues
"""The value of each single meld, or of one, two, ... together."""


def value_of_several(values: MeldValues, number: int) -> Iterator[tuple[int, int]]:
    """Yield the items that `number` melds of a name score: (how many together, points).

    The table's longest list counts together; each further meld is a single.
    """
    if number:
        together = min(number, len(values))
        yield together, values[together - 1]
        for _ in range(number - together):
            yield 1, values[0]


def as_values(worth: MeldWorth) -> tuple[int, ...]:
    """Return the values of one, two, ... of a meld as a tuple, also if written as one number."""
    return (worth,) if isinstance(worth, int) else worth


class HouseMeld(msgspec.Struct, frozen=True, array_like=True):
    """A house meld: any cards, under any name.

    In sheets and records it is a list of three values: `["grand pinochle", "QS QS JD JD", 80]`.
    """

    name: str
    cards: str
    """The cards in the usual notation, such as `QS QS JD JD`. `*` in place of the suit means trump,
    as in `A* A*`."""
    points: Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_POINTS})]

    def cards_in_trump(self, trump: int | None) -> tuple[Card, ...]:
        """Return its cards in written order; none if it has trump cards and there is no trump."""
        return _cards_in_trump(self.cards, trump)

    def __str__(self) -> str:
        return f"{self.name} ({self.cards}) {self.points}"


@cache
def _cards_in_trump(cards: str, trump: int | None) -> tuple[Card, ...]:
    """Return the cards of a notation in written order. Raises NotationError."""
    if trump is None and TRUMP_SIGN in cards:
        return ()
    suit = "" if trump is None else Suit(trump).letter
    return tuple(sorted(Card(word) for word in cards.replace(TRUMP_SIGN, suit).split()))


_SCALAR_WORTH_FIELDS: Final = ("royal_marriage", "marriage", "dix")
"""The melds whose worth may be written as one number for each."""


class MeldTable(msgspec.Struct, frozen=True, kw_only=True):
    """Meld values."""

    run: MeldValues
    """Runs: the value of one, of two together, and so on; each further one is a single. Where all
    are 0 there are none, and their kings and queens are marriages."""
    run_and_king: PointsOrZero | None = None
    """A run with one more king; none: no such meld."""
    run_and_queen: PointsOrZero | None = None
    """A run with one more queen; none: no such meld."""
    run_and_marriage: PointsOrZero | None = None
    """A run with one more king and queen; none: no such meld."""
    royal_marriage: MeldWorth
    """A marriage in trump; a list says what one, two, ... together are worth."""
    marriage: MeldWorth
    """A marriage in another suit; a list says what one, two, ... of one suit together are worth."""
    dix: MeldWorth = 0
    """A nine of trump; a list says what one, two, ... together are worth."""
    pinochle: MeldValues
    """Pinochles: the value of one, of two together, and so on; each further one is a single."""
    aces: MeldValues
    """Aces around: the value of one, of two together, and so on; each further one is a single."""
    kings: MeldValues
    """Kings around: the value of one, of two together, and so on; each further one is a single."""
    queens: MeldValues
    """Queens around: the value of one, of two together, and so on; each further one is a single."""
    jacks: MeldValues
    """Jacks around: the value of one, of two together, and so on; each further one is a single."""
    duplicate_runs_extra: bool = True
    """Whether two runs and more score by their values; else each as a single."""
    double_roundhouse: PointsOrZero = 0
    """A bonus for two marriages in every suit."""
    others: tuple[HouseMeld, ...] = ()
    """Melds of your own: a name, the cards (* for the trump suit) and the points of each."""
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
    nine_turned_up: PointsOrZero = 0
    """What the dealer scores where the upcard beside a stock is a nine."""

    def __post_init__(self) -> None:
        for name in _SCALAR_WORTH_FIELDS:
            worth = getattr(self, name)
            if not isinstance(worth, int) and len(worth) == 1:  # old records have a list of one
                msgspec.structs.force_setattr(self, name, worth[0])
        names = ("run", "pinochle", "aces", "kings", "queens", "jacks", *_SCALAR_WORTH_FIELDS)
        values: dict[str, tuple[int, ...]] = {
            name: as_values(getattr(self, name)) for name in names
        }
        raise_faults(
            *(
                _house_meld_faults(item, self.others[:place])
                for place, item in enumerate(self.others)
            )
        )
        message = (
            f"You can have at most {MAX_HOUSE_MELDS} melds of your own, not {len(self.others)}."
        )
        raise_faults(fault_unless(len(self.others) <= MAX_HOUSE_MELDS, message, "melds.others"))
        value_counts = {name: len(item) for name, item in values.items()}
        longer_runs = {
            "run_and_king": self.run_and_king,
            "run_and_queen": self.run_and_queen,
            "run_and_marriage": self.run_and_marriage,
        }
        raise_faults(
            *(
                fault_unless(
                    1 <= number <= MAX_COPIES,
                    f"{name} has {number} meld values; it takes 1 to {MAX_COPIES}.",
                    f"melds.{name}",
                )
                for name, number in value_counts.items()
            )
        )
        raise_faults(  # a hand must be worth no less than each meld in it
            *(
                fault_unless(
                    list(item) == sorted(item),
                    f"More together must be worth at least as much as fewer: {name} goes down.",
                    f"melds.{name}",
                    form_sentence="More together must be worth at least as much as fewer.",
                )
                for name, item in values.items()
            ),
            *(
                fault_unless(
                    run_value is None or run_value >= self.run[0],
                    "A run with more cards must be worth at least as much as a run.",
                    f"melds.{name}",
                    "melds.run",
                )
                for name, run_value in longer_runs.items()
            ),
            *(
                fault_unless(
                    len(item) == 1 or item[0],
                    f"If several together have a value, one alone must be worth 1 or more: {name}.",
                    f"melds.{name}",
                    form_sentence="If several have a value, one alone must be worth 1 or more.",
                )
                for name, item in values.items()
                if name in _SCALAR_WORTH_FIELDS
            ),
            fault_unless(
                not any(self.run)
                or all(
                    value + self._royal_marriage_points(number - runs)
                    >= self._royal_marriage_points(number)
                    for runs, value in enumerate(self.run, 1)
                    for number in range(runs, MAX_COPIES + 1)
                ),
                "A run must be worth at least as much as the royal marriage in it.",
                "melds.run",
                "melds.royal_marriage",
            ),
        )
        raise_faults(self._longer_run_faults(longer_runs))

    def _royal_marriage_points(self, number: int) -> int:
        """Return what `number` royal marriages are worth together."""
        return sum(points for _, points in value_of_several(as_values(self.royal_marriage), number))

    def _longer_run_faults(self, longer_runs: Mapping[str, int | None]) -> Iterator[Fault]:
        """Yield the faults in the values of runs with one more king, queen or both.

        A run with both must be worth most, because `melds.find_melds` always takes it.
        """
        *with_one, with_both = longer_runs.values()
        best = max((self.run[0], *(run_value for run_value in with_one if run_value is not None)))
        least = best + max(
            self._royal_marriage_points(n + 1) - self._royal_marriage_points(n)
            for n in range(MAX_COPIES)
        )
        if not any(self.run):
            valued = [name for name, run_value in longer_runs.items() if run_value]
            reason = "If a run has no value, a run with one more king or queen can have none"
            yield from fault_unless(
                not valued,
                f'{reason}: for {", ".join(valued)} write "none".',
                *(f"melds.{name}" for name in valued),
                "melds.run",
                form_sentence=f"{reason}: leave their values empty.",
            )
        elif with_both is None:
            yield from fault_unless(
                not any(with_one),
                "If a run with one more king or queen has a value, a run with both needs a value "
                "too: run_and_marriage.",
                "melds.run_and_marriage",
                form_sentence="A run with one more king or queen has a value: one with both needs "
                "a value too.",
            )
        else:
            yield from fault_unless(
                with_both >= least,
                f"A run with one more king and queen is worth no less than {least}: the best run "
                "with fewer, and a royal marriage.",
                "melds.run_and_marriage",
                *(f"melds.{name}" for name in longer_runs if name != "run_and_marriage"),
                "melds.royal_marriage",
            )


def _house_meld_faults(meld: HouseMeld, earlier: Collection[HouseMeld]) -> Iterator[Fault]:
    """Yield the faults in the name, the cards and the points of a meld of the table's own.

    `earlier`: the earlier such melds; the new one must differ from them in name and in cards.
    """
    field, name = "melds.others", meld.name
    try:
        cards = _cards_by_trump(meld)
    except NotationError as error:
        yield Fault(f"The cards of {name!r}: {error}", (field,))
        return
    yield from fault_unless(
        name.strip() == name and 0 < len(name) <= 40 and name.isprintable(),
        f"The name of a meld has 1 to 40 characters, not {name!r}.",
        field,
    )
    yield from fault_unless(
        not set(name) & set(_MARKUP_CHARACTERS),
        f"The name of a meld cannot have {' '.join(_MARKUP_CHARACTERS)}, which format pages: "
        f"not {name!r}.",
        field,
    )
    singular = name.lower()
    for prefix in MULTIPLE_PREFIXES:
        singular = singular.removeprefix(prefix)
    taken_names = {name.lower(), singular} & {
        *STANDARD_MELD_NAMES,
        *(other.name.lower() for other in earlier),
    }
    yield from fault_unless(not taken_names, f"There is already a meld called {name}.", field)
    yield from fault_unless(
        1 <= len(cards[SUITS[0]]) <= MAX_MELD_CARDS,
        f"A meld has 1 to {MAX_MELD_CARDS} cards, and {name} has {len(cards[SUITS[0]])}.",
        field,
    )
    duplicates = [other.name for other in earlier if _has_cards(other, cards)]
    yield from fault_unless(
        not duplicates, f"{name} has the cards of {', '.join(duplicates)}.", field
    )
    yield from fault_unless(
        1 <= meld.points <= MAX_POINTS,
        f"A meld is worth 1 to {MAX_POINTS} points, and {name} {meld.points}.",
        field,
    )


def _cards_by_trump(meld: HouseMeld) -> dict[Suit, tuple[Card, ...]]:
    """Return its cards for each trump suit. Raises NotationError."""
    return {trump: meld.cards_in_trump(trump) for trump in SUITS}


def _has_cards(meld: HouseMeld, cards: dict[Suit, tuple[Card, ...]]) -> bool:
    """Return whether a meld has these cards for each trump suit; False if it cannot be read."""
    try:
        return _cards_by_trump(meld) == cards
    except NotationError:
        return False


def melds_laid_at_once(table: MeldTable) -> Iterator[tuple[str, set[tuple[Card, ...]]]]:
    """Yield the standard melds that are laid at once: name, and cards for each trump suit."""
    pinochle_cards = ("QS JD", "QS QS JD JD")[: len(table.pinochle)]
    for name, worth, cards in (
        ("the run", table.run[0], ("A* T* K* Q* J*",)),
        (
            "a marriage",
            max(*as_values(table.marriage), *as_values(table.royal_marriage)),
            ("K* Q*",),
        ),
        ("the dix", as_values(table.dix)[0], ("9*",)),
        ("the pinochle", max(table.pinochle), pinochle_cards),
        ("aces around", max(table.aces), ("AS AH AD AC",)),
        ("kings around", max(table.kings), ("KS KH KD KC",)),
        ("queens around", max(table.queens), ("QS QH QD QC",)),
        ("jacks around", max(table.jacks), ("JS JH JD JC",)),
    ):
        if worth:
            yield name, {_cards_in_trump(notation, trump) for notation in cards for trump in SUITS}
