"""The `Rules` object: all rules of a table in one frozen value, checked for consistency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, islice
from typing import Annotated, Any, Final, Self, get_type_hints

import msgspec
from msgspec import Meta

from acesaround.cards import SUITS, Card, Deck, Rank
from acesaround.errors import ContradictionError, Fault, RulesError
from acesaround.rules.bid_heights import bid_step, is_legal_height
from acesaround.rules.meld_table import MeldTable, melds_laid_at_once
from acesaround.rules.number_limits import (
    MAX_COPIES,
    MAX_SEATS,
    MAX_SIDE_SIZE,
    SeatCount,
    fault_unless,
    pluralize,
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
    Tie,
)

_UPCARD_PHASE_ORDERS: Final = (
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
        if seat_faults := tuple(self._seat_faults()):  # the other checks rely on the sides
            has_seats = 2 <= self.seats <= MAX_SEATS and self.seats in self.players
            raise_faults(seat_faults, self._deck_faults() if has_seats else ())
        raise_faults(
            self._deck_faults(),
            self._card_faults(),
            self._meld_faults(),
            self._phase_faults(),
            self._bid_faults(),
            self._payment_faults(),
            self._option_faults(),
        )

    def _seat_faults(self) -> Iterator[Fault]:
        """Yield the faults in the number of players and in the size of a side."""
        if not self.players:
            yield Fault("The game has no number of players.", ("players",))
            return
        *fewer, largest = sorted(self.players)
        allowed_players = "".join(f"{number}, " for number in fewer) + pluralize(largest, "player")
        yield from fault_unless(
            self.seats in self.players,
            f"{self.variant} cannot be played by {self.seats}: it takes {allowed_players}.",
            "seats",
            "players",
            form_sentence=f"{self.seats} cannot play it: it takes {allowed_players}.",
        )
        if not 2 <= self.seats <= MAX_SEATS:
            message = f"A table has 2 to {MAX_SEATS} seats, not {self.seats}."
            yield Fault(message, ("seats", "players"))
            return
        is_side_size_valid = 1 <= self.side_size <= MAX_SIDE_SIZE
        yield from fault_unless(
            is_side_size_valid,
            f"A side has 1 to {MAX_SIDE_SIZE} seats, not {self.side_size}.",
            "side_size",
        )
        yield from fault_unless(
            not is_side_size_valid
            or (self.seats % self.side_size == 0 and self.seats >= 2 * self.side_size),
            f"{self.seats} players cannot form two or more sides of {self.side_size}.",
            "side_size",
            "seats",
            "players",
        )

    def _deck_faults(self) -> Iterator[Fault]:
        """Yield the faults in the sizes of the deck and the hands, which sides do not change."""
        deal = self.deal
        if not self._has_hand_sizes:
            yield Fault(
                "deal.hand needs one number for each of players: players is "
                f"{list(self.players)}, and deal.hand is {list(deal.hand)}.",
                ("deal.hand", "players", "seats"),
                f"There are {pluralize(len(self.players), 'number')} of players, and "
                f"{pluralize(len(deal.hand), 'size')} of a hand: each number needs one.",
            )
            return
        deck, hand = self.deck, self.hand_size
        yield from fault_unless(
            1 <= deck.copies <= MAX_COPIES,
            f"A deck has 1 to {MAX_COPIES} copies of each card, not {deck.copies}.",
            "deal.copies",
        )
        needed = hand * self.seats + deal.kitty + (deal.upcard and deal.stock)
        left_over = deck.size - needed
        size_fields = "deal.hand", "deal.copies", "deal.nines", "deal.kitty"
        yield from fault_unless(
            left_over >= 0,
            f"{deck.size} cards are too few for {self.seats} players: {needed} are needed.",
            *size_fields,
            "seats",
            "players",
        )
        yield from fault_unless(
            left_over <= 0 or deal.stock,
            f"{left_over} of {deck.size} cards would be left over, and there is no stock.",
            *size_fields,
            "deal.stock",
            "seats",
            "players",
        )

    def _card_faults(self) -> Iterator[Fault]:
        """Yield the faults in the sizes of the kitty and the exchange, and in what a tie needs."""
        if not self._has_hand_sizes:
            return
        deal, hand = self.deal, self.hand_size
        yield from fault_unless(
            deal.stock or self.ending.tie is not Tie.TIED_PLAY_ON or len(self.sides) == 2,
            "Tied players cannot play on by themselves: there is no stock for the cards left over.",
            "ending.tie",
            "deal.stock",
        )
        rounds = deal.rounds(hand)
        yield from fault_unless(
            deal.kitty <= rounds,
            f"With {pluralize(rounds, 'round')} of dealing, the kitty can have at most "
            f"{pluralize(rounds, 'card')}: use smaller packets or a smaller kitty.",
            "deal.kitty",
            "deal.packet",
        )
        passed_count = self.exchange.exchange
        yield from fault_unless(
            0 <= passed_count <= hand or not self.has_partners,
            f"A hand of {hand} cannot pass {passed_count} cards.",
            "exchange.exchange",
        )

    def _meld_faults(self) -> Iterator[Fault]:
        """Yield a fault for each house meld that no player can make."""
        for meld in self.melds.others if self._has_hand_sizes else ():
            faults = (
                self._impossible_meld_faults(meld.name, meld.cards_in_trump(trump))
                for trump in SUITS
            )
            yield from islice(chain(*faults), 1)

    def _impossible_meld_faults(self, name: str, cards: tuple[Card, ...]) -> Iterator[Fault]:
        """Yield the reasons why no player can make a meld of these cards."""
        deck, laid_between_tricks = self.deck, Phase.STOCK_PLAY in self.phases
        excess = deck.first_excess_card(cards)
        if excess is not None:
            lacks_nines = excess.rank is Rank.NINE and not deck.nines
            deck_contents = "no nines" if lacks_nines else f"{deck.copies} of each card"
            number = cards.count(excess)
            yield Fault(
                f"{name} takes {number} {excess.pretty}, and the deck has {deck_contents}.",
                ("melds.others", "deal.copies", "deal.nines"),
            )
        yield from fault_unless(
            laid_between_tricks or len(cards) <= self.hand_size,
            f"{name} takes {pluralize(len(cards), 'card')}, and a hand has {self.hand_size}.",
            "melds.others",
            "deal.hand",
        )
        if not laid_between_tricks:
            return
        yield from fault_unless(
            all(cards.count(card) <= 2 for card in cards),
            f"A meld that is laid between tricks can use two of a card at most; {name} uses more.",
            "melds.others",
        )
        same_cards = [
            other for other, card_sets in melds_laid_at_once(self.melds) if cards in card_sets
        ]
        yield from fault_unless(
            not same_cards,
            f"{name} has the same cards as {', '.join(same_cards)}: only one of them can be laid.",
            "melds.others",
        )

    @property
    def _has_hand_sizes(self) -> bool:
        """True if `deal.hand` has one hand size for each number of players, or is not used."""
        return self.deal.copies is None or len(self.deal.hand) == len(self.players)

    def _phase_faults(self) -> Iterator[Fault]:
        """Yield the faults in the order of the phases, and in what each phase needs."""
        order = self.phases
        ends_with_play = order and order[-1] is Phase.PLAY and len(set(order)) == len(order)
        yield from fault_unless(
            ends_with_play, "phases must end with play and may not repeat a phase.", "phases"
        )
        if ends_with_play:
            yield from self._no_auction_faults() if self.auction is None else self._auction_faults()

    def _no_auction_faults(self) -> Iterator[Fault]:
        order, deal = self.phases, self.deal
        plays_out_stock = order == (Phase.STOCK_PLAY, Phase.PLAY) and deal.stock
        dealer_shows_trump = order in _UPCARD_PHASE_ORDERS and not deal.stock
        is_ordered = (plays_out_stock or dealer_shows_trump) and deal.upcard
        yield from fault_unless(
            is_ordered,
            "A game without an auction needs an upcard that names trump: its stock is played out "
            "first, or without a stock everybody melds before the play.",
            "phases",
            "auction",
            "deal.upcard",
            "deal.stock",
        )
        yield from fault_unless(
            not deal.kitty and not self.exchange.bury,
            "Without an auction nobody takes a kitty or buries cards.",
            "exchange.bury",
            "deal.kitty",
            "auction",
        )
        yield from fault_unless(
            not self.exchange.exchange,
            "Without an auction there is no declarer to pass cards to.",
            "exchange.exchange",
            "auction",
        )
        yield from fault_unless(
            not (is_ordered and dealer_shows_trump) or self.melds.defenders_meld,
            "Without an auction there is no declarer, so it cannot be that only the declarer's "
            "side melds.",
            "melds.defenders_meld",
            "auction",
        )
        yield from fault_unless(
            Phase.UPCARD not in order or deal.nines,
            "A nine of trump takes the upcard, but the deck has no nines.",
            "phases",
            "deal.nines",
        )
        drawn_count = 0
        if is_ordered and plays_out_stock and self._has_hand_sizes:
            drawn_count = self.deck.size - self.hand_size * self.seats
        yield from fault_unless(
            drawn_count % self.seats == 0,
            f"{drawn_count} cards cannot be drawn evenly by {self.seats} players.",
            "deal.hand",
            "deal.copies",
            "deal.nines",
            "players",
            "seats",
        )

    def _auction_faults(self) -> Iterator[Fault]:
        order, deal = self.phases, self.deal
        before_play = [phase for phase in order if phase is not Phase.KITTY]
        ranks = [tuple(Phase).index(phase) for phase in before_play]
        is_ordered = (
            order[0] is Phase.AUCTION
            and Phase.TRUMP in order
            and order[-2] is Phase.MELDING
            and not {Phase.UPCARD, Phase.STOCK_PLAY} & set(order)
            and ranks == sorted(ranks)
        )
        yield from fault_unless(
            is_ordered,
            "After an auction the phases are: trump, the exchanges, the melds and the play.",
            "phases",
        )
        yield from fault_unless(
            not is_ordered or not deal.upcard,
            "An upcard names trump, but in this game the declarer does.",
            "deal.upcard",
        )
        yield from fault_unless(
            not is_ordered or (Phase.KITTY in order) == bool(deal.kitty),
            "A deal has the phase kitty exactly if it has a kitty.",
            "phases",
            "deal.kitty",
        )
        bury = self.exchange.bury
        yield from fault_unless(
            not is_ordered or deal.kitty or not bury,
            f"Without a kitty nobody buries: bury must be 0, not {bury}.",
            "exchange.bury",
            "deal.kitty",
        )
        yield from fault_unless(
            not is_ordered or not deal.kitty or bury == deal.kitty,
            f"The declarer buries as many cards as the kitty has: {deal.kitty}, not {bury}.",
            "exchange.bury",
            "deal.kitty",
        )
        yield from fault_unless(
            not is_ordered or Phase.REDRAW not in order or deal.stock,
            "Cards are drawn from a stock.",
            "phases",
            "deal.stock",
        )

    def _bid_faults(self) -> Iterator[Fault]:
        """Yield a fault if the lowest bid is not a legal bid."""
        auction = self.auction
        if auction is not None and not is_legal_height(auction, auction.lowest_bid):
            start, step = bid_step(auction, auction.lowest_bid)
            reason = (
                f"{auction.lowest_bid} is not a bid in this game: from {start} on bids are "
                f"multiples of {step}."
            )
            yield Fault(f"lowest_bid = {reason}", ("auction.lowest_bid", "auction.steps"), reason)

    def _payment_faults(self) -> Iterator[Fault]:
        """Yield a fault if deals are paid without an auction, or if a paying side may sit out."""
        scoring = self.scoring
        yield from fault_unless(
            not scoring.pays or self.auction is not None,
            "The bid decides what a deal pays, but there is no auction.",
            "scoring.pays",
            "auction",
        )
        yield from fault_unless(
            not scoring.pays or self.ending.tie is not Tie.TIED_PLAY_ON or len(self.sides) == 2,
            "Tied players cannot play on by themselves if all the others pay.",
            "ending.tie",
            "scoring.pays",
        )

    def _option_faults(self) -> Iterator[Fault]:
        """Yield a fault if an option is unknown, or belongs to a part that these rules lack."""
        unknown = [name for name in self.options if name not in OPTIONS]
        yield from fault_unless(
            not unknown,
            f"{', '.join(unknown)}: there is no such house option. Possible are "
            f"{', '.join(OPTIONS)}.",
            "options",
        )
        known = [name for name in self.options if name in OPTIONS]
        without_part = [name for name in known if getattr(self, OPTIONS[name].part) is None]
        part = OPTIONS[without_part[0]].part if without_part else ""
        yield from fault_unless(
            not without_part, f"{', '.join(without_part)}: there is no {part}.", "options"
        )

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
