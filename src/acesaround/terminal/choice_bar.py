"""The bar of choices above the hand: a line of bids, trumps or buttons, for keys and mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from acesaround.terminal.card_art import DIM_STYLE, colour_cards


class Choice(NamedTuple):
    """A choice of the bar: its label and the value that it sends."""

    label: str
    value: str


class Bar(Widget):
    """A line of choices. The choice under the cursor, if there is one, is in brackets."""

    class Pressed(Message):
        """The message that a choice was clicked."""

        def __init__(self, value: str) -> None:
            self.value = value
            super().__init__()

    def __init__(self) -> None:
        super().__init__(id="bar")
        self.choices: tuple[Choice, ...] = ()
        self.cursor: int | None = None
        self._spans: list[tuple[int, int, str]] = []

    def show_choices(self, choices: Sequence[Choice], cursor: int | None = None) -> None:
        """Show these choices."""
        self.choices, self.cursor = tuple(choices), cursor
        self.refresh()

    def render(self) -> Text:
        """Draw the choices centred. If they do not fit, draw those around the cursor.

        `◀` and `▶` show that there are more choices on that side.
        """
        self._spans = []
        pieces = [
            colour_cards(f"[{choice.label}]", "bold #14211d on #ffd866")
            if index == self.cursor
            else colour_cards(f" {choice.label} ", "#dfe7e2 on #2f463d")
            for index, choice in enumerate(self.choices)
        ]
        first, last = 0, len(pieces)
        while last - first > 1 and self.size.width < (
            sum(len(piece) + 1 for piece in pieces[first:last])
            - 1
            + 2 * (first > 0)
            + 2 * (last < len(pieces))
        ):
            if self.cursor is not None and last - 1 - self.cursor < self.cursor - first:
                first += 1
            else:
                last -= 1
        visible = pieces[first:last]
        line = Text(no_wrap=True)
        x = (self.size.width - sum(len(p) + 1 for p in visible) + 1) // 2
        x = max(2 if first else 0, x)
        line.append("◀ ".rjust(x) if first else " " * x, DIM_STYLE)
        for index, piece in enumerate(visible, first):
            if index == self.cursor:
                piece.stylize("bold #14211d")  # no suit colours on yellow
            self._spans.append((x, x + len(piece), self.choices[index].value))
            line.append_text(piece)
            line.append(" ", DIM_STYLE)
            x += len(piece) + 1
        if last < len(pieces):
            line.append("▶", DIM_STYLE)
        return line

    def on_click(self, event: events.Click) -> None:
        """Post a message for the clicked choice."""
        for left, right, value in self._spans:
            if left <= event.x < right:
                self.post_message(self.Pressed(value))
