"""Rules as data: one frozen object that says everything in which tables differ.

Here stand the parts of `Rules` and their validation; what a person may change by name stands in
`options`. No rule is carried out here: each enum below is read in exactly one module (named in
its docstring). No callables, no variant names: a variant is a page in `variants/`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Self, get_type_hints

import msgspec
from msgspec import Meta

from acesaround.cards import Deck
from acesaround.errors import RulesError
from acesaround.options import OPTIONS, Option, read

Points = Annotated[int, Meta(ge=1)]


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


class DeckKind(enum.StrEnum):
    """Which cards are used (read by `Rules.deck`)."""

    SINGLE = "48"
    DOUBLE = "80"
    EACH_24 = "24-each"


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

    deck: DeckKind = DeckKind.SINGLE
    hand: tuple[int, ...]
    """Cards each, one entry for each allowed number of players."""
    hand_of_24_each: int = 12
    """Cards each where the deck has 24 cards a player."""
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
    """Cards the declarer's partner passes; the declarer returns as many."""
    bury: int = 0
    """Cards the declarer buries after taking the kitty."""


class MeldTable(msgspec.Struct, frozen=True, kw_only=True):
    """Meld values.

    A tuple holds the value of one, two, ... together; each further one counts as a single.
    """

    run: tuple[int, ...]
    run_and_king: int | None = None
    run_and_queen: int | None = None
    run_and_marriage: int | None = None
    royal_marriage: int
    marriage: int
    dix: int = 0
    pinochle: tuple[int, ...]
    aces: tuple[int, ...]
    kings: tuple[int, ...]
    queens: tuple[int, ...]
    jacks: tuple[int, ...]
    duplicate_runs_extra: bool = True
    double_roundhouse: Annotated[int, Meta(ge=0)] = 0
    meld_from_hand: bool = True
    """Melds laid between tricks need at least one card from the hand."""


class PlayLaw(msgspec.Struct, frozen=True, kw_only=True):
    """The law of play beyond what is common to all variants."""

    trump_must_be_broken: bool = False
    void_must_trump: bool = True
    """Who is void in the suit led plays a trump even where it cannot win (read by `tricks`).

    Without it such a hand must only win if able, and else plays any card.
    """
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

    Seats are 0 to `seats - 1`, clockwise. With `partners`, seats opposite each other form a side.
    """

    variant: str
    title: str
    source: str
    players: tuple[int, ...]
    """Allowed numbers of players, the usual one first."""
    seats: int
    partners: bool = False
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
        if self.hand_size * self.seats > self.deck.size:
            raise RulesError(f"{self.deck.size} cards are too few for {self.seats} players.")
        if self.auction and not on_grid(self.auction, self.auction.lowest_bid):
            start, step = step_at(self.auction, self.auction.lowest_bid)
            raise RulesError(
                f"lowest_bid = {self.auction.lowest_bid} is no bid here: "
                f"from {start} on bids are multiples of {step}."
            )

    @property
    def deck(self) -> Deck:
        """The cards in use."""
        match self.deal.deck:
            case DeckKind.SINGLE:
                return Deck(copies=2)
            case DeckKind.DOUBLE:
                return Deck(copies=4, nines=False)
            case DeckKind.EACH_24:
                return Deck(copies=self.seats)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each player."""
        if self.deal.deck is DeckKind.EACH_24:
            return self.deal.hand_of_24_each
        return self.deal.hand[self.players.index(self.seats)]

    def most_redrawn(self, players: int) -> int:
        """How many cards each of `players` may exchange with the undealt ones: an equal share."""
        return min(self.hand_size, (self.deck.size - players * self.hand_size) // players)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        if self.partners:
            half = self.seats // 2
            return tuple((s, s + half) for s in range(half))
        return tuple((s,) for s in range(self.seats))

    def side_of(self, seat: int) -> int:
        """The side a seat scores for, an index into `sides`."""
        return seat % (self.seats // 2) if self.partners else seat

    def partner_of(self, seat: int) -> int | None:
        """The seat opposite, or None where everyone plays alone."""
        return (seat + self.seats // 2) % self.seats if self.partners else None

    def option(self, name: str) -> object:
        """The present value of a house option. Raises RulesError."""
        option = self._offered(name)
        return getattr(getattr(self, option.part), name)

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
            part[name] = option.read(value, _type_of(option))
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
    return get_type_hints(owner, include_extras=True)[option.name]


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
