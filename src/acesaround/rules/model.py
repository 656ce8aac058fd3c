"""The `Rules` object: all rules of a table in one frozen value, checked for consistency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, islice
from typing import Annotated, Any, Final, Self, get_type_hints

import msgspec
from msgspec import Meta

from acesaround.cards import SUITS, Card, Deck, Rank
from acesaround.errors import Fault, RulesError
from acesaround.rules.bounds import LARGEST_SIDE, MOST_COPIES, MOST_SEATS, Seats, many, need, refuse
from acesaround.rules.meld_table import MeldTable, laid_in_one
from acesaround.rules.options import OPTIONS, Option, read
from acesaround.rules.parts import (
    Auction,
    DealRules,
    Ending,
    Exchange,
    Phase,
    PlayLaw,
    Scoring,
    Tie,
    bid_step,
    is_legal_height,
)

_TURNED: Final = (
    (Phase.UPCARD, Phase.MELDING, Phase.PLAY),
    (Phase.MELDING, Phase.PLAY),
)
"""The orders of phases in which the dealer's last card names trump.

With `Phase.UPCARD` a nine of trump may take that card; without it no card is exchanged.
"""


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
    """Its name where there is little room; none: the title."""
    description: str = ""
    """What is special about it, in a sentence or two."""
    author: str = ""
    """Who wrote its sheet."""
    base: str = ""
    """The game whose differences its sheet says; empty where the sheet says the whole game."""
    players: Annotated[tuple[Seats, ...], Meta(min_length=1)]
    """The numbers of players it can be played by, the usual one first."""
    seats: Seats
    """How many play."""
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
    """The phases of a deal in order."""
    options: tuple[str, ...]
    """The house options that make sense here, by name."""

    def __post_init__(self) -> None:
        refuse(self._of_seats())  # first, because the other checks rely on it
        refuse(
            self._of_cards(),
            self._of_melds(),
            self._of_phases(),
            self._of_bids(),
            self._of_payment(),
            self._of_options(),
        )

    def _of_seats(self) -> Iterator[Fault]:
        """Yield the faults in the number of players and in the size of a side."""
        if not self.players:
            yield Fault("There is no number of players by which it can be played.", ("players",))
            return
        *fewer, most = sorted(self.players)
        allowed = "".join(f"{number}, " for number in fewer) + many(most, "player")
        yield from need(
            self.seats in self.players,
            f"{self.variant} cannot be played by {self.seats}: it takes {allowed}.",
            "seats",
            "players",
        )
        if not 2 <= self.seats <= MOST_SEATS:
            seats = f"A table has 2 to {MOST_SEATS} seats, not {self.seats}."
            yield Fault(seats, ("seats", "players"))
            return
        sized = 1 <= self.side_size <= LARGEST_SIDE
        yield from need(
            sized, f"A side has 1 to {LARGEST_SIDE} seats, not {self.side_size}.", "side_size"
        )
        yield from need(
            not sized or (self.seats % self.side_size == 0 and self.seats >= 2 * self.side_size),
            f"{self.seats} players cannot form two or more sides of {self.side_size}.",
            "side_size",
            "seats",
            "players",
        )

    def _of_cards(self) -> Iterator[Fault]:
        """Yield the faults in the sizes of the deck, the hands, the kitty and the exchange."""
        law = self.deal
        if not self._sized:
            yield Fault(
                "deal.hand needs one number for each of players: players is "
                f"{list(self.players)}, and deal.hand is {list(law.hand)}.",
                ("deal.hand", "players", "seats"),
            )
            return
        deck, hand = self.deck, self.hand_size
        yield from need(
            1 <= deck.copies <= MOST_COPIES,
            f"A deck has 1 to {MOST_COPIES} copies of each card, not {deck.copies}.",
            "deal.copies",
        )
        needed = hand * self.seats + law.kitty + (law.upcard and law.stock)
        left = deck.size - needed
        size = "deal.hand", "deal.copies", "deal.nines", "deal.kitty"
        yield from need(
            left >= 0,
            f"{deck.size} cards are too few for {self.seats} players: {needed} are needed.",
            *size,
            "seats",
            "players",
        )
        yield from need(
            left <= 0 or law.stock,
            f"{left} of {deck.size} cards would be left over, and there is no stock.",
            *size,
            "deal.stock",
            "seats",
            "players",
        )
        yield from need(
            law.stock or self.ending.tie is not Tie.TIED_PLAY_ON or len(self.sides) == 2,
            "Tied players cannot play on by themselves: there is no stock for the cards left over.",
            "ending.tie",
            "deal.stock",
        )
        rounds = law.rounds(hand)
        yield from need(
            law.kitty <= rounds,
            f"A card goes to the kitty after a round of packets, and {many(rounds, 'round')} "
            f"cannot make a kitty of {law.kitty}: it takes a smaller packet or a smaller kitty.",
            "deal.kitty",
            "deal.packet",
        )
        number = self.exchange.exchange
        yield from need(
            0 <= number <= hand or not self.partners,
            f"A hand of {hand} cannot pass {number} cards.",
            "exchange.exchange",
        )

    def _of_melds(self) -> Iterator[Fault]:
        """Yield a fault for each house meld that no player can make."""
        for its in self.melds.others if self._sized else ():
            wrong = (self._against(its.name, its.in_trump(trump)) for trump in SUITS)
            yield from islice(chain(*wrong), 1)

    def _against(self, name: str, cards: tuple[Card, ...]) -> Iterator[Fault]:
        """Yield the reasons why no player can make a meld of these cards."""
        deck, laid = self.deck, Phase.STOCK_PLAY in self.phases
        excess = deck.excess(cards)
        if excess is not None:
            lacks = excess.rank is Rank.NINE and not deck.nines
            have = "no nines" if lacks else f"{deck.copies} of each card"
            number = cards.count(excess)
            yield Fault(
                f"{name} takes {number} {excess.pretty}, and the deck has {have}.",
                ("melds.others", "deal.copies", "deal.nines"),
            )
        yield from need(
            laid or len(cards) <= self.hand_size,
            f"{name} takes {many(len(cards), 'card')}, and a hand has {self.hand_size}.",
            "melds.others",
            "deal.hand",
        )
        if not laid:
            return
        yield from need(
            all(cards.count(card) <= 2 for card in cards),
            f"A meld that is laid between tricks takes two of a card at most; {name} takes more.",
            "melds.others",
        )
        same = [other for other, its in laid_in_one(self.melds) if cards in its]
        yield from need(
            not same,
            f"{name} would be laid with the cards of {', '.join(same)}: only one of them can be.",
            "melds.others",
        )

    @property
    def _sized(self) -> bool:
        """True if `deal.hand` has one hand size for each number of players, or is not used."""
        return self.deal.copies is None or len(self.deal.hand) == len(self.players)

    def _of_phases(self) -> Iterator[Fault]:
        """Yield the faults in the order of the phases, and in what each phase needs."""
        order = self.phases
        ends = order and order[-1] is Phase.PLAY and len(set(order)) == len(order)
        yield from need(ends, "A deal ends with the play, and no phase comes twice.", "phases")
        if ends:
            yield from self._without_auction() if self.auction is None else self._with_auction()

    def _without_auction(self) -> Iterator[Fault]:
        order, law = self.phases, self.deal
        drawn_out = order == (Phase.STOCK_PLAY, Phase.PLAY) and law.stock
        turned = order in _TURNED and not law.stock
        ordered = (drawn_out or turned) and law.upcard
        yield from need(
            ordered,
            "Without an auction an upcard names trump, and a stock is played out first, or without "
            "a stock all meld before the play.",
            "phases",
            "auction",
            "deal.upcard",
            "deal.stock",
        )
        yield from need(
            not law.kitty and not self.exchange.bury,
            "Nobody takes a kitty or buries where there is no auction.",
            "exchange.bury",
            "deal.kitty",
            "auction",
        )
        yield from need(
            not self.exchange.exchange,
            "Without an auction there is no declarer to pass cards to.",
            "exchange.exchange",
            "auction",
        )
        yield from need(
            not (ordered and turned) or self.melds.defenders_meld,
            "Without an auction there is no declarer whose side alone could meld.",
            "melds.defenders_meld",
            "auction",
        )
        yield from need(
            Phase.UPCARD not in order or law.nines,
            "The nine of trump takes the upcard, and the deck has no nines.",
            "phases",
            "deal.nines",
        )
        drawn = 0
        if ordered and drawn_out and self._sized:
            drawn = self.deck.size - self.hand_size * self.seats
        yield from need(
            drawn % self.seats == 0,
            f"{drawn} cards cannot be drawn evenly by {self.seats} players.",
            "deal.hand",
            "deal.copies",
            "deal.nines",
            "players",
            "seats",
        )

    def _with_auction(self) -> Iterator[Fault]:
        order, law = self.phases, self.deal
        before_play = [phase for phase in order if phase is not Phase.KITTY]
        ranks = [tuple(Phase).index(phase) for phase in before_play]
        ordered = (
            order[0] is Phase.AUCTION
            and Phase.TRUMP in order
            and order[-2] is Phase.MELDING
            and not {Phase.UPCARD, Phase.STOCK_PLAY} & set(order)
            and ranks == sorted(ranks)
        )
        yield from need(
            ordered,
            "After an auction come trump, what is exchanged, the melds and the play.",
            "phases",
        )
        yield from need(
            not ordered or not law.upcard,
            "An upcard names trump, and here the declarer does.",
            "deal.upcard",
        )
        yield from need(
            not ordered or (Phase.KITTY in order) == bool(law.kitty),
            "A deal has the phase kitty where it has a kitty, and nowhere else.",
            "phases",
            "deal.kitty",
        )
        bury = self.exchange.bury
        yield from need(
            not ordered or law.kitty or not bury,
            f"Without a kitty nobody buries: bury must be 0, not {bury}.",
            "exchange.bury",
            "deal.kitty",
        )
        yield from need(
            not ordered or not law.kitty or bury == law.kitty,
            f"As many cards are buried as the kitty has: {law.kitty}, not {bury}.",
            "exchange.bury",
            "deal.kitty",
        )
        yield from need(
            not ordered or Phase.REDRAW not in order or law.stock,
            "Cards are drawn from a stock.",
            "phases",
            "deal.stock",
        )

    def _of_bids(self) -> Iterator[Fault]:
        """Yield a fault if the lowest bid is not a legal bid."""
        law = self.auction
        if law is not None and not is_legal_height(law, law.lowest_bid):
            start, step = bid_step(law, law.lowest_bid)
            yield Fault(
                f"lowest_bid = {law.lowest_bid} is no bid here: "
                f"from {start} on bids are multiples of {step}.",
                ("auction.lowest_bid", "auction.steps"),
            )

    def _of_payment(self) -> Iterator[Fault]:
        """Yield a fault if deals are paid without an auction, or if a paying side may sit out."""
        law = self.scoring
        yield from need(
            not law.pays or self.auction is not None,
            "Deals are paid by the bid, and there is no auction.",
            "scoring.pays",
            "auction",
        )
        yield from need(
            not law.pays or self.ending.tie is not Tie.TIED_PLAY_ON or len(self.sides) == 2,
            "Tied players cannot play on by themselves where all the others pay.",
            "ending.tie",
            "scoring.pays",
        )

    def _of_options(self) -> Iterator[Fault]:
        """Yield a fault if an option is unknown, or belongs to a part that these rules lack."""
        unknown = [name for name in self.options if name not in OPTIONS]
        yield from need(
            not unknown,
            f"{', '.join(unknown)}: there is no such house option. Possible are "
            f"{', '.join(OPTIONS)}.",
            "options",
        )
        known = [name for name in self.options if name in OPTIONS]
        lost = [name for name in known if getattr(self, OPTIONS[name].part) is None]
        part = OPTIONS[lost[0]].part if lost else ""
        yield from need(not lost, f"{', '.join(lost)}: there is no {part}.", "options")

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
    def most_held(self) -> int:
        """The most cards in one hand: the declarer's, with the kitty or the partners' cards."""
        given = self.exchange.exchange * (self.side_size - 1)
        return self.hand_size + max(self.deal.kitty, given)

    def most_redrawn(self, players: int) -> int:
        """Return the most cards that each of `players` may redraw: an equal share of the rest."""
        return min(self.hand_size, (self.deck.size - players * self.hand_size) // players)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return _sides(self.seats, self.side_size)

    def side_of(self, seat: int) -> int:
        """Return the side that a seat scores for, an index into `sides`."""
        return seat % (self.seats // self.side_size)

    @property
    def partners(self) -> bool:
        """True if a side has more than one seat."""
        return self.side_size > 1

    def partners_of(self, seat: int) -> tuple[int, ...]:
        """Return the other seats of a seat's side, clockwise from it; empty if each plays alone."""
        step = self.seats // self.side_size
        return tuple((seat + step * n) % self.seats for n in range(1, self.side_size))

    def option(self, name: str) -> object:
        """Return the present value of a house option. Raises RulesError."""
        option = self._offered(name)
        return option.shown(getattr(getattr(self, option.part), option.field or name))

    def with_options(self, /, **changes: object) -> Self:
        """Return these rules with options and `players` changed: `rules.with_options(target=1000)`.

        Values have the types of JSON, or are text as on the command line (`yes`, `none`, `1000`).
        Raises RulesError, which names the possible values.
        """
        rules = self
        if "players" in changes:
            seats = read(changes.pop("players"), int, "players", "a number of players")
            rules = msgspec.structs.replace(self, seats=seats)
        return rules.with_changes(changes)

    def with_changes(self, options: Mapping[str, object]) -> Self:
        """Return these rules with house options changed, by name. Raises RulesError."""
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
    """Return the seats of each side, for `seats` seats in sides of `size`."""
    number = seats // size
    return tuple(tuple(range(first, seats, number)) for first in range(number))


@cache
def _type_of(option: Option) -> Any:
    """Return the type of an option's field."""
    part = get_type_hints(Rules, include_extras=True)[option.part]
    owner = next(t for t in getattr(part, "__args__", (part,)) if t is not type(None))
    return get_type_hints(owner, include_extras=True)[option.field or option.name]
