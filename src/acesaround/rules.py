"""Rules as data: one frozen object that says everything in which tables differ.

Here stand the parts of `Rules` and their validation; what a person may change by name stands in
`options`. No rule is carried out here: each enum below is read in exactly one module (named in
its docstring). No callables, no variant names: a variant is a page in `variants/`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Self, get_type_hints

import msgspec
from msgspec import Meta

from acesaround.cards import Deck
from acesaround.errors import RulesError
from acesaround.options import OPTIONS, Option, read

Points = Annotated[int, Meta(ge=1)]
MOST_COPIES: Final = 6
"""The most copies of a card that a deck may hold."""
LARGEST_SIDE: Final = 3
"""The most seats that may form a side."""
Values = Annotated[tuple[int, ...], Meta(min_length=1, max_length=MOST_COPIES)]
"""The value of one, two, ... of a meld together; each further one counts as a single."""


class Phase(enum.StrEnum):
    """The phases of a deal, each a module in `phases/` (read by `game`)."""

    AUCTION = "auction"
    KITTY = "kitty"
    TRUMP = "trump"
    EXCHANGE = "exchange"
    REDRAW = "redraw"
    MELDING = "melding"
    STOCK_PLAY = "stock-play"
    PLAY = "play"


class AllPass(enum.StrEnum):
    """What happens when everybody passes (read by `phases.auction`)."""

    REDEAL = "redeal"
    DEALER = "dealer"
    DEALER_BIDS = "dealer-bids"


class Concede(enum.StrEnum):
    """When the declarer may give up instead of leading (read by `phases.play`)."""

    NEVER = "never"
    HOPELESS = "hopeless"
    ALWAYS = "always"


class Renege(enum.StrEnum):
    """What becomes of an illegal play or discard of cards that are held (read by `phases`)."""

    REFUSE = "refuse"
    PENALTY = "penalty"


class CardPoints(enum.StrEnum):
    """What cards count in tricks (read by `tricks`)."""

    ONES = "ones"
    TENS = "tens"
    KINGS_FIVES = "kings-fives"
    TRADITIONAL = "traditional"


class KeepMeld(enum.StrEnum):
    """What a side must win in play to keep its meld (read by `scoring`)."""

    ALWAYS = "always"
    COUNTER = "counter"
    POINT = "point"


class Tie(enum.StrEnum):
    """What follows when sides tie at or above the target (read by `scoring`)."""

    ANOTHER_DEAL = "another-deal"
    TIED_PLAY_ON = "tied-play-on"
    RAISE_TARGET = "raise-target"


class FirstDealer(enum.StrEnum):
    """Who deals first in a later game (read by `game`)."""

    RANDOM = "random"
    WINNER = "winner"


class DealRules(msgspec.Struct, frozen=True, kw_only=True):
    """How cards are dealt."""

    copies: Annotated[int, Meta(ge=1, le=MOST_COPIES)] | None = 2
    """Cards of each kind in the deck; None: one for each player."""
    nines: bool = True
    """Whether the deck has nines."""
    hand: tuple[int, ...]
    """Cards each, one entry for each allowed number of players."""
    hand_of_24_each: int = 12
    """Cards each where the deck has one card of each kind a player."""
    packet: int
    """Cards dealt to a player at a time."""
    kitty: int = 0
    stock: bool = False
    """Undealt cards form a pile to draw from."""
    upcard: bool = False
    """The card after the hands is turned up; its suit is trump."""


class Auction(msgspec.Struct, frozen=True, kw_only=True):
    """How the bid is settled."""

    lowest_bid: Points
    steps: tuple[tuple[int, int], ...]
    """(from, step): bids from there on are `from` plus multiples of `step`."""
    raises: tuple[int, ...] = ()
    """The only raises allowed over the standing bid; empty: any jump."""
    one_round: bool = False
    all_pass: AllPass
    marriage_needed: bool = False


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """Passing cards between partners, and drawing new ones."""

    exchange: Annotated[int, Meta(ge=0, le=4)] = 0
    """Cards each partner of the declarer passes; the declarer returns as many to each."""
    bury: int = 0
    """Cards the declarer buries after taking the kitty."""


class MeldTable(msgspec.Struct, frozen=True, kw_only=True):
    """Meld values."""

    run: Values
    run_and_king: int | None = None
    run_and_queen: int | None = None
    run_and_marriage: int | None = None
    royal_marriage: int
    marriage: int
    dix: int = 0
    pinochle: Values
    aces: Values
    kings: Values
    queens: Values
    jacks: Values
    duplicate_runs_extra: bool = True
    double_roundhouse: Annotated[int, Meta(ge=0)] = 0
    meld_from_hand: bool = True
    """Melds laid between tricks need at least one card from the hand."""


class PlayLaw(msgspec.Struct, frozen=True, kw_only=True):
    """The law of play beyond what is common to all variants."""

    trump_must_be_broken: bool = False
    renege: Renege = Renege.REFUSE


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """What a deal is worth."""

    card_points: CardPoints
    last_trick: int
    keep_meld: KeepMeld
    least_meld: int = 0
    """A side's meld below this scores 0."""
    least_play: int = 0
    """A side's play below this scores 0 and loses its meld."""
    least_hand: int = 20
    min_twenty: bool = False
    """With it, a side's whole hand (meld and play) below `least_hand` scores 0."""
    nines_apart: bool = False
    """Dixes are recorded apart: never lost, and they count toward the bid."""
    no_marriage_pays: bool = True
    """The others score meld when the declarer has no marriage to name trump from."""
    concede: Concede = Concede.NEVER
    set_pays_defenders: bool = False


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """When the game is over and who has won."""

    target: Points
    hands: Points | None = None
    """A fixed number of deals instead of the target."""
    declarer_first: bool = True
    """The declarer's side wins if it is among those that reach the target."""
    tie: Tie = Tie.ANOTHER_DEAL
    target_step: int = 250
    first_dealer: FirstDealer = FirstDealer.RANDOM


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in which one table differs from another. Raises RulesError if it makes no sense.

    Seats are 0 to `seats - 1`, clockwise. The seats of a side sit as far from each other as they
    can: partners opposite each other, the sides of a longer table in turn.
    """

    variant: str
    title: str
    source: str
    players: tuple[int, ...]
    """Allowed numbers of players, the usual one first."""
    seats: int
    side_size: Annotated[int, Meta(ge=1, le=LARGEST_SIDE)] = 1
    """How many seats form a side; with 1 each plays alone."""
    deal: DealRules
    auction: Auction | None = None
    exchange: Exchange = Exchange()
    melds: MeldTable
    play: PlayLaw = PlayLaw()
    scoring: Scoring
    ending: Ending
    phases: tuple[Phase, ...]
    options: tuple[str, ...]
    """House options that make sense here."""

    def __post_init__(self) -> None:
        if self.seats not in self.players:
            allowed = ", ".join(str(n) for n in sorted(self.players))
            raise RulesError(
                f"{self.variant} cannot be played by {self.seats}: it takes {allowed} players."
            )
        if why := self._wrong_sides() or self._wrong_cards() or self._wrong_values():
            raise RulesError(why)
        if self.auction and not on_grid(self.auction, self.auction.lowest_bid):
            start, step = step_at(self.auction, self.auction.lowest_bid)
            raise RulesError(
                f"lowest_bid = {self.auction.lowest_bid} is no bid here: "
                f"from {start} on bids are multiples of {step}."
            )

    def _wrong_sides(self) -> str | None:
        """What is wrong with the sides."""
        if not 1 <= self.side_size <= LARGEST_SIDE:
            return f"A side has 1 to {LARGEST_SIDE} seats, not {self.side_size}."
        if self.seats % self.side_size or self.seats < 2 * self.side_size:
            return f"{self.seats} players cannot form two or more sides of {self.side_size}."
        return None

    def _wrong_cards(self) -> str | None:
        """What is wrong with the deck and the deal."""
        law, deck = self.deal, self.deck
        if law.copies is not None and len(law.hand) != len(self.players):
            tables = len(self.players)
            return f"hand has {len(law.hand)} sizes, and there are {tables} numbers of players."
        if not 1 <= deck.copies <= MOST_COPIES:
            return f"A deck has 1 to {MOST_COPIES} copies of each card, not {deck.copies}."
        left = deck.size - self.hand_size * self.seats - law.kitty - law.upcard
        if left < 0:
            return f"{deck.size} cards are too few for {self.seats} players."
        if law.stock and law.upcard and (left + law.upcard) % self.seats:
            return f"{left + law.upcard} cards cannot be drawn evenly by {self.seats} players."
        if left and not law.stock:
            return f"{left} of {deck.size} cards would be left over, and there is no stock."
        return None

    def _wrong_values(self) -> str | None:
        """What is wrong with the meld table."""
        for name in ("run", "pinochle", "aces", "kings", "queens", "jacks"):
            number = len(getattr(self.melds, name))
            if not 1 <= number <= MOST_COPIES:
                return f"{name} has {number} meld values; it takes 1 to {MOST_COPIES}."
        return None

    @property
    def deck(self) -> Deck:
        """The cards in use."""
        copies = self.seats if self.deal.copies is None else self.deal.copies
        return Deck(copies, self.deal.nines)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each player."""
        if self.deal.copies is None:
            return self.deal.hand_of_24_each
        return self.deal.hand[self.players.index(self.seats)]

    def most_redrawn(self, players: int) -> int:
        """How many cards each of `players` may exchange with the undealt ones: an equal share."""
        return min(self.hand_size, (self.deck.size - players * self.hand_size) // players)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        number = self.seats // self.side_size
        return tuple(tuple(range(first, self.seats, number)) for first in range(number))

    def side_of(self, seat: int) -> int:
        """The side a seat scores for, an index into `sides`."""
        return seat % (self.seats // self.side_size)

    @property
    def partners(self) -> bool:
        """Whether several seats form a side."""
        return self.side_size > 1

    def partners_of(self, seat: int) -> tuple[int, ...]:
        """The other seats of its side, clockwise from it; none where everyone plays alone."""
        step = self.seats // self.side_size
        return tuple((seat + step * n) % self.seats for n in range(1, self.side_size))

    def option(self, name: str) -> object:
        """The present value of a house option. Raises RulesError."""
        option = self._offered(name)
        return option.shown(getattr(getattr(self, option.part), option.field or name))

    def but(self, /, **changes: object) -> Self:
        """These rules with house options (and `players`) changed: `PARTNERSHIP.but(target=1000)`.

        Values are those of JSON or, as text, of the command line (`yes`, `none`, `1000`).
        Raises RulesError, saying what is possible.
        """
        rules = self
        if "players" in changes:
            seats = read(changes.pop("players"), int, "players", "a number of players")
            rules = msgspec.structs.replace(self, seats=seats)
        return rules.changed(changes)

    def changed(self, options: Mapping[str, object]) -> Self:
        """These rules with house options changed, by name. Raises RulesError."""
        parts: dict[str, dict[str, object]] = {}
        for name, value in options.items():
            option = self._offered(name)
            part = parts.setdefault(option.part, {})
            part[option.field or name] = option.read(value, _type_of(option))
        replaced = {
            part: msgspec.structs.replace(getattr(self, part), **fields)
            for part, fields in parts.items()
        }
        return msgspec.structs.replace(self, **replaced)

    def _offered(self, name: str) -> Option:
        if name not in self.options:
            known = "no house option" if name not in OPTIONS else f"no option of {self.variant}"
            raise RulesError(f"{name!r} is {known}: possible are {', '.join(self.options)}.")
        return OPTIONS[name]


@cache
def _type_of(option: Option) -> Any:
    """The type of an option's field."""
    part = get_type_hints(Rules, include_extras=True)[option.part]
    owner = next(t for t in getattr(part, "__args__", (part,)) if t is not type(None))
    return get_type_hints(owner, include_extras=True)[option.field or option.name]


def step_at(auction: Auction, bid: int) -> tuple[int, int]:
    """The (from, step) that governs a bid of that height."""
    found = auction.steps[0]
    for start, step in auction.steps:
        if start <= bid:
            found = (start, step)
    return found


def on_grid(auction: Auction, bid: int) -> bool:
    """Whether a bid of that height exists at all, whatever the standing bid."""
    start, step = step_at(auction, bid)
    return bid >= start and (bid - start) % step == 0
