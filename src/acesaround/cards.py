"""Cards: suits, ranks, the 24 kinds of card, decks, and how all of them are written.

Twins are identical, so a `Card` is a kind and a hand is a count of kinds. Inside the engine a
hand is one plain integer: `FIELD` bits hold the count of each kind (`pack`, `unpack`), and a set
of kinds is an integer with the lowest bit of each field (`kinds`, `members`). What a card may do
is never decided here: see `tricks` and `melds`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from itertools import compress
from typing import ClassVar, Final

import msgspec

from acesaround.errors import IllegalAction, NotationError, Reason


class Suit(int):
    """A suit: `Suit("hearts")`, `Suit("H")`, `Suit("♥")` or `Suit(1)`. Each is one object.

    As an integer it is 0 to 3, in the order in which hands are written: S H D C. Not an enum: an
    enum of integers is written as a number wherever it is encoded, and a suit is a letter there.
    Raises NotationError.
    """

    __slots__ = ()

    S: ClassVar[Suit]
    H: ClassVar[Suit]
    D: ClassVar[Suit]
    C: ClassVar[Suit]

    def __new__(cls, value: str | int) -> Suit:
        """Read or look up a suit."""
        if isinstance(value, str):
            wanted = value.strip().lower()
            for suit in SUITS:
                if wanted in (suit.name.lower(), suit.word, suit.word[:-1], suit.symbol):
                    return suit
            raise NotationError(f"{value!r} is no suit: expected one of S H D C.")
        if not 0 <= value < len(SUITS):
            raise NotationError(f"{value} is no suit: suits are numbered 0 to 3.")
        return SUITS[value]

    def __reduce__(self) -> tuple[type[Suit], tuple[str]]:
        return Suit, (self.name,)

    @property
    def name(self) -> str:
        """The letter, as written in records."""
        return "SHDC"[self]

    @property
    def symbol(self) -> str:
        """The sign people see, such as `♥`."""
        return "♠♥♦♣"[self]

    @property
    def word(self) -> str:
        """The English name, such as `hearts`."""
        return ("spades", "hearts", "diamonds", "clubs")[self]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Suit.{self.name}"


SUITS: Final = tuple(int.__new__(Suit, index) for index in range(4))
Suit.S, Suit.H, Suit.D, Suit.C = SUITS


class Rank(enum.IntEnum):
    """The six ranks, high to low: the ten stands between ace and king."""

    ACE = 0
    TEN = 1
    KING = 2
    QUEEN = 3
    JACK = 4
    NINE = 5

    @property
    def letter(self) -> str:
        """The rank as written in records: one of `A T K Q J 9`."""
        return "ATKQJ9"[self]

    @property
    def word(self) -> str:
        """The English name, such as `ten`."""
        return self.name.lower()

    def __str__(self) -> str:
        return self.letter


RANKS: Final = 6
KINDS: Final = 24
FIELD: Final = 8  # bits a kind: a byte each, so that counts are read off without arithmetic


class Card(int):
    """A kind of card: `Card("TH")`, `Card("10h")` or `Card(7)`. Twins are the same object.

    As an integer it is `6 * suit + rank`, 0 to 23: suits S H D C, ranks A T K Q J 9. So within a
    suit the lower number is the higher card, and sorting gives the order hands are written in.
    Raises NotationError.
    """

    __slots__ = ()

    def __new__(cls, value: str | int) -> Card:
        """Read or look up a kind."""
        if isinstance(value, str):
            card = _BY_NAME.get(value.strip().upper().replace("10", "T", 1).translate(_SIGNS))
            if card is None:
                raise NotationError(
                    f"{value!r} is no card: expected rank then suit, such as AS, TH (or 10H), 9D."
                )
            return card
        if not 0 <= value < KINDS:
            raise NotationError(f"{value} is no card: cards are numbered 0 to {KINDS - 1}.")
        return CARDS[value]

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (str(self),)

    @property
    def suit(self) -> Suit:
        """The suit."""
        return SUITS[self // RANKS]

    @property
    def rank(self) -> Rank:
        """The rank."""
        return _RANKS[self % RANKS]

    @property
    def pretty(self) -> str:
        """The card as people see it, such as `10♥`."""
        return ("10" if self.rank is Rank.TEN else self.rank.letter) + self.suit.symbol

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"Card({_NAMES[self]!r})"


_RANKS: Final = tuple(Rank)
_NAMES: Final = tuple(rank.letter + suit.name for suit in SUITS for rank in _RANKS)
CARDS: Final[tuple[Card, ...]] = tuple(int.__new__(Card, number) for number in range(KINDS))
_SIGNS: Final = str.maketrans("♠♥♦♣", "SHDC")
_BY_NAME: Final = dict(zip(_NAMES, CARDS, strict=True))

ONE: Final = tuple(1 << (FIELD * kind) for kind in range(KINDS))  # one card of a kind
ALL_KINDS: Final = sum(ONE)
_SPARE: Final = ALL_KINDS << (FIELD - 1)
SUIT_KINDS: Final = tuple(sum(ONE[s * RANKS : (s + 1) * RANKS]) for s in range(4))


def card_of(suit: int, rank: int) -> Card:
    """The card of that suit and rank."""
    return CARDS[suit * RANKS + rank]


def pack(cards: Iterable[int]) -> int:
    """A hand as one integer of counts. At most seven of a kind."""
    return sum([ONE[card] for card in cards])


def unpack(hand: int) -> tuple[Card, ...]:
    """The cards of a packed hand in written order, twins side by side."""
    return tuple([card for card, n in zip(CARDS, counts(hand), strict=True) for _ in range(n)])


def kinds(hand: int) -> int:
    """The set of kinds in a packed hand: the lowest bit of each field that is not zero."""
    return (hand | hand >> 1 | hand >> 2) & ALL_KINDS


def members(kind_set: int) -> tuple[Card, ...]:
    """The kinds in a set, in written order."""
    return tuple(compress(CARDS, counts(kind_set)))


def counts(hand: int) -> bytes:
    """How many of each of the 24 kinds a packed hand holds, to be indexed by kind."""
    return hand.to_bytes(KINDS, "little")


def count(hand: int, card: int) -> int:
    """How many of one kind a packed hand holds."""
    return (hand >> FIELD * card) & 7


def size(hand: int) -> int:
    """How many cards a packed hand holds."""
    return sum(counts(hand))


def contains(hand: int, part: int) -> bool:
    """Whether every card of `part`, twins counted, is in `hand`."""
    # Each field has a bit to spare: where it is borrowed from, `part` has more of that kind.
    return (hand + _SPARE - part) & _SPARE == _SPARE


def take(hand: int, cards: Iterable[Card]) -> int:
    """A packed hand without those cards. Raises IllegalAction, naming the first not held."""
    for card in cards:
        if not count(hand, card):
            raise IllegalAction(Reason.NOT_HELD, cards=card.pretty)
        hand -= ONE[card]
    return hand


def parse_cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Read cards such as `"AS TH 10d"`, separated by blanks or commas. Raises NotationError."""
    words = text.replace(",", " ").split() if isinstance(text, str) else text
    return tuple(Card(word) for word in words)


def format_cards(cards: Iterable[int]) -> str:
    """Cards as written in records and on the command line: `"AS TH 9D"`."""
    return " ".join(_NAMES[card] for card in cards)


def pretty_cards(cards: Iterable[Card]) -> str:
    """Cards as people see them: `"A♠ 10♥ 9♦"`."""
    return " ".join(card.pretty for card in cards)


class Deck(msgspec.Struct, frozen=True):
    """A pinochle deck: `copies` of each kind, with or without the nines."""

    copies: int
    nines: bool = True

    @property
    def ranks(self) -> int:
        """How many ranks a suit has: 6, or 5 without the nines."""
        return 6 if self.nines else 5

    @property
    def size(self) -> int:
        """How many cards there are in all."""
        return 4 * self.ranks * self.copies

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in written order."""
        return unpack(self.packed)

    @property
    def packed(self) -> int:
        """All cards as one packed hand."""
        return self.copies * sum([ONE[c] for c in CARDS if c % RANKS < self.ranks])

    def excess(self, cards: Iterable[Card]) -> Card | None:
        """The first card of which there are more than the deck has, or None."""
        left = self.packed
        for card in cards:
            if not count(left, card):
                return card
            left -= ONE[card]
        return None
