"""Events of a game. Each event defines what one seat may see of it.

An event from the engine holds everything. `seen_by(seat)` is its projection: cards that the seat
may not see are None, and only their number remains. Only projections may leave the process for a
player.
"""

from __future__ import annotations

from typing import Self, TypeAlias

import msgspec
from msgspec.structs import replace

from acesaround.cards import Card, Suit
from acesaround.rules.melds import Meld
from acesaround.rules.scoring import DealScore

HiddenCards: TypeAlias = tuple[Card, ...] | None


class _Event(msgspec.Struct, frozen=True, gc=False, tag=True):
    def seen_by(self, seat: int | None) -> Self:
        """Return what a seat (None: a spectator) may see. Most events are public."""
        return self


class _HiddenCardsEvent(_Event, frozen=True, tag=True):
    """An event with cards that only `seat` sees; the others see their number."""

    seat: int
    number: int
    cards: HiddenCards

    def seen_by(self, seat: int | None) -> Self:
        """Return the event without the cards for other seats."""
        return self if seat == self.seat else replace(self, cards=None)


class Dealt(_Event, frozen=True, tag="Dealt"):
    """Hands were dealt. `hands` and `sizes` are indexed by seat."""

    deal: int
    dealer: int
    players: tuple[int, ...]
    hands: tuple[HiddenCards, ...]
    sizes: tuple[int, ...]
    kitty: int
    stock: int
    upcard: Card | None

    def seen_by(self, seat: int | None) -> Self:
        """Return the event with only the seat's own hand."""
        return replace(
            self, hands=tuple(h if s == seat else None for s, h in enumerate(self.hands))
        )


class BidMade(_Event, frozen=True, tag="BidMade"):
    """A bid was made."""

    seat: int
    points: int


class Passed(_Event, frozen=True, tag="Passed"):
    """A seat passed, or did not take the upcard."""

    seat: int


class Declared(_Event, frozen=True, tag="Declared"):
    """The auction is over. `forced`: everybody passed, so the dealer is declarer."""

    seat: int
    points: int
    forced: bool


class ThrownIn(_Event, frozen=True, tag="ThrownIn"):
    """Everybody passed and the cards are thrown in."""


class KittyShown(_Event, frozen=True, tag="KittyShown"):
    """The kitty is shown to all and taken by the declarer."""

    seat: int
    cards: tuple[Card, ...]


class Buried(_HiddenCardsEvent, frozen=True, tag="Buried"):
    """The declarer buried cards."""


class TrumpNamed(_Event, frozen=True, tag="TrumpNamed"):
    """Trump was named."""

    seat: int
    suit: Suit


class NoMarriage(_Event, frozen=True, tag="NoMarriage"):
    """The declarer holds no marriage to name trump from."""

    seat: int


class Given(_HiddenCardsEvent, frozen=True, tag="Given"):
    """Cards were passed to a partner."""

    to: int

    def seen_by(self, seat: int | None) -> Self:
        """Return the event without the cards, except for giver and taker."""
        return self if seat in (self.seat, self.to) else replace(self, cards=None)


class DiscardChosen(_Event, frozen=True, tag="Decided"):
    """A seat has decided what to discard.

    Other seats see only that, not even the number, until all have decided.
    """

    seat: int
    cards: HiddenCards

    def seen_by(self, seat: int | None) -> Self:
        """Return the event without the cards, except for their owner."""
        return self if seat == self.seat else replace(self, cards=None)


class Discarded(_HiddenCardsEvent, frozen=True, tag="Discarded"):
    """Cards were discarded for new ones."""


class Drew(_HiddenCardsEvent, frozen=True, tag="Drew"):
    """Cards were drawn from the stock."""


class UpcardDrawn(_Event, frozen=True, tag="UpcardDrawn"):
    """The upcard was drawn: the last card of the stock, seen by all."""

    seat: int
    card: Card


class Melded(_Event, frozen=True, tag="Melded"):
    """A seat's automatic meld. `shown`: the part that the table sees. `open`: whether that is all.

    A meld that is not open scores nothing. It stays so even if `shown` is complete, because the
    others must not learn that.
    """

    seat: int
    melds: tuple[Meld, ...] | None
    points: int | None
    shown: tuple[Meld, ...]
    open: bool = True

    def seen_by(self, seat: int | None) -> Self:
        """Return all for the owner; for others what was shown, with the points if that was all."""
        if seat == self.seat or self.open:
            return self
        return replace(self, melds=None, points=None)


class NineTurned(_Event, frozen=True, tag="NineTurned"):
    """A nine was turned up with the stock. `meld`: the dix that it scores for the dealer."""

    seat: int
    meld: Meld


class MeldLaid(_Event, frozen=True, tag="MeldLaid"):
    """A meld was laid between tricks, with the points it scored."""

    seat: int
    meld: Meld


class UpcardExchanged(_Event, frozen=True, tag="UpcardExchanged"):
    """A nine of trump was exchanged for the upcard, which went to the hand.

    Without a stock the upcard was the dealer's; the nine goes to the dealer.
    """

    seat: int
    taken: Card
    left: Card


class Played(_Event, frozen=True, tag="Played"):
    """A card was played to the trick."""

    seat: int
    card: Card


class TrickWon(_Event, frozen=True, tag="TrickWon"):
    """A trick is complete.

    `points`: its card points. `bonus`: what it scores besides, because it is the last trick.
    """

    leader: int
    seat: int
    cards: tuple[Card, ...]
    points: int
    bonus: int = 0


class Conceded(_Event, frozen=True, tag="Conceded"):
    """The declarer gave up."""

    seat: int


class Reneged(_Event, frozen=True, tag="Reneged"):
    """An illegal play or discard, which ends the deal. `rule`: the message of the broken rule."""

    seat: int
    rule: str


class DealScored(_Event, frozen=True, tag="DealScored"):
    """The deal is over. The cards in `buried` become public now."""

    score: DealScore
    totals: tuple[int, ...]
    buried: tuple[Card, ...]


class GameWon(_Event, frozen=True, tag="GameWon"):
    """The game is over. `side`: the winning side."""

    side: int


Event: TypeAlias = (
    Dealt
    | BidMade
    | Passed
    | Declared
    | ThrownIn
    | KittyShown
    | Buried
    | TrumpNamed
    | NoMarriage
    | Given
    | DiscardChosen
    | Discarded
    | Drew
    | UpcardDrawn
    | Melded
    | NineTurned
    | MeldLaid
    | UpcardExchanged
    | Played
    | TrickWon
    | Conceded
    | Reneged
    | DealScored
    | GameWon
)
