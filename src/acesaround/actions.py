"""Actions: everything that can happen at a table, and the sets of actions a decision offers.

Chance enters only as a `Deal`. What is legal is decided in `phases`; here stand only the frozen
values and the lazy sets (`Bids`, `Choices`) for decisions with very many possibilities.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, Protocol, TypeAlias, overload

import msgspec
from msgspec.structs import force_setattr

from acesaround.cards import CARDS, KINDS, SUITS, Card, Suit, counts, format_cards, pack
from acesaround.rules import Auction, step_at


class Deal(msgspec.Struct, frozen=True, tag="deal"):
    """Chance: the cards of one deal. `hands` is indexed by seat, an absent seat has no cards.

    `stock`: next card drawn first, the upcard not in it.
    """

    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    upcard: Card | None = None


class Bid(msgspec.Struct, frozen=True, tag="bid"):
    """A promise to score at least that many points."""

    points: int

    def __str__(self) -> str:
        return f"bid {self.points}"


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """No bid, and no further part in the auction."""

    def __str__(self) -> str:
        return "pass"


class NameTrump(msgspec.Struct, frozen=True, tag="trump"):
    """The declarer's choice of trump."""

    suit: Suit

    def __str__(self) -> str:
        return f"trump {self.suit}"


class _Cards(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        # Written order, so that equal choices are equal values whatever order they were named in.
        force_setattr(self, "cards", tuple(sorted(self.cards)))


class Bury(_Cards, frozen=True, tag="bury"):
    """Cards the declarer lays aside after taking the kitty; they count for the declarer."""

    def __str__(self) -> str:
        return f"bury {format_cards(self.cards)}"


class Give(_Cards, frozen=True, tag="give"):
    """Cards passed between the declarer and a partner."""

    def __str__(self) -> str:
        return f"give {format_cards(self.cards)}"


class Discard(_Cards, frozen=True, tag="discard"):
    """Cards exchanged for as many from the stock; may be none."""

    def __str__(self) -> str:
        return f"discard {format_cards(self.cards)}".strip()


class LayMeld(_Cards, frozen=True, tag="meld"):
    """A meld laid between tricks: the whole meld, cards already down included."""

    def __str__(self) -> str:
        return f"meld {format_cards(self.cards)}"


class Play(msgspec.Struct, frozen=True, tag="play"):
    """A card to the trick."""

    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


class Concede(msgspec.Struct, frozen=True, tag="concede"):
    """The declarer gives up instead of leading."""

    def __str__(self) -> str:
        return "concede"


Action: TypeAlias = Deal | Bid | Pass | NameTrump | Bury | Give | Discard | LayMeld | Play | Concede

PASS: Final = Pass()
CONCEDE: Final = Concede()
PLAYS: Final = tuple(Play(card) for card in CARDS)
TRUMPS: Final = tuple(NameTrump(suit) for suit in SUITS)


class Legal(Protocol):
    """The legal actions of a decision: `in`, iteration, `len` and indexing, lazy where large."""

    def __contains__(self, action: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Action]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Action: ...


class Bids(Sequence[Action]):
    """Legal bids, lowest first, then a pass if it is allowed.

    Without fixed raises there is no ceiling: iteration goes on for ever (the pass comes first
    then) and `len` is `sys.maxsize`.
    """

    __slots__ = ("_auction", "_first", "_may_pass", "endless")

    def __init__(self, auction: Auction, standing: int | None, may_pass: bool) -> None:
        self._auction = auction
        self._may_pass = may_pass
        self.endless = not auction.raises
        if standing is None:
            self._first = auction.lowest_bid
        elif auction.raises:
            self._first = standing + auction.raises[0]
        else:
            start, step = step_at(auction, standing)
            self._first = start + ((standing - start) // step + 1) * step

    @property
    def least(self) -> int:
        """The lowest bid that may be made."""
        return self._first

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """(from, step): legal bids from there on are `from` plus multiples of `step`."""
        return self._auction.steps

    @property
    def may_pass(self) -> bool:
        """Whether a pass is legal."""
        return self._may_pass

    def bids(self) -> Iterator[int]:
        """The heights of legal bids, lowest first; endless where any jump is allowed."""
        raises = self._auction.raises
        if raises:
            yield from (self._first - raises[0] + r for r in raises)
            return
        bid = self._first
        while True:
            yield bid
            bid += step_at(self._auction, bid)[1]

    def allows(self, bid: int) -> bool:
        """Whether a bid of that height is legal."""
        if raises := self._auction.raises:
            return bid - self._first + raises[0] in raises
        start, step = step_at(self._auction, bid)
        return bid >= self._first and (bid - start) % step == 0

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Bid):
            return self.allows(action.points)
        return isinstance(action, Pass) and self._may_pass

    def __iter__(self) -> Iterator[Action]:
        if self._may_pass:
            yield PASS
        for bid in self.bids():
            yield Bid(bid)

    def __len__(self) -> int:
        if self.endless:
            return sys.maxsize
        return len(self._auction.raises) + self._may_pass

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        for position, action in enumerate(self):
            if position == index % len(self):
                return action
        raise IndexError(index)


@cache
def _ways(held: tuple[int, ...], number: int) -> int:
    """How many different choices of `number` cards there are from those counts of kinds."""
    if number == 0:
        return 1
    if not held:
        return 0
    return sum(_ways(held[1:], number - n) for n in range(min(held[0], number) + 1))


class Choices(Sequence[Action]):
    """Every choice of cards from a hand, of each of the given sizes; twins are not told apart.

    Indexing unranks, so that a uniform choice never lists the others.
    """

    __slots__ = ("_hand", "_kinds", "_make", "sizes")

    def __init__(self, hand: int, sizes: Sequence[int], make: type[Bury | Give | Discard]) -> None:
        held = counts(hand)
        self._kinds = tuple(card for card in CARDS if held[card])
        self._hand = tuple(held[card] for card in self._kinds)
        self.sizes = tuple(sizes)
        self._make = make

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, self._make):
            return False
        cards = action.cards
        if len(cards) not in self.sizes:
            return False
        return all(
            cards.count(card) <= (self._hand[self._kinds.index(card)] if card in self._kinds else 0)
            for card in set(cards)
        )

    def __len__(self) -> int:
        return sum(_ways(self._hand, size) for size in self.sizes)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if index < 0:
            raise IndexError(index)
        for number in self.sizes:
            ways = _ways(self._hand, number)
            if index < ways:
                return self._make(self._unrank(index, number))
            index -= ways
        raise IndexError(index)

    def _unrank(self, index: int, number: int) -> tuple[Card, ...]:
        chosen: list[Card] = []
        for position, card in enumerate(self._kinds):
            rest = self._hand[position + 1 :]
            for n in range(min(self._hand[position], number), -1, -1):
                ways = _ways(rest, number - n)
                if index < ways:
                    chosen.extend((card,) * n)
                    number -= n
                    break
                index -= ways
        return tuple(chosen)

    def __iter__(self) -> Iterator[Action]:
        for index in range(len(self)):
            yield self[index]


def uniform(legal: Legal, rng: random.Random) -> Action:
    """A uniformly random legal action; the endless bids are the caller's affair."""
    return legal[int(rng.random() * len(legal))]


def packed(action: Bury | Give | Discard | LayMeld) -> int:
    """The cards of an action as one packed hand."""
    return pack(action.cards)


assert len(PLAYS) == KINDS
