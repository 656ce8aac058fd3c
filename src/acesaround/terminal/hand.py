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
from acesaround.terminal.card_art import DIM_STYLE, CardLook, card_box

SMALL_CARD = (5, 3)
BIG_CARD = (7, 5)


class CardPosition(NamedTuple):
    """The position of a card in the widget."""

    x: int
    y: int


def arrange_cards(
    cards: Sequence[Card], width: int, card_size: tuple[int, int]
) -> list[CardPosition]:
    """Return positions for sorted cards: in one row if they fit, else in several.

    A new row begins with a new suit if possible. Suits are one column apart if there is space.
    """
    card_width, card_height = card_size
    rows = _split_rows(cards, max(1, width // card_width))
    positions = []
    for row_number, row in enumerate(rows):
        gaps = len({c.suit for c in row}) - 1
        gap = 1 if len(row) * card_width + gaps <= width else 0
        x = (width - len(row) * card_width - gap * gaps) // 2
        for column, shown_card in enumerate(row):
            if column and shown_card.suit != row[column - 1].suit:
                x += gap
            positions.append(CardPosition(x, row_number * card_height))
            x += card_width
    return positions


def _split_rows(cards: Sequence[Card], max_cards: int) -> list[Sequence[Card]]:
    card_count = len(cards)
    if card_count <= max_cards:
        return [cards] if cards else []
    suit_starts = [at for at in range(1, card_count) if cards[at].suit != cards[at - 1].suit]
    even_cuts = [at for at in suit_starts if max(at, card_count - at) <= max_cards]
    if even_cuts:
        cut = min(even_cuts, key=lambda at: max(at, card_count - at))
        return [cards[:cut], cards[cut:]]
    rows = -(-card_count // max_cards)
    row_length = -(-card_count // rows)
    return [cards[at : at + row_length] for at in range(0, card_count, row_length)]


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
        self._new_cards: Counter[Card] = Counter()
        self._laid_cards: Counter[Card] = Counter()
        self._positions: list[CardPosition] = []
        self._card_size = SMALL_CARD

    def show_cards(
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
        self._new_cards, self._laid_cards = Counter(new), Counter(laid)
        self.legal, self.cursor = None, None
        self.marked.clear()
        self._arrange()

    def start_choosing(self, legal: Iterable[Card]) -> None:
        """Let the person pick cards, with the cursor on the first legal card."""
        self.legal = frozenset(legal)
        self.cursor = next((i for i, c in enumerate(self.cards) if c in self.legal), None)
        if self.cursor is None and self.cards:
            self.cursor = 0
        self.refresh()

    def move_cursor_to(self, card: Card) -> None:
        """Move the cursor to a card."""
        if self.legal is not None and card in self.cards:
            self.cursor = self.cards.index(card)
            self.refresh()

    def mark_only(self, cards: Iterable[Card]) -> None:
        """Mark exactly these cards."""
        self.marked.clear()
        for card in cards:
            for index, held in enumerate(self.cards):
                if held == card and index not in self.marked:
                    self.marked.add(index)
                    break
        self.refresh()

    def toggle_mark(self, index: int) -> None:
        """Mark a card, or remove its mark."""
        self.marked ^= {index}
        self.refresh()

    def marked_cards(self) -> tuple[Card, ...]:
        """Return the marked cards."""
        return tuple(self.cards[index] for index in sorted(self.marked))

    def move_cursor(self, step: int, *, legal_only: bool = False) -> None:
        """Move the cursor along the cards, and wrap at the ends."""
        if self.cursor is None or self.legal is None:
            return
        card_count = len(self.cards)
        for _ in range(card_count):
            self.cursor = (self.cursor + step) % card_count
            if not legal_only or self.cards[self.cursor] in self.legal:
                break
        self.refresh()

    def jump_to_row(self, step: int) -> None:
        """Move the cursor to the row above or below, or in a single row to another suit."""
        if self.cursor is None:
            return
        current = self._positions[self.cursor]
        rows = sorted({place.y for place in self._positions})
        if len(rows) == 1:
            suits = sorted({card.suit for card in self.cards})
            suit_index = suits.index(self.cards[self.cursor].suit)
            next_suit = suits[(suit_index + step) % len(suits)]
            self.cursor = next(i for i, card in enumerate(self.cards) if card.suit == next_suit)
        else:
            row = rows[(rows.index(current.y) + step) % len(rows)]
            row_cards = [i for i, place in enumerate(self._positions) if place.y == row]
            self.cursor = min(row_cards, key=lambda i: abs(self._positions[i].x - current.x))
        self.refresh()

    def position_of(self, index: int) -> CardPosition:
        """Return the position of a card in this widget."""
        return self._positions[index]

    def _arrange(self) -> None:
        width = self.size.width or self.app.size.width
        is_roomy = self.app.size.height >= 36 and len(self.cards) * BIG_CARD[0] + 3 <= width
        self._card_size = BIG_CARD if is_roomy else SMALL_CARD
        self._positions = arrange_cards(self.cards, width, self._card_size)
        lowest = max((place.y for place in self._positions), default=0)
        self.styles.height = lowest + self._card_size[1]
        self.refresh()

    def on_resize(self) -> None:
        """Arrange the cards for the new size."""
        self._arrange()

    def render(self) -> Text:
        """Draw the cards."""
        canvas = Canvas(self.size.width, self.size.height)
        if not self.cards:
            canvas.put_centred(
                0, canvas.width, canvas.height // 2, Text("no cards in hand", DIM_STYLE)
            )
        new, laid = self._new_cards.copy(), self._laid_cards.copy()
        for index, (card, place) in enumerate(zip(self.cards, self._positions, strict=True)):
            top_mark = bottom_mark = ""
            if index in self.marked:
                top_mark = "✓"
            elif new[card]:
                new[card] -= 1
                top_mark = "new"
            if laid[card]:
                laid[card] -= 1
                bottom_mark = "M"
            if card.suit == self._trump:
                bottom_mark = "★" + bottom_mark
            look = CardLook.NORMAL
            if index in self.marked:
                look = CardLook.MARKED
            elif self.legal is not None and card not in self.legal:
                look = CardLook.UNPLAYABLE
            face = card_box(
                card,
                is_big=self._card_size == BIG_CARD,
                look=look,
                has_cursor=index == self.cursor,
                top_mark=top_mark,
                bottom_mark=bottom_mark,
            )
            canvas.put_lines(place.x, place.y, face)
        return canvas.as_text()

    def _card_index_at(self, x: int, y: int) -> int | None:
        card_width, card_height = self._card_size
        for index, place in enumerate(self._positions):
            if place.x <= x < place.x + card_width and place.y <= y < place.y + card_height:
                return index
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Move the cursor with the mouse while there is something to choose."""
        index = self._card_index_at(event.x, event.y)
        if index is not None and self.legal is not None and index != self.cursor:
            self.cursor = index
            self.refresh()
            self.post_message(self.Pointed())

    class Pointed(Message):
        """The message that the mouse moved the cursor."""

    def on_click(self, event: events.Click) -> None:
        """Post a message for the clicked card."""
        index = self._card_index_at(event.x, event.y)
        if index is not None and self.legal is not None:
            self.cursor = index
            self.refresh()
            self.post_message(self.Picked(index))
