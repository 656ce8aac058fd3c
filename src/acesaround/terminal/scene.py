"""What is shown at one moment: the only thing from which table and panel are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from acesaround.cards import Card
from acesaround.game.events import DealScored
from acesaround.game.narration import Names
from acesaround.game.view import View


@dataclass(frozen=True)
class Scene:
    """What is shown: a view, the cards on the table and, of a finished trick, who won it.

    `turn`: whom everybody waits for. `log`: what happened in this deal, a sentence each. `sheet`:
    the deals that have been scored.
    """

    view: View
    who: Names
    trick: tuple[tuple[int, Card], ...] = ()
    winner: int | None = None
    turn: int | None = None
    log: list[str] = field(default_factory=list)
    sheet: Sequence[DealScored] = ()
