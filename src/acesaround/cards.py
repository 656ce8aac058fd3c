"""Cards: suits, ranks, the 24 kinds of card, decks, and their notation.

Twins are identical, so a `Card` is a kind and a hand is a count of kinds. Inside the engine a hand
is one integer: `FIELD_BITS` bits hold the count of each kind (`pack`, `unpack`). A set of kinds is
an integer with the lowest bit of each field (`kinds`, `kinds_in_set`). Rules about cards are in
`tricks` and `melds`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from itertools import compress
from typing import ClassVar, Final

import msgspec

from acesaround.errors import IllegalAction, NotationError, Reason


class Suit(int):
    """A suit: `Suit("hearts")`, `Suit("H")`, `Suit("♥")` or `Suit(1)`. Each suit is one object.

    As an integer it is 0 to 3, in the order in which hands are written: S H D C. It is no enum,
    because encoders write an enum of integers as a number, and a suit is written as a letter.
    Raises NotationError.
    """

    __slots__ = ()

    S: ClassVar[Suit]
    H: ClassVar[Suit]
    D: ClassVar[Suit]
    C: ClassVar[Suit]

    def __new__(cls, value: str | int) -> Suit:
        """Return the suit of a name, letter, symbol or number."""
        if isinstance(value, str):
            name = value.strip().lower()
            for suit in SUITS:
                if name in (suit.letter.lower(), suit.word, suit.word[:-1], suit.symbol):
                    return suit
            raise NotationError(f"{value!r} is not a suit: expected one of S H D C.")
        if not 0 <= value < len(SUITS):
            raise NotationError(f"{value} is not a suit: suits are numbered 0 to 3.")
        return SUITS[value]

    def __reduce__(self) -> tuple[type[Suit], tuple[str]]:
        return Suit, (self.letter,)

    @property
    def letter(self) -> str:
        """The letter, as written in records."""
        return "SHDC"[self]

    @property
    def symbol(self) -> str:
        """The symbol people see, such as `♥`."""
        return "♠♥♦♣"[self]

    @property
    def word(self) -> str:
        """The English name, such as `hearts`."""
        return ("spades", "hearts", "diamonds", "clubs")[self]

    def __str__(self) -> str:
        return self.letter

    def __repr__(self) -> str:
        return f"Suit.{self.letter}"


SUITS: Final = tuple(int.__new__(Suit, index) for index in range(4))
Suit.S, Suit.H, Suit.D, Suit.C = SUITS


class Rank(enum.IntEnum):
    """The six ranks, high to low; the ten ranks between ace and king."""

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
        """The English name, such as "ten"."""
        return self.name.lower()

    def __str__(self) -> str:
        return self.letter


RANK_COUNT: Final = 6
KIND_COUNT: Final = 24
FIELD_BITS: Final = 8  # bits a kind: a byte, so that `to_bytes` gives the counts


class Card(int):
    """A kind of card: `Card("TH")`, `Card("10h")` or `Card(7)`. Twins are one object.

    As an integer it is `6 * suit + rank`, 0 to 23: suits S H D C, ranks A T K Q J 9. So within a
    suit the lower number is the higher card, and sorting gives the order in which hands are
    written. Raises NotationError.
    """

    __slots__ = ()

    def __new__(cls, value: str | int) -> Card:
        """Return the card of a name or number."""
        if isinstance(value, str):
            card = _CARD_BY_NAME.get(
                value.strip().upper().replace("10", "T", 1).translate(_LETTER_OF_SYMBOL)
            )
            if card is None:
                raise NotationError(
                    f"{value!r} is not a card: expected rank then suit, such as AS, TH (or 10H), "
                    "9D."
                )
            return card
        if not 0 <= value < KIND_COUNT:
            raise NotationError(f"{value} is not a card: cards are numbered 0 to {KIND_COUNT - 1}.")
        return CARDS[value]

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (str(self),)

    @property
    def suit(self) -> Suit:
        """The suit."""
        return SUITS[self // RANK_COUNT]

    @property
    def rank(self) -> Rank:
        """The rank."""
        return _RANKS[self % RANK_COUNT]

    @property
    def pretty(self) -> str:
        """The card as people see it, such as `10♥`."""
        return ("10" if self.rank is Rank.TEN else self.rank.letter) + self.suit.symbol

    def __str__(self) -> str:
        return _CARD_NAMES[self]

    def __repr__(self) -> str:
        return f"Card({_CARD_NAMES[self]!r})"


_RANKS: Final = tuple(Rank)
_CARD_NAMES: Final = tuple(rank.letter + suit.letter for suit in SUITS for rank in _RANKS)
CARDS: Final[tuple[Card, ...]] = tuple(int.__new__(Card, number) for number in range(KIND_COUNT))
_LETTER_OF_SYMBOL: Final = str.maketrans("♠♥♦♣", "SHDC")
_CARD_BY_NAME: Final = dict(zip(_CARD_NAMES, CARDS, strict=True))

ONE_OF_KIND: Final = tuple(
    1 << (FIELD_BITS * kind) for kind in range(KIND_COUNT)
)  # one card of a kind
ALL_KINDS: Final = sum(ONE_OF_KIND)
SUIT_KINDS: Final = tuple(sum(ONE_OF_KIND[s * RANK_COUNT : (s + 1) * RANK_COUNT]) for s in range(4))


def card_of(suit: int, rank: int) -> Card:
    """Return the card of that suit and rank."""
    return CARDS[suit * RANK_COUNT + rank]


def pack(cards: Iterable[int]) -> int:
    """Return cards as a packed hand: one integer of counts. At most seven of a kind."""
    return sum([ONE_OF_KIND[card] for card in cards])


def unpack(hand: int) -> tuple[Card, ...]:
    """Return the cards of a packed hand in written order, twins next to each other."""
    return tuple([card for card, n in zip(CARDS, counts(hand), strict=True) for _ in range(n)])


def kinds(hand: int) -> int:
    """Return the set of kinds in a packed hand: the lowest bit of each field that is not zero."""
    return (hand | hand >> 1 | hand >> 2) & ALL_KINDS


def kinds_in_set(kind_set: int) -> tuple[Card, ...]:
    """Return the kinds in a set, in written order."""
    return tuple(compress(CARDS, counts(kind_set)))


def counts(hand: int) -> bytes:
    """Return how many of each of the 24 kinds a packed hand holds, indexed by kind."""
    return hand.to_bytes(KIND_COUNT, "little")


def count(hand: int, card: int) -> int:
    """Return how many of one kind a packed hand holds."""
    return (hand >> FIELD_BITS * card) & 7


def card_count(hand: int) -> int:
    """Return how many cards a packed hand holds."""
    return sum(counts(hand))


def remove_cards(hand: int, cards: Iterable[Card]) -> int:
    """Return a packed hand without those cards.

    Raise IllegalAction, naming the first card that is not held.
    """
    for card in cards:
        if not count(hand, card):
            raise IllegalAction(Reason.NOT_HELD, cards=card.pretty)
        hand -= ONE_OF_KIND[card]
    return hand


def parse_cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Read cards such as `"AS TH 10d"`, separated by blanks or commas. Raise NotationError."""
    words = text.replace(",", " ").split() if isinstance(text, str) else text
    return tuple(Card(word) for word in words)


