"""Events: what happened, as told to a table. Each event says itself what one seat may see of it.

An event as the engine makes it holds everything; `seen_by(seat)` is its projection, in which cards
that seat may not see are None and only their number stays. Nothing but projections may leave the
process for a player.
"""

from __future__ import annotations

from typing import Self, TypeAlias

import msgspec
from msgspec.structs import replace

from acesaround.cards import Card, Suit
from acesaround.rules.melds import Meld
from acesaround.rules.scoring import DealScore

Hidden: TypeAlias = tuple[Card, ...] | None


class _Event(msgspec.Struct, frozen=True, gc=False, tag=True):
    def seen_by(self, seat: int | None) -> Self:
        """What a seat (None: a spectator) may see of it. Most events are public."""
        return self


class _Private(_Event, frozen=True, tag=True):
    """Cards that only `seat` sees; everybody sees how many."""

    seat: int
    number: int
    cards: Hidden

    def seen_by(self, seat: int | None) -> Self:
        """Other seats see only the number."""
        return self if seat == self.seat else replace(self, cards=None)


class Dealt(_Event, frozen=True, tag="Dealt"):
    """Hands were dealt. `hands` and `sizes` are indexed by seat."""

    deal: int
    dealer: int
    players: tuple[int, ...]
    hands: tuple[Hidden, ...]
    sizes: tuple[int, ...]
    kitty: int
    stock: int
    upcard: Card | None

    def seen_by(self, seat: int | None) -> Self:
        """A seat sees its own hand."""
        return replace(
            self, hands=tuple(h if s == seat else None for s, h in enumerate(self.hands))
        )


class BidMade(_Event, frozen=True, tag="BidMade"):
    """A bid."""

    seat: int
    points: int


class Passed(_Event, frozen=True, tag="Passed"):
    """A pass, or the upcard left where it is."""

    seat: int


class Declared(_Event, frozen=True, tag="Declared"):
    """The auction is over. `forced`: everybody passed and the dealer has it."""

    seat: int
    points: int
    forced: bool


class ThrownIn(_Event, frozen=True, tag="ThrownIn"):
    """Everybody passed and the cards are thrown in."""


class KittyShown(_Event, frozen=True, tag="KittyShown"):
    """The kitty is shown to all and taken by the declarer."""

    seat: int
    cards: tuple[Card, ...]


class Buried(_Private, frozen=True, tag="Buried"):
    """The declarer buried cards."""


class TrumpNamed(_Event, frozen=True, tag="TrumpNamed"):
    """Trump was named."""

    seat: int
    suit: Suit


class NoMarriage(_Event, frozen=True, tag="NoMarriage"):
    """The declarer holds no marriage to name trump from."""

    seat: int


class Given(_Private, frozen=True, tag="Given"):
    """Cards were passed to a partner."""

    to: int

    def seen_by(self, seat: int | None) -> Self:
        """Giver and taker see them."""
        return self if seat in (self.seat, self.to) else replace(self, cards=None)


class DiscardChosen(_Event, frozen=True, tag="Decided"):
    """A seat has decided what to discard. Others do not even see how many until all have."""

    seat: int
    cards: Hidden

    def seen_by(self, seat: int | None) -> Self:
        """The owner sees the cards."""
        return self if seat == self.seat else replace(self, cards=None)


class Discarded(_Private, frozen=True, tag="Discarded"):
    """Cards were thrown away for new ones."""


class Drew(_Private, frozen=True, tag="Drew"):
    """Cards were drawn from the stock."""


class UpcardDrawn(_Event, frozen=True, tag="UpcardDrawn"):
    """The upcard was drawn: the last card of the stock, seen by all."""

    seat: int
    card: Card


class Melded(_Event, frozen=True, tag="Melded"):
    """A seat's automatic meld. `shown`: what the table sees of it; `open`: that this is all.

    What is not open is unscored, even where nothing more is held: nobody may know that.
    """

    seat: int
    melds: tuple[Meld, ...] | None
    points: int | None
    shown: tuple[Meld, ...]
    open: bool = True

    def seen_by(self, seat: int | None) -> Self:
        """The owner sees all of it; the table what was shown, and its worth if that was all."""
        if seat == self.seat or self.open:
            return self
        return replace(self, melds=None, points=None)


class NineTurned(_Event, frozen=True, tag="NineTurned"):
    """A nine was turned up beside the stock: the meld that it is for the dealer."""

    seat: int
    meld: Meld


class MeldLaid(_Event, frozen=True, tag="MeldLaid"):
    """A meld laid between tricks, with the points it scored."""

    seat: int
    meld: Meld


class UpcardExchanged(_Event, frozen=True, tag="UpcardExchanged"):
    """A nine of trump changed places with the upcard, which went to the hand.

    Without a stock the upcard was the dealer's, and the nine is now.
    """

    seat: int
    taken: Card
    left: Card


class Played(_Event, frozen=True, tag="Played"):
    """A card to the trick."""

    seat: int
    card: Card


class TrickWon(_Event, frozen=True, tag="TrickWon"):
    """A trick is complete. `points`: its card points, without the bonus for the last."""

    leader: int
    seat: int
    cards: tuple[Card, ...]
    points: int


class Conceded(_Event, frozen=True, tag="Conceded"):
    """The declarer gave up."""

    seat: int


class Reneged(_Event, frozen=True, tag="Reneged"):
    """An illegal play or discard, which ends the deal. `rule`: the sentence it broke."""

    seat: int
    rule: str


class DealScored(_Event, frozen=True, tag="DealScored"):
    """The deal is over. `buried` cards become public now."""

    score: DealScore
    totals: tuple[int, ...]
    buried: tuple[Card, ...]


class GameWon(_Event, frozen=True, tag="GameWon"):
    """The game is over: the winning side."""

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
