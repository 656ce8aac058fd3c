"""Actions: frozen values for everything that can happen in a deal, and sets of legal actions.

Random cards enter only as a `Deal`. `phases` decides what is legal. `why_invalid` rejects values
that can never be an action. Legal actions are `SizedActions` (sequences), or `LazyActions` if there
are too many to list. All of them support `in`, iteration and a random choice:
`decision.legal.sample(rng)`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, overload

import msgspec
from msgspec.structs import force_setattr

from acesaround.cards import CARDS, KIND_COUNT, SUITS, Card, Suit, counts, format_cards, pack
from acesaround.errors import UnlistedError

MAX_BID: Final = 10**12 - 1
"""The highest possible bid: a browser holds the sum of thousands of them exactly."""


class Deal(msgspec.Struct, frozen=True, tag="deal"):
    """The cards of one deal. `hands` is indexed by seat; an absent seat has no cards.

    `stock`: the next card to draw comes first; the upcard is not in it.
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
    """A pass, which ends the seat's part in the auction."""

    def __str__(self) -> str:
        return "pass"


class NameTrump(msgspec.Struct, frozen=True, tag="trump"):
    """The declarer's choice of trump."""

    suit: Suit

    def __str__(self) -> str:
        return f"trump {self.suit}"


class _CardsAction(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        # Sorted, so that the same cards named in another order give an equal action.
        with suppress(TypeError):  # invalid cards are rejected when the action is applied
            force_setattr(self, "cards", tuple(sorted(self.cards)))


class Bury(_CardsAction, frozen=True, tag="bury"):
    """Cards that the declarer lays aside after taking the kitty; they count for the declarer."""

    def __str__(self) -> str:
        return f"bury {format_cards(self.cards)}"


class Give(_CardsAction, frozen=True, tag="give"):
    """Cards passed between the declarer and a partner."""

    def __str__(self) -> str:
        return f"give {format_cards(self.cards)}"


class Discard(_CardsAction, frozen=True, tag="discard"):
    """Cards exchanged for as many from the stock; may be empty."""

    def __str__(self) -> str:
        return f"discard {format_cards(self.cards)}".strip()


class LayMeld(_CardsAction, frozen=True, tag="meld"):
    """A meld laid between tricks: all its cards, including cards already on the table."""

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

ACTION_TYPES: Final = (Deal, Bid, Pass, NameTrump, Bury, Give, Discard, LayMeld, Play, Concede)
"""Every kind of action."""
PASS: Final = Pass()
CONCEDE: Final = Concede()
PLAY_ACTIONS: Final = tuple(Play(card) for card in CARDS)
TRUMP_ACTIONS: Final = tuple(NameTrump(suit) for suit in SUITS)


def why_invalid(action: object) -> str | None:
    """Return why an object is no valid action, as a clause; None if it is valid.

    Only exact types count, and `True` is no number, because actions are stored in states and
    records.
    """
    if type(action) is Play:
        card = action.card
        return None if id(card) in _CARD_IDS else f"{short_repr(card)} is not a card"
    if type(action) is Bid:
        return _why_invalid_bid(action.points)
    if type(action) is Pass or type(action) is Concede:
        return None
    if type(action) is NameTrump:
        return None if is_suit(action.suit) else f"{short_repr(action.suit)} is not a suit"
    if type(action) is Bury or type(action) is Give:
        return _why_invalid_cards(action.cards)
    if type(action) is Discard or type(action) is LayMeld:
        return _why_invalid_cards(action.cards)
    if type(action) is Deal:
        return _why_invalid_deal(action)
    return (
        f"{short_repr(action)} is none of "
        f"{', '.join(action_type.__name__ for action_type in ACTION_TYPES)}"
    )


_CARD_IDS: Final = frozenset(map(id, CARDS))  # each kind is one object, as `Card` says


def is_card(value: object) -> bool:
    """Return whether a value is one of the 24 `Card` objects; equal numbers do not count."""
    return id(value) in _CARD_IDS


def is_suit(value: object) -> bool:
    """Return whether a value is a `Suit`; equal numbers do not count."""
    return type(value) is Suit and 0 <= value < len(SUITS)


def _why_invalid_bid(points: object) -> str | None:
    if type(points) is not int:
        return f"a bid is a whole number, not {short_repr(points)}"
    if not -MAX_BID <= points <= MAX_BID:
        return f"a bid has {len(str(MAX_BID))} digits at most"
    return None


def _why_invalid_cards(cards: object) -> str | None:
    if type(cards) is not tuple:
        return f"{short_repr(cards)} is not a tuple of cards"
    if _CARD_IDS.issuperset(map(id, cards)):
        return None
    return next(f"{short_repr(card)} is not a card" for card in cards if not is_card(card))


def _why_invalid_deal(deal: Deal) -> str | None:
    if type(deal.hands) is not tuple:
        return f"{short_repr(deal.hands)} is not a tuple of hands"
    if deal.upcard is not None and not is_card(deal.upcard):
        return f"{short_repr(deal.upcard)} is not a card"
    card_groups = (*deal.hands, deal.kitty, deal.stock)
    return next(
        (reason for reason in map(_why_invalid_cards, card_groups) if reason is not None), None
    )


def describe(action: object) -> str:
    """Return an action as people write it, and anything else by its `repr`. Never raises."""
    return str(action) if why_invalid(action) is None else short_repr(action)


def short_repr(value: object) -> str:
    """Return the `repr` of any value, cut if it is long. Never raises."""
    try:
        text = repr(value)
    except Exception:  # a broken `__repr__`
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= _MAX_REPR_LENGTH else f"{text[:_MAX_REPR_LENGTH]}..."


_MAX_REPR_LENGTH: Final = 60


class SizedActions(Sequence[Action]):
    """Legal actions that can be listed: `len`, indices and `random.choice` work."""

    __slots__ = ()

    def sample(self, rng: random.Random) -> Action:
        """Return a random action; all are equally likely."""
        return self[int(rng.random() * len(self))]


class LazyActions(ABC):
    """Legal actions that are too many to list: no length and no index, but `in` and `sample`.

    Iteration yields them one by one without end. `len`, and so `list` and `random.choice`, raise
    UnlistedError.
    """

    __slots__ = ()

    @abstractmethod
    def sample(self, rng: random.Random) -> Action:
        """Return a random action."""

    @abstractmethod
    def __contains__(self, action: object, /) -> bool: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Action]: ...

    if not TYPE_CHECKING:  # hidden, so that a type checker reports `len`

        def __len__(self) -> NoReturn:
            raise UnlistedError

    def __bool__(self) -> bool:
        return True


