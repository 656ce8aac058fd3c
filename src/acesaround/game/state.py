"""The state of a game: frozen values only. Who may change what is decided in `phases` and `game`.

Hands are packed integers (see `cards`). `GameState.phase` says what is being decided; the facts of
the deal that later phases need are in `DealState`.

`gc=False`: a frozen value is in no cycle, and the collector need not walk those of every table.
"""

from __future__ import annotations

import enum
from itertools import islice
from typing import TypeAlias

import msgspec

from acesaround.actions import Legal
from acesaround.cards import Card, Suit, unpack
from acesaround.rules import Rules
from acesaround.rules.laydown import LaidMelds
from acesaround.rules.melds import Meld
from acesaround.rules.scoring import DealScore, Outcome, Tally, card_points, tally_of


class Kind(enum.StrEnum):
    """What a decision is about."""

    DEAL = "deal"
    BID = "bid"
    BURY = "bury"
    TRUMP = "trump"
    GIVE = "give"
    DISCARD = "discard"
    UPCARD = "upcard"
    PLAY = "play"


class Decision(msgspec.Struct, frozen=True, gc=False):
    """Whose turn it is, about what, and every legal action. `seat` is None for chance."""

    seat: int | None
    kind: Kind
    legal: Legal

    @property
    def forced(self) -> bool:
        """Whether there is nothing to choose: one action alone is legal."""
        return len(tuple(islice(self.legal, 2))) == 1


class Trick(msgspec.Struct, frozen=True, gc=False):
    """A completed trick: cards in the order played, card points without the last trick's bonus."""

    leader: int
    cards: tuple[Card, ...]
    winner: int
    points: int


class MeldRecord(msgspec.Struct, frozen=True, gc=False):
    """What a seat melded, automatically or by one lay-down; `shown`: what the table sees.

    `open`: the table knows that this is all of it. Without that even nothing may hide a meld.
    `after`: how many tricks were complete. Before the first nothing is laid beside a stock; a nine
    turned up there may score for the dealer.
    """

    seat: int
    melds: tuple[Meld, ...]
    points: int
    shown: tuple[Meld, ...]
    open: bool = True
    after: int = 0


class TableMeld(msgspec.Struct, frozen=True, gc=False):
    """A melded card that lies before a seat, or lay there (two-handed).

    `since`, `until`: how many tricks were complete when it was laid, and when it was played from
    there; `until` is None if it lies there yet, or lay there when the stock ran out.
    """

    seat: int
    card: Card
    since: int
    until: int | None = None


class UpcardTaken(msgspec.Struct, frozen=True, gc=False):
    """A card that lay open, taken by a seat before all eyes.

    Beside a stock it is the upcard, taken for a nine of trump, and what is drawn last. Without a
    stock it is first the dealer's; a nine that takes it is the dealer's then, taken likewise.
    `left`: the nine of trump that took its place, else None. `after`: how many tricks were
    complete.
    """

    seat: int
    card: Card
    left: Card | None
    after: int


class Call(msgspec.Struct, frozen=True, gc=False):
    """One turn of the auction: a bid, or None for a pass. Who leaves the upcard passes too."""

    seat: int
    bid: int | None


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """Cards passed from one seat to another."""

    seat: int
    to: int
    cards: tuple[Card, ...]


class DiscardedCards(msgspec.Struct, frozen=True, gc=False):
    """Cards a seat discarded."""

    seat: int
    cards: tuple[Card, ...]


