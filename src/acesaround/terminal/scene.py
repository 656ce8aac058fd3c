"""The data of one moment, from which table and panel are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from acesaround.cards import Card
from acesaround.game.events import DealScored
from acesaround.game.narration import Names
from acesaround.game.view import View


@dataclass(frozen=True)
class Scene:
    """A view, the cards on the table and, for a finished trick, its winner.

    `turn`: the seat on turn. `log_lines`: the events of this deal, a sentence each. `scored_deals`:
    the scored deals.
    """

    view: View
    who: Names
    trick: tuple[tuple[int, Card], ...] = ()
    winner: int | None = None
    turn: int | None = None
    log_lines: list[str] = field(default_factory=list)
    scored_deals: Sequence[DealScored] = ()