LegalActions: TypeAlias = SizedActions | LazyActions
"""The legal actions of a decision: `in`, iteration, `sample(rng)`; `SizedActions` have a length."""


class ActionList(tuple[Action, ...], SizedActions):
    """A few legal actions, all of them listed."""

    __slots__ = ()

    def __contains__(self, action: object, /) -> bool:
        return why_invalid(action) is None and tuple.__contains__(self, action)


@lru_cache(maxsize=1 << 14)  # each hand has different parts
def _count_selections(kind_counts: tuple[int, ...], size: int) -> int:
    """Return the number of different selections of `size` cards from these counts of kinds."""
    if size == 0:
        return 1
    if not kind_counts:
        return 0
    return sum(
        _count_selections(kind_counts[1:], size - n) for n in range(min(kind_counts[0], size) + 1)
    )


class CardSelections(SizedActions):
    """Every selection of cards from a hand, of each of the given sizes; twins count as equal.

    Indexing unranks the index, so that a random choice does not list the others.
    """

    __slots__ = ("_action_type", "_kind_counts", "_kinds", "sizes")

    def __init__(
        self, hand: int, sizes: Sequence[int], action_type: type[Bury | Give | Discard]
    ) -> None:
        kind_counts = counts(hand)
        self._kinds = tuple(card for card in CARDS if kind_counts[card])
        self._kind_counts = tuple(kind_counts[card] for card in self._kinds)
        self.sizes: tuple[int, ...] = tuple(sizes)
        self._action_type = action_type

    def __contains__(self, action: object) -> bool:
        if type(action) is not self._action_type or why_invalid(action) is not None:
            return False
        cards = action.cards
        if len(cards) not in self.sizes:
            return False
        return all(
            cards.count(card)
            <= (self._kind_counts[self._kinds.index(card)] if card in self._kinds else 0)
            for card in set(cards)
        )

    def __len__(self) -> int:
        return sum(_count_selections(self._kind_counts, size) for size in self.sizes)

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
        for size in self.sizes:
            selection_count = _count_selections(self._kind_counts, size)
            if index < selection_count:
                return self._action_type(self._unrank(index, size))
            index -= selection_count
        raise IndexError(index)

    def _unrank(self, index: int, size: int) -> tuple[Card, ...]:
        chosen: list[Card] = []
        for position, card in enumerate(self._kinds):
            other_counts = self._kind_counts[position + 1 :]
            for n in range(min(self._kind_counts[position], size), -1, -1):
                selection_count = _count_selections(other_counts, size - n)
                if index < selection_count:
                    chosen.extend((card,) * n)
                    size -= n
                    break
                index -= selection_count
        return tuple(chosen)

    def __iter__(self) -> Iterator[Action]:
        for index in range(len(self)):
            yield self[index]


def packed_cards(action: Bury | Give | Discard | LayMeld) -> int:
    """Return the cards of an action as a packed hand."""
    return pack(action.cards)


assert len(PLAY_ACTIONS) == KIND_COUNT
