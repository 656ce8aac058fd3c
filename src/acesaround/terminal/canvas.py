"""A rectangle of text on which pieces are put at places, for widgets that draw themselves."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text


class Canvas:
    """`width` by `height` cells. Pieces that would overlap or stick out are cut."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[tuple[int, Text]]] = [[] for _ in range(height)]

    def put(self, x: int, y: int, piece: Text) -> None:
        """One line of text, its left end at (x, y)."""
        if 0 <= y < self.height:
            self._rows[y].append((max(0, x), piece))

    def block(self, x: int, y: int, pieces: Iterable[Text]) -> None:
        """Lines of text one under the other."""
        for down, piece in enumerate(pieces):
            self.put(x, y + down, piece)

    def centre(self, left: int, right: int, y: int, piece: Text) -> None:
        """One line in the middle between two columns."""
        if len(piece) > right - left:
            piece = piece.copy()
            piece.truncate(right - left, overflow="ellipsis")
        self.put(left + (right - left - len(piece)) // 2, y, piece)

    def text(self) -> Text:
        """All of it."""
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