class Dealing(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Cards are to be dealt."""


class Bidding(msgspec.Struct, frozen=True, gc=False, tag=True):
    """`queue`: the seats still in the auction, the one on turn first."""

    queue: tuple[int, ...]
    standing: int | None
    bidder: int | None


class Burying(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The declarer holds the kitty and is to bury."""


class NamingTrump(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The declarer is to name trump."""


class Exchanging(msgspec.Struct, frozen=True, gc=False, tag=True):
    """`seat` is to pass cards to its partner `to`."""

    seat: int
    to: int


class Redrawing(msgspec.Struct, frozen=True, gc=False, tag=True):
    """`queue`: the seats still to decide what to discard, the one on turn first.

    `chosen`: what the others have decided, in that order; nobody draws before all have.
    """

    queue: tuple[int, ...]
    chosen: tuple[DiscardedCards, ...] = ()


class Turning(msgspec.Struct, frozen=True, gc=False, tag=True):
    """`queue`: the seats that may still take the upcard for a nine, the one on turn first."""

    queue: tuple[int, ...]


class Playing(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A trick in play. `best`, `best_seat`: the card now winning it and who played it (-1: none).

    `broken`: trump may be led freely. `may_concede`: the declarer may give up instead of leading.
    """

    leader: int
    turn: int
    cards: tuple[Card, ...]
    best: int
    best_seat: int
    broken: bool
    may_concede: bool = False


class StockPlaying(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A trick in play while there is a stock. `may_meld`: the leader may lay a meld now.

    `to_draw`: cards are drawn once it has, or passes; a card is led after that.

    `down`: each seat's melds on the table. `exchanged`: no nine can take the upcard's place, since
    one has, or since the stock is used up and this is the last chance to meld.
    """

    leader: int
    turn: int
    cards: tuple[Card, ...]
    best: int
    best_seat: int
    may_meld: bool
    down: tuple[LaidMelds, ...]
    exchanged: bool
    to_draw: bool = False


PhaseState: TypeAlias = (
    Dealing
    | Bidding
    | Burying
    | NamingTrump
    | Exchanging
    | Redrawing
    | Turning
    | Playing
    | StockPlaying
)


class DealState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The facts of the deal so far. Lists by seat or by side cover all of them, present or not."""

    kitty: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    upcard: Card | None = None
    auction: tuple[Call, ...] = ()
    declarer: int | None = None
    bid: int | None = None
    trump: Suit | None = None
    buried: tuple[Card, ...] = ()
    given: tuple[Transfer, ...] = ()
    discarded: tuple[DiscardedCards, ...] = ()
    drawn: tuple[tuple[Card, ...], ...] = ()
    """The cards a seat drew from the stock, in that order, without the upcard."""
    laid: tuple[MeldRecord, ...] = ()
    lying: tuple[TableMeld, ...] = ()
    taken: tuple[UpcardTaken, ...] = ()
    tricks: tuple[Trick, ...] = ()
    won: tuple[int, ...] = ()
    """Card points won in tricks, a side."""
    counter: tuple[bool, ...] = ()
    """Whether a side has won what saves its meld in a trick, as `tricks.saving` says."""
    outcome: Outcome | None = None
    offender: int | None = None
    rule: str | None = None
    """The sentence that the offender broke."""
    cut: Playing | Redrawing | None = None
    """What a renege cut short: a trick, the illegal play the last of its cards, or the redraw."""
    score: DealScore | None = None
    """Once the deal is scored: the last deal of a game stays as it ended."""


class GameState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One moment of a game. `scores` are totals a side, `players` the seats in this deal.

    `target`: points that win from now on. `deals`: how many are over. `winner`: a side, or None.
    """

    rules: Rules
    scores: tuple[int, ...]
    dealer: int
    players: tuple[int, ...]
    target: int
    deals: int
    hands: tuple[int, ...]
    deal: DealState
    phase: PhaseState | None
    winner: int | None = None

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards a seat holds, in written order."""
        return unpack(self.hands[seat])


def next_player(players: tuple[int, ...], seat: int) -> int:
    """The next of the players clockwise."""
    return players[players.index(seat) + 1 - len(players)]


def clockwise(players: tuple[int, ...], first: int) -> tuple[int, ...]:
    """All players clockwise, from that one on."""
    at = players.index(first)
    return players[at:] + players[:at]


def with_hand(hands: tuple[int, ...], seat: int, hand: int) -> tuple[int, ...]:
    """The hands with one of them changed."""
    changed = list(hands)  # a third of the time that slices take
    changed[seat] = hand
    return tuple(changed)


def with_drawn(
    drawn: tuple[tuple[Card, ...], ...], seat: int, cards: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    """What seats drew, with more cards drawn by one of them."""
    return (*drawn[:seat], (*drawn[seat], *cards), *drawn[seat + 1 :])


def tally(state: GameState) -> Tally:
    """What each side has laid and won so far, buried counters included; see `scoring`."""
    deal = state.deal
    return tally_of(
        state.rules,
        [(laid.seat, laid.points, laid.melds) for laid in deal.laid],
        deal.won,
        deal.counter,
        deal.declarer,
        card_points(state.rules, deal.buried),
        deal.tricks[-1].winner if deal.tricks and not any(state.hands) else None,
    )
