"""The state of a game, as frozen values. `phases` and `game` decide who may change what.

Hands are packed integers (see `cards`). `GameState.phase` is the current phase; `DealState` has the
facts of the deal that later phases need.

`gc=False`: frozen values form no cycles, so the garbage collector need not scan those of every
table.
"""

from __future__ import annotations

import enum
from itertools import islice
from typing import TypeAlias

import msgspec

from acesaround.actions import LegalActions
from acesaround.cards import Card, Suit, unpack
from acesaround.rules import Rules
from acesaround.rules.laid_melds import LaidMelds
from acesaround.rules.melds import Meld
from acesaround.rules.scoring import DealScore, Outcome, Tally, card_points, make_tally


class DecisionKind(enum.StrEnum):
    """The subject of a decision."""

    DEAL = "deal"
    BID = "bid"
    BURY = "bury"
    TRUMP = "trump"
    GIVE = "give"
    DISCARD = "discard"
    UPCARD = "upcard"
    PLAY = "play"


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A decision: the seat on turn, the kind, and every legal action. `seat` is None for a deal."""

    seat: int | None
    kind: DecisionKind
    legal: LegalActions

    @property
    def is_forced(self) -> bool:
        """True if only one action is legal."""
        return len(tuple(islice(self.legal, 2))) == 1


class Trick(msgspec.Struct, frozen=True, gc=False):
    """A completed trick, its cards in the order played.

    `points`: its card points. `bonus`: what it scores besides, because it is the last trick.
    """

    leader: int
    cards: tuple[Card, ...]
    winner: int
    points: int
    bonus: int = 0


class MeldRecord(msgspec.Struct, frozen=True, gc=False):
    """Melds that a seat laid, automatically or one at a time; `shown`: what the others see.

    `is_complete`: whether the others know that this is all. If not, even an empty `shown` may hide
    a meld. `after`: the number of complete tricks. With a stock, only a nine turned up, scored by
    the dealer, comes before the first trick.
    """

    seat: int
    melds: tuple[Meld, ...]
    points: int
    shown: tuple[Meld, ...]
    is_complete: bool = True
    after: int = 0


class MeldedCard(msgspec.Struct, frozen=True, gc=False):
    """A melded card on the table before a seat, now or earlier (two-handed).

    `since`, `until`: the number of complete tricks when it was laid, and when it was played from
    the table. `until` is None if it is still on the table, or was when the stock ran out.
    """

    seat: int
    card: Card
    since: int
    until: int | None = None


class UpcardTaken(msgspec.Struct, frozen=True, gc=False):
    """An open card taken by a seat, seen by all.

    With a stock it is the upcard, taken for a nine of trump or as the last card drawn. Without a
    stock it is first the dealer's; a nine that takes it then goes to the dealer, as another
    UpcardTaken. `left`: the nine of trump that took its place, else None. `after`: the number of
    complete tricks.
    """

    seat: int
    card: Card
    left: Card | None
    after: int


class Call(msgspec.Struct, frozen=True, gc=False):
    """One turn of the auction: a bid, or None for a pass. Leaving the upcard is a pass too."""

    seat: int
    bid: int | None


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """Cards passed from one seat to another."""

    seat: int
    to: int
    cards: tuple[Card, ...]


class DiscardedCards(msgspec.Struct, frozen=True, gc=False):
    """Cards that a seat discarded."""

    seat: int
    cards: tuple[Card, ...]


class Dealing(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The phase in which cards are dealt."""


