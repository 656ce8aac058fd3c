"""What a bot advises: an action, why, and what was expected of each that was tried.

Every bot can be asked; one that can say nothing more gives its action alone.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec

from acesaround.actions import Action
from acesaround.bots.player import Explainer, Player
from acesaround.state import Decision
from acesaround.view import View


class Expected(msgspec.Struct, frozen=True):
    """What one action brings, in the mean of all worlds that a bot tried it in.

    `points`: what the own total changes by in this deal. `chance`: of winning the game. `made`: how
    often the bid of this deal is made, 0 where there is none.
    """

    action: Action
    points: float
    chance: float
    made: float


class Advice(msgspec.Struct, frozen=True):
    """What to do and why: one sentence for people. `tried`: best first, empty where none was."""

    action: Action
    why: str
    tried: tuple[Expected, ...] = ()


@runtime_checkable
class Adviser(Player, Protocol):
    """A player that can say what it expects of each action."""

    def advise(self, view: View, decision: Decision) -> Advice:
        """The action `choose` would return, why, and what was tried."""
        ...


def advice(player: Player, view: View, decision: Decision) -> Advice:
    """All that a player can say about a decision."""
    if isinstance(player, Adviser):
        return player.advise(view, decision)
    if isinstance(player, Explainer):
        return Advice(*player.explain(view, decision))
    return Advice(player.choose(view, decision), "")
