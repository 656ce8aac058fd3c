"""The `Player` protocol of everything that decides: bots, the terminal, a browser.

Further protocols add optional abilities: giving reasons, closing, and seeing all cards.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from acesaround.actions import Action
from acesaround.bots.explanations import ActionReason
from acesaround.game.state import Decision, GameState
from acesaround.game.view import View


class Player(Protocol):
    """A player that chooses a legal action from what one seat sees."""

    name: str

    def choose(self, view: View, decision: Decision) -> Action:
        """Return a legal action for `decision.seat`, whose view this is."""
        ...


@runtime_checkable
class Explainer(Player, Protocol):
    """A player that can also give reasons."""

    def explain(self, view: View, decision: Decision) -> tuple[Action, ActionReason]:
        """Return the action of `choose` and the one reason for it."""
        ...


@runtime_checkable
class OmniscientPlayer(Protocol):
    """A player that sees all cards. For experiments only, never at a table with people."""

    def observe_state(self, state: GameState) -> None:
        """Take note of the state, right before the decision about it."""
        ...


@runtime_checkable
class Closeable(Protocol):
    """A player that holds resources until it is closed."""

    def close(self) -> None:
        """Release the resources. Closing twice has no further effect."""
        ...


def close(player: object) -> None:
    """Close a player, if it is closeable."""
    if isinstance(player, Closeable):
        player.close()
