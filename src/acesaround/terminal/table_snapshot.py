"""The data of one moment, and the widget that draws it as table or panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.text import Text
from textual.widget import Widget

from acesaround.cards import Card
from acesaround.game.events import DealScored
from acesaround.game.narration import Names
from acesaround.game.view import View


@dataclass(frozen=True)
class TableSnapshot:
    """A view, the cards on the table and, for a finished trick, its winner.

    `turn`: the seat on turn. `log_lines`: the events of this deal, a sentence each. `scored_deals`:
    the scored deals.
    """

    view: View
    seat_names: Names
    trick: tuple[tuple[int, Card], ...] = ()
    winner: int | None = None
    turn: int | None = None
    log_lines: list[str] = field(default_factory=list)
    scored_deals: Sequence[DealScored] = ()


class SnapshotWidget(Widget):
    """A widget that draws a snapshot. `draw`: draws it in a number of columns and rows."""

    def __init__(self, widget_id: str, draw: Callable[[TableSnapshot, int, int], Text]) -> None:
        super().__init__(id=widget_id)
        self.snapshot: TableSnapshot | None = None
        self._draw = draw

    def show_snapshot(self, snapshot: TableSnapshot) -> None:
        """Show a snapshot."""
        self.snapshot = snapshot
        self.refresh()

    def render(self) -> Text:
        """Draw the snapshot."""
        if self.snapshot is None:
            return Text("")
        return self._draw(self.snapshot, self.size.width, self.size.height)
