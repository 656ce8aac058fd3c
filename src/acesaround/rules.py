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
MOST_SEATS: Final = 9
"""The most players at a table."""
Values = Annotated[tuple[int, ...], Meta(min_length=1, max_length=MOST_COPIES)]
"""The value of one, two, ... of a meld together; each further one counts as a single."""


def _need(sound: object, sentence: str) -> None:
    """Raise RulesError with that sentence unless the rules are sound in that respect."""
    if not sound:
        raise RulesError(sentence)


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

    def __post_init__(self) -> None:
        _need(all(cards > 0 for cards in self.hand), "A hand has at least one card.")
        _need(self.hand_of_24_each > 0, "A hand has at least one card.")
        _need(self.packet > 0, "A packet has at least one card.")
        _need(self.kitty >= 0, "A kitty cannot have fewer than no cards.")
        _need(
            not self.upcard or self.stock, "An upcard lies beside a stock, and there is no stock."
        )

    def rounds(self, hand: int) -> int:
        """How many rounds of packets it takes to deal that many cards each."""
        return -(-hand // self.packet)


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

    def __post_init__(self) -> None:
        starts = [start for start, _ in self.steps]
        _need(
            starts and starts == sorted(set(starts)) and all(step > 0 for _, step in self.steps),
            "The steps of bids go up from one beginning to the next, each by 1 or more.",
        )
        _need(
            all(by > 0 for by in self.raises) and list(self.raises) == sorted(set(self.raises)),
            "The raises allowed go up, from 1 or more.",
        )


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

    def __post_init__(self) -> None:
        for name in ("run", "pinochle", "aces", "kings", "queens", "jacks"):
            number = len(getattr(self, name))
            _need(
                1 <= number <= MOST_COPIES,
                f"{name} has {number} meld values; it takes 1 to {MOST_COPIES}.",
            )


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
    target_step: Points = 250
    first_dealer: FirstDealer = FirstDealer.RANDOM

    def __post_init__(self) -> None:
        _need(self.target_step > 0, "A target that rises does so by 1 or more.")


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
        allowed = ", ".join(str(n) for n in sorted(self.players))
        _need(
            self.seats in self.players,
            f"{self.variant} cannot be played by {self.seats}: it takes {allowed} players.",
        )
        _need(
            2 <= self.seats <= MOST_SEATS, f"A table has 2 to {MOST_SEATS} seats, not {self.seats}."
        )
        self._check_sides()
        self._check_cards()
        self._check_phases()
        self._check_auction()
        unknown = [name for name in self.options if name not in OPTIONS]
        _need(not unknown, f"{', '.join(unknown)}: there is no such house option.")
        lost = [name for name in self.options if getattr(self, OPTIONS[name].part) is None]
        _need(not lost, f"{', '.join(lost)}: there is no {OPTIONS[lost[0]].part if lost else ''}.")

    def _check_sides(self) -> None:
        _need(
            1 <= self.side_size <= LARGEST_SIDE,
            f"A side has 1 to {LARGEST_SIDE} seats, not {self.side_size}.",
        )
        _need(
            self.seats % self.side_size == 0 and self.seats >= 2 * self.side_size,
            f"{self.seats} players cannot form two or more sides of {self.side_size}.",
        )

    def _check_cards(self) -> None:
        """The deck is large enough, and every card of it has its place."""
        law, tables = self.deal, len(self.players)
        _need(
            law.copies is None or len(law.hand) == tables,
            f"hand has {len(law.hand)} sizes, and there are {tables} numbers of players.",
        )
        deck, hand = self.deck, self.hand_size
        _need(
            1 <= deck.copies <= MOST_COPIES,
            f"A deck has 1 to {MOST_COPIES} copies of each card, not {deck.copies}.",
        )
        left = deck.size - hand * self.seats - law.kitty - law.upcard
        _need(left >= 0, f"{deck.size} cards are too few for {self.seats} players.")
        _need(
            not left or law.stock,
            f"{left} of {deck.size} cards would be left over, and there is no stock.",
        )
        _need(
            law.stock or self.ending.tie is not Tie.TIED_PLAY_ON or len(self.sides) == 2,
            "Tied players cannot play on by themselves: there is no stock for the cards left over.",
        )
        _need(
            law.kitty <= law.rounds(hand),
            f"A card goes to the kitty after a round of packets, and {law.rounds(hand)} rounds "
            f"cannot make a kitty of {law.kitty}.",
        )
        number = self.exchange.exchange
        _need(
            0 <= number <= hand or not self.partners,
            f"A hand of {hand} cannot pass {number} cards.",
        )

    def _check_phases(self) -> None:
        """The phases stand in an order in which a deal can be played, with what each needs."""
        order, law = self.phases, self.deal
        _need(
            order and order[-1] is Phase.PLAY and len(set(order)) == len(order),
            "A deal ends with the play, and no phase comes twice.",
        )
        if self.auction is None:
            _need(
                order == (Phase.STOCK_PLAY, Phase.PLAY) and law.upcard,
                "Without an auction an upcard names trump, and a stock is played out first.",
            )
            drawn = self.deck.size - self.hand_size * self.seats
            _need(
                drawn % self.seats == 0,
                f"{drawn} cards cannot be drawn evenly by {self.seats} players.",
            )
            return
        before_play = [phase for phase in order if phase is not Phase.KITTY]
        ranks = [tuple(Phase).index(phase) for phase in before_play]
        _need(
            order[0] is Phase.AUCTION
            and Phase.TRUMP in order
            and order[-2] is Phase.MELDING
            and Phase.STOCK_PLAY not in order
            and ranks == sorted(ranks),
            "After an auction come trump, what is exchanged, the melds and the play.",
        )
        _need(not law.upcard, "An upcard names trump, and here the declarer does.")
        _need(
            (Phase.KITTY in order) == bool(law.kitty) and self.exchange.bury == law.kitty,
            "A kitty is taken, and as many cards as it has are buried.",
        )
        _need(Phase.REDRAW not in order or law.stock, "Cards are drawn from a stock.")

    def _check_auction(self) -> None:
        """The lowest bid is one."""
        law = self.auction
        if law is not None and not on_grid(law, law.lowest_bid):
            start, step = step_at(law, law.lowest_bid)
            raise RulesError(
                f"lowest_bid = {law.lowest_bid} is no bid here: "
                f"from {start} on bids are multiples of {step}."
            )

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

    @property
    def most_held(self) -> int:
        """The most cards of one hand: the declarer's with the kitty, or with what partners gave."""
        given = self.exchange.exchange * (self.side_size - 1)
        return self.hand_size + max(self.deal.kitty, given)

    def most_redrawn(self, players: int) -> int:
        """How many cards each of `players` may exchange with the undealt ones: an equal share."""
        return min(self.hand_size, (self.deck.size - players * self.hand_size) // players)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return _sides(self.seats, self.side_size)

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
def _sides(seats: int, size: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each side where so many form one."""
    number = seats // size
    return tuple(tuple(range(first, seats, number)) for first in range(number))


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
