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

    def put_line(self, x: int, y: int, piece: Text) -> None:
        """Put a line of text with its left end at (x, y)."""
        if 0 <= y < self.height:
            self._rows[y].append((max(0, x), piece))

    def put_lines(self, x: int, y: int, pieces: Iterable[Text]) -> None:
        """Put lines of text below one another."""
        for offset, piece in enumerate(pieces):
            self.put_line(x, y + offset, piece)

    def put_centred(self, left: int, right: int, y: int, piece: Text) -> None:
        """Put a line of text in the middle between two columns."""
        if len(piece) > right - left:
            piece = piece.copy()
            piece.truncate(right - left, overflow="ellipsis")
        self.put_line(left + (right - left - len(piece)) // 2, y, piece)

    def as_text(self) -> Text:
        """Return the whole grid as text."""
        result = Text(no_wrap=True, end="")
        for row_number, row in enumerate(self._rows):
            column = 0
            line = Text(end="")
            for x, piece in sorted(row, key=lambda item: item[0]):
                if x < column or x >= self.width:
                    continue
                if x + len(piece) > self.width:
                    piece = piece.copy()
                    piece.truncate(self.width - x)
                line.append(" " * (x - column))
                line.append_text(piece)
                column = x + len(piece)
            line.append(" " * (self.width - column))
            result.append_text(line)
            if row_number + 1 < self.height:
                result.append("\n")
        return result
