"""The protocol of everybody who decides: bots, the terminal, a browser."""

from __future__ import annotations

from typing import Protocol

from acesaround.actions import Action
from acesaround.state import Decision
from acesaround.view import View


class Player(Protocol):
    """Chooses a legal action from what one seat sees."""

    name: str

    def choose(self, view: View, decision: Decision) -> Action:
        """A legal action for `decision.seat`, whose view this is."""
        ...


class Explainer(Player, Protocol):
    """A player that can also say why."""

    def explain(self, view: View, decision: Decision) -> tuple[Action, str]:
        """The action `choose` would return, and one sentence for people that says why."""
        ...