class Bidding(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The auction. `queue`: the seats still in it, the one on turn first.

    `highest_bid`: the highest bid so far, of the seat `bidder`; both None before the first bid.
    """

    queue: tuple[int, ...]
    highest_bid: int | None
    bidder: int | None


class Burying(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The declarer holds the kitty and is to bury."""


class NamingTrump(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The declarer is to name trump."""


class Exchanging(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The exchange: `seat` is to pass cards to its partner `to`."""

    seat: int
    to: int


class Redrawing(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The redraw. `queue`: the seats still to decide what to discard, the one on turn first.

    `chosen`: the decisions of the others, in that order; no seat draws before all have decided.
    """

    queue: tuple[int, ...]
    chosen: tuple[DiscardedCards, ...] = ()


class TakingUpcard(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Taking the upcard for a nine. `queue`: the seats still to be asked, the one on turn first."""

    queue: tuple[int, ...]


class Playing(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A trick in play. `best`, `best_seat`: the winning card so far and its player (-1: none).

    `is_trump_broken`: trump may be led freely. `may_concede`: the declarer may give up instead of
    leading.
    """

    leader: int
    turn: int
    cards: tuple[Card, ...]
    best: int
    best_seat: int
    is_trump_broken: bool
    may_concede: bool = False


class StockPlaying(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A trick in play while there is a stock. `may_meld`: the leader may lay a meld now.

    `to_draw`: cards are drawn once the leader has melded or passed; the lead follows.

    `laid_melds`: each seat's melds on the table. `is_upcard_settled`: no nine can take the upcard,
    because one has already, or because the stock is used up and this is the last chance to meld.
    """

    leader: int
    turn: int
    cards: tuple[Card, ...]
    best: int
    best_seat: int
    may_meld: bool
    laid_melds: tuple[LaidMelds, ...]
    is_upcard_settled: bool
    to_draw: bool = False


PhaseState: TypeAlias = (
    Dealing
    | Bidding
    | Burying
    | NamingTrump
    | Exchanging
    | Redrawing
    | TakingUpcard
    | Playing
    | StockPlaying
)


class DealState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The facts of the deal so far. Lists have an item for each seat or side of the table."""

    kitty: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    upcard: Card | None = None
    auction: tuple[Call, ...] = ()
    declarer: int | None = None
    bid: int | None = None
    trump: Suit | None = None
    buried: tuple[Card, ...] = ()
    passed_cards: tuple[Transfer, ...] = ()
    discarded: tuple[DiscardedCards, ...] = ()
    drawn: tuple[tuple[Card, ...], ...] = ()
    """The cards that each seat drew from the stock, in that order, without the upcard."""
    laid: tuple[MeldRecord, ...] = ()
    melded_cards: tuple[MeldedCard, ...] = ()
    upcards_taken: tuple[UpcardTaken, ...] = ()
    tricks: tuple[Trick, ...] = ()
    won: tuple[int, ...] = ()
    """Card points won in tricks, by side."""
    has_counter: tuple[bool, ...] = ()
    """Whether each side has won a card that keeps its meld, as `tricks.meld_saving_kinds` says."""
    outcome: Outcome | None = None
    offender: int | None = None
    broken_rule: str | None = None
    """The message of the rule that the offender broke."""
    interrupted_phase: Playing | Redrawing | None = None
    """The phase that a renege interrupted: the redraw, or a trick with the illegal play as its last
    card."""
    score: DealScore | None = None
    """The score once the deal is scored; the last deal of a game keeps its final state."""


class GameState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A game at one moment. `scores`: totals by side. `players`: the seats in this deal.

    `target`: points that win from now on. `deals`: the number completed. `winner`: a side, or None.
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
        """Return the cards that a seat holds, in written order."""
        return unpack(self.hands[seat])


def next_player(players: tuple[int, ...], seat: int) -> int:
    """Return the next of the players clockwise."""
    return players[players.index(seat) + 1 - len(players)]


def players_clockwise(players: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return all players clockwise, starting with `first`."""
    index = players.index(first)
    return players[index:] + players[:index]


def with_hand(hands: tuple[int, ...], seat: int, hand: int) -> tuple[int, ...]:
    """Return the hands with one of them replaced."""
    changed = list(hands)  # takes a third of the time of slicing
    changed[seat] = hand
    return tuple(changed)


def with_drawn(
    drawn: tuple[tuple[Card, ...], ...], seat: int, cards: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    """Return the drawn cards by seat, with more cards drawn by one seat."""
    return (*drawn[:seat], (*drawn[seat], *cards), *drawn[seat + 1 :])


def tally(state: GameState) -> Tally:
    """Return what each side has laid and won so far, buried counters included; see `scoring`."""
    deal = state.deal
    return make_tally(
        state.rules,
        [(laid.seat, laid.points, laid.melds) for laid in deal.laid],
        deal.won,
        deal.has_counter,
        deal.declarer,
        card_points(state.rules, deal.buried),
        deal.tricks[-1].winner if deal.tricks and not any(state.hands) else None,
    )