def format_cards(cards: Iterable[int]) -> str:
    """Return cards as written in records and on the command line: `"AS TH 9D"`."""
    return " ".join(_CARD_NAMES[card] for card in cards)


def pretty_cards(cards: Iterable[Card]) -> str:
    """Return cards as people see them: `"A♠ 10♥ 9♦"`."""
    return " ".join(card.pretty for card in cards)


class Deck(msgspec.Struct, frozen=True):
    """A pinochle deck: `copies` of each kind, with or without the nines."""

    copies: int
    nines: bool = True

    @property
    def ranks(self) -> int:
        """The number of ranks in a suit: 6, or 5 without the nines."""
        return 6 if self.nines else 5

    @property
    def size(self) -> int:
        """The number of cards."""
        return 4 * self.ranks * self.copies

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in written order."""
        return unpack(self.packed)

    @property
    def packed(self) -> int:
        """All cards as one packed hand."""
        return self.copies * sum([ONE_OF_KIND[c] for c in CARDS if c % RANK_COUNT < self.ranks])

    def first_excess_card(self, cards: Iterable[Card]) -> Card | None:
        """Return the first card of which there are more than the deck has, or None."""
        remaining = self.packed
        for card in cards:
            if not count(remaining, card):
                return card
            remaining -= ONE_OF_KIND[card]
        return None
