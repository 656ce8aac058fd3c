"""The `Rules` object: all rules of a table in one frozen value. `consistency` checks it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Self, get_type_hints

import msgspec
from msgspec import Meta

from acesaround.cards import Deck
from acesaround.errors import ContradictionError, Fault, RulesError
from acesaround.rules.consistency import consistency_faults
from acesaround.rules.meld_table import MeldTable
from acesaround.rules.number_limits import (
    MAX_SIDE_SIZE,
    SeatCount,
    raise_faults,
)
from acesaround.rules.options import OPTIONS, Option, parse_value
from acesaround.rules.stage_rules import (
    Auction,
    DealRules,
    Ending,
    Exchange,
    Phase,
    PlayRules,
    Scoring,
)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """All rules by which one table differs from another. Raises RulesError on contradictions.

    Seats are numbered from 0 to `seats - 1`, clockwise. The seats of a side are spread evenly round
    the table: partners sit opposite each other; with three or more sides, the sides take turns.
    """

    variant: str
    """The key by which the game is named in commands and records."""
    title: str
    """Its name for people."""
    source: str
    """Where its rules are described."""
    short: str = ""
    """A shorter name, for places with little room. Without it the title is shown."""
    description: str = ""
    """What is special about it, in a sentence or two."""
    author: str = ""
    """Who wrote its sheet."""
    base: str = ""
    """The game whose differences its sheet says; empty where the sheet says the whole game."""
    players: Annotated[tuple[SeatCount, ...], Meta(min_length=1)]
    """The numbers of players it can be played by, the usual one first."""
    seats: SeatCount
    """How many play."""
    side_size: Annotated[int, Meta(ge=1, le=MAX_SIDE_SIZE)] = 1
    """How many seats form a side; with 1 each plays alone."""
    deal: DealRules
    auction: Auction | None = None
    exchange: Exchange = Exchange()
    melds: MeldTable
    play: PlayRules = PlayRules()
    scoring: Scoring
    ending: Ending
    phases: tuple[Phase, ...]
    """The phases of a deal in order."""
    options: tuple[str, ...]
    """The house options that make sense here, by name."""

    def __post_init__(self) -> None:
        raise_faults(consistency_faults(self))

    @property
    def deck(self) -> Deck:
        """The cards in use."""
        copies = self.seats if self.deal.copies is None else self.deal.copies
        return Deck(copies, self.deal.nines)

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each player."""
        if self.deal.copies is None:
            return self.deal.hand_of_24_each
        return self.deal.hand[self.players.index(self.seats)]

    @property
    def max_hand_size(self) -> int:
        """The most cards in one hand: the declarer's, with the kitty or the partners' cards."""
        passed_count = self.exchange.exchange * (self.side_size - 1)
        return self.hand_size + max(self.deal.kitty, passed_count)

    def max_redraw(self, players: int) -> int:
        """Return the most cards that each of `players` may redraw: an equal share of the stock."""
        stock_size = self.deck.size - players * self.hand_size - self.deal.kitty
        return min(self.hand_size, stock_size // players)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return _sides(self.seats, self.side_size)

    def side_of(self, seat: int) -> int:
        """Return the side that a seat scores for, an index into `sides`."""
        return seat % (self.seats // self.side_size)

    @property
    def has_partners(self) -> bool:
        """True if a side has more than one seat."""
        return self.side_size > 1

    def partners_of(self, seat: int) -> tuple[int, ...]:
        """Return the other seats of a seat's side, clockwise from it; empty if each plays alone."""
        step = self.seats // self.side_size
        return tuple((seat + step * n) % self.seats for n in range(1, self.side_size))

    def option_value(self, name: str) -> object:
        """Return the present value of a house option. Raises RulesError."""
        option = self._require_option(name)
        return option.choice_of(getattr(getattr(self, option.part), option.field or name))

    def with_options(self, /, **changes: object) -> Self:
        """Return these rules with options and `players` changed: `rules.with_options(target=1000)`.

        Values have the types of JSON, or are text as on the command line ("yes", "none", "1000").
        Raises RulesError, which names the possible values.
        """
        rules = self
        if "players" in changes:
            seats = parse_value(
                changes.pop("players"), int, "seats", "players", "a number of players"
            )
            rules = msgspec.structs.replace(self, seats=seats)
        return rules.with_changes(changes)

    def with_changes(self, options: Mapping[str, object]) -> Self:
        """Return these rules with house options changed, by name. Raises RulesError.

        The error has the faults of all options.
        """
        parts: dict[str, dict[str, object]] = {}
        faults: list[Fault] = []
        for name, value in options.items():
            option = self._require_option(name)
            part = parts.setdefault(option.part, {})
            try:
                part[option.field or name] = option.parse(value, _option_type(option))
            except ContradictionError as error:
                faults += error.faults
        replaced = {}
        for part_name, fields in parts.items():
            try:
                replaced[part_name] = msgspec.structs.replace(getattr(self, part_name), **fields)
            except ContradictionError as error:
                faults += error.faults
        if faults:
            raise ContradictionError(*faults)
        return msgspec.structs.replace(self, **replaced)

    def _require_option(self, name: str) -> Option:
        if name not in self.options:
            description = (
                "no house option" if name not in OPTIONS else f"no option of {self.variant}"
            )
            raise RulesError(
                f"{name!r} is {description}: expected one of {', '.join(self.options)}."
            )
        return OPTIONS[name]


@cache
def _sides(seats: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side, for `seats` seats in sides of `size`."""
    side_count = seats // size
    return tuple(tuple(range(first_seat, seats, side_count)) for first_seat in range(side_count))


@cache
def _option_type(option: Option) -> Any:
    """Return the type of an option's field."""
    part = get_type_hints(Rules, include_extras=True)[option.part]
    owner = next(t for t in getattr(part, "__args__", (part,)) if t is not type(None))
    return get_type_hints(owner, include_extras=True)[option.field or option.name]
