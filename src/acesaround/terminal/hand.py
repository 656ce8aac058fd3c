"""The person's hand: cards sorted by suit, in one or more rows, chosen by cursor or mouse.

The widget shows the cards that it is given and reports the picked ones. It does not know the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from acesaround.cards import Card, Suit
from acesaround.terminal.canvas import Canvas
from acesaround.terminal.card_art import QUIET, Look, box

SMALL = (5, 3)
BIG = (7, 5)


class Place(NamedTuple):
    """The position of a card in the widget."""

    x: int
    y: int


def arranged(cards: Sequence[Card], width: int, card: tuple[int, int]) -> list[Place]:
    """Return positions for sorted cards: in one row if they fit, else in several.

    A new row begins with a new suit if possible. Suits are one column apart if there is space.
    """
    across, down = card
    rows = _rows(cards, max(1, width // across))
    places = []
    for at, row in enumerate(rows):
        gaps = len({c.suit for c in row}) - 1
        gap = 1 if len(row) * across + gaps <= width else 0
        x = (width - len(row) * across - gap * gaps) // 2
        for number, one in enumerate(row):
            if number and one.suit != row[number - 1].suit:
                x += gap
            places.append(Place(x, at * down))
            x += across
    return places


def _rows(cards: Sequence[Card], most: int) -> list[Sequence[Card]]:
    many = len(cards)
    if many <= most:
        return [cards] if cards else []
    edges = [at for at in range(1, many) if cards[at].suit != cards[at - 1].suit]
    halves = [at for at in edges if max(at, many - at) <= most]
    if halves:
        cut = min(halves, key=lambda at: max(at, many - at))
        return [cards[:cut], cards[cut:]]
    rows = -(-many // most)
    each = -(-many // rows)
    return [cards[at : at + each] for at in range(0, many, each)]


class Hand(Widget):
    """The cards held. `legal`: the cards that may be chosen, None if there is nothing to choose."""

    class Picked(Message):
        """The message that a card was clicked."""

        def __init__(self, index: int) -> None:
            self.index = index
            super().__init__()

    def __init__(self) -> None:
        super().__init__(id="hand")
        self.cards: tuple[Card, ...] = ()
        self.legal: frozenset[Card] | None = None
        self.cursor: int | None = None
        self.marked: set[int] = set()
        self._trump: Suit | None = None
        self._new: Counter[Card] = Counter()
        self._laid: Counter[Card] = Counter()
        self._places: list[Place] = []
        self._card = SMALL

    def show(
        self,
        cards: Sequence[Card],
        *,
        trump: Suit | None,
        new: Iterable[Card] = (),
        laid: Iterable[Card] = (),
    ) -> None:
        """Show cards. `new`: just received. `laid`: melded and still on the table."""
        self.cards = tuple(sorted(cards))
        self._trump = trump
        self._new, self._laid = Counter(new), Counter(laid)
        self.legal, self.cursor = None, None
        self.marked.clear()
        self._arrange()

    def ask(self, legal: Iterable[Card]) -> None:
        """Let the person pick cards, with the cursor on the first legal card."""
        self.legal = frozenset(legal)
        self.cursor = next((i for i, c in enumerate(self.cards) if c in self.legal), None)
        if self.cursor is None and self.cards:
            self.cursor = 0
        self.refresh()

    def point(self, card: Card) -> None:
        """Move the cursor to a card."""
        if self.legal is not None and card in self.cards:
            self.cursor = self.cards.index(card)
            self.refresh()

    def mark(self, cards: Iterable[Card]) -> None:
        """Mark exactly these cards."""
        self.marked.clear()
        for card in cards:
            for index, held in enumerate(self.cards):
                if held == card and index not in self.marked:
                    self.marked.add(index)
                    break
        self.refresh()

    def toggle(self, index: int) -> None:
        """Mark a card, or remove its mark."""
        self.marked ^= {index}
        self.refresh()

    def chosen(self) -> tuple[Card, ...]:
        """Return the marked cards."""
        return tuple(self.cards[index] for index in sorted(self.marked))

    def move(self, step: int, *, legal_only: bool = False) -> None:
        """Move the cursor along the cards, and wrap at the ends."""
        if self.cursor is None or self.legal is None:
            return
        many = len(self.cards)
        for _ in range(many):
            self.cursor = (self.cursor + step) % many
            if not legal_only or self.cards[self.cursor] in self.legal:
                break
        self.refresh()

    def jump(self, step: int) -> None:
        """Move the cursor to the row above or below, or in a single row to another suit."""
        if self.cursor is None:
            return
        here = self._places[self.cursor]
        rows = sorted({place.y for place in self._places})
        if len(rows) == 1:
            suits = sorted({card.suit for card in self.cards})
            at = suits.index(self.cards[self.cursor].suit)
            wanted = suits[(at + step) % len(suits)]
            self.cursor = next(i for i, card in enumerate(self.cards) if card.suit == wanted)
        else:
            row = rows[(rows.index(here.y) + step) % len(rows)]
            there = [i for i, place in enumerate(self._places) if place.y == row]
            self.cursor = min(there, key=lambda i: abs(self._places[i].x - here.x))
        self.refresh()

    def place(self, index: int) -> Place:
        """Return the position of a card in this widget."""
        return self._places[index]

    def _arrange(self) -> None:
        width = self.size.width or self.app.size.width
        roomy = self.app.size.height >= 36 and len(self.cards) * BIG[0] + 3 <= width
        self._card = BIG if roomy else SMALL
        self._places = arranged(self.cards, width, self._card)
        lowest = max((place.y for place in self._places), default=0)
        self.styles.height = lowest + self._card[1]
        self.refresh()

    def on_resize(self) -> None:
        """Arrange the cards for the new size."""
        self._arrange()

    def render(self) -> Text:
        """Draw the cards."""
        canvas = Canvas(self.size.width, self.size.height)
        if not self.cards:
            canvas.centre(0, canvas.width, canvas.height // 2, Text("no cards in hand", QUIET))
        new, laid = self._new.copy(), self._laid.copy()
        for index, (card, place) in enumerate(zip(self.cards, self._places, strict=True)):
            top = bottom = ""
            if index in self.marked:
                top = "✓"
            elif new[card]:
                new[card] -= 1
                top = "new"
            if laid[card]:
                laid[card] -= 1
                bottom = "M"
            if card.suit == self._trump:
                bottom = "★" + bottom
            look = Look.PLAIN
            if index in self.marked:
                look = Look.MARKED
            elif self.legal is not None and card not in self.legal:
                look = Look.SUNK
            face = box(
                card,
                big=self._card == BIG,
                look=look,
                cursor=index == self.cursor,
                top=top,
                bottom=bottom,
            )
            canvas.block(place.x, place.y, face)
        return canvas.text()

    def _under(self, x: int, y: int) -> int | None:
        across, down = self._card
        for index, place in enumerate(self._places):
            if place.x <= x < place.x + across and place.y <= y < place.y + down:
                return index
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Move the cursor with the mouse while there is something to choose."""
        index = self._under(event.x, event.y)
        if index is not None and self.legal is not None and index != self.cursor:
            self.cursor = index
            self.refresh()
            self.post_message(self.Pointed())

    class Pointed(Message):
        """The message that the mouse moved the cursor."""

    def on_click(self, event: events.Click) -> None:
        """Post a message for the clicked card."""
        index = self._under(event.x, event.y)
        if index is not None and self.legal is not None:
            self.cursor = index
            self.refresh()
            self.post_message(self.Picked(index))
