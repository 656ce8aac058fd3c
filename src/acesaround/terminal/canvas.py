"""A rectangle of text for widgets that draw themselves, with pieces of text at positions."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text


class Canvas:
    """A grid of `width` by `height` cells.

    A piece that begins within another is dropped. A piece that sticks out is cut.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[tuple[int, Text]]] = [[] for _ in range(height)]

    def put(self, x: int, y: int, piece: Text) -> None:
        """Put a line of text with its left end at (x, y)."""
        if 0 <= y < self.height:
            self._rows[y].append((max(0, x), piece))

    def block(self, x: int, y: int, pieces: Iterable[Text]) -> None:
        """Put lines of text below one another."""
        for down, piece in enumerate(pieces):
            self.put(x, y + down, piece)

    def centre(self, left: int, right: int, y: int, piece: Text) -> None:
        """Put a line of text in the middle between two columns."""
        if len(piece) > right - left:
            piece = piece.copy()
            piece.truncate(right - left, overflow="ellipsis")
        self.put(left + (right - left - len(piece)) // 2, y, piece)

    def text(self) -> Text:
        """Return the whole grid as text."""
        made = Text(no_wrap=True, end="")
        for number, row in enumerate(self._rows):
            at = 0
            line = Text(end="")
            for x, piece in sorted(row, key=lambda item: item[0]):
                if x < at or x >= self.width:
                    continue
                if x + len(piece) > self.width:
                    piece = piece.copy()
                    piece.truncate(self.width - x)
                line.append(" " * (x - at))
                line.append_text(piece)
                at = x + len(piece)
            line.append(" " * (self.width - at))
            made.append_text(line)
            if number + 1 < self.height:
                made.append("\n")
        return made
